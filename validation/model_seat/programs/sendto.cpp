/* Messages between hosts that no actor is on, and by mailbox. */
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
  const auto host = [&engine](const char* name) { return engine.host_by_name(name); };
  sg4::Actor::create("director", host("gpu0"), [&host] {
    auto later = sg4::Comm::sendto_async(host("gpu1"), host("gpu4"), 1000000);
    sg4::Comm::sendto(host("gpu2"), host("gpu4"), 2000000);
    say("both");
    later->wait();
    sg4::Comm::sendto(host("gpu5"), host("gpu5"), 1000000);
    say("loop");
    sg4::Comm::sendto(host("gpu5"), host("gpu6"), 0);
    say("zero");
    auto* box = sg4::Mailbox::by_name("box");
    box->put(box, 3000000);
    say("put");
  });
  sg4::Actor::create("receiver", host("gpu7"), [] {
    sg4::Mailbox::by_name("box")->get<sg4::Mailbox>();
    say("got");
  });
  engine.run();
  return 0;
}
