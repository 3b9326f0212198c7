/* sizes <platform> {<source> <destination> <bytes>}...: messages of any real number of bytes, all of them at once. Says
 * when each arrives, by its number. */
#include "expect.hpp"

#include <cstdlib>

/* Mailboxes take whole bytes alone; what stands below them, and what MPI uses, takes real numbers. */
static void send(const std::string& number, double bytes)
{
  void* payload = nullptr;
  sg4::Comm::send(sg4::Actor::self()->get_impl(), box(number), bytes, -1, &payload, sizeof payload, nullptr, nullptr,
                  nullptr, -1);
  say("put" + number);
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  for (int i = 0; 2 + 3 * i + 2 < argc; i++) {
    const auto number  = std::to_string(i);
    const double bytes = std::atof(argv[2 + 3 * i + 2]);
    sg4::Actor::create("sender", host(argv[2 + 3 * i]), [=] { send(number, bytes); });
    sg4::Actor::create("receiver", host(argv[2 + 3 * i + 1]), [=] {
      box(number)->get<void>();
      say("got" + number);
    });
  }
  engine.run();
  return 0;
}
