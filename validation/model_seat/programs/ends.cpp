/* How a simulation ends while messages are under way, or must end. */
#include "expect.hpp"

#include <cstdlib>
#include <stdexcept>

static int payload;
constexpr int MEGABYTE = 1000000;

static void actor(const char* where, void (*code)())
{
  sg4::Actor::create("actor", host(where), code);
}

static void detached()
{
  box("detached")->put_init(&payload, MEGABYTE)->detach();
}

/* Both actors have gone when it arrives. */
static void receiver_that_leaves()
{
  static int* data;
  auto comm = box("detached")->get_async<int>(&data);
  sg4::this_actor::sleep_for(1 * us);
  say(comm->test() ? "test" : "early test");
}

static void daemon()
{
  sg4::Actor::self()->daemonize();
  box("daemons")->put(&payload, MEGABYTE);
  say("never");
}

static void receiving_daemon()
{
  sg4::Actor::self()->daemonize();
  box("daemons")->get<int>();
  say("never");
}

static void short_sleep()
{
  sg4::this_actor::sleep_for(1 * us);
  say("slept");
}

static void exception()
{
  sg4::this_actor::sleep_for(1 * us);
  throw std::runtime_error("an actor gives up");
}

static void leave()
{
  sg4::this_actor::sleep_for(1 * us);
  say("leave");
  std::exit(3);
}

static void sender()
{
  attempt("put", [] { box("box")->put(&payload, MEGABYTE); });
}

static void receiver()
{
  attempt("get", [] { box("box")->get<int>(); });
}

static void two_messages_please()
{
  receiver();
  receiver();
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const std::string what(argv[2]);
  if (what == "detached") {
    actor("gpu1", detached);
    actor("gpu2", receiver_that_leaves);
  }
  if (what == "daemons") {
    actor("gpu1", daemon);
    actor("gpu2", receiving_daemon);
    actor("gpu0", short_sleep);
  }
  if (what == "exception" || what == "exit") {
    actor("gpu1", sender);
    actor("gpu2", receiver);
    actor("gpu0", what == "exit" ? leave : exception);
  }
  if (what == "deadlock") {
    actor("gpu1", sender);
    actor("gpu2", two_messages_please);
  }
  engine.run();
  say("end");
  return 0;
}
