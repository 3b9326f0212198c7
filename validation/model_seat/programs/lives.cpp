/* Time-outs, kills, suspensions, cancellations and hosts that fail, with messages under way. */
#include <cmath>
#include <cstdio>
#include <simgrid/plugins/energy.h>
#include <simgrid/plugins/load.h>
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

static void say(const char* what)
{
  std::printf("%s %lld\n", what, std::llround(sg4::Engine::get_clock() * 1e12));
}

template <class F> static void expect_failure(const char* what, F code)
{
  try {
    code();
    say("nothing-failed");
  } catch (const simgrid::TimeoutException&) {
    std::printf("timeout ");
    say(what);
  } catch (const simgrid::NetworkFailureException&) {
    std::printf("failure ");
    say(what);
  } catch (const simgrid::CancelException&) {
    std::printf("cancel ");
    say(what);
  }
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const auto host     = [&engine](const char* name) { return engine.host_by_name(name); };
  constexpr double ms = 1e-3;
  static int payload;
  auto* box = sg4::Mailbox::by_name("box");

  sg4::Actor::create("sender", host("gpu0"), [&] {
    expect_failure("put", [&] { box->put(&payload, 1000000000, 1 * ms); });
    expect_failure("put", [&] { box->put(&payload, 1000000000); }); /* the receiver's host fails at 3 ms */
    auto comm = sg4::Comm::sendto_async(host("gpu1"), host("gpu2"), 1000000000);
    sg4::this_actor::sleep_until(4 * ms);
    comm->cancel();
    say("cancelled");
    auto victim =
        sg4::Actor::create("victim", host("gpu3"), [&] { sg4::Comm::sendto(host("gpu3"), host("gpu4"), 1000000000); });
    sg4::this_actor::sleep_until(5 * ms);
    victim->suspend();
    sg4::this_actor::sleep_until(6 * ms);
    victim->resume();
    sg4::this_actor::sleep_until(7 * ms);
    victim->kill();
    say("killed");
    auto sleeper = sg4::Actor::create("sleeper", host("gpu5"), [&] {
      sg4::Comm::sendto(host("gpu5"), host("gpu6"), 1000000);
      say("slept");
    });
    sg4::this_actor::sleep_for(1e-6);
    sleeper->suspend();
    sg4::this_actor::sleep_until(8 * ms);
    sleeper->resume();
    sleeper->join();
    say("joined");
  });
  sg4::Actor::create("receiver", host("gpu8"), [&] {
    expect_failure("get", [&] { box->get<int>(); });
    box->get<int>();
    say("never");
  });
  sg4::Actor::create("fate", host("gpu7"), [&] {
    sg4::this_actor::sleep_until(3 * ms);
    host("gpu8")->turn_off();
  });
  engine.run_until(2 * ms);
  say("paused");
  engine.run();
  say("end");
  return 0;
}
