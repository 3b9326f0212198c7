/* Messages until one fails, and nothing else. */
#include <cmath>
#include <cstdio>
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

static void say(const char* what)
{
  std::printf("%s %lld\n", what, std::llround(sg4::Engine::get_clock() * 1e12));
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  auto* box = sg4::Mailbox::by_name("box");
  sg4::Actor::create("sender", engine.host_by_name("h0"), [box] {
    try {
      for (const char* what : {"first", "second", "third"}) {
        box->put(box, 1000000);
        say(what);
      }
    } catch (const simgrid::NetworkFailureException&) {
      say("failure");
    }
  });
  sg4::Actor::create("receiver", engine.host_by_name("h1"), [box] {
    while (true)
      box->get<sg4::Mailbox>();
  });
  engine.run();
  return 0;
}
