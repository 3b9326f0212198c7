/* Messages and computations of a category, for SimGrid's traces. */
#include "expect.hpp"

#include <simgrid/instr.h>

int main(int argc, char* argv[])
{
  static int payload;
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  simgrid::instr::declare_tracing_category("data");
  sg4::Actor::create("sender", host("gpu0"), [] {
    for (int i = 0; i < 3; i++) {
      auto comm = box("box")->put_init(&payload, 1000000);
      comm->set_tracing_category("data");
      comm->wait();
      say("put" + std::to_string(i));
    }
    sg4::this_actor::exec_init(1e6)->set_tracing_category("data")->wait();
  });
  sg4::Actor::create("receiver", host("gpu3"), [] {
    for (int i = 0; i < 3; i++) {
      box("box")->get<int>();
      say("got" + std::to_string(i));
    }
  });
  engine.run();
  say("end");
  return 0;
}
