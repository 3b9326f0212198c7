/* Messages: operations whose ends are named after they have been made; and writes in the NICs, kept by number. */
#include "harness.h"

#include "fabric_support.h"

#include <string.h>

enum { BYTES = 10000 };

static int thing;

static fabric_rig_t star(void)
{
  return rig_star(4, 100 * OPP_NS, 1, SETTINGS(NULL));
}

static sgf_status_t post(const fabric_rig_t* rig, sgf_op_t* op, unsigned src, unsigned dst, uint64_t bytes,
                         sgf_error_t* error)
{
  return sgf_op_post(op, rig->hosts[src], rig->hosts[dst], bytes, sgf_engine_clock(rig->fabric), 0, error);
}

static void check_end(fabric_rig_t* rig)
{
  sgf_op_t* op;
  while ((op = sgf_engine_completed(rig->fabric)) != NULL)
    continue;
  CU_ASSERT_EQUAL(sgf_engine_drain(rig->fabric), SGF_ENGINE_IDLE);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(rig->fabric, NULL, NULL, NULL), SGF_OK);
  rig_free(rig);
}

/* ---- A message --------------------------------------------------------------------------------------------------- */

SGF_TEST(a_message_waits_for_its_ends_and_then_for_its_last_byte)
{
  fabric_rig_t rig = star();
  void* place      = NULL;
  sgf_op_t* op     = sgf_op_message(rig.fabric);
  sgf_op_set_awaited(op, true);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_US), SGF_ENGINE_IDLE);
  CU_ASSERT_PTR_NULL(sgf_op_src(op));
  sgf_op_set_payload(op, &thing, &place);
  CU_ASSERT_EQUAL(post(&rig, op, 0, 1, BYTES, NULL), SGF_OK);
  const opp_simtime_t bound = sgf_engine_bound_with(rig.fabric, op, OPP_TIME_MAX);
  CU_ASSERT(bound > OPP_US && bound < OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_TIME_MAX), SGF_ENGINE_COMPLETION);
  CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), op);
  CU_ASSERT(sgf_op_done(op));
  CU_ASSERT_EQUAL(sgf_op_status(op), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_start(op), OPP_US);
  CU_ASSERT(sgf_op_end(op) >= bound);
  CU_ASSERT_EQUAL(sgf_op_bytes(op), BYTES);
  CU_ASSERT_PTR_EQUAL(sgf_op_src(op), rig.hosts[0]);
  CU_ASSERT_PTR_EQUAL(sgf_op_dst(op), rig.hosts[1]);
  CU_ASSERT_PTR_EQUAL(place, &thing);
  CU_ASSERT_PTR_EQUAL(sgf_op_payload(op), &thing);
  sgf_op_unref(op);
  check_end(&rig);
}

/* A write and a receive of the same bytes tell the date: the receive ends with the last byte, the write when it is
 * acknowledged. */
SGF_TEST(a_message_ends_when_a_receive_of_the_same_write_would)
{
  fabric_rig_t rig  = star();
  sgf_op_t* write   = rig_write(&rig, 0, 1, BYTES, 0, 0);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 0, 0, 0);
  sgf_op_t* message = sgf_op_message(rig.fabric);
  CU_ASSERT_EQUAL(post(&rig, message, 2, 3, BYTES, NULL), SGF_OK);
  sgf_engine_drain(rig.fabric);
  CU_ASSERT(sgf_op_done(message));
  CU_ASSERT_EQUAL(sgf_op_end(message), sgf_op_end(receive));
  CU_ASSERT(sgf_op_end(message) < sgf_op_end(write));
  sgf_op_unref(write);
  sgf_op_unref(receive);
  sgf_op_unref(message);
  check_end(&rig);
}

SGF_TEST(a_receive_sees_no_message_and_a_message_that_is_let_go_goes_on)
{
  fabric_rig_t rig  = star();
  void* place       = NULL;
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[1], 0, 0, 0);
  sgf_op_t* message = sgf_op_message(rig.fabric);
  sgf_op_set_awaited(receive, true);
  sgf_op_set_payload(message, &thing, &place);
  CU_ASSERT_EQUAL(post(&rig, message, 0, 1, BYTES, NULL), SGF_OK);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX); /* of the receive: nothing is on its way to it */
  CU_ASSERT_EQUAL(sgf_engine_advance(rig.fabric, OPP_NS), SGF_ENGINE_HORIZON);
  sgf_op_set_awaited(receive, false);
  sgf_op_set_awaited(receive, true); /* looked at anew */
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  sgf_op_unref(message);
  sgf_engine_drain(rig.fabric);
  CU_ASSERT_PTR_EQUAL(place, &thing);
  CU_ASSERT_FALSE(sgf_op_done(receive));
  sgf_op_unref(receive);
  check_end(&rig);
}

SGF_TEST(a_message_that_is_never_posted_may_be_let_go)
{
  fabric_rig_t rig = star();
  sgf_op_t* op     = sgf_op_message(rig.fabric);
  sgf_op_set_awaited(op, true);
  sgf_op_unref(op);
  CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), OPP_TIME_MAX);
  check_end(&rig);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

SGF_TEST(only_a_message_is_posted_and_once)
{
  fabric_rig_t rig  = star();
  sgf_error_t error = {0};
  sgf_op_t* write   = rig_write(&rig, 0, 1, BYTES, 0, 0);
  sgf_op_t* receive = sgf_op_recv(rig.fabric, rig.hosts[2], 0, 0, 0);
  sgf_op_t* message = sgf_op_message(rig.fabric);
  CU_ASSERT_EQUAL(post(&rig, message, 0, 1, BYTES, &error), SGF_OK);
  sgf_op_t* const refused[] = {write, receive, message};
  for (size_t i = 0; i < 3; i++) {
    error = (sgf_error_t){0};
    CU_ASSERT_EQUAL(post(&rig, refused[i], 0, 1, 1, &error), SGF_STATE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "only a message"));
    CU_ASSERT_FALSE(sgf_op_done(refused[i]));
  }
  sgf_op_unref(write);
  sgf_op_unref(receive);
  sgf_op_unref(message);
  check_end(&rig);
}

/* Whoever waits for it learns of it at once, and no payload arrives. */
SGF_TEST(a_message_that_cannot_be_posted_is_complete_with_its_error)
{
  fabric_rig_t rig = star();
  for (unsigned i = 0; i < 2; i++) {
    void* place       = NULL;
    sgf_error_t error = {0};
    sgf_op_t* op      = sgf_op_message(rig.fabric);
    sgf_op_set_awaited(op, true);
    sgf_op_set_payload(op, &thing, &place);
    const sgf_status_t status =
        i == 0 ? post(&rig, op, 0, 1, SGF_LARGEST_WRITE + 1, &error)
               : sgf_op_post(op, rig.hosts[0], rig.switches[0], 1, sgf_engine_clock(rig.fabric), 0, &error);
    CU_ASSERT_EQUAL(status, i == 0 ? SGF_RANGE : SGF_NO_NIC);
    CU_ASSERT_EQUAL(error.status, status);
    CU_ASSERT_EQUAL(sgf_engine_bound(rig.fabric), sgf_engine_clock(rig.fabric));
    CU_ASSERT_PTR_EQUAL(sgf_engine_completed(rig.fabric), op);
    CU_ASSERT_EQUAL(sgf_op_status(op), status);
    CU_ASSERT_PTR_NULL(place);
    sgf_op_unref(op);
  }
  check_end(&rig);
}

/* ---- Given up ---------------------------------------------------------------------------------------------------- */

enum { TO_HOST = 1 };

/* Lets one frame through to the host, and nothing after it. */
static void lose_all_but_one(opp_module_t* self, opp_msg_t* frame)
{
  bool* passed = opp_module_state(self);
  if (opp_gate_index(opp_msg_arrival_gate(frame)) == TO_HOST && !*passed) {
    *passed = true;
    opp_send(self, frame, opp_gate(self, "port$o", 0));
  } else
    opp_msg_delete(frame);
}

static const opp_module_type_t broken_cable = {
    .name = "broken_cable", .state_size = sizeof(bool), .handle_message = lose_all_but_one};

SGF_TEST(a_message_that_has_arrived_is_not_waited_for_when_its_acknowledgement_never_comes)
{
  sgf_error_t error    = {0};
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* a      = rig_host(fabric, "a");
  sgf_device_t* b      = rig_host(fabric, "b");
  sgf_device_t* tor    = rig_switch(fabric, "tor");
  rig_connect(fabric, a, tor);
  rig_connect(fabric, b, tor);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_insert(fabric, b, 0, "broken", &broken_cable, &error));
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  sgf_op_t* message = sgf_op_message(fabric);
  sgf_op_post(message, a, b, 100, 0, 0, &error);
  sgf_op_t* second = sgf_op_message(fabric);
  sgf_op_post(second, a, b, 100, 0, 0, &error);
  CU_ASSERT_EQUAL(sgf_engine_drain_until(fabric, OPP_S), SGF_ENGINE_IDLE); /* although timers go on */
  CU_ASSERT(sgf_op_done(message) && sgf_op_done(second));
  CU_ASSERT_EQUAL(sgf_op_status(message), SGF_OK);
  CU_ASSERT_EQUAL(sgf_op_status(second), SGF_STALLED);
  CU_ASSERT(sgf_op_end(message) < OPP_MS && sgf_op_end(second) > 100 * OPP_MS);
  CU_ASSERT_EQUAL(sgf_fabric_check_end(fabric, NULL, NULL, &error), SGF_STALLED);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "2 writes are not complete"));
  sgf_op_unref(message);
  sgf_op_unref(second);
  sgf_fabric_free(fabric);
}

/* ---- By number --------------------------------------------------------------------------------------------------- */

/* Over its slow PCIe link h0 takes long for its write, whose number stays taken while thousands of others come and go,
 * and come to the same place of the table. */
SGF_TEST(a_write_that_lasts_is_not_taken_for_a_later_one)
{
  enum { ROUNDS = 3000, WINDOW = 7, SHORT = 100, LONG = 4000000, LONG_TAG = 12345678 };
  fabric_rig_t rig = rig_star(4, 100 * OPP_NS, 1, SETTINGS("h0:nic.NicPCIeInterface/PhysicalLayer/LaneBps", "1Mbps"));
  const opp_simtime_t round_time = 20 * OPP_US;
  sgf_op_t* lasting              = rig_write(&rig, 0, 1, LONG, LONG_TAG, 0);
  sgf_op_t* received             = sgf_op_recv(rig.fabric, rig.hosts[1], LONG_TAG, 0, 0);
  uint64_t wrong                 = 0;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    const opp_simtime_t now = sgf_engine_clock(rig.fabric);
    sgf_op_t* message       = sgf_op_message(rig.fabric);
    sgf_op_t *writes[WINDOW], *receives[WINDOW];
    post(&rig, message, 3, 1, SHORT, NULL);
    for (uint64_t i = 0; i < WINDOW; i++) {
      writes[i]   = rig_write(&rig, 1, 2, SHORT + i, WINDOW * round + i, now);
      receives[i] = sgf_op_recv(rig.fabric, rig.hosts[2], WINDOW * round + i, now, 0);
    }
    sgf_engine_advance(rig.fabric, now + round_time);
    wrong += !sgf_op_done(message);
    sgf_op_unref(message);
    for (uint64_t i = 0; i < WINDOW; i++) {
      wrong += !sgf_op_done(writes[i]) || !sgf_op_done(receives[i]) || sgf_op_bytes(receives[i]) != SHORT + i;
      sgf_op_unref(writes[i]);
      sgf_op_unref(receives[i]);
    }
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(sgf_engine_drain(rig.fabric), SGF_ENGINE_IDLE);
  CU_ASSERT(sgf_op_done(lasting) && sgf_op_done(received));
  CU_ASSERT(sgf_op_end(received) > ROUNDS / 2 * round_time);
  CU_ASSERT_EQUAL(sgf_op_bytes(received), LONG);
  CU_ASSERT_PTR_EQUAL(sgf_op_src(received), rig.hosts[0]);
  sgf_op_unref(lasting);
  sgf_op_unref(received);
  check_end(&rig);
}
