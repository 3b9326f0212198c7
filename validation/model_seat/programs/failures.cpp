/* What goes wrong with messages of 100 MB, all of them at 1 ms, at both ends. What each end says, and what it does not.
 */
#include "expect.hpp"

#include <functional>
#include <vector>

static int payload;
constexpr int SIZE    = 100000000;
constexpr double when = 1 * ms;

static sg4::ActorPtr start(const char* name, const char* where, std::function<void()> code)
{
  return sg4::Actor::create(name, host(where), std::move(code));
}

static sg4::ActorPtr sender(const char* where, const std::string& name, double timeout = -1)
{
  return start("sender", where, [=] { attempt("put-" + name, [=] { box(name)->put(&payload, SIZE, timeout); }); });
}

static sg4::ActorPtr receiver(const char* where, const std::string& name, double timeout = -1)
{
  return start("receiver", where, [=] { attempt("get-" + name, [=] { box(name)->get<int>(timeout); }); });
}

static void at_that_time(std::function<void()> code)
{
  start("fate", "gpu0", [code] {
    sg4::this_actor::sleep_until(when);
    code();
  });
}

static void hosts_that_fail()
{
  sender("gpu1", "source-off");
  receiver("gpu2", "source-off");
  sender("gpu2", "target-off");
  receiver("gpu3", "target-off");
  start("worker", "gpu4",
        [] { attempt("exec", [] { sg4::this_actor::exec_init(1e12)->set_host(host("gpu1"))->wait(); }); });
  at_that_time([] {
    host("gpu1")->turn_off();
    host("gpu3")->turn_off();
  });
}

static void actors_that_are_killed()
{
  auto first  = sender("gpu4", "sender-killed");
  auto second = receiver("gpu6", "receiver-killed");
  first->on_exit([](bool failed) { say(failed ? "sender-failed" : "sender-ended"); });
  receiver("gpu5", "sender-killed");
  sender("gpu5", "receiver-killed");
  at_that_time([=] {
    first->kill();
    second->kill();
  });
}

static void time_outs()
{
  sender("gpu4", "sender-late", when);
  receiver("gpu5", "sender-late");
  sender("gpu5", "receiver-late");
  receiver("gpu6", "receiver-late", when);
  start("alone", "gpu7", [] { attempt("put-alone", [] { box("nobody")->put(&payload, SIZE, when); }); });
  start("waiter", "gpu7", [] {
    auto comm = sg4::Comm::sendto_async(host("gpu7"), host("gpu8"), SIZE);
    attempt("wait_for", [&] { comm->wait_for(when); });
  });
}

static void cancellations()
{
  start("sender", "gpu4", [] {
    auto comm = box("sender-cancels")->put_async(&payload, SIZE);
    sg4::this_actor::sleep_until(when);
    comm->cancel();
    attempt("put-sender-cancels", [&] { comm->wait(); });
  });
  receiver("gpu5", "sender-cancels");
  sender("gpu5", "receiver-cancels");
  start("receiver", "gpu6", [] {
    int* data;
    auto comm = box("receiver-cancels")->get_async<int>(&data);
    sg4::this_actor::sleep_until(when);
    comm->cancel();
    attempt("get-receiver-cancels", [&] { comm->wait(); });
  });
}

/* Not a failure: who waits no longer may wait again. */
static void second_thoughts()
{
  start("chooser", "gpu7", [] {
    std::vector<sg4::CommPtr> comms{sg4::Comm::sendto_async(host("gpu7"), host("gpu8"), SIZE)};
    if (sg4::Comm::wait_any_for(comms, when) == -1)
      say("not-yet");
    sg4::Comm::wait_any(comms);
    say("chosen");
  });
}

/* What the fabric still sends takes its share. */
static void afterwards()
{
  start("afterwards", "gpu5", [] {
    sg4::this_actor::sleep_until(when);
    sg4::Comm::sendto(host("gpu5"), host("gpu6"), 1000000);
    say("afterwards");
  });
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  hosts_that_fail();
  actors_that_are_killed();
  time_outs();
  cancellations();
  second_thoughts();
  afterwards();
  engine.run();
  say("end");
  return 0;
}
