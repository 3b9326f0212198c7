/* errors <platform> <date>: what a program in C is told of messages that fail at 1 ms, and of one that arrives at the
 * date, in picoseconds, until which it waits. */
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>

static const double when = 1e-3;
static double arrival;

static const char* name_of(sg_error_t error)
{
  switch (error) {
    case SG_OK:
      return "ok";
    case SG_ERROR_TIMEOUT:
      return "timeout";
    case SG_ERROR_NETWORK:
      return "failure";
    case SG_ERROR_CANCELED:
      return "cancel";
    default:
      return "other";
  }
}

static void say(const char* what, const char* box, sg_error_t error)
{
  printf("%s %s-%s %lld\n", name_of(error), what, box, llround(simgrid_get_clock() * 1e12));
}

/* put <box> <bytes> <timeout> */
static void put(int argc, char* argv[])
{
  (void)argc;
  const double timeout = atof(argv[2]);
  sg_comm_t comm       = sg_mailbox_put_async(sg_mailbox_by_name(argv[0]), argv, atol(argv[1]));
  say("put", argv[0], timeout > 0 ? sg_comm_wait_for(comm, timeout) : sg_comm_wait(comm));
}

static void get(int argc, char* argv[])
{
  (void)argc;
  void* payload;
  const double timeout = atof(argv[2]);
  sg_comm_t comm       = sg_mailbox_get_async(sg_mailbox_by_name(argv[0]), &payload);
  say("get", argv[0], timeout > 0 ? sg_comm_wait_for(comm, timeout) : sg_comm_wait(comm));
}

static void fate(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_actor_sleep_until(when);
  sg_host_turn_off(sg_host_by_name("gpu1"));
  sg_host_turn_off(sg_host_by_name("gpu3"));
}

static void start(const char* box, const char* from, const char* to, const char* bytes, double put_timeout,
                  double get_timeout)
{
  char put_text[32], get_text[32];
  snprintf(put_text, sizeof put_text, "%.17g", put_timeout);
  snprintf(get_text, sizeof get_text, "%.17g", get_timeout);
  sg_actor_create("put", sg_host_by_name(from), put, 3, (char*[]){(char*)box, (char*)bytes, put_text, NULL});
  sg_actor_create("get", sg_host_by_name(to), get, 3, (char*[]){(char*)box, (char*)bytes, get_text, NULL});
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  arrival = (double)atoll(argv[2]) * 1e-12;
  sg_actor_create("fate", sg_host_by_name("gpu0"), fate, 0, NULL);
  start("source-off", "gpu1", "gpu2", "100000000", 0, 0);
  start("target-off", "gpu2", "gpu3", "100000000", 0, 0);
  start("sender-late", "gpu5", "gpu6", "100000000", when, 0);
  start("receiver-late", "gpu5", "gpu6", "100000000", 0, when);
  start("in-time", "gpu7", "gpu8", "1000000", arrival, 0);
  start("in-time-too", "gpu4", "gpu0", "1000000", 0, arrival);
  simgrid_run();
  return 0;
}
