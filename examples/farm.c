/* An ordinary SimGrid study: a manager hands blocks of a megabyte to workers, who compute on them and ask for more.
 * Nothing in it is about sgfabric. Compiled as it is it runs on SimGrid's own network:
 *
 *   cc examples/farm.c -o farm -lsimgrid
 *
 * With two options its mailboxes and communications are those of the fabric (sgfabric/comm.h):
 *
 *   cc -DSGF_MAP_SIMGRID -include sgfabric/comm.h examples/farm.c -o farm -lsgfabric -lsimgrid */
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 3, BLOCKS = 6, BLOCK_BYTES = 1000000, ASK_BYTES = 64 };

static int blocks[BLOCKS + WORKERS]; /* number of each; 0: there are no more */

/* A block to whoever asks. A put goes on by itself while the next one is asked for. */
static void manager(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_mailbox_t asking = sg_mailbox_by_name("asking");
  sg_comm_t puts[BLOCKS + WORKERS];
  for (int i = 0; i < BLOCKS + WORKERS; i++) {
    const char* worker = sg_mailbox_get(asking);
    blocks[i]          = i < BLOCKS ? i + 1 : 0;
    puts[i] = sg_mailbox_put_async(sg_mailbox_by_name(worker), &blocks[i], i < BLOCKS ? BLOCK_BYTES : ASK_BYTES);
  }
  for (int i = 0; i < BLOCKS + WORKERS; i++)
    sg_comm_wait(puts[i]);
  printf("%.3f us: all blocks are done\n", simgrid_get_clock() * 1e6);
}

static void worker(int argc, char* argv[])
{
  (void)argc;
  sg_mailbox_t own = sg_mailbox_by_name(argv[0]);
  for (;;) {
    void* block    = NULL;
    sg_comm_t next = sg_mailbox_get_async(own, &block);
    sg_mailbox_put(sg_mailbox_by_name("asking"), argv[0], ASK_BYTES);
    sg_comm_wait(next);
    if (*(int*)block == 0)
      return;
    printf("%.3f us: %s has block %d\n", simgrid_get_clock() * 1e6, argv[0], *(int*)block);
    sg_actor_sleep_for(10e-6); /* what it computes */
  }
}

int main(int argc, char* argv[])
{
  static const char* names[WORKERS] = {"gpu1", "gpu2", "gpu3"};
  simgrid_init(&argc, argv);
  if (argc != 2) {
    fprintf(stderr, "usage: %s PLATFORM\n", argv[0]);
    return EXIT_FAILURE;
  }
  simgrid_load_platform(argv[1]);
  sg_actor_create("manager", sg_host_by_name("gpu0"), manager, 0, NULL);
  for (int i = 0; i < WORKERS; i++)
    sg_actor_create_(names[i], sg_host_by_name(names[i]), worker, 1, &names[i]);
  simgrid_run();
  return EXIT_SUCCESS;
}
