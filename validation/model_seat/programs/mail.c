/* Three messages of a megabyte by mailbox, one after another; then four at once, taken as they arrive. */
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>

enum { ROUNDS = 3, AT_ONCE = 4 };

static void say(const char* what, int number)
{
  printf("%s%d %lld\n", what, number, llround(simgrid_get_clock() * 1e12));
}

static sg_mailbox_t box(int number)
{
  char name[16];
  snprintf(name, sizeof name, "box%d", number);
  return sg_mailbox_by_name(name);
}

static void sender(int argc, char* argv[])
{
  (void)argc;
  for (int i = 0; i < ROUNDS; i++) {
    sg_mailbox_put(box(AT_ONCE), argv, 1000000);
    say("put", i);
  }
  sg_comm_t comms[AT_ONCE];
  int numbers[AT_ONCE];
  for (int i = 0; i < AT_ONCE; i++) {
    comms[i]   = sg_mailbox_put_async(box(i), argv, 400000 - 100000 * i);
    numbers[i] = i;
  }
  for (int left = AT_ONCE; left > 0; left--) {
    const int first = (int)sg_comm_wait_any(comms, (size_t)left);
    say("any", numbers[first]);
    comms[first]   = comms[left - 1];
    numbers[first] = numbers[left - 1];
  }
}

static void receiver(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < ROUNDS; i++) {
    sg_mailbox_get(box(AT_ONCE));
    say("got", i);
  }
  sg_comm_t comms[AT_ONCE];
  void* payloads[AT_ONCE];
  for (int i = 0; i < AT_ONCE; i++)
    comms[i] = sg_mailbox_get_async(box(i), &payloads[i]);
  sg_comm_wait_all(comms, AT_ONCE);
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  sg_actor_create("sender", sg_host_by_name(argv[2]), sender, 0, NULL);
  sg_actor_create("receiver", sg_host_by_name(argv[3]), receiver, 0, NULL);
  simgrid_run();
  say("end", 0);
  return 0;
}
