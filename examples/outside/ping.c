/* One write of 1 MB from host FROM to host TO. */
#include <sgfabric/sgfabric.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1000000 };

static void writer(int argc, char* argv[])
{
  (void)argc;
  const char* to            = argv[1];
  const sgf_status_t status = sgf_rdma_write(sg_host_by_name(to), BYTES, 0);
  if (status == SGF_OK)
    printf("%.6f us: %s has written %d bytes to %s\n", simgrid_get_clock() * 1e6, sg_host_self_get_name(), BYTES, to);
  else
    printf("no write to %s: %s\n", to, sgf_status_text(status));
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  if (argc != 4) {
    fprintf(stderr, "usage: %s PLATFORM FROM TO\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_load_platform(argv[1]);
  char* arguments[] = {"writer", argv[3]};
  sg_actor_create("writer", sg_host_by_name(argv[2]), writer, 2, arguments);
  simgrid_run();
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
