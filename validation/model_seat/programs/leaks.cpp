/* leaks <platform> <first> <last>: `last` messages of 100 kB one after another, of which none arrives at a waiting
 * actor: every other one's time is out, others are cancelled, and lose their sender, or their receiver. Says how much
 * of the heap is in use after `first` of them, and at the end. */
#include "expect.hpp"

#include <cstdlib>
#include <malloc.h>

static int payload;

static void say_memory(const char* what)
{
  malloc_trim(0);
  const struct mallinfo2 info = mallinfo2();
  std::printf("%s %zu\n", what, info.uordblks + info.hblkhd);
}

static void put(double timeout)
{
  try {
    box("box")->put(&payload, 100000, timeout);
  } catch (const simgrid::Exception&) {
  }
}

static void get(double timeout)
{
  try {
    box("box")->get<int>(timeout);
  } catch (const simgrid::Exception&) {
  }
}

/* After a microsecond, in which no message of this size arrives, nothing of it is left in SimGrid. */
static void fail(int i)
{
  constexpr double life = 1 * us;
  const bool late       = i % 2 == 0;
  auto sender           = sg4::Actor::create("sender", host("gpu0"), [=] { put(late ? life : -1); });
  auto receiver         = sg4::Actor::create("receiver", host("gpu1"), [] { get(-1); });
  auto elsewhere        = i % 8 == 7 ? sg4::Comm::sendto_async(host("gpu2"), host("gpu3"), 100000) : nullptr;
  sg4::this_actor::sleep_for(life);
  if (elsewhere)
    elsewhere->cancel();
  if (!late)
    (i % 4 == 1 ? sender : receiver)->kill();
  sender->join();
  receiver->join();
  sg4::this_actor::sleep_for(9 * us); /* the fabric delivers it meanwhile */
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const int first = std::atoi(argv[2]);
  const int last  = std::atoi(argv[3]);
  sg4::Actor::create("director", host("gpu8"), [=] {
    for (int i = 0; i < last; i++) {
      if (i == first)
        say_memory("first");
      fail(i);
    }
    say_memory("last");
  });
  engine.run();
  return 0;
}
