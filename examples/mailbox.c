/* An ordinary SimGrid program: gpu0 sends a megabyte to gpu8 through a mailbox. It knows nothing of sgfabric;
 * `sgfabric exec -- ./mailbox platforms/rack9.xml` runs it over the fabric. */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>

enum { BYTES = 1000000 };

static void sender(int argc, char* argv[])
{
  (void)argc;
  sg_mailbox_put(sg_mailbox_by_name("box"), argv[0], BYTES);
}

static void receiver(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_mailbox_get(sg_mailbox_by_name("box"));
  printf("gpu8 has %d bytes from gpu0 after %.3f us\n", BYTES, simgrid_get_clock() * 1e6);
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  const char* arguments[] = {"sender"};
  sg_actor_create_("sender", sg_host_by_name("gpu0"), sender, 1, arguments);
  sg_actor_create("receiver", sg_host_by_name("gpu8"), receiver, 0, NULL);
  simgrid_run();
  return 0;
}
