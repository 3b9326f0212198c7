/* Messages: their properties, who owns them, what is in a packet, and where their memory goes. */
#include "unit/opp_probe.h"

typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* a;
  opp_module_t* b;
  opp_gate_t* out; /* of a, to b, 100 ps */
} scene_t;

static scene_t scene_new(void)
{
  scene_t scene = {.sim = opp_sim_new(1)};
  scene.a       = probe_new(scene.sim, NULL, "a");
  scene.b       = probe_new(scene.sim, NULL, "b");
  opp_gate_add(scene.a, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(scene.b, "in", OPP_GATE_INPUT, true, 3);
  scene.out = opp_gate(scene.a, "out", 0);
  opp_gate_connect(scene.out, opp_gate(scene.b, "in", 1), opp_channel_delay(scene.sim, 100));
  return scene;
}

static size_t in_use(const opp_sim_t* sim)
{
  return sim->messages.in_use + sim->packets.in_use;
}

/* Nothing went wrong, nothing is left. */
static void expect_clean(const scene_t* scene)
{
  CU_ASSERT_STRING_EQUAL(opp_sim_error(scene->sim)->text, "");
  CU_ASSERT_EQUAL(in_use(scene->sim), 0);
  CU_ASSERT_EQUAL(scene->sim->cold.in_use, 0);
  opp_sim_free(scene->sim);
}

static void expect_error(const scene_t* scene, const char* part)
{
  CU_ASSERT(mentions(opp_sim_error(scene->sim)->text, part));
  CU_ASSERT_EQUAL(opp_sim_run(scene->sim, OPP_TIME_MAX), OPP_RUN_ERROR);
  opp_sim_free(scene->sim);
}

static opp_msg_t* kept; /* by keep */

static void keep(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  kept = msg;
}

/* ---- Properties -------------------------------------------------------------------------------------------------- */

SGF_TEST(a_new_message_is_its_creator_s)
{
  const scene_t scene = scene_new();
  opp_sim_run(scene.sim, 70);
  opp_msg_t* msg = opp_msg_new(scene.a, "hello", -5);
  CU_ASSERT_STRING_EQUAL(opp_msg_name(msg), "hello");
  CU_ASSERT_EQUAL(opp_msg_kind(msg), -5);
  CU_ASSERT_EQUAL(opp_msg_priority(msg), 0);
  CU_ASSERT_EQUAL(opp_msg_creation_time(msg), 70);
  CU_ASSERT_PTR_EQUAL(opp_msg_sender_module(msg), scene.a);
  CU_ASSERT(!opp_msg_is_packet(msg));
  CU_ASSERT(!opp_msg_is_scheduled(msg));
  CU_ASSERT_PTR_NULL(opp_msg_context(msg));
  CU_ASSERT_PTR_NULL(opp_packet_body(msg));
  CU_ASSERT_EQUAL(opp_packet_byte_length(msg), 0);
  opp_msg_set_context(msg, &kept);
  CU_ASSERT_PTR_EQUAL(opp_msg_context(msg), &kept);
  opp_msg_delete(msg);
  opp_msg_delete(NULL);
  expect_clean(&scene);
}

SGF_TEST(a_packet_has_a_length_and_an_empty_body)
{
  static const char empty[OPP_PACKET_BODY];
  const scene_t scene = scene_new();
  for (int i = 0; i < 2; i++) { /* the second one is the first one's memory again */
    opp_msg_t* packet = opp_packet_new(scene.a, "data", 1, 1500);
    CU_ASSERT(opp_msg_is_packet(packet));
    CU_ASSERT_EQUAL(opp_packet_byte_length(packet), 1500);
    CU_ASSERT_EQUAL(opp_packet_bit_length(packet), 12000);
    CU_ASSERT_EQUAL(memcmp(opp_packet_body(packet), empty, sizeof empty), 0);
    CU_ASSERT_PTR_NULL(opp_msg_context(packet));
    CU_ASSERT_PTR_NULL(opp_packet_decapsulate(packet));
    memset(opp_packet_body(packet), 0x55, OPP_PACKET_BODY);
    opp_msg_set_context(packet, &kept);
    opp_msg_delete(packet);
  }
  expect_clean(&scene);
}

SGF_TEST(times_sender_and_gate_tell_of_the_journey)
{
  const scene_t scene      = scene_new();
  probe_of(scene.b)->react = keep;
  opp_msg_t* msg           = opp_msg_new(scene.a, "hello", 1);
  opp_sim_run(scene.sim, 30);
  opp_send(scene.a, msg, scene.out);
  CU_ASSERT(opp_msg_is_scheduled(msg));
  CU_ASSERT(!opp_msg_is_self(msg));
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_PTR_EQUAL_FATAL(kept, msg);
  CU_ASSERT(!opp_msg_is_scheduled(msg));
  CU_ASSERT_EQUAL(opp_msg_creation_time(msg), 0);
  CU_ASSERT_EQUAL(opp_msg_sending_time(msg), 30);
  CU_ASSERT_EQUAL(opp_msg_arrival_time(msg), 130);
  CU_ASSERT_PTR_EQUAL(opp_msg_sender_module(msg), scene.a);
  CU_ASSERT_PTR_EQUAL(opp_msg_arrival_gate(msg), opp_gate(scene.b, "in", 1));
  opp_schedule_after(scene.b, 5, msg); /* b owns it now */
  CU_ASSERT(opp_msg_is_self(msg));
  CU_ASSERT_PTR_NULL(opp_msg_arrival_gate(msg));
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(opp_msg_arrival_time(msg), 135);
  opp_msg_delete(msg);
  expect_clean(&scene);
}

/* The models' own frames and timers do without name, context and times. */
SGF_TEST(a_message_without_cold_block_has_no_name_and_no_past)
{
  const scene_t scene = scene_new();
  opp_msg_t* timer    = opp_timer_new(scene.a, 3, -1);
  opp_msg_t* frame    = opp_frame_new(scene.a, 4, 64);
  CU_ASSERT_STRING_EQUAL(opp_msg_name(timer), "");
  CU_ASSERT_EQUAL(opp_msg_priority(timer), -1);
  CU_ASSERT_EQUAL(opp_msg_creation_time(frame), 0);
  CU_ASSERT_EQUAL(opp_msg_sending_time(frame), 0);
  CU_ASSERT_PTR_NULL(opp_msg_sender_module(frame));
  CU_ASSERT_PTR_NULL(opp_msg_context(frame));
  CU_ASSERT_EQUAL(scene.sim->cold.in_use, 0);
  opp_msg_set_context(frame, &kept); /* until one is given */
  CU_ASSERT_EQUAL(scene.sim->cold.in_use, 1);
  opp_msg_delete(timer);
  opp_msg_delete(frame);
  expect_clean(&scene);
}

/* ---- Self messages ----------------------------------------------------------------------------------------------- */

SGF_TEST(a_cancelled_message_is_its_owner_s_again)
{
  const scene_t scene = scene_new();
  opp_msg_t* near     = opp_msg_new(scene.a, "near", 1);
  opp_msg_t* far      = opp_msg_new(scene.a, "far", 2);
  opp_schedule_at(scene.a, 100, near);
  opp_schedule_at(scene.a, OPP_S, far);
  CU_ASSERT_PTR_EQUAL(opp_cancel_event(scene.a, near), near);
  CU_ASSERT_PTR_EQUAL(opp_cancel_event(scene.a, near), near); /* does nothing */
  CU_ASSERT(!opp_msg_is_scheduled(near));
  opp_cancel_and_delete(scene.a, far);
  opp_cancel_and_delete(scene.a, NULL);
  CU_ASSERT_EQUAL(opp_sim_next_event_time(scene.sim), OPP_TIME_MAX);
  opp_schedule_at(scene.a, 50, near);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(scene.a)->count, 1);
  ASSERT_ARRIVAL(scene.a, 0, 50, 1);
  expect_clean(&scene);
}

SGF_TEST(rescheduling_takes_scheduled_and_unscheduled_messages)
{
  const scene_t scene = scene_new();
  opp_msg_t* msg      = opp_msg_new(scene.a, "timer", 1);
  opp_reschedule_at(scene.a, 100, msg);
  opp_reschedule_at(scene.a, 300, msg);
  opp_reschedule_after(scene.a, 200, msg);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_EQUAL(probe_of(scene.a)->count, 1);
  ASSERT_ARRIVAL(scene.a, 0, 200, 1);
  expect_clean(&scene);
}

/* A rescheduled message is inserted anew: it comes behind those of its time. */
SGF_TEST(rescheduling_renews_the_place_among_equal_times)
{
  const scene_t scene = scene_new();
  opp_msg_t* first    = opp_msg_new(scene.a, "first", 1);
  opp_schedule_at(scene.a, 100, first);
  opp_schedule_at(scene.a, 100, opp_msg_new(scene.a, "second", 2));
  opp_reschedule_at(scene.a, 100, first);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  ASSERT_ARRIVAL(scene.a, 0, 100, 2);
  ASSERT_ARRIVAL(scene.a, 1, 100, 1);
  expect_clean(&scene);
}

SGF_TEST(a_priority_lasts_until_it_is_changed)
{
  const scene_t scene      = scene_new();
  opp_msg_t* msg           = opp_msg_new(scene.a, "late", 1);
  probe_of(scene.a)->react = keep;
  opp_msg_set_priority(msg, 9);
  for (opp_simtime_t time = 10; time <= 20; time += 10) {
    opp_schedule_at(scene.a, time, msg);
    opp_msg_t* other = opp_msg_new(scene.b, "other", 2);
    opp_schedule_at(scene.b, time, other);
    opp_sim_run(scene.sim, time - 1);
    CU_ASSERT_EQUAL(opp_msg_priority(msg), 9);
    opp_sim_run(scene.sim, time);
  }
  opp_msg_delete(msg);
  expect_clean(&scene);
}

SGF_TEST(the_priority_of_a_scheduled_message_stays)
{
  const scene_t scene = scene_new();
  opp_msg_t* msg      = opp_msg_new(scene.a, "timer", 1);
  opp_schedule_at(scene.a, 100, msg);
  opp_msg_set_priority(msg, 4);
  CU_ASSERT_EQUAL(opp_msg_priority(msg), 0);
  expect_error(&scene, "it is scheduled");
}

/* ---- Deleting ---------------------------------------------------------------------------------------------------- */

SGF_TEST(a_scheduled_message_cannot_be_deleted)
{
  const scene_t scene = scene_new();
  opp_msg_t* msg      = opp_msg_new(scene.a, "timer", 1);
  opp_schedule_at(scene.a, 100, msg);
  opp_msg_delete(msg);
  CU_ASSERT_EQUAL(in_use(scene.sim), 1);
  expect_error(&scene, "message 'timer' (kind 1): it is scheduled");
}

SGF_TEST(a_message_under_way_cannot_be_deleted)
{
  const scene_t scene = scene_new();
  opp_send(scene.a, opp_msg_new(scene.a, "first", 1), scene.out);
  opp_msg_t* msg = opp_msg_new(scene.a, "behind it", 1);
  opp_send(scene.a, msg, scene.out);
  opp_msg_delete(msg);
  expect_error(&scene, "message 'behind it' (kind 1): it is scheduled or under way");
}

SGF_TEST(a_message_cannot_be_deleted_twice)
{
  const scene_t scene = scene_new();
  opp_msg_t* msg      = opp_msg_new(scene.a, "timer", 1);
  opp_msg_delete(msg);
  opp_msg_delete(msg);
  CU_ASSERT_EQUAL(in_use(scene.sim), 0);
  CU_ASSERT_PTR_NOT_EQUAL(opp_msg_new(scene.a, "one", 1), opp_msg_new(scene.a, "two", 2));
  expect_error(&scene, "it has been deleted");
}

/* ---- Encapsulation ----------------------------------------------------------------------------------------------- */

SGF_TEST(a_packet_carries_another_one)
{
  const scene_t scene      = scene_new();
  opp_msg_t* inner         = opp_packet_new(scene.a, "inner", 1, 1000);
  opp_msg_t* outer         = opp_packet_new(scene.a, "outer", 2, 18);
  probe_of(scene.b)->react = keep;
  opp_packet_encapsulate(outer, inner);
  CU_ASSERT_EQUAL(opp_packet_byte_length(outer), 1018);
  CU_ASSERT(!opp_msg_is_scheduled(inner));
  opp_send(scene.a, outer, scene.out);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_PTR_EQUAL(opp_packet_decapsulate(kept), inner);
  CU_ASSERT_PTR_NULL(opp_packet_decapsulate(kept));
  CU_ASSERT_EQUAL(opp_packet_byte_length(kept), 18);
  CU_ASSERT_EQUAL(opp_packet_byte_length(inner), 1000);
  opp_schedule_after(scene.b, 1, inner); /* b's now */
  opp_msg_delete(outer);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  CU_ASSERT_PTR_EQUAL(kept, inner);
  opp_msg_delete(inner);
  expect_clean(&scene);
}

/* The gate at which the inner packet arrived is one of the module that wrapped it. */
SGF_TEST(an_encapsulated_packet_forgets_where_it_arrived)
{
  const scene_t scene      = scene_new();
  probe_of(scene.b)->react = keep;
  opp_send(scene.a, opp_packet_new(scene.a, "inner", 1, 1000), scene.out);
  opp_sim_run(scene.sim, OPP_TIME_MAX);
  opp_msg_t* inner = kept;
  opp_msg_t* outer = opp_packet_new(scene.b, "outer", 2, 18);
  CU_ASSERT_PTR_NOT_NULL(opp_msg_arrival_gate(inner));
  opp_packet_encapsulate(outer, inner);
  CU_ASSERT_PTR_NULL(opp_msg_arrival_gate(opp_packet_decapsulate(outer)));
  opp_msg_delete(inner);
  opp_msg_delete(outer);
  expect_clean(&scene);
}

SGF_TEST(deleting_a_packet_deletes_all_that_is_in_it)
{
  const scene_t scene = scene_new();
  opp_msg_t* packet   = opp_packet_new(scene.a, "0", 0, 1);
  for (int i = 1; i < 5; i++) {
    opp_msg_t* outer = opp_packet_new(scene.a, "outer", i, 1);
    opp_packet_encapsulate(outer, packet);
    packet = outer;
  }
  CU_ASSERT_EQUAL(opp_packet_byte_length(packet), 5);
  CU_ASSERT_EQUAL(in_use(scene.sim), 5);
  opp_msg_delete(packet);
  expect_clean(&scene);
}

/* An encapsulated packet, and what else must not be done with it. */
static opp_msg_t* wrapped(const scene_t* scene, opp_msg_t** outer)
{
  opp_msg_t* inner = opp_packet_new(scene->a, "inner", 1, 1000);
  *outer           = opp_packet_new(scene->a, "outer", 2, 18);
  opp_packet_encapsulate(*outer, inner);
  return inner;
}

SGF_TEST(an_encapsulated_packet_cannot_be_sent)
{
  const scene_t scene = scene_new();
  opp_msg_t* outer;
  opp_send(scene.a, wrapped(&scene, &outer), scene.out);
  expect_error(&scene, "message 'inner' (kind 1): it is encapsulated");
}

SGF_TEST(an_encapsulated_packet_cannot_be_deleted)
{
  const scene_t scene = scene_new();
  opp_msg_t* outer;
  opp_msg_delete(wrapped(&scene, &outer));
  CU_ASSERT_EQUAL(in_use(scene.sim), 2);
  expect_error(&scene, "message 'inner' (kind 1): it is encapsulated");
}

SGF_TEST(a_packet_carries_one_packet)
{
  const scene_t scene = scene_new();
  opp_msg_t* outer;
  wrapped(&scene, &outer);
  opp_packet_encapsulate(outer, opp_packet_new(scene.a, "second", 1, 10));
  CU_ASSERT_EQUAL(opp_packet_byte_length(outer), 1018);
  expect_error(&scene, "message 'outer' (kind 2): it has an encapsulated packet already");
}

SGF_TEST(a_packet_under_way_is_not_changed)
{
  const scene_t scene = scene_new();
  opp_msg_t* outer;
  wrapped(&scene, &outer);
  opp_send(scene.a, outer, scene.out);
  CU_ASSERT_PTR_NULL(opp_packet_decapsulate(outer));
  opp_packet_set_byte_length(outer, 5);
  CU_ASSERT_EQUAL(opp_packet_byte_length(outer), 1018);
  expect_error(&scene, "message 'outer' (kind 2): it is scheduled or under way");
}

SGF_TEST(only_one_s_own_packets_are_encapsulated)
{
  for (int i = 0; i < 4; i++) {
    const scene_t scene = scene_new();
    opp_msg_t* outer    = opp_packet_new(scene.a, "outer", 2, 18);
    opp_msg_t* inner    = i == 0   ? opp_packet_new(scene.b, "inner", 1, 10)
                          : i == 1 ? opp_msg_new(scene.a, "inner", 1)
                          : i == 2 ? NULL
                                   : outer;
    opp_packet_encapsulate(outer, inner);
    CU_ASSERT_EQUAL(opp_packet_byte_length(outer), 18);
    expect_error(&scene, "only a packet of one's own");
  }
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Leaks are the address sanitizer's to find. */
SGF_TEST(a_simulation_frees_messages_wherever_they_are)
{
  const scene_t scene = scene_new();
  opp_line_t* line    = opp_line_new(scene.sim);
  opp_msg_t* outer;
  for (int i = 0; i < 600; i++) { /* more than a slab of each */
    opp_schedule_at(scene.a, 1, opp_msg_new(scene.a, "current", i));
    opp_schedule_at(scene.a, OPP_US, opp_msg_new(scene.a, "wheel", i));
    opp_schedule_at(scene.a, OPP_S, opp_msg_new(scene.a, "far", i));
    opp_schedule_on_line(scene.a, line, 1000, opp_msg_new(scene.a, "line", i));
    opp_send(scene.a, opp_packet_new(scene.a, "under way", i, 10), scene.out);
    opp_packet_new(scene.a, "owned", i, 10);
    wrapped(&scene, &outer);
    opp_send(scene.a, outer, scene.out);
  }
  opp_sim_run(scene.sim, 1);
  CU_ASSERT_EQUAL(in_use(scene.sim), 600 * 7);
  CU_ASSERT_EQUAL(scene.sim->cold.in_use, 600 * 7);
  opp_sim_free(scene.sim);
  opp_sim_free(NULL);
}
