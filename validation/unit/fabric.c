/* The parts of a fabric that need no traffic: names, mailboxes, posts. */
#include "harness.h"

#include <stdio.h>

#include "fabric/fabric_internal.h"

/* ---- Names ------------------------------------------------------------------------------------------------------- */

enum { MANY = 500 };

SGF_TEST(many_devices_are_found_by_name)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* devices[MANY];
  char name[32], path[64];
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof name, "node-%d", i);
    snprintf(path, sizeof path, "rack%d.%s", i % 7, name);
    devices[i] = i % 2 == 0 ? sgf_fabric_add_nic(fabric, name, path, "uet", NULL)
                            : sgf_fabric_add_switch(fabric, name, path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(devices[i]);
  }
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof name, "node-%d", i);
    CU_ASSERT_PTR_EQUAL(sgf_fabric_find(fabric, name), devices[i]);
    CU_ASSERT_PTR_EQUAL(sgf_fabric_device(fabric, (size_t)i), devices[i]);
  }
  CU_ASSERT_PTR_NULL(sgf_fabric_find(fabric, "node-500"));
  CU_ASSERT_PTR_NULL(sgf_fabric_find(fabric, "rack0.node-0")); /* that is its path */
  CU_ASSERT_EQUAL(sgf_fabric_host_count(fabric), MANY / 2);
  CU_ASSERT_PTR_EQUAL(sgf_fabric_host(fabric, 3), devices[6]);
  CU_ASSERT_STRING_EQUAL(sgf_device_path(devices[8]), "rack1.node-8");
  sgf_fabric_free(fabric);
}

SGF_TEST(an_empty_fabric_has_no_devices)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  CU_ASSERT_PTR_NULL(sgf_fabric_find(fabric, "anything"));
  CU_ASSERT_EQUAL(sgf_fabric_seal(fabric, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_engine_advance(fabric, OPP_US), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(fabric, NULL, NULL, NULL), SGF_OK);
  sgf_fabric_free(fabric);
  sgf_fabric_free(NULL);
}

/* ---- Prefixes ---------------------------------------------------------------------------------------------------- */

SGF_TEST(prefixes_answer_for_their_devices)
{
  CU_ASSERT_PTR_EQUAL(sgf_attributes_of("switch", NULL), &switch_attributes);
  CU_ASSERT_PTR_NOT_NULL(sgf_attributes_of("nic", "uet"));
  CU_ASSERT_PTR_NOT_NULL(sgf_attributes_of("pcie", "uet"));
  CU_ASSERT_PTR_NULL(sgf_attributes_of("nic", NULL));
  CU_ASSERT_PTR_NULL(sgf_attributes_of("nic", "nonsense"));
  CU_ASSERT_PTR_NULL(sgf_attributes_of("cable", "uet"));
  size_t count;
  const char* const* names = sgf_nic_model_names(&count);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_PTR_NOT_NULL(sgf_attributes_of("nic", names[i]));
  CU_ASSERT(count > 0);
}

/* ---- Mailboxes --------------------------------------------------------------------------------------------------- */

/* Two hosts back to back, whose mailboxes are filled by hand. */
typedef struct pair {
  sgf_fabric_t* fabric;
  sgf_device_t* a;
  sgf_device_t* b;
} pair_t;

static pair_t pair_new(void)
{
  pair_t pair = {.fabric = sgf_fabric_new(1)};
  pair.a      = sgf_fabric_add_nic(pair.fabric, "a", "a", "uet", NULL);
  pair.b      = sgf_fabric_add_nic(pair.fabric, "b", "b", "uet", NULL);
  sgf_fabric_connect(pair.fabric, pair.a, pair.b, "cable", INT64_C(400000000000), 0, 1, NULL);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(pair.fabric, NULL), SGF_OK);
  return pair;
}

SGF_TEST(deliveries_are_kept_in_order)
{
  pair_t pair = pair_new();
  enum { KEPT = 20 };
  for (uint64_t i = 0; i < KEPT; i++) {
    fabric_mailbox_deliver(pair.b, pair.a, 100 + i, 1);
    fabric_mailbox_deliver(pair.b, pair.a, 200 + i, 2);
    if (i % 3 == 0) { /* take some in between, so that room is used again */
      sgf_op_t* taken = sgf_op_recv(pair.fabric, pair.b, 1, 0, 0);
      CU_ASSERT_EQUAL(sgf_op_bytes(taken), 100 + i / 3);
      sgf_op_unref(taken);
    }
  }
  for (uint64_t i = (KEPT + 2) / 3; i < KEPT; i++) {
    sgf_op_t* op = sgf_op_recv(pair.fabric, pair.b, 1, 0, 0);
    CU_ASSERT(sgf_op_done(op));
    CU_ASSERT_EQUAL(sgf_op_bytes(op), 100 + i);
    CU_ASSERT_PTR_EQUAL(sgf_op_src(op), pair.a);
    sgf_op_unref(op);
  }
  sgf_op_t* none = sgf_op_recv(pair.fabric, pair.b, 1, 0, 0);
  CU_ASSERT_FALSE(sgf_op_done(none));
  sgf_op_t* other = sgf_op_recv(pair.fabric, pair.b, 2, 0, 0);
  CU_ASSERT_EQUAL(sgf_op_bytes(other), 200);
  sgf_fabric_free(pair.fabric);
}

SGF_TEST(receives_wait_in_order_of_date_actor_and_call)
{
  pair_t pair = pair_new();
  const struct {
    opp_simtime_t date;
    int64_t actor;
    uint64_t place;
  } posts[] = {{5, 1, 4}, {4, 9, 2}, {5, 1, 5}, {4, 2, 1}, {5, 0, 3}, {3, 7, 0}};
  enum { POSTS = sizeof posts / sizeof *posts };
  sgf_op_t* ops[POSTS];
  for (int i = 0; i < POSTS; i++)
    ops[i] = sgf_op_recv(pair.fabric, pair.b, 7, posts[i].date, posts[i].actor);
  for (uint64_t i = 0; i < POSTS; i++)
    fabric_mailbox_deliver(pair.b, pair.a, i, 7);
  for (int i = 0; i < POSTS; i++)
    CU_ASSERT_EQUAL(sgf_op_bytes(ops[i]), posts[i].place);
  sgf_fabric_free(pair.fabric);
}

SGF_TEST(a_withdrawn_receive_is_passed_over)
{
  pair_t pair = pair_new();
  sgf_op_t* ops[3];
  for (int i = 0; i < 3; i++)
    ops[i] = sgf_op_recv(pair.fabric, pair.b, 7, i, 0);
  sgf_op_unref(ops[1]);
  fabric_mailbox_deliver(pair.b, pair.a, 10, 7);
  fabric_mailbox_deliver(pair.b, pair.a, 20, 7);
  CU_ASSERT_EQUAL(sgf_op_bytes(ops[0]), 10);
  CU_ASSERT_EQUAL(sgf_op_bytes(ops[2]), 20);
  sgf_op_unref(ops[0]);
  sgf_op_unref(ops[2]);
  CU_ASSERT_PTR_NULL(pair.fabric->ops);
  sgf_fabric_free(pair.fabric);
}

SGF_TEST(mailboxes_of_many_tags_and_hosts_stay_apart)
{
  pair_t pair = pair_new();
  enum { TAGS = 300 };
  for (uint64_t tag = 0; tag < TAGS; tag++) {
    fabric_mailbox_deliver(pair.a, pair.b, tag + 1, tag << 32);
    fabric_mailbox_deliver(pair.b, pair.a, tag + 1000, tag << 32);
  }
  for (uint64_t tag = TAGS; tag-- > 0;) {
    sgf_op_t* at_a = sgf_op_recv(pair.fabric, pair.a, tag << 32, 0, 0);
    sgf_op_t* at_b = sgf_op_recv(pair.fabric, pair.b, tag << 32, 0, 0);
    CU_ASSERT_EQUAL(sgf_op_bytes(at_a), tag + 1);
    CU_ASSERT_EQUAL(sgf_op_bytes(at_b), tag + 1000);
  }
  sgf_fabric_free(pair.fabric);
}

/* ---- Posts ------------------------------------------------------------------------------------------------------- */

SGF_TEST(posts_are_held_in_order_of_date_host_actor_and_call)
{
  pair_t pair = pair_new();
  const struct {
    const sgf_device_t* src;
    opp_simtime_t date;
    int64_t actor;
    uint64_t place;
  } posts[] = {
      {pair.b, 2, 1, 5}, {pair.a, 2, 2, 3}, {pair.a, 2, 2, 4}, {pair.b, 1, 5, 0},
      {pair.a, 2, 1, 2}, {pair.b, 1, 6, 1}, {pair.a, 3, 0, 6},
  };
  for (size_t i = 0; i < sizeof posts / sizeof *posts; i++)
    sgf_op_unref(sgf_op_write(pair.fabric, posts[i].src == pair.a ? pair.a : pair.b, pair.a, posts[i].place, 0,
                              posts[i].date, posts[i].actor, NULL));
  CU_ASSERT_EQUAL_FATAL(pair.fabric->post_count, sizeof posts / sizeof *posts);
  for (size_t i = 0; i < pair.fabric->post_count; i++)
    CU_ASSERT_EQUAL(pair.fabric->posts[i]->bytes, i);
  CU_ASSERT_EQUAL(sgf_engine_drain(pair.fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_PTR_NULL(pair.fabric->ops); /* nobody held one */
  sgf_fabric_free(pair.fabric);
}
