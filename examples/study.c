/* A SimGrid study over the fabric: a token of 1 MB goes round a ring of hosts.
 *
 * What differs from a study without sgfabric: the plugin's init, its load_platform, and the calls that move bytes. */
#include <sgfabric/sgfabric.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOKEN = 1, TOKEN_BYTES = 1000000 };

/* member <next host> [first]: the first one starts the token and waits for its return. */
static void member(int argc, char* argv[])
{
  sg_host_t next = sg_host_by_name(argv[1]);
  if (argc > 2)
    sgf_rdma_write(next, TOKEN_BYTES, TOKEN);

  uint64_t bytes;
  sg_host_t from;
  sgf_recv(TOKEN, &bytes, &from);
  printf("%.6f us: %s has %llu bytes from %s\n", simgrid_get_clock() * 1e6, sg_host_self_get_name(),
         (unsigned long long)bytes, sg_host_get_name(from));

  if (argc == 2)
    sgf_rdma_write(next, TOKEN_BYTES, TOKEN);
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  if (argc != 3) {
    fprintf(stderr, "usage: %s PLATFORM DEPLOYMENT\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_load_platform(argv[1]);
  simgrid_register_function("member", member);
  simgrid_load_deployment(argv[2]);
  simgrid_run();
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
