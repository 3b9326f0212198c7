/* An ordinary SimGrid program, which knows nothing of sgfabric: five hosts h0 to h4 that each send 4 MB to the host two
 * further, all at once.
 *
 *   ring PLATFORM */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>

enum { HOSTS = 5, BYTES = 4000000 };

static void host_name(char name[8], int number)
{
  snprintf(name, 8, "h%d", number % HOSTS);
}

static void sender(int argc, char* argv[])
{
  (void)argc;
  static char payload;
  char name[8];
  host_name(name, atoi(argv[1]) + 2);
  sg_mailbox_put(sg_mailbox_by_name(name), &payload, BYTES);
}

static void receiver(int argc, char* argv[])
{
  (void)argc;
  char name[8];
  host_name(name, atoi(argv[1]));
  sg_mailbox_get(sg_mailbox_by_name(name));
  printf("got %s\n", name);
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  for (int i = 0; i < HOSTS; i++) {
    char name[8], number[12];
    host_name(name, i);
    snprintf(number, sizeof number, "%d", i);
    const char* arguments[] = {"", number, NULL};
    sg_actor_create(name, sg_host_by_name(name), sender, 2, (char**)arguments);
    sg_actor_create(name, sg_host_by_name(name), receiver, 2, (char**)arguments);
  }
  simgrid_run();
  printf("end\n");
  return 0;
}
