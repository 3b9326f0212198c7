/* A module of one's own in a fabric: a tap on the cable between a NIC and its switch counts frames and delays them.
 *
 *   tap examples/tap.xml [DELAY]      such as 2us */
#include <inttypes.h>
#include <sgfabric/sgfabric.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>

enum { FROM_HOST, FROM_SWITCH }; /* the tap's gates: the first leads to the device that it was inserted at */

typedef struct tap {
  opp_simtime_t delay;
  uint64_t frames[2];
  int64_t bytes[2];
} tap_t;

static void tap_initialize(opp_module_t* self, int stage)
{
  (void)stage;
  ((tap_t*)opp_module_state(self))->delay = opp_par_time(self, "delay");
}

static void tap_handle_message(opp_module_t* self, opp_msg_t* frame)
{
  tap_t* tap     = opp_module_state(self);
  const int from = opp_gate_index(opp_msg_arrival_gate(frame));
  tap->frames[from]++;
  tap->bytes[from] += opp_packet_byte_length(frame);
  opp_send_delayed(self, frame, tap->delay, opp_gate(self, "port$o", 1 - from));
}

static const opp_parameter_t tap_parameters[] = {{"delay", OPP_PAR_TIME, NULL, "0ps"}, {0}};
static const opp_module_type_t tap_type       = {.name           = "tap",
                                                 .state_size     = sizeof(tap_t),
                                                 .initialize     = tap_initialize,
                                                 .handle_message = tap_handle_message,
                                                 .parameters     = tap_parameters};

/* Called when the platform's devices and cables are there. */
static sgf_status_t insert_tap(void* delay, sgf_fabric_t* fabric, sgf_error_t* error)
{
  opp_module_t* tap = sgf_fabric_insert(fabric, sgf_fabric_find(fabric, "b"), 0, "rack.tap", &tap_type, error);
  return tap == NULL ? error->status : opp_par_set(tap, "delay", delay, error);
}

static void writer(int argc, char* argv[])
{
  (void)argc;
  (void)argv;
  sgf_rdma_write(sg_host_by_name("b"), 100000, 0);
  printf("100000 bytes acknowledged at %.3f us\n", simgrid_get_clock() * 1e6);
}

int main(int argc, char* argv[])
{
  char no_delay[] = "0ps";
  simgrid_init(&argc, argv);
  if (argc < 2) {
    fprintf(stderr, "usage: %s PLATFORM [DELAY]\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_on_build(insert_tap, argc > 2 ? argv[2] : no_delay);
  sg_fabric_load_platform(argv[1]);
  sg_actor_create("writer", sg_host_by_name("a"), writer, 0, NULL);
  simgrid_run();

  const tap_t* tap = opp_module_state(opp_module_by_path(sgf_fabric_sim(sg_fabric_get()), "net.rack.tap"));
  printf("to b:   %" PRIu64 " frames, %" PRId64 " bytes\n", tap->frames[FROM_SWITCH], tap->bytes[FROM_SWITCH]);
  printf("from b: %" PRIu64 " frames, %" PRId64 " bytes\n", tap->frames[FROM_HOST], tap->bytes[FROM_HOST]);
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
