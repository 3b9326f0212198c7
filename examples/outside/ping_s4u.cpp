/* ping.c in C++: sgfabric's calls take SimGrid's C++ hosts as they are. */
#include <cstdio>
#include <cstdlib>
#include <sgfabric/sgfabric.h>
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

constexpr int bytes = 1000000;

static void writer(sg4::Host* to)
{
  const sgf_status_t status = sgf_rdma_write(to, bytes, 0);
  if (status == SGF_OK)
    std::printf("%.6f us: %s has written %d bytes to %s\n", sg4::Engine::get_clock() * 1e6,
                sg4::this_actor::get_host()->get_cname(), bytes, to->get_cname());
  else
    std::printf("no write to %s: %s\n", to->get_cname(), sgf_status_text(status));
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s PLATFORM FROM TO\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_load_platform(argv[1]);
  sg4::Actor::create("writer", engine.host_by_name(argv[2]), writer, engine.host_by_name(argv[3]));
  engine.run();
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
