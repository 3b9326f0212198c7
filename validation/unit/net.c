/* Codepoints, and the sending side of a port. */
#include <stdlib.h>

#include "net/port.h"
#include "unit/opp_probe.h"

/* ---- Codepoints and sizes ---------------------------------------------------------------------------------------- */

SGF_TEST(each_role_has_a_codepoint_of_its_own)
{
  static const net_role_t data[]    = {NET_ROLE_NO_TRIM, NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE_RTX};
  static const net_role_t control[] = {NET_ROLE_CONTROL, NET_ROLE_TRIMMED, NET_ROLE_TRIMMED_LAST_HOP};
  for (size_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(net_role_of_dscp(net_role_dscp(data[i])), data[i]);
    CU_ASSERT_EQUAL(net_role_of_dscp(net_role_dscp(control[i])), control[i]);
    CU_ASSERT_EQUAL(net_role_dscp(data[i]) / 8, 0); /* the classes of a switch without policy, and of a NIC */
    CU_ASSERT_EQUAL(net_role_dscp(control[i]) / 8, 1);
  }
  for (unsigned dscp = 11; dscp < 64; dscp++)
    CU_ASSERT_EQUAL(net_role_of_dscp((uint8_t)dscp), NET_ROLE_UNRECOGNIZED);
}

/* ---- Ports ------------------------------------------------------------------------------------------------------- */

enum { TIMER = 99, TIMER_NUMBER = 5 };

/* A port on a cable of a nanosecond a byte and 500 ns to `sink`. Its owner starts the next frame at the end of each. */
typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* owner;
  opp_module_t* sink;
  net_port_t port;
} scene_t;

static scene_t scene;
static opp_msg_t* ended; /* the last frame whose serialisation has ended */

static void end_frame(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  CU_ASSERT_EQUAL(opp_msg_kind(msg), TIMER);
  CU_ASSERT_EQUAL(msg->bytes, TIMER_NUMBER);
  ended = net_port_end(&scene.port);
  net_port_start(&scene.port);
}

static void set_scene(void)
{
  scene       = (scene_t){.sim = opp_sim_new(1)};
  scene.owner = probe_new(scene.sim, NULL, "owner");
  scene.sink  = probe_new(scene.sim, NULL, "sink");
  opp_gate_add(scene.owner, "port", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(scene.sink, "port", OPP_GATE_INPUT, false, 1);
  opp_gate_t* gate = opp_gate(scene.owner, "port", 0);
  opp_gate_connect(gate, opp_gate(scene.sink, "port", 0), opp_channel_datarate(scene.sim, 8000000000, 500 * OPP_NS));
  net_port_init(&scene.port, scene.owner, gate, TIMER, TIMER_NUMBER);
  probe_of(scene.owner)->react = end_frame;
}

static opp_msg_t* frame_of(int kind)
{
  return opp_frame_new(scene.owner, kind, 100);
}

static void strike(void)
{
  CU_ASSERT_STRING_EQUAL(opp_sim_error(scene.sim)->text, "");
  opp_sim_free(scene.sim);
}

SGF_TEST(the_highest_class_goes_first)
{
  set_scene();
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    net_port_queue(&scene.port, frame_of((int)tc), tc);
    net_port_queue(&scene.port, frame_of((int)(10 + tc)), tc);
  }
  CU_ASSERT_EQUAL(net_port_queue_length(&scene.port, 0), 1); /* the first frame found the port idle */
  CU_ASSERT_EQUAL(net_port_queue_length(&scene.port, 7), 2);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  static const int expected[] = {0, 7, 17, 6, 16, 5, 15, 4, 14, 3, 13, 2, 12, 1, 11, 10};
  for (int i = 0; i < 16; i++)
    ASSERT_ARRIVAL(scene.sink, i, (600 + 100 * i) * OPP_NS, expected[i]);
  CU_ASSERT(net_port_is_empty(&scene.port));
  strike();
}

SGF_TEST(the_choice_is_made_anew_for_every_frame)
{
  set_scene();
  for (int i = 0; i < 3; i++)
    net_port_queue(&scene.port, frame_of(i), 1);
  opp_sim_run(scene.sim, 150 * OPP_NS); /* the second one is on the wire: it is not interrupted */
  net_port_queue(&scene.port, frame_of(50), 5);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(scene.sink, 1, 700 * OPP_NS, 1);
  ASSERT_ARRIVAL(scene.sink, 2, 800 * OPP_NS, 50);
  ASSERT_ARRIVAL(scene.sink, 3, 900 * OPP_NS, 2);
  strike();
}

SGF_TEST(held_classes_are_skipped)
{
  set_scene();
  scene.port.held = 1U << 3 | 1U << 0;
  net_port_queue(&scene.port, frame_of(3), 3);
  net_port_queue(&scene.port, frame_of(0), 0);
  CU_ASSERT_PTR_NULL(scene.port.on_wire);
  CU_ASSERT(!net_port_is_empty(&scene.port));
  net_port_queue(&scene.port, frame_of(2), 2);
  opp_sim_run(scene.sim, OPP_US);
  CU_ASSERT_EQUAL(probe_of(scene.sink)->count, 1);
  ASSERT_ARRIVAL(scene.sink, 0, 600 * OPP_NS, 2);
  scene.port.held = 1U << 3;
  net_port_start(&scene.port);
  opp_sim_run(scene.sim, 2 * OPP_US);
  ASSERT_ARRIVAL(scene.sink, 1, 1600 * OPP_NS, 0);
  scene.port.held = 0;
  net_port_start(&scene.port);
  net_port_start(&scene.port); /* it is busy: nothing */
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(scene.sink, 2, 2600 * OPP_NS, 3);
  strike();
}

SGF_TEST(pfc_frames_go_ahead_of_all_classes_and_are_never_held)
{
  set_scene();
  net_port_queue(&scene.port, frame_of(1), 7);
  net_port_queue(&scene.port, frame_of(2), 7);
  net_port_queue_pfc(&scene.port, frame_of(3));
  net_port_queue_pfc(&scene.port, frame_of(4));
  scene.port.held = 0xff;
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(scene.sink)->count, 3);
  ASSERT_ARRIVAL(scene.sink, 0, 600 * OPP_NS, 1); /* was on the wire */
  ASSERT_ARRIVAL(scene.sink, 1, 700 * OPP_NS, 3);
  ASSERT_ARRIVAL(scene.sink, 2, 800 * OPP_NS, 4);
  strike();
}

static void nothing_reached(void* user)
{
  (void)user;
}

/* As a RoCE NIC's CNPs, which have a class for the switches on their way. */
SGF_TEST(an_IP_frame_that_goes_ahead_is_of_no_class_of_the_port)
{
  net_gauge_t gauge = {.reached = nothing_reached};
  set_scene();
  for (unsigned gauged = 0; gauged < 2; gauged++) {
    net_port_gauge(&scene.port, gauged ? &gauge : NULL);
    opp_msg_t* frame     = frame_of(1);
    net_frame(frame)->tc = 1;
    net_port_queue_pfc(&scene.port, frame);
    CU_ASSERT_PTR_EQUAL(scene.port.on_wire, frame);
    CU_ASSERT_EQUAL(scene.port.departure.type, NET_FRAME_PFC);
    CU_ASSERT_EQUAL(net_frame(frame)->type, NET_FRAME_IP);
    CU_ASSERT_EQUAL(net_port_held_bytes(&scene.port, 1), 0);
    opp_sim_run(scene.sim, OPP_TIME_MAX);
    CU_ASSERT_EQUAL(net_port_held_bytes(&scene.port, 1), 0);
  }
  strike();
}

SGF_TEST(the_frame_on_the_wire_is_known_until_its_serialisation_ends)
{
  set_scene();
  opp_msg_t* frame = frame_of(1);
  net_port_queue(&scene.port, frame, 0);
  CU_ASSERT_PTR_EQUAL(scene.port.on_wire, frame);
  CU_ASSERT(!net_port_is_empty(&scene.port));
  opp_sim_run(scene.sim, 99999);
  CU_ASSERT_PTR_EQUAL(scene.port.on_wire, frame);
  opp_sim_run(scene.sim, 100000);
  CU_ASSERT_PTR_EQUAL(ended, frame);
  CU_ASSERT_PTR_NULL(scene.port.on_wire);
  CU_ASSERT(net_port_is_empty(&scene.port));
  CU_ASSERT_EQUAL(probe_of(scene.sink)->count, 0); /* it is under way */
  strike();
}

/* O-35: without propagation delay a serialisation ends, and timers run out, before the frame arrives at the same
 * instant. */
SGF_TEST(at_one_instant_serialisations_end_before_timers_before_arrivals)
{
  CU_ASSERT(NET_PRIORITY_SERIALISED < NET_PRIORITY_TIMER);
  CU_ASSERT(NET_PRIORITY_TIMER < NET_PRIORITY_ARRIVAL);
  set_scene();
  opp_msg_t* frame = frame_of(1);
  CU_ASSERT_EQUAL(opp_msg_priority(frame), NET_PRIORITY_ARRIVAL);
  CU_ASSERT_EQUAL(opp_msg_priority(scene.port.serialised), NET_PRIORITY_SERIALISED);
  opp_msg_delete(frame);
  strike();
}

SGF_TEST(a_port_counts_frames_bytes_and_busy_time)
{
  set_scene();
  net_port_queue(&scene.port, frame_of(1), 0);
  opp_sim_run(scene.sim, OPP_US);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 2, 1400), 4);
  net_port_queue_pfc(&scene.port, opp_frame_new(scene.owner, 3, 64));
  CU_ASSERT_EQUAL(scene.port.frames, 2); /* the one being serialised counts */
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(scene.port.frames, 3);
  CU_ASSERT_EQUAL(scene.port.bytes, 100 + 1400 + 64);
  CU_ASSERT_EQUAL(scene.port.busy, (100 + 1400 + 64) * OPP_NS);
  CU_ASSERT_EQUAL(net_port_bps(&scene.port), 8000000000);
  CU_ASSERT_EQUAL(net_port_delay(&scene.port), 500 * OPP_NS);
  strike();
}

static size_t watched;

static void watch(void* user, opp_msg_t* frame, opp_simtime_t arrival)
{
  CU_ASSERT_PTR_EQUAL(user, &watched);
  CU_ASSERT_EQUAL(opp_msg_kind(frame), 2);
  CU_ASSERT_EQUAL(arrival, 700 * OPP_NS);
  watched++;
}

SGF_TEST(a_watch_hears_of_closing_frames_when_they_start)
{
  set_scene();
  watched                     = 0;
  scene.port.watch            = watch;
  scene.port.watch_user       = &watched;
  opp_msg_t* closing          = frame_of(2);
  net_frame(closing)->closing = 1;
  net_port_queue(&scene.port, frame_of(1), 0);
  net_port_queue(&scene.port, closing, 0);
  CU_ASSERT_EQUAL(watched, 0);
  opp_sim_run(scene.sim, 100 * OPP_NS);
  CU_ASSERT_EQUAL(watched, 1);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(watched, 1);
  strike();
}
