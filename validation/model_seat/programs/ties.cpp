/* Time-outs, cancellations and kills at the very instant at which a message of a megabyte arrives: argv[2], in
 * picoseconds. Every message has hosts of its own. */
#include "expect.hpp"

#include <cstdlib>
#include <vector>

static int payload;
constexpr int MEGABYTE = 1000000;

static void receive(const char* where, const std::string& what, double timeout)
{
  sg4::Actor::create("receiver", host(where), [=] { attempt("get-" + what, [=] { box(what)->get<int>(timeout); }); });
}

/* Both ends say how it went. */
static void send(const char* from, const char* to, const std::string& what, double put_timeout, double get_timeout)
{
  sg4::Actor::create("sender", host(from),
                     [=] { attempt("put-" + what, [=] { box(what)->put(&payload, MEGABYTE, put_timeout); }); });
  receive(to, what, get_timeout);
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const double arrival = std::atoll(argv[2]) * 1e-12;
  const std::string mode(argv[3]);
  if (mode == "timeouts") {
    send("gpu0", "gpu1", "sender", arrival, -1);
    send("gpu2", "gpu3", "receiver", -1, arrival);
    sg4::Actor::create("waiter", host("gpu4"), [=] {
      attempt("wait_for", [=] { sg4::Comm::sendto_async(host("gpu4"), host("gpu5"), MEGABYTE)->wait_for(arrival); });
    });
    sg4::Actor::create("chooser", host("gpu6"), [=] {
      std::vector<sg4::CommPtr> comms{sg4::Comm::sendto_async(host("gpu6"), host("gpu7"), MEGABYTE)};
      say(sg4::Comm::wait_any_for(comms, arrival) == 0 ? "wait_any_for" : "timeout wait_any_for");
    });
  } else {
    sg4::Actor::create("canceller", host("gpu0"), [=] {
      auto comm = box("cancel")->put_async(&payload, MEGABYTE);
      sg4::this_actor::sleep_until(arrival);
      say(comm->test() ? "test" : "early test");
      comm->cancel();
      attempt("put-cancel", [=] { comm->wait(); });
    });
    receive("gpu1", "cancel", -1);
    send("gpu2", "gpu3", "kill", -1, -1);
    sg4::Actor::create("killer", host("gpu4"), [=] {
      auto victim = sg4::Actor::create("victim", host("gpu5"), [] { box("victim")->put(&payload, MEGABYTE); });
      sg4::this_actor::sleep_until(arrival);
      victim->kill();
      say("killed");
    });
    receive("gpu6", "victim", -1);
  }
  engine.run();
  return 0;
}
