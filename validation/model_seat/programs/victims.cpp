// What examples/victims_d.xml does, by messages of SimGrid's own.
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const auto host = [&engine](const char* name) { return engine.host_by_name(name); };
  for (const char* name : {"a0", "a1", "a2", "a3"})
    sg4::Actor::create("aggressor", host(name), [&host, name] { sg4::Comm::sendto(host(name), host("slow"), 500000); });
  sg4::Actor::create("b", host("b"), [&host] {
    sg4::this_actor::sleep_until(20e-6);
    sg4::Comm::sendto(host("b"), host("idle"), 64000);
  });
  sg4::Actor::create("a0", host("a0"), [&host] {
    sg4::this_actor::sleep_until(40e-6);
    sg4::Comm::sendto(host("a0"), host("idle"), 64000);
  });
  engine.run();
  return 0;
}
