/* steps <platform> <step> <count>: messages of a megabyte one after another, and the simulation run up to every
 * multiple of a step of so many picoseconds. */
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>

static long long now(void)
{
  return llround(simgrid_get_clock() * 1e12);
}

static void sender(int argc, char* argv[])
{
  (void)argc;
  for (int i = 0; i < 3; i++) {
    sg_mailbox_put(sg_mailbox_by_name("box"), argv, 1000000);
    printf("put%d %lld\n", i, now());
  }
}

static void receiver(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 3; i++) {
    sg_mailbox_get(sg_mailbox_by_name("box"));
    printf("got%d %lld\n", i, now());
  }
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  const long long step = atoll(argv[2]);
  const int count      = atoi(argv[3]);
  sg_actor_create("sender", sg_host_by_name("gpu0"), sender, 0, NULL);
  sg_actor_create("receiver", sg_host_by_name("gpu3"), receiver, 0, NULL);
  int wrong = 0;
  for (int i = 1; i <= count; i++) {
    simgrid_run_until((double)(i * step) * 1e-12);
    wrong += now() != i * step;
  }
  printf("wrong %d\nstopped %lld\n", wrong, now());
  simgrid_run();
  printf("end %lld\n", now());
  return 0;
}
