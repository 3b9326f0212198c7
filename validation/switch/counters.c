/* What a switch counts at its ports, and what only looks like a limit: spec/switch.md SW-12, issue of drops by cause,
 * port and class, spec/records.md R-04. */
#include "lab_support.h"

#include <string.h>

#include "harness.h"

enum { IN, OUT, OTHER };

/* ------------------------------------------------------------------------------------------ SW-12, SwitchingCapacity
 */

/* What peers get of some traffic: two ports to one, another two in the opposite directions, pauses among it. */
static lab_t* traffic(const char* capacity)
{
  lab_t* lab = lab_d128(LAB_SETTINGS("SwitchingCapacity", capacity));
  lab_packets(lab, IN, OUT, 0, 200);
  lab_packets(lab, OTHER, OUT, 1, 200);
  lab_packets(lab, OUT, IN, 2, 50);
  lab_run(lab, 100 * OPP_US);
  return lab;
}

SGF_TEST(SW_12_128_ports_are_the_switching_capacity)
{
  switch_block_t block;
  sgf_error_t error = {0};
  lab_t* lab        = lab_d128(LAB_DEFAULTS);
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  CU_ASSERT_EQUAL(switch_total_bps(lab->state), 128 * INT64_C(400000000000));
  CU_ASSERT_EQUAL(switch_total_bps(lab->state), block.own.switching_capacity);
  lab_free(lab);
}

SGF_TEST(SW_12_another_switching_capacity_changes_no_forwarding)
{
  static const char* const others[] = {"1Gbps", "100000Gbps"};
  lab_t* usual                      = traffic("51200Gbps");
  CU_ASSERT_EQUAL(lab_packet_count(usual, OUT) + lab_packet_count(usual, IN), 450);
  CU_ASSERT(lab_pfc_frames(usual) > 0);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    lab_t* other = traffic(others[i]);
    CU_ASSERT_EQUAL_FATAL(other->record_count, usual->record_count);
    for (size_t r = 0; r < usual->record_count; r++) {
      CU_ASSERT_EQUAL(other->records[r].date, usual->records[r].date);
      CU_ASSERT_EQUAL(other->records[r].port, usual->records[r].port);
      CU_ASSERT_EQUAL(other->records[r].number, usual->records[r].number);
    }
    lab_free(other);
  }
  lab_free(usual);
}

/* ---------------------------------------------------------------------------------------- Frames sent and received */

/* received with the last bit, sent at the end of serialisation; pauses count, and what is dropped afterwards. */
SGF_TEST(R_04_frames_are_received_with_their_last_bit_and_sent_at_the_end_of_serialisation)
{
  enum { WIRE = LAB_PACKET + NET_ETHERNET_BYTES };
  lab_t* lab                        = lab_d128(LAB_DEFAULTS);
  const switch_received_t* received = lab->state->received;
  const net_port_t* out             = &lab->state->ports[OUT].out;
  lab_packet_for(lab, IN, OUT, 0, 5 * OPP_US);
  lab_run(lab, 5 * OPP_US - 1);
  CU_ASSERT_EQUAL(received[IN].frames + received[IN].bytes, 0);
  lab_run(lab, 5 * OPP_US);
  CU_ASSERT_EQUAL(received[IN].frames, 1);
  CU_ASSERT_EQUAL(received[IN].bytes, WIRE);
  const opp_simtime_t wire_time = lab_wire_time(lab, WIRE);
  lab_run(lab, 5 * OPP_US + wire_time - 1);
  CU_ASSERT_EQUAL(net_port_sent_frames(out) + net_port_sent_bytes(out), 0);
  lab_run(lab, 5 * OPP_US + wire_time);
  CU_ASSERT_EQUAL(net_port_sent_frames(out), 1);
  CU_ASSERT_EQUAL(net_port_sent_bytes(out), WIRE);

  lab_packets(lab, IN, 200, 0, 1); /* no route */
  CU_ASSERT_EQUAL(received[IN].frames, 2);
  lab_pfc(lab, IN, 3, 65535);
  CU_ASSERT_EQUAL(received[IN].frames, 3);
  CU_ASSERT_EQUAL(received[IN].bytes, 2 * WIRE + PFC_FRAME_BYTES);
  lab_free(lab);
}

SGF_TEST(R_04_pauses_count_as_sent)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, 176);
  lab_settle(lab);
  CU_ASSERT_EQUAL(net_port_sent_frames(&lab->state->ports[IN].out), 1);
  CU_ASSERT_EQUAL(net_port_sent_bytes(&lab->state->ports[IN].out), PFC_FRAME_BYTES);
  lab_free(lab);
}

/* ---------------------------------------------------------------------------------- Drops by cause, port and class */

typedef struct expectation {
  unsigned port;
  switch_drop_t cause;
  unsigned tc;
  uint64_t count;
} expectation_t;

/* These drops and no others. */
static bool dropped(const lab_t* lab, const expectation_t* expected, size_t count)
{
  uint64_t found = 0;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    if (lab->state->ports[expected[i].port].drops[expected[i].cause][expected[i].tc] != expected[i].count)
      return false;
    total += expected[i].count;
  }
  for (unsigned port = 0; port < lab->state->port_count; port++) {
    const switch_port_t* at = &lab->state->ports[port];
    uint64_t here           = 0;
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      here += switch_rx_drops(at, tc) + switch_tx_drops(at, tc);
    if (here != at->rx_drops + at->tx_drops)
      return false;
    found += here;
  }
  return found == total && lab_drops(lab) == total;
}

#define DROPPED(lab, ...)                                                                                              \
  dropped(lab, (const expectation_t[]){__VA_ARGS__},                                                                   \
          sizeof((const expectation_t[]){__VA_ARGS__}) / sizeof(expectation_t))

SGF_TEST(drops_are_counted_by_cause_port_and_class)
{
  lab_t* lab = lab_d128(LAB_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true"));
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    lab_hold(lab, OUT, tc);
  lab_packets(lab, IN, OUT, 0, 241);  /* one too many for the headroom of pool 0 */
  lab_packets(lab, IN, OUT, 1, 242);  /* two for that of pool 1 */
  lab_packets(lab, OTHER, 200, 5, 3); /* to nowhere */
  lab_packets(lab, OTHER, OUT, 6, 1); /* the lossless packets of pool 0 fill the queue to 960,000 B: 135 fit */
  lab_packets(lab, OTHER, OUT, 7, 134 + 4);
  CU_ASSERT(DROPPED(lab, {IN, SWITCH_DROP_HEADROOM, 0, 1}, {IN, SWITCH_DROP_HEADROOM, 1, 2},
                    {OTHER, SWITCH_DROP_NO_ROUTE, 5, 3}, {OUT, SWITCH_DROP_EGRESS_QUEUE, 7, 4}));
  CU_ASSERT_EQUAL(switch_rx_drops(&lab->state->ports[IN], 1), 2);
  CU_ASSERT_EQUAL(switch_tx_drops(&lab->state->ports[IN], 1), 0);
  CU_ASSERT_EQUAL(switch_tx_drops(&lab->state->ports[OUT], 7), 4);
  CU_ASSERT_EQUAL(switch_rx_drops(&lab->state->ports[OTHER], 5), 3);
  lab_free(lab);
}

/* Pools of 100,000 and 11,000 B behind headroom of 128 x 256,000 B. */
SGF_TEST(drops_of_full_pools_are_counted_by_port_and_class)
{
  lab_t* lab = lab_d128(
      LAB_SETTINGS("TotalSharedBufferSize", "32879KB", "PoolAllocationMap", "[0.9009, 0.0991, 0, 0, 0, 0, 0, 0]"));
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    lab_hold(lab, OUT, tc);
  lab_packets(lab, IN, OUT, 1, 2); /* pool 1 takes two */
  lab_packets(lab, IN, OUT, 1, 1);
  lab_packets(lab, OTHER, OUT, 1, 1);
  CU_ASSERT(DROPPED(lab, {IN, SWITCH_DROP_INGRESS_POOL, 1, 1}, {OTHER, SWITCH_DROP_INGRESS_POOL, 1, 1}));
  lab_free(lab);
}
