/* spec/uet-nic.md 11.3 on the state machine: which frame goes next under strict priority; the other
 * disciplines are in disciplines.c. */
#include "harness.h"
#include "nic_support.h"

static const opp_simtime_t ack_hold =
    66370; /* of a full packet that finds an empty pool, floor(4,184 B at 504.32 Gb/s) */
static const opp_simtime_t ack_wire = 1560;
static const opp_simtime_t pfc_wire = 1280;

/* End of the n-th full packet that the NIC sends without a gap. */
static opp_simtime_t end_of(int64_t n)
{
  return bench_doorbell + bench_fetch + n * bench_wire;
}

/* A NIC that sends full packets to host 1 for longer than any test here lasts. */
static bench_t* busy_sender(const char* const* settings)
{
  bench_t* bench = bench_new(settings);
  bench_post(bench, 1, 1000 * BENCH_MSS);
  bench->answers = true;
  bench_run(bench, end_of(1) + 1); /* the second packet has just started */
  return bench;
}

/* A packet whose pause and resume follow at once: Xoff is below its size, and PCIe takes it as it comes. */
#define TOUCHY BENCH_PFC, "PfcStaticXoffThreshold", "[0.001, 0.001, 0, 0, 0, 0, 0, 0]"

SGF_TEST(UN_22_an_acknowledgement_goes_before_waiting_data)
{
  bench_t* bench = busy_sender(NULL);
  bench_packet(bench, 0, BENCH_MSS);
  CU_ASSERT(bench_now(bench) + ack_hold < end_of(2)); /* released while the second packet is on the wire */
  bench_run(bench, end_of(4) + bench_delay);
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 1);
  CU_ASSERT_EQUAL(bench_nth(bench, UET_ACK, 0)->arrival, end_of(2) + ack_wire + bench_delay);
  CU_ASSERT_EQUAL(bench_nth(bench, UET_DATA, 1)->arrival, end_of(2) + bench_delay);
  CU_ASSERT_EQUAL(bench_nth(bench, UET_DATA, 2)->arrival, end_of(3) + ack_wire + bench_delay);
  bench_free(bench);
}

SGF_TEST(UN_23_a_pause_frame_waits_for_one_frame_at_most)
{
  bench_t* bench = busy_sender(BENCH_SETTINGS(TOUCHY));
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, end_of(4) + bench_delay);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 2);
  const bench_frame_t* pause  = bench_nth(bench, BENCH_PFC_FRAMES, 0);
  const bench_frame_t* resume = bench_nth(bench, BENCH_PFC_FRAMES, 1);
  CU_ASSERT_EQUAL(pause->arrival, end_of(2) + pfc_wire + bench_delay);
  CU_ASSERT_EQUAL(resume->arrival, pause->arrival + pfc_wire);
  /* then the acknowledgement, although it was there before data that waits */
  CU_ASSERT_EQUAL(bench_nth(bench, UET_ACK, 0)->arrival, resume->arrival + ack_wire);
  CU_ASSERT(pause->frame.pfc.quanta == 65535 && pause->frame.pfc.classes == 1 && resume->frame.pfc.quanta == 0);
  bench_free(bench);
}

SGF_TEST(UN_24_a_pause_frame_goes_while_every_class_is_held)
{
  bench_t* bench = busy_sender(BENCH_SETTINGS(TOUCHY));
  bench_pause(bench, 0, 65535);
  bench_pause(bench, 1, 65535);
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, 10 * OPP_US);
  CU_ASSERT_EQUAL(bench_count(bench, UET_DATA, 0), 2); /* what was on the wire */
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 0);
  CU_ASSERT_EQUAL_FATAL(bench_count(bench, BENCH_PFC_FRAMES, 0), 2);
  CU_ASSERT_EQUAL(bench_nth(bench, BENCH_PFC_FRAMES, 0)->arrival, end_of(2) + pfc_wire + bench_delay);
  CU_ASSERT_EQUAL(net_port_queue_length(&bench->nic->port, 1), 2); /* an acknowledgement and a probe */
  bench_free(bench);
}

SGF_TEST(UN_30_data_goes_while_the_control_class_is_held)
{
  bench_t* bench = busy_sender(NULL);
  bench_pause(bench, 1, 65535);
  bench_packet(bench, 0, BENCH_MSS);
  bench_run(bench, end_of(20) + bench_delay);
  CU_ASSERT_EQUAL(bench_count(bench, UET_DATA, 0), 20);
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 0);
  CU_ASSERT_EQUAL(bench_probes(bench)->count, 0);
  CU_ASSERT_EQUAL(net_port_queue_length(&bench->nic->port, 1), 2); /* an acknowledgement and a probe */
  bench_pause(bench, 1, 0);
  bench_run(bench, end_of(23) + bench_delay); /* the 22nd packet is on the wire */
  CU_ASSERT_EQUAL(bench_count(bench, UET_ACK, 0), 1);
  CU_ASSERT_EQUAL(bench_probes(bench)->count, 1);
  bench_free(bench);
}

/* The transport has two classes; a third one's frames are put into its queue by hand. */
static void queue_frame(bench_t* bench, unsigned tc)
{
  opp_msg_t* msg                   = opp_frame_new(bench->nic->module, 0, UET_ACK_BYTES);
  net_frame(msg)->tc               = (uint8_t)tc;
  net_frame(msg)->dst              = bench->nic->address + 1;
  uet_header(net_frame(msg))->type = UET_ACK;
  CU_ASSERT_TRUE(nic_reserve(bench->nic, tc, msg->bytes));
  nic_queue(bench->nic, msg);
}

SGF_TEST(UN_169_the_highest_class_until_it_is_empty)
{
  enum { EACH = 3 };
  bench_t* bench =
      bench_new(BENCH_SETTINGS("EgressBufferManager.PoolAllocationVector", "[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]"));
  pfc_send(&bench->nic->pfc, 0, 1); /* keeps the port busy */
  for (int i = 0; i < EACH; i++)
    for (unsigned tc = 0; tc < 3; tc++)
      queue_frame(bench, tc);
  bench_run(bench, OPP_US);
  CU_ASSERT_EQUAL_FATAL(bench->count, 1 + 3 * EACH);
  for (size_t i = 0; i < 3 * EACH; i++)
    CU_ASSERT_EQUAL(bench->log[1 + i].frame.tc, 2 - i / EACH);
  bench_free(bench);
}
