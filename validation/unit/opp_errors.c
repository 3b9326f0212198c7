/* Rules of the kernel, each broken once: the run returns an error that names module and message, the process lives, and
 * calls made later do no harm (spec/opp.md 1, Errors). */
#include <stdio.h>

#include "unit/opp_probe.h"

/* net.a --out-> net.b, and net.a has a gate that leads nowhere. */
typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* net;
  opp_module_t* a;
  opp_module_t* b;
  opp_gate_t* out;
  opp_gate_t* loose;
  opp_gate_t* in;
} scene_t;

static scene_t scene_new(void)
{
  scene_t scene = {.sim = opp_sim_new(1)};
  scene.net     = opp_module_new(scene.sim, NULL, "net", -1, NULL);
  scene.a       = probe_new(scene.sim, scene.net, "a");
  scene.b       = probe_new(scene.sim, scene.net, "b");
  opp_gate_add(scene.a, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(scene.a, "loose", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(scene.b, "in", OPP_GATE_INPUT, true, 2);
  opp_gate_add(scene.net, "shell", OPP_GATE_INOUT, false, 1);
  scene.out   = opp_gate(scene.a, "out", 0);
  scene.loose = opp_gate(scene.a, "loose", 0);
  scene.in    = opp_gate(scene.b, "in", 0);
  opp_gate_connect(scene.out, scene.in, opp_channel_datarate(scene.sim, 8000000000, 100));
  opp_schedule_at(scene.b, 50, opp_msg_new(scene.b, "tick", 50));
  opp_sim_run(scene.sim, 40);
  return scene;
}

/* The error names all of these (NULL ends the list); after it nothing runs, whatever is called. */
static void expect_error(const scene_t* scene, const char* const* parts)
{
  const sgf_error_t* error = opp_sim_error(scene->sim);
  CU_ASSERT_EQUAL(opp_sim_run(scene->sim, OPP_TIME_MAX), OPP_RUN_ERROR);
  CU_ASSERT_EQUAL(error->status, SGF_MODEL);
  for (; *parts != NULL; parts++) {
    CU_ASSERT(mentions(error->text, *parts));
    if (!mentions(error->text, *parts))
      printf("\n  \"%s\" does not mention \"%s\"\n", error->text, *parts);
  }
  CU_ASSERT_EQUAL(probe_of(scene->b)->count, 0);

  opp_msg_t* later = opp_msg_new(scene->a, "later", 1);
  opp_schedule_at(scene->a, 60, later);
  opp_schedule_at(scene->a, 60, later); /* a second error */
  CU_ASSERT(!mentions(error->text, "later"));
  opp_cancel_and_delete(scene->a, later);
  opp_send(scene->a, opp_packet_new(scene->a, "later", 1, 10), scene->out);
  CU_ASSERT_EQUAL(opp_sim_run(scene->sim, 1000), OPP_RUN_ERROR);
  opp_sim_finish(scene->sim);
  opp_sim_free(scene->sim);
}

#define EXPECT_ERROR(scene, ...) expect_error(&(scene), (const char* const[]){__VA_ARGS__, NULL})

/* ---- Scheduling -------------------------------------------------------------------------------------------------- */

SGF_TEST(scheduling_into_the_past)
{
  scene_t scene = scene_new();
  opp_schedule_at(scene.a, 39, opp_msg_new(scene.a, "alarm", 7));
  EXPECT_ERROR(scene, "net.a at 0.000000000040 s", "message 'alarm' (kind 7)", "into the past");
}

SGF_TEST(scheduling_after_a_negative_delay)
{
  scene_t scene = scene_new();
  opp_schedule_after(scene.a, -1, opp_msg_new(scene.a, "alarm", 7));
  EXPECT_ERROR(scene, "net.a", "'alarm'", "into the past");
}

SGF_TEST(scheduling_beyond_the_end_of_time)
{
  scene_t scene = scene_new();
  opp_schedule_after(scene.a, OPP_TIME_MAX, opp_msg_new(scene.a, "alarm", 7));
  EXPECT_ERROR(scene, "net.a", "'alarm'", "end of time");
}

SGF_TEST(scheduling_twice)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_msg_new(scene.a, "alarm", 7);
  opp_schedule_at(scene.a, 100, msg);
  opp_schedule_at(scene.a, 200, msg);
  EXPECT_ERROR(scene, "net.a", "'alarm'", "it is scheduled");
}

SGF_TEST(scheduling_what_is_under_way)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_packet_new(scene.a, "data", 7, 100);
  opp_send(scene.a, msg, scene.out);
  opp_schedule_at(scene.a, 200, msg);
  EXPECT_ERROR(scene, "net.a", "'data'", "under way");
}

SGF_TEST(scheduling_another_module_s_message)
{
  scene_t scene = scene_new();
  opp_schedule_at(scene.a, 100, opp_msg_new(scene.b, "alarm", 7));
  EXPECT_ERROR(scene, "net.a", "'alarm'", "belongs to another module");
}

SGF_TEST(scheduling_nothing)
{
  scene_t scene = scene_new();
  opp_schedule_at(scene.a, 100, NULL);
  EXPECT_ERROR(scene, "net.a", "no message");
}

/* ---- Cancelling -------------------------------------------------------------------------------------------------- */

SGF_TEST(cancelling_another_module_s_message)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_msg_new(scene.b, "alarm", 7);
  opp_schedule_at(scene.b, 100, msg);
  CU_ASSERT_PTR_EQUAL(opp_cancel_event(scene.a, msg), msg);
  CU_ASSERT(opp_msg_is_scheduled(msg));
  EXPECT_ERROR(scene, "net.a", "'alarm'", "another module");
}

SGF_TEST(cancelling_what_was_sent)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_packet_new(scene.a, "data", 7, 100);
  opp_send(scene.a, msg, scene.out);
  opp_cancel_event(scene.a, msg);
  EXPECT_ERROR(scene, "net.a", "'data'", "it was sent");
}

SGF_TEST(cancelling_what_is_on_a_line)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_msg_new(scene.a, "alarm", 7);
  opp_schedule_on_line(scene.a, opp_line_new(scene.sim), 100, msg);
  opp_cancel_event(scene.a, msg);
  EXPECT_ERROR(scene, "net.a", "'alarm'", "on a line");
}

SGF_TEST(cancelling_and_deleting_another_module_s_message)
{
  scene_t scene = scene_new();
  opp_cancel_and_delete(scene.a, opp_msg_new(scene.b, "alarm", 7));
  EXPECT_ERROR(scene, "net.a", "'alarm'", "belongs to another module");
}

SGF_TEST(rescheduling_another_module_s_message)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_msg_new(scene.b, "alarm", 7);
  opp_schedule_at(scene.b, 100, msg);
  opp_reschedule_at(scene.a, 200, msg);
  EXPECT_ERROR(scene, "net.a", "'alarm'", "another module");
}

/* ---- Sending ----------------------------------------------------------------------------------------------------- */

SGF_TEST(sending_another_module_s_message)
{
  scene_t scene = scene_new();
  opp_send(scene.a, opp_packet_new(scene.b, "data", 7, 100), scene.out);
  EXPECT_ERROR(scene, "net.a", "'data'", "belongs to another module");
}

SGF_TEST(sending_through_another_module_s_gate)
{
  scene_t scene = scene_new();
  opp_send(scene.b, opp_packet_new(scene.b, "data", 7, 100), scene.out);
  EXPECT_ERROR(scene, "net.b", "'data'", "not an output gate of this module");
}

SGF_TEST(sending_through_an_input_gate)
{
  scene_t scene = scene_new();
  opp_send(scene.b, opp_packet_new(scene.b, "data", 7, 100), scene.in);
  EXPECT_ERROR(scene, "net.b", "'data'", "not an output gate");
}

SGF_TEST(sending_through_a_gate_that_leads_nowhere)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_NULL(opp_gate_transmission_channel(scene.loose));
  opp_send(scene.a, opp_packet_new(scene.a, "data", 7, 100), scene.loose);
  EXPECT_ERROR(scene, "net.a", "'data'", "not connected to a simple module");
}

SGF_TEST(sending_to_a_compound_module_without_an_inside)
{
  scene_t scene = scene_new();
  opp_gate_connect(scene.loose, opp_gate(scene.net, "shell$o", 0), NULL);
  opp_send(scene.a, opp_packet_new(scene.a, "data", 7, 100), scene.loose);
  EXPECT_ERROR(scene, "net.a", "'data'", "not connected to a simple module");
}

SGF_TEST(sending_on_a_busy_channel)
{
  scene_t scene = scene_new();
  opp_send(scene.a, opp_packet_new(scene.a, "first", 7, 100), scene.out);
  opp_send(scene.a, opp_packet_new(scene.a, "second", 7, 100), scene.out);
  EXPECT_ERROR(scene, "net.a", "'second'", "busy");
}

SGF_TEST(sending_with_a_negative_delay)
{
  scene_t scene = scene_new();
  opp_send_delayed(scene.a, opp_packet_new(scene.a, "data", 7, 100), -1, scene.out);
  EXPECT_ERROR(scene, "net.a", "'data'", "negative delay");
}

SGF_TEST(sending_beyond_the_end_of_time)
{
  scene_t scene = scene_new();
  opp_send_delayed(scene.a, opp_packet_new(scene.a, "data", 7, 100), OPP_TIME_MAX - 50, scene.out);
  EXPECT_ERROR(scene, "net.a", "'data'", "end of time");
}

SGF_TEST(sending_directly_to_an_output_gate)
{
  scene_t scene = scene_new();
  opp_send_direct(scene.b, opp_packet_new(scene.b, "data", 7, 100), scene.out);
  EXPECT_ERROR(scene, "net.b", "'data'", "not an input gate");
}

/* ---- Gates and channels ------------------------------------------------------------------------------------------ */

SGF_TEST(an_unknown_gate)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_NULL(opp_gate(scene.a, "ouf", 0));
  opp_send(scene.a, opp_packet_new(scene.a, "data", 7, 100), NULL);
  EXPECT_ERROR(scene, "net.a", "'ouf'", "nearest is 'out'");
}

SGF_TEST(an_index_that_a_gate_vector_does_not_have)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_NULL(opp_gate(scene.b, "in", 2));
  EXPECT_ERROR(scene, "net.b", "'in' has no index 2", "size is 2");
}

SGF_TEST(a_gate_declared_twice)
{
  scene_t scene = scene_new();
  opp_gate_add(scene.a, "out", OPP_GATE_INPUT, false, 1);
  EXPECT_ERROR(scene, "net.a", "gate 'out' already");
}

SGF_TEST(a_gate_vector_of_a_size_that_cannot_be)
{
  scene_t scene = scene_new();
  opp_gate_add(scene.a, "none", OPP_GATE_INPUT, true, 0);
  EXPECT_ERROR(scene, "net.a", "'none'", "size 0");
}

SGF_TEST(connecting_twice)
{
  scene_t scene = scene_new();
  opp_gate_connect(scene.out, opp_gate(scene.b, "in", 1), NULL);
  EXPECT_ERROR(scene, "net.a", "'out'", "net.b", "connected already");
}

SGF_TEST(connecting_the_wrong_way_round)
{
  scene_t scene = scene_new();
  opp_gate_connect(opp_gate(scene.b, "in", 1), scene.loose, NULL);
  EXPECT_ERROR(scene, "net.b", "'in'", "input gate of a simple module");
}

SGF_TEST(connecting_in_a_circle)
{
  scene_t scene = scene_new();
  opp_gate_connect(opp_gate(scene.net, "shell$i", 0), opp_gate(scene.net, "shell$o", 0), NULL);
  opp_gate_connect(opp_gate(scene.net, "shell$o", 0), opp_gate(scene.net, "shell$i", 0), NULL);
  EXPECT_ERROR(scene, "net", "'shell$o'", "circle");
}

SGF_TEST(a_channel_used_twice)
{
  scene_t scene = scene_new();
  opp_gate_connect(scene.loose, opp_gate(scene.b, "in", 1), opp_gate_channel(scene.out));
  EXPECT_ERROR(scene, "net.a", "'loose'", "in use");
}

SGF_TEST(a_channel_with_a_negative_delay)
{
  scene_t scene = scene_new();
  CU_ASSERT_EQUAL(opp_channel_get_delay(opp_channel_delay(scene.sim, -5)), 0);
  EXPECT_ERROR(scene, "delay of a channel", "-5 ps");
}

/* ---- Modules, messages, signals, streams ------------------------------------------------------------------------- */

SGF_TEST(two_modules_of_one_name)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_NOT_NULL(probe_new(scene.sim, scene.net, "a"));
  EXPECT_ERROR(scene, "net.a", "of this name already");
}

SGF_TEST(an_error_of_the_model_s_own)
{
  scene_t scene = scene_new();
  opp_error(scene.a, "the %s is %d", "answer", 42);
  EXPECT_ERROR(scene, "net.a", "the answer is 42");
}

SGF_TEST(a_kind_or_priority_out_of_range)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_msg_new(scene.a, "alarm", 32767);
  opp_msg_set_priority(msg, -32768);
  CU_ASSERT_EQUAL(opp_sim_error(scene.sim)->status, SGF_OK);
  opp_msg_set_kind(msg, 32768);
  CU_ASSERT_EQUAL(opp_msg_kind(msg), 32767);
  opp_msg_set_priority(msg, 32768);
  CU_ASSERT_EQUAL(opp_msg_priority(msg), -32768);
  EXPECT_ERROR(scene, "net.a", "'alarm'", "-32768 and 32767");
}

SGF_TEST(a_length_out_of_range)
{
  scene_t scene  = scene_new();
  opp_msg_t* msg = opp_packet_new(scene.a, "data", 1, UINT32_MAX);
  CU_ASSERT_EQUAL(opp_packet_byte_length(msg), UINT32_MAX);
  opp_packet_set_byte_length(msg, INT64_C(1) << 32);
  EXPECT_ERROR(scene, "net.a", "'data'", "length");
}

SGF_TEST(a_signal_that_was_never_registered)
{
  scene_t scene = scene_new();
  opp_signal_subscribe(scene.a, 3, NULL, NULL);
  EXPECT_ERROR(scene, "net.a", "signal 3");
}

SGF_TEST(a_random_stream_that_there_is_not)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_EQUAL(opp_rng(scene.a, 4), opp_rng(scene.a, 0));
  EXPECT_ERROR(scene, "net.a", "stream 4");
}
