/* An experiment with actors: four senders fill one queue of a switch; when it holds 768 kB, the switch pauses them all.
 *
 *   h0 h1 h2 h3 -- tor -- h4
 *
 * Nobody's congestion control is in the way: the NICs send datagrams. sg_fabric_wait_queue wakes its actor in the very
 * picosecond in which the queue is as long. */
#include <sgfabric/sgfabric.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>

enum { SENDERS = 4, RECEIVER = 4, CLASS = 0, LINE = 768000, QUANTA = 20000 };

static void say(const char* what)
{
  const sgf_device_t* tor = sgf_fabric_find(sg_fabric_get(), "tor");
  printf("%9.5f us: %7lld B wait for h4; %s\n", simgrid_get_clock() * 1e6,
         (long long)sgf_device_queue_bytes(tor, RECEIVER, CLASS), what);
}

static void sender(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sgf_rdma_write(sg_host_by_name("h4"), 1000000, 0);
}

static void watcher(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sg_fabric_wait_queue("tor", RECEIVER, CLASS, 1);
  say("the first frames are in");
  sg_fabric_wait_queue("tor", RECEIVER, CLASS, LINE);
  say("all are paused, for 26.6 us");
  for (unsigned port = 0; port < SENDERS; port++)
    sg_fabric_pause("tor", port, CLASS, QUANTA);
  sg_fabric_wait_queue("tor", RECEIVER, CLASS, LINE + 300000);
  say("what was under way is in");
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  if (argc != 2) {
    fprintf(stderr, "usage: %s PLATFORM\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_load_platform(argv[1]);
  char host[] = "h0";
  for (; host[1] < '0' + SENDERS; host[1]++)
    sg_actor_create("sender", sg_host_by_name(host), sender, 0, NULL);
  sg_actor_create("watcher", sg_host_by_name("h4"), watcher, 0, NULL);
  simgrid_run();
  const sgf_status_t status = sg_fabric_finish();
  printf("%9.5f us: the last bit has arrived\n", (double)sgf_engine_clock(sg_fabric_get()) * 1e-6);
  return status == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
