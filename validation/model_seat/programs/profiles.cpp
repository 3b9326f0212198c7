/* profiles <platform> [links]: hosts h0 and h1, whose profiles turn h1 off and on again, and slow h0 down; an actor on
 * h1 that is started again. With a second argument links fail too. */
#include "expect.hpp"

static int payload;

static void put(const char* what)
{
  attempt(what, [] { box("box")->put(&payload, 1000000); });
}

static void sender()
{
  put("first");
  put("second");
  put("third");
  sg4::this_actor::sleep_until(150 * us);
  put("fourth");
  sg4::this_actor::sleep_until(180 * us);
  sg4::this_actor::execute(100e3); /* at 1 Gf/s for 20 us, then at half of it */
  say("executed");
  put("fifth");
}

static void receiver()
{
  say("started");
  while (true) {
    box("box")->get<int>();
    say("got");
  }
}

/* SimGrid would stop every message, or take a second for it. */
static void no_cable()
{
  sg4::this_actor::sleep_until(10 * us);
  sg4::Link::by_name("c1_DOWN")->turn_off();
  sg4::Link::by_name("c0_UP")->set_bandwidth(1e6);
  say("no-cable");
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  sg4::Actor::create("sender", host("h0"), sender);
  if (argc > 2)
    sg4::Actor::create("saboteur", host("h0"), no_cable);
  auto restarted = sg4::Actor::create("receiver", host("h1"), receiver);
  restarted->daemonize();
  restarted->set_auto_restart(true);
  engine.run();
  say("end");
  return 0;
}
