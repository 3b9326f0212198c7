/* Pause times, the timers of the classes that a peer holds, and the refresh clock. */
#include "pfc/pfc.h"
#include "unit/opp_probe.h"

static const int64_t gbps = INT64_C(1000000000);

/* ---- Pause times ------------------------------------------------------------------------------------------------- */

/* SW-46: 83.8848 us and 500 ns; refreshed after 42.1924 us. SW-47 and UN-37: the same with 100 ns, 83.9848 and 41.9924
 * us. */
SGF_TEST(the_longest_pause_at_400_gbps)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400 * gbps, 0), 83884800);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400 * gbps, 500 * OPP_NS), 84384800);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400 * gbps, 500 * OPP_NS) / 2, 42192400);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400 * gbps, 100 * OPP_NS), 83984800);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 400 * gbps, 100 * OPP_NS) / 2, 41992400);
  CU_ASSERT_EQUAL(PFC_MAX_QUANTA, 65535);
}

/* UN-51: 335.5392 us and 100 ns; refreshed after 167.8196 us. */
SGF_TEST(the_longest_pause_at_100_gbps)
{
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 100 * gbps, 100 * OPP_NS), 335639200);
  CU_ASSERT_EQUAL(pfc_pause_time(65535, 100 * gbps, 100 * OPP_NS) / 2, 167819600);
}

/* UN-174: 1.28 us and 100 ns; refreshed after 0.69 us. */
SGF_TEST(a_pause_of_1000_quanta)
{
  CU_ASSERT_EQUAL(pfc_pause_time(1000, 400 * gbps, 100 * OPP_NS), 1380000);
  CU_ASSERT_EQUAL(pfc_pause_time(1000, 400 * gbps, 100 * OPP_NS) / 2, 690000);
}

SGF_TEST(one_quantum_is_512_bits)
{
  CU_ASSERT_EQUAL(pfc_pause_time(1, 400 * gbps, 0), 1280);
  CU_ASSERT_EQUAL(pfc_pause_time(1, 1000 * gbps, 0), 512);
  CU_ASSERT_EQUAL(pfc_pause_time(1, 3, 0), 512 * OPP_S / 3); /* rounded down */
  CU_ASSERT_EQUAL(pfc_pause_time(0, 400 * gbps, 100 * OPP_NS), 100 * OPP_NS);
}

/* ---- Receiving --------------------------------------------------------------------------------------------------- */

enum { SERIALISED = 1, HOLD_ENDS = 2, REFRESH = 3, DATA_BYTES = 4000 };

/* A port of 400 Gb/s and 500 ns, whose peer is the test: pauses are handed to it as if they had just arrived. */
typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* owner;
  opp_module_t* sink;
  net_port_t port;
  pfc_receiver_t receiver;
  pfc_sender_t sender;
  pfc_refresh_t refresh;
} scene_t;

static scene_t scene;

static void handle_timer(opp_module_t* self, opp_msg_t* msg)
{
  switch (opp_msg_kind(msg)) {
    case SERIALISED:
      net_port_end(&scene.port);
      net_port_start(&scene.port);
      break;
    case HOLD_ENDS:
      CU_ASSERT_EQUAL(msg->bytes, 17);
      pfc_receiver_expire(&scene.receiver);
      break;
    case REFRESH:
      CU_ASSERT_EQUAL(msg->bytes, 23);
      pfc_send(&scene.sender, 4, 65535);
      pfc_refresh_start(&scene.refresh, self);
      break;
    default:
      CU_FAIL("a timer that nobody set");
  }
}

static void set_scene(void)
{
  scene       = (scene_t){.sim = opp_sim_new(1)};
  scene.owner = probe_new(scene.sim, NULL, "owner");
  scene.sink  = probe_new(scene.sim, NULL, "sink");
  opp_gate_add(scene.owner, "port", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(scene.sink, "port", OPP_GATE_INPUT, false, 1);
  opp_gate_t* gate = opp_gate(scene.owner, "port", 0);
  opp_gate_connect(gate, opp_gate(scene.sink, "port", 0), opp_channel_datarate(scene.sim, 400 * gbps, 500 * OPP_NS));
  net_port_init(&scene.port, scene.owner, gate, SERIALISED, 0);
  pfc_receiver_init(&scene.receiver, &scene.port, HOLD_ENDS, 17);
  pfc_refresh_init(&scene.refresh, scene.owner, REFRESH, 23, pfc_pause_time(65535, 400 * gbps, 500 * OPP_NS));
  pfc_sender_init(&scene.sender, &scene.port, PFC_DEFAULT_LAYOUT);
  probe_of(scene.owner)->react = handle_timer;
}

static void strike(void)
{
  CU_ASSERT_STRING_EQUAL(opp_sim_error(scene.sim)->text, "");
  pfc_receiver_free(&scene.receiver);
  opp_sim_free(scene.sim);
}

static void run_to(opp_simtime_t time)
{
  opp_sim_run(scene.sim, time);
}

static void receive(unsigned tc, uint16_t quanta)
{
  opp_msg_t* frame              = opp_frame_new(scene.owner, 0, PFC_FRAME_BYTES);
  net_frame(frame)->type        = NET_FRAME_PFC;
  net_frame(frame)->pfc.classes = (uint8_t)(1U << tc);
  net_frame(frame)->pfc.quanta  = quanta;
  pfc_receive(&scene.receiver, frame);
}

static bool held(unsigned tc)
{
  return scene.port.held >> tc & 1;
}

static const opp_simtime_t full_pause = 84384800;

SGF_TEST(a_class_is_held_until_its_pause_runs_out)
{
  set_scene();
  receive(3, 65535);
  CU_ASSERT(held(3));
  CU_ASSERT_EQUAL(scene.port.held, 1U << 3); /* other classes go on */
  run_to(full_pause - 1);
  CU_ASSERT(held(3));
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), full_pause - 1);
  run_to(full_pause);
  CU_ASSERT(!held(3));
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), full_pause);
  run_to(2 * full_pause);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), full_pause);
  strike();
}

/* SW-107 */
SGF_TEST(a_further_pause_sets_the_timer_back_to_full_length)
{
  set_scene();
  receive(3, 65535);
  run_to(42192400);
  receive(3, 65535);
  run_to(126577200 - 1);
  CU_ASSERT(held(3));
  run_to(126577200);
  CU_ASSERT(!held(3));
  CU_ASSERT_EQUAL(scene.receiver.pauses[3], 2);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), 126577200); /* one hold */
  strike();
}

SGF_TEST(a_shorter_pause_shortens_the_hold)
{
  set_scene();
  receive(3, 65535);
  run_to(10 * OPP_US);
  receive(3, 1000);
  run_to(11780000 - 1); /* 1.28 + 0.5 us later */
  CU_ASSERT(held(3));
  run_to(11780000);
  CU_ASSERT(!held(3));
  strike();
}

SGF_TEST(zero_quanta_release_at_once_and_sending_starts_at_once)
{
  set_scene();
  receive(3, 65535);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 9, DATA_BYTES), 3);
  run_to(50 * OPP_US);
  CU_ASSERT_PTR_NULL(scene.port.on_wire);
  receive(3, 0);
  CU_ASSERT(!held(3));
  CU_ASSERT_PTR_NOT_NULL(scene.port.on_wire);
  CU_ASSERT_EQUAL(scene.receiver.resumes[3], 1);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), 50 * OPP_US);
  run_to(OPP_MS);
  ASSERT_ARRIVAL(scene.sink, 0, 50 * OPP_US + 80 * OPP_NS + 500 * OPP_NS, 9);
  receive(3, 0); /* nothing to release */
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), 50 * OPP_US);
  strike();
}

SGF_TEST(sending_starts_when_the_pause_runs_out)
{
  set_scene();
  receive(3, 1000);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 9, DATA_BYTES), 3);
  run_to(OPP_MS);
  ASSERT_ARRIVAL(scene.sink, 0, 1780000 + 80 * OPP_NS + 500 * OPP_NS, 9);
  strike();
}

SGF_TEST(a_frame_on_the_wire_is_not_interrupted)
{
  set_scene();
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 8, DATA_BYTES), 3);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 9, DATA_BYTES), 3);
  run_to(40 * OPP_NS);
  receive(3, 1000);
  run_to(OPP_MS);
  ASSERT_ARRIVAL(scene.sink, 0, 580 * OPP_NS, 8);
  ASSERT_ARRIVAL(scene.sink, 1, 40 * OPP_NS + 1780 * OPP_NS + 580 * OPP_NS, 9);
  strike();
}

SGF_TEST(classes_are_held_side_by_side)
{
  set_scene();
  receive(0, 3000); /* 3.84 + 0.5 us */
  run_to(OPP_US);
  receive(7, 1000); /* until 1 + 1.78 us */
  receive(5, 2000); /* until 1 + 3.06 us */
  CU_ASSERT_EQUAL(scene.port.held, 1U << 0 | 1U << 5 | 1U << 7);
  run_to(2780000);
  CU_ASSERT_EQUAL(scene.port.held, 1U << 0 | 1U << 5);
  receive(5, 0);
  CU_ASSERT_EQUAL(scene.port.held, 1U << 0);
  run_to(4340000 - 1);
  CU_ASSERT(held(0));
  run_to(4340000);
  CU_ASSERT_EQUAL(scene.port.held, 0);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 0), 4340000);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 5), 1780000);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 7), 1780000);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 1), 0);
  strike();
}

SGF_TEST(two_holds_that_end_together_end_together)
{
  set_scene();
  receive(1, 1000);
  receive(2, 1000);
  run_to(1780000);
  CU_ASSERT_EQUAL(scene.port.held, 0);
  CU_ASSERT_EQUAL(opp_sim_event_count(scene.sim), 1);
  strike();
}

SGF_TEST(paused_time_adds_up_over_holds)
{
  set_scene();
  for (int i = 0; i < 5; i++) {
    receive(2, 1000);
    run_to(opp_sim_clock(scene.sim) + OPP_US);
    receive(2, 0);
    run_to(opp_sim_clock(scene.sim) + 5 * OPP_US);
  }
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 2), 5 * OPP_US);
  CU_ASSERT_EQUAL(scene.receiver.pauses[2], 5);
  CU_ASSERT_EQUAL(scene.receiver.resumes[2], 5);
  CU_ASSERT_EQUAL(scene.sim->packets.in_use, 0); /* PFC frames are consumed */
  strike();
}

static bool are(pfc_stretches_t stretches, opp_simtime_t total, opp_simtime_t longest)
{
  return stretches.total == total && stretches.longest == longest;
}

/* a hold that lasts counts up to now and goes on in the next interval; the longest is that inside the interval.
 */
SGF_TEST(the_longest_hold_is_that_of_the_interval)
{
  set_scene();
  receive(3, 65535);
  run_to(10 * OPP_US);
  receive(3, 0);
  run_to(15 * OPP_US);
  receive(3, 65535);
  run_to(18 * OPP_US);
  CU_ASSERT(are(pfc_receiver_holds(&scene.receiver, 3), 13 * OPP_US, 10 * OPP_US));
  pfc_receiver_next_interval(&scene.receiver, 3);
  CU_ASSERT(are(pfc_receiver_holds(&scene.receiver, 3), 13 * OPP_US, 0));
  run_to(22 * OPP_US);
  CU_ASSERT(are(pfc_receiver_holds(&scene.receiver, 3), 17 * OPP_US, 4 * OPP_US));
  receive(3, 0);
  receive(3, 65535); /* another one: they do not add up */
  run_to(25 * OPP_US);
  CU_ASSERT(are(pfc_receiver_holds(&scene.receiver, 3), 20 * OPP_US, 4 * OPP_US));
  pfc_receiver_next_interval(&scene.receiver, 2);
  CU_ASSERT(are(pfc_receiver_holds(&scene.receiver, 3), 20 * OPP_US, 4 * OPP_US));
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), 20 * OPP_US);
  strike();
}

/* the parts of holds in which the port has a frame of the class to send; one on the wire is sent already. */
SGF_TEST(a_hold_counts_as_backlogged_from_the_first_frame_to_its_end)
{
  set_scene();
  receive(3, 65535);
  run_to(10 * OPP_US);
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 3), 0, 0));
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 1, DATA_BYTES), 3);
  run_to(12 * OPP_US);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 2, DATA_BYTES), 3);
  run_to(15 * OPP_US);
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 3), 5 * OPP_US, 5 * OPP_US));
  receive(3, 0); /* the first is on the wire, the second waits */
  receive(3, 65535);
  run_to(17 * OPP_US);
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 3), 7 * OPP_US, 5 * OPP_US));
  receive(3, 0);
  receive(3, 65535); /* the second is on the wire, nothing waits */
  run_to(20 * OPP_US);
  pfc_receiver_next_interval(&scene.receiver, 3);
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 3), 7 * OPP_US, 0));
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 3), 20 * OPP_US);
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 4), 0, 0));
  strike();
}

/* Frames queued in a class that is not held, or in another one, are no backlog of a hold. */
SGF_TEST(a_backlog_counts_from_the_begin_of_the_hold)
{
  set_scene();
  for (int i = 0; i < 3; i++)
    net_port_queue(&scene.port, opp_frame_new(scene.owner, i, DATA_BYTES), 3);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 3, DATA_BYTES), 2);
  run_to(100 * OPP_NS); /* the second of them is on the wire */
  receive(3, 1000);
  receive(5, 1000);
  run_to(OPP_MS);
  const opp_simtime_t hold = pfc_pause_time(1000, 400 * gbps, 500 * OPP_NS);
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 3), hold, hold));
  CU_ASSERT(are(pfc_receiver_holds(&scene.receiver, 5), hold, hold));
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 5), 0, 0));
  CU_ASSERT(are(pfc_receiver_backlogged_holds(&scene.receiver, 2), 0, 0));
  strike();
}

SGF_TEST(a_frame_that_names_several_classes_acts_on_each)
{
  set_scene();
  opp_msg_t* frame              = opp_frame_new(scene.owner, 0, PFC_FRAME_BYTES);
  net_frame(frame)->type        = NET_FRAME_PFC;
  net_frame(frame)->pfc.classes = 0x82;
  net_frame(frame)->pfc.quanta  = 65535;
  pfc_receive(&scene.receiver, frame);
  CU_ASSERT_EQUAL(scene.port.held, 0x82);
  CU_ASSERT_EQUAL(scene.receiver.pauses[1] + scene.receiver.pauses[7], 2);
  run_to(OPP_MS);
  CU_ASSERT_EQUAL(scene.port.held, 0);
  CU_ASSERT_EQUAL(pfc_receiver_paused(&scene.receiver, 1), pfc_pause_time(65535, 400 * gbps, 500 * OPP_NS));
  strike();
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

static net_frame_t arrived[8];
static int64_t arrived_bytes[8];
static size_t arrived_count;

static void note_frame(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  CU_ASSERT_FATAL(arrived_count < 8);
  arrived[arrived_count]         = *net_frame(msg);
  arrived_bytes[arrived_count++] = opp_packet_byte_length(msg);
  opp_msg_delete(msg);
}

SGF_TEST(a_pause_and_a_resume_take_64_bytes_each_and_name_their_class)
{
  set_scene();
  arrived_count               = 0;
  probe_of(scene.sink)->react = note_frame;
  pfc_send(&scene.sender, 6, 1234);
  pfc_send(&scene.sender, 2, 0);
  run_to(OPP_MS);
  ASSERT_ARRIVAL(scene.sink, 0, 501280, 0); /* 512 bits and 500 ns */
  ASSERT_ARRIVAL(scene.sink, 1, 502560, 0);
  CU_ASSERT_EQUAL_FATAL(arrived_count, 2);
  CU_ASSERT_EQUAL(arrived[0].type, NET_FRAME_PFC);
  CU_ASSERT_EQUAL(arrived[0].pfc.classes, 1U << 6);
  CU_ASSERT_EQUAL(arrived[0].pfc.quanta, 1234);
  CU_ASSERT_EQUAL(arrived_bytes[0], 64);
  CU_ASSERT_EQUAL(arrived[1].pfc.classes, 1U << 2);
  CU_ASSERT_EQUAL(arrived[1].pfc.quanta, 0);
  CU_ASSERT_EQUAL(scene.sender.pauses[6], 1);
  CU_ASSERT_EQUAL(scene.sender.resumes[6], 0);
  CU_ASSERT_EQUAL(scene.sender.resumes[2], 1);
  strike();
}

/* O-13 */
SGF_TEST(a_group_takes_a_frame_for_each_class_or_one_for_all)
{
  for (int vector = 0; vector < 2; vector++) {
    set_scene();
    scene.sender.layout         = (pfc_layout_t){.bytes = 84, .vector = vector};
    arrived_count               = 0;
    probe_of(scene.sink)->react = note_frame;
    pfc_send_group(&scene.sender, 1U << 1 | 1U << 4 | 1U << 7, 9);
    run_to(OPP_MS);
    CU_ASSERT_EQUAL_FATAL(arrived_count, vector ? 1 : 3);
    static const unsigned in_turn[] = {1U << 1, 1U << 4, 1U << 7};
    for (size_t i = 0; i < arrived_count; i++) {
      ASSERT_ARRIVAL(scene.sink, i, (int64_t)(i + 1) * 1680 + 500000, 0); /* 672 bits each, and 500 ns */
      CU_ASSERT_EQUAL(arrived[i].pfc.classes, vector ? 1U << 1 | 1U << 4 | 1U << 7 : in_turn[i]);
      CU_ASSERT_EQUAL(arrived[i].pfc.quanta, 9);
      CU_ASSERT_EQUAL(arrived_bytes[i], 84);
    }
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      CU_ASSERT_EQUAL(scene.sender.pauses[tc], tc == 1 || tc == 4 || tc == 7);
    strike();
  }
}

SGF_TEST(a_pause_waits_for_the_frame_on_the_wire_alone)
{
  set_scene();
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 8, DATA_BYTES), 7);
  net_port_queue(&scene.port, opp_frame_new(scene.owner, 9, DATA_BYTES), 7);
  pfc_send(&scene.sender, 0, 65535);
  run_to(OPP_MS);
  ASSERT_ARRIVAL(scene.sink, 1, 80 * OPP_NS + 501280, 0);
  ASSERT_ARRIVAL(scene.sink, 2, 81280 + 580 * OPP_NS, 9);
  strike();
}

/* O-26: half a pause time from the moment at which the pause was handed over, again and again. */
SGF_TEST(a_pause_is_repeated_every_half_pause_time_until_it_is_stopped)
{
  set_scene();
  pfc_send(&scene.sender, 4, 65535);
  pfc_refresh_start(&scene.refresh, scene.owner);
  run_to(3 * 42192400 - 1);
  CU_ASSERT_EQUAL(scene.sender.pauses[4], 3);
  run_to(3 * 42192400);
  CU_ASSERT_EQUAL(scene.sender.pauses[4], 4);
  pfc_refresh_stop(&scene.refresh, scene.owner);
  run_to(OPP_MS);
  CU_ASSERT_EQUAL(scene.sender.pauses[4], 4);
  for (int i = 0; i < 4; i++)
    ASSERT_ARRIVAL(scene.sink, i, i * INT64_C(42192400) + 501280, 0);
  strike();
}

SGF_TEST(a_refresh_starts_anew_with_each_pause)
{
  set_scene();
  pfc_refresh_start(&scene.refresh, scene.owner);
  run_to(10 * OPP_US);
  pfc_refresh_start(&scene.refresh, scene.owner);
  run_to(10 * OPP_US + 42192400 - 1);
  CU_ASSERT_EQUAL(scene.sender.pauses[4], 0);
  run_to(10 * OPP_US + 42192400);
  CU_ASSERT_EQUAL(scene.sender.pauses[4], 1);
  pfc_refresh_stop(&scene.refresh, scene.owner);
  pfc_refresh_stop(&scene.refresh, scene.owner); /* nothing more to stop */
  strike();
}
