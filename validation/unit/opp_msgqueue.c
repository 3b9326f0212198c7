/* Queues of messages: order, ownership, lengths. */
#include "unit/opp_probe.h"

typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* self;
  opp_module_t* other;
} scene_t;

static scene_t scene_new(void)
{
  scene_t scene = {.sim = opp_sim_new(1)};
  scene.self    = probe_new(scene.sim, NULL, "self");
  scene.other   = probe_new(scene.sim, NULL, "other");
  return scene;
}

static opp_msg_t* packet(const scene_t* scene, int kind, int64_t bytes)
{
  return opp_packet_new(scene->self, "packet", kind, bytes);
}

/* The kinds from front to back, which must be those from back to front reversed. */
static int kinds(const opp_queue_t* queue)
{
  int forward  = 0;
  int backward = 0;
  int scale    = 1;
  for (opp_msg_t* msg = opp_queue_front(queue); msg != NULL; msg = opp_queue_next(queue, msg))
    forward = 10 * forward + opp_msg_kind(msg);
  for (opp_msg_t* msg = opp_queue_back(queue); msg != NULL; msg = opp_queue_previous(queue, msg), scale *= 10)
    backward += scale * opp_msg_kind(msg);
  CU_ASSERT_EQUAL(forward, backward);
  return forward;
}

static void check_error_and_free(const scene_t* scene, const char* path, const char* what)
{
  const char* text = opp_sim_error(scene->sim)->text;
  if (!mentions(text, path) || !mentions(text, what))
    printf("\n  is: %s\n", text);
  CU_ASSERT(mentions(text, path));
  CU_ASSERT(mentions(text, what));
  opp_sim_free(scene->sim);
}

SGF_TEST(first_in_is_first_out)
{
  scene_t scene      = scene_new();
  opp_queue_t* queue = opp_queue_new(scene.self, "waiting", NULL);
  CU_ASSERT_STRING_EQUAL(opp_queue_name(queue), "waiting");
  CU_ASSERT(opp_queue_is_empty(queue));
  CU_ASSERT_PTR_NULL(opp_queue_front(queue));
  for (int kind = 1; kind <= 4; kind++)
    opp_queue_insert(queue, packet(&scene, kind, 100 * kind));
  opp_queue_insert(queue, opp_msg_new(scene.self, "timer", 5));
  CU_ASSERT_EQUAL(kinds(queue), 12345);
  CU_ASSERT_EQUAL(opp_queue_length(queue), 5);
  CU_ASSERT_EQUAL(opp_queue_byte_length(queue), 1000);
  CU_ASSERT_EQUAL(opp_queue_bit_length(queue), 8000);
  opp_msg_t* first = opp_queue_pop(queue);
  CU_ASSERT_EQUAL(opp_msg_kind(first), 1);
  CU_ASSERT_EQUAL(opp_queue_byte_length(queue), 900);
  opp_msg_delete(first);
  opp_queue_clear(queue);
  CU_ASSERT(opp_queue_is_empty(queue));
  CU_ASSERT_EQUAL(opp_queue_byte_length(queue), 0);
  CU_ASSERT_EQUAL(scene.sim->packets.in_use, 0);
  CU_ASSERT_EQUAL(scene.sim->messages.in_use, 0);
  CU_ASSERT_STRING_EQUAL(opp_sim_error(scene.sim)->text, "");
  opp_sim_free(scene.sim);
}

static int by_length(const opp_msg_t* a, const opp_msg_t* b)
{
  const int64_t difference = opp_packet_byte_length(a) - opp_packet_byte_length(b);
  return (difference > 0) - (difference < 0);
}

SGF_TEST(a_compare_function_makes_a_priority_queue_that_is_stable)
{
  scene_t scene      = scene_new();
  opp_queue_t* queue = opp_packet_queue_new(scene.self, "waiting", by_length);
  opp_queue_insert(queue, packet(&scene, 1, 20));
  opp_queue_insert(queue, packet(&scene, 2, 10));
  opp_queue_insert(queue, packet(&scene, 3, 20));
  opp_queue_insert(queue, packet(&scene, 4, 15));
  opp_queue_insert(queue, packet(&scene, 5, 10));
  opp_queue_insert(queue, packet(&scene, 6, 30));
  CU_ASSERT_EQUAL(kinds(queue), 254136);
  opp_sim_free(scene.sim);
}

SGF_TEST(messages_go_before_and_behind_others_and_leave_from_anywhere)
{
  scene_t scene      = scene_new();
  opp_queue_t* queue = opp_queue_new(scene.self, "waiting", NULL);
  opp_msg_t* first   = packet(&scene, 1, 10);
  opp_msg_t* last    = packet(&scene, 2, 20);
  opp_queue_insert(queue, first);
  opp_queue_insert(queue, last);
  opp_queue_insert_before(queue, first, packet(&scene, 3, 30));
  opp_queue_insert_after(queue, first, packet(&scene, 4, 40));
  opp_queue_insert_after(queue, last, packet(&scene, 5, 50));
  CU_ASSERT_EQUAL(kinds(queue), 31425);
  CU_ASSERT(opp_queue_contains(queue, first));
  CU_ASSERT_PTR_EQUAL(opp_queue_remove(queue, first), first);
  CU_ASSERT(!opp_queue_contains(queue, first));
  CU_ASSERT_PTR_NULL(opp_queue_remove(queue, first));
  CU_ASSERT_PTR_NULL(opp_queue_next(queue, first));
  CU_ASSERT_PTR_NULL(opp_queue_remove(queue, NULL));
  opp_msg_delete(opp_queue_remove(queue, opp_queue_front(queue)));
  opp_msg_delete(opp_queue_remove(queue, opp_queue_back(queue)));
  CU_ASSERT_EQUAL(kinds(queue), 42);
  CU_ASSERT_EQUAL(opp_queue_byte_length(queue), 60);
  opp_msg_delete(first);
  CU_ASSERT_STRING_EQUAL(opp_sim_error(scene.sim)->text, "");
  opp_sim_free(scene.sim);
}

SGF_TEST(what_was_in_a_queue_can_be_scheduled)
{
  scene_t scene      = scene_new();
  opp_queue_t* queue = opp_queue_new(scene.self, "waiting", NULL);
  opp_queue_insert(queue, packet(&scene, 7, 10));
  opp_msg_t* msg = opp_queue_pop(queue);
  opp_schedule_at(scene.self, 3, msg);
  opp_cancel_event(scene.self, msg);
  opp_schedule_at(scene.self, 5, msg);
  CU_ASSERT_EQUAL(opp_sim_run(scene.sim, OPP_TIME_MAX), OPP_RUN_IDLE);
  ASSERT_ARRIVAL(scene.self, 0, 5, 7);
  opp_sim_free(scene.sim);
}

SGF_TEST(a_message_in_a_queue_is_the_queues)
{
  scene_t scene      = scene_new();
  opp_queue_t* queue = opp_queue_new(scene.self, "waiting", NULL);
  opp_msg_t* msg     = packet(&scene, 1, 10);
  opp_queue_insert(queue, msg);
  CU_ASSERT(!opp_msg_is_scheduled(msg));
  opp_schedule_at(scene.self, 5, msg);
  CU_ASSERT_EQUAL(opp_queue_length(queue), 1);
  check_error_and_free(&scene, "self", "it is in a queue");

  scene = scene_new();
  queue = opp_queue_new(scene.self, "waiting", NULL);
  msg   = packet(&scene, 1, 10);
  opp_queue_insert(queue, msg);
  opp_packet_set_byte_length(msg, 20);
  CU_ASSERT_EQUAL(opp_packet_byte_length(msg), 10);
  check_error_and_free(&scene, "self", "it is in a queue");

  scene = scene_new();
  queue = opp_queue_new(scene.self, "waiting", NULL);
  msg   = packet(&scene, 1, 10);
  opp_queue_insert(queue, msg);
  opp_queue_insert(queue, msg);
  CU_ASSERT_EQUAL(opp_queue_length(queue), 1);
  check_error_and_free(&scene, "self", "it is in a queue");
}

SGF_TEST(a_queue_refuses_what_is_not_its_modules_or_no_packet)
{
  scene_t scene = scene_new();
  opp_queue_insert(opp_queue_new(scene.other, "waiting", NULL), packet(&scene, 1, 10));
  check_error_and_free(&scene, "other", "queue of another module");

  scene = scene_new();
  opp_queue_insert(opp_packet_queue_new(scene.self, "waiting", NULL), opp_msg_new(scene.self, "timer", 0));
  check_error_and_free(&scene, "'timer'", "it is none");

  scene                = scene_new();
  opp_queue_t* waiting = opp_queue_new(scene.self, "waiting", NULL);
  opp_queue_t* served  = opp_queue_new(scene.self, "served", NULL);
  opp_msg_t* msg       = packet(&scene, 1, 10);
  opp_queue_insert(served, msg);
  CU_ASSERT_PTR_NULL(opp_queue_remove(waiting, msg));
  opp_queue_insert_before(waiting, msg, packet(&scene, 2, 10));
  CU_ASSERT(opp_queue_is_empty(waiting));
  check_error_and_free(&scene, "self", "it is not in that queue");
}

SGF_TEST(taking_from_an_empty_queue_is_an_error)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_NULL(opp_queue_pop(opp_queue_new(scene.self, "waiting", NULL)));
  check_error_and_free(&scene, "self", "queue 'waiting'");
}
