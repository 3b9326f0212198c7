/* The UET policy with frames and a clock: classes by codepoint, fixed limits, and packets that are cut to their headers
 * where their queue is full. spec/switch.md 9, replays of 10.14 and 10.15 (SW-114). D128; nothing drains unless
 * departures are named. */
#include "lab_support.h"

#include <string.h>

#include "harness.h"

enum { IN, OUT, OTHER, THIRD };
enum { DATA, TRIMMED, CONTROL }; /* classes of the policy, each with the pool of its number */
enum { UET_PACKET = 4184, UET_HEADERS = 44, TRIMMED_WIRE = 62, TRIMMED_CHARGE = 46 };
/* Packets of UET data and of what trimming leaves of them in a queue of 300,000 B; with the limit of retransmissions.
 */
enum { FULL = 71, FULL_OF_RETRANSMISSIONS = 107, FULL_OF_TRIMMED = 6521 };

#define POLICY "UETPolicyEnabled", "true", "EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]"
#define TRIMMING POLICY, "PacketTrimmer.TrimmingEnabled", "true"

static lab_t* held(lab_t* lab, unsigned port)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    lab_hold(lab, port, tc);
  return lab;
}

static lab_t* trimming_lab(void)
{
  return held(lab_d128(LAB_SETTINGS(TRIMMING)), OUT);
}

static net_frame_t uet_fields(uint32_t host, uint8_t dscp)
{
  net_frame_t fields  = lab_fields(host, 0);
  fields.dscp         = dscp;
  fields.ecn          = NET_ECN_ECT1;
  fields.header_bytes = UET_HEADERS;
  return fields;
}

static void uet_packets(lab_t* lab, uint32_t host, net_role_t role, unsigned count)
{
  const net_frame_t fields = uet_fields(host, net_role_dscp(role));
  for (unsigned i = 0; i < count; i++)
    lab_packet(lab, IN, &fields, UET_PACKET);
}

static size_t queued(const lab_t* lab, unsigned port, unsigned tc)
{
  return net_port_queue_length(&lab->state->ports[port].out, tc);
}

static uint64_t trimmed(const lab_t* lab, unsigned port)
{
  return lab->state->ports[port].trimmed;
}

/* What egress admission has dropped on a port, by class. */
static uint64_t refused(const lab_t* lab, unsigned port, unsigned tc)
{
  return switch_tx_drops(&lab->state->ports[port], tc);
}

/* What waits on the port leaves, the highest class first. */
static void let_go(lab_t* lab, unsigned port)
{
  for (unsigned tc = NET_CLASSES; tc-- > 0;)
    lab_release(lab, port, tc);
}

/* --------------------------------------------------------------------------------------------------- SW-88, classes */

static unsigned class_of_role(net_role_t role)
{
  switch (role) {
    case NET_ROLE_CONTROL:
      return CONTROL;
    case NET_ROLE_TRIMMED:
    case NET_ROLE_TRIMMED_LAST_HOP:
      return TRIMMED;
    default:
      return DATA;
  }
}

SGF_TEST(SW_88_the_class_follows_the_codepoint_and_the_pool_the_class)
{
  for (uint8_t dscp = 0; dscp < NET_DSCP_VALUES; dscp++) {
    lab_t* lab               = held(lab_d128(LAB_SETTINGS(POLICY)), OUT);
    const unsigned expected  = class_of_role(net_role_of_dscp(dscp));
    const net_frame_t fields = uet_fields(OUT, dscp);
    lab_packet(lab, IN, &fields, UET_PACKET);
    for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
      CU_ASSERT_EQUAL(queued(lab, OUT, tc), tc == expected);
      CU_ASSERT(lab_holds(lab, IN, tc, tc == expected ? UET_PACKET : 0, 0));
      CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, tc), tc == expected ? UET_PACKET : 0);
    }
    lab_free(lab);
  }
}

/* O-21: another table, and the same packets are other ones. 8 / 8 would have been class 1, 48 / 8 class 6. */
SGF_TEST(SW_88_codepoints_are_a_table_that_can_be_changed)
{
  lab_t* lab = held(lab_d128(LAB_SETTINGS(TRIMMING, "Codepoints.Control", "48", "Codepoints.Trimmed", "33",
                                          "Codepoints.Trimmable", "8")),
                    OUT);
  static const struct {
    uint8_t dscp;
    unsigned tc;
  } cases[] = {{48, CONTROL}, {33, TRIMMED}, {10, TRIMMED}, {8, DATA}, {9, DATA}, {1, DATA}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const size_t before      = queued(lab, OUT, cases[i].tc);
    const net_frame_t fields = uet_fields(OUT, cases[i].dscp);
    lab_packet(lab, IN, &fields, UET_PACKET);
    CU_ASSERT_EQUAL(queued(lab, OUT, cases[i].tc), before + 1);
  }
  const net_frame_t unmarked = uet_fields(OUT, 1); /* trimmable by default, not here */
  const net_frame_t marked   = uet_fields(OUT, 8);
  for (unsigned i = 0; i < FULL - 3; i++)
    lab_packet(lab, IN, &unmarked, UET_PACKET);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_packet(lab, IN, &unmarked, UET_PACKET);
  CU_ASSERT_EQUAL(refused(lab, OUT, DATA), 1);
  lab_packet(lab, IN, &marked, UET_PACKET);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 1);
  let_go(lab, OUT);
  lab_depart(lab, OUT, 6 + FULL - 3 + 1);
  lab_settle(lab);
  unsigned rewritten = 0;
  for (unsigned n = 0; n < lab_packet_count(lab, OUT); n++)
    rewritten += lab_nth_packet(lab, OUT, n).bytes == TRIMMED_WIRE && lab_nth_packet(lab, OUT, n).dscp == 33;
  CU_ASSERT_EQUAL(rewritten, 1);
  lab_free(lab);
}

SGF_TEST(O_21_two_roles_with_one_codepoint_do_not_start)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(lab_refusal(LAB_SETTINGS("Codepoints.Control", "1"), &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "Codepoints/Trimmable"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "Codepoints/Control"));
}

/* ---------------------------------------------------------------------------------------------- SW-90, rules at start
 */

SGF_TEST(SW_90_trimming_without_the_policy_does_not_start)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(
      lab_refusal(LAB_SETTINGS("EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]", "PacketTrimmer.TrimmingEnabled", "true"),
                  &error),
      SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "TrimmingEnabled"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "UETPolicyEnabled"));
}

SGF_TEST(SW_90_trimming_with_the_default_EnablePFC_does_not_start)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(
      lab_refusal(LAB_SETTINGS("UETPolicyEnabled", "true", "PacketTrimmer.TrimmingEnabled", "true"), &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "TrimmingEnabled"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "EnablePFC"));
}

/* ------------------------------------------------------------------------------------------------ SW-91, what is left
 */

/* The trimmed packet that overtakes what filled the queue, as the peer of OUT gets it. */
static lab_record_t trimmed_at_peer(lab_t* lab)
{
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, 1);
  CU_ASSERT_EQUAL(queued(lab, OUT, TRIMMED), 1);
  let_go(lab, OUT);
  lab_run(lab, lab_now(lab) + 2 * lab_packet_way(lab));
  const lab_record_t record = lab_nth_packet(lab, OUT, 0);
  CU_ASSERT_EQUAL(record.number, FULL + 1);
  return record;
}

SGF_TEST(SW_91_44_bytes_are_left_62_on_the_wire_46_charged)
{
  lab_t* lab = trimming_lab();
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL + 1);
  CU_ASSERT_EQUAL(queued(lab, OUT, DATA), FULL);
  CU_ASSERT_EQUAL(queued(lab, OUT, TRIMMED), 1);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, TRIMMED), TRIMMED_CHARGE);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, DATA), FULL * UET_PACKET);
  CU_ASSERT_EQUAL(lab_drops(lab), 0); /* O-23 */
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 1);
  lab_free(lab);

  lab                       = trimming_lab();
  const lab_record_t record = trimmed_at_peer(lab);
  CU_ASSERT_EQUAL(record.bytes, TRIMMED_WIRE);
  CU_ASSERT_EQUAL(record.dscp, net_role_dscp(NET_ROLE_TRIMMED));
  CU_ASSERT_EQUAL(record.ecn, NET_ECN_ECT1);
  lab_free(lab);
}

SGF_TEST(SW_91_towards_a_nic_it_was_trimmed_on_the_last_hop)
{
  lab_t* lab = trimming_lab();
  switch_faces_nic(lab->state, OUT);
  CU_ASSERT_EQUAL(trimmed_at_peer(lab).dscp, net_role_dscp(NET_ROLE_TRIMMED_LAST_HOP));
  lab_free(lab);

  lab = trimming_lab(); /* the port by which it came does not matter */
  switch_faces_nic(lab->state, IN);
  CU_ASSERT_EQUAL(trimmed_at_peer(lab).dscp, net_role_dscp(NET_ROLE_TRIMMED));
  lab_free(lab);
}

/* O-22: the ingress charge shrinks at once and stays in pool 0, whose number is that of the class it came in. */
SGF_TEST(O_22_a_trimmed_packet_stays_where_it_came_in)
{
  lab_t* lab = trimming_lab();
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL + 1);
  CU_ASSERT(lab_holds(lab, IN, DATA, FULL * UET_PACKET + TRIMMED_CHARGE, 0));
  CU_ASSERT(lab_holds(lab, IN, TRIMMED, 0, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_total(lab->buffer, DATA), FULL * UET_PACKET + TRIMMED_CHARGE);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(lab->buffer, TRIMMED), TRIMMED_CHARGE);
  let_go(lab, OUT);
  lab_depart(lab, OUT, 1);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(lab->buffer, TRIMMED), 0);
  CU_ASSERT(lab_holds(lab, IN, DATA, FULL * UET_PACKET, 0));
  lab_depart(lab, OUT, FULL);
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
  lab_free(lab);
}

/* The marker of the queue that it is in (7.1). */
SGF_TEST(O_22_a_trimmed_packet_moves_the_average_of_its_new_queue)
{
  lab_t* lab = trimming_lab();
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL);
  const double before = switch_ecn_average(lab->state->ecn, OUT, DATA);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, 1);
  CU_ASSERT_EQUAL(switch_ecn_average(lab->state->ecn, OUT, DATA), before);
  CU_ASSERT_DOUBLE_EQUAL(switch_ecn_average(lab->state->ecn, OUT, TRIMMED), 0.1 * TRIMMED_CHARGE, 1e-9);
  lab_free(lab);
}

SGF_TEST(a_packet_that_is_shorter_than_its_headers_say_does_not_grow)
{
  enum { SHORT = 20 };
  lab_t* lab = trimming_lab();
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL);
  net_frame_t fields = uet_fields(OUT, net_role_dscp(NET_ROLE_TRIMMABLE));
  while (trimmed(lab, OUT) == 0)
    lab_packet(lab, IN, &fields, SHORT);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, TRIMMED), TRIMMED_CHARGE);
  let_go(lab, OUT);
  lab_run(lab, lab_now(lab) + 2 * lab_packet_way(lab));
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 0).bytes, SHORT + NET_ETHERNET_BYTES);
  lab_free(lab);
}

/* --------------------------------------------------------------------------------------------- SW-92, who is not cut
 */

/* Packets of a codepoint that fill a queue of 300,000 B, and one more, which is to be dropped. */
static void expect_drop(lab_t* lab, uint8_t dscp, unsigned tc)
{
  const net_frame_t fields = uet_fields(OUT, dscp);
  for (unsigned i = 0; i < FULL; i++)
    lab_packet(lab, IN, &fields, UET_PACKET);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  const int64_t occupancy = sgf_sb_occupancy(lab->buffer, IN, tc);
  lab_packet(lab, IN, &fields, UET_PACKET);
  CU_ASSERT_EQUAL(refused(lab, OUT, tc), 1);
  CU_ASSERT_EQUAL(lab->state->ports[OUT].drops[SWITCH_DROP_EGRESS_QUEUE][tc], 1);
  CU_ASSERT_EQUAL(lab->state->ports[OUT].tx_drops, 1);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 0);
  CU_ASSERT_EQUAL(queued(lab, OUT, tc), FULL);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(lab->buffer, IN, tc), occupancy);
  lab_free(lab);
}

SGF_TEST(SW_92_a_no_trim_packet_over_the_limit_is_dropped)
{
  expect_drop(trimming_lab(), net_role_dscp(NET_ROLE_NO_TRIM), DATA);
}

SGF_TEST(SW_92_so_are_packets_of_other_roles_and_of_none)
{
  expect_drop(trimming_lab(), net_role_dscp(NET_ROLE_CONTROL), CONTROL);
  expect_drop(trimming_lab(), net_role_dscp(NET_ROLE_TRIMMED), TRIMMED); /* there is no second try */
  expect_drop(trimming_lab(), net_role_dscp(NET_ROLE_TRIMMED_LAST_HOP), TRIMMED);
  expect_drop(trimming_lab(), 63, DATA);
}

SGF_TEST(a_packet_whose_headers_are_not_known_is_dropped)
{
  lab_t* lab         = trimming_lab();
  net_frame_t fields = uet_fields(OUT, net_role_dscp(NET_ROLE_TRIMMABLE));
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL);
  fields.header_bytes = 0;
  lab_packet(lab, IN, &fields, UET_PACKET);
  CU_ASSERT_EQUAL(refused(lab, OUT, DATA), 1);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 0);
  CU_ASSERT(lab_holds(lab, IN, DATA, FULL * UET_PACKET, 0));
  lab_free(lab);
}

/* Dropped and not cut when its own pool is full on arrival (O-34). Pool 0 has 9,000 B. */
SGF_TEST(O_34_nothing_is_trimmed_at_ingress)
{
  enum { PORTS = 4, ROOM = 2 };
  lab_t* lab = held(lab_new(PORTS, 400, LAB_DELAY, 1, LAB_SETTINGS(TRIMMING, "TotalSharedBufferSize", "1045KB")), OUT);
  CU_ASSERT_EQUAL(sgf_sb_pool_size(lab->buffer, DATA), 9000);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, ROOM + 1);
  CU_ASSERT_EQUAL(lab->state->ports[IN].drops[SWITCH_DROP_INGRESS_POOL][DATA], 1);
  CU_ASSERT_EQUAL(lab->state->ports[IN].rx_drops, 1);
  CU_ASSERT_EQUAL(switch_rx_drops(&lab->state->ports[IN], DATA), 1);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 0);
  lab_free(lab);
}

/* ---------------------------------------------------------------------------------------------------- SW-114, limits
 */

SGF_TEST(SW_114_with_trimming_71_packets_fit_and_107_retransmissions)
{
  lab_t* lab = trimming_lab();
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, DATA), 297064);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 0);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, 1);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 1);

  /* On top of them retransmissions, up to their own limit; then they are cut too. */
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, FULL_OF_RETRANSMISSIONS - FULL);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, DATA), 447688);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 1);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, 1);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 2);
  CU_ASSERT_EQUAL(queued(lab, OUT, DATA), FULL_OF_RETRANSMISSIONS);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_free(lab);
}

SGF_TEST(SW_114_the_queue_of_trimmed_packets_takes_6521)
{
  lab_t* lab = trimming_lab();
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, FULL + FULL_OF_TRIMMED);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), FULL_OF_TRIMMED);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, TRIMMED), 299966);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  const int64_t occupancy = sgf_sb_occupancy(lab->buffer, IN, DATA);

  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, 1); /* cut, and refused again: nothing of it stays (O-22, O-23) */
  CU_ASSERT_EQUAL(trimmed(lab, OUT), FULL_OF_TRIMMED);
  CU_ASSERT_EQUAL(lab->state->ports[OUT].tx_drops, 1);
  CU_ASSERT_EQUAL(lab->state->ports[OUT].drops[SWITCH_DROP_EGRESS_QUEUE][TRIMMED], 1);
  CU_ASSERT_EQUAL(refused(lab, OUT, DATA), 0);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(lab->buffer, IN, DATA), occupancy);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, TRIMMED), 299966);

  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, 1); /* the limit of the class of data does not help those in TC1 */
  CU_ASSERT_EQUAL(queued(lab, OUT, DATA), FULL + 1);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, FULL_OF_RETRANSMISSIONS - FULL);
  CU_ASSERT_EQUAL(refused(lab, OUT, TRIMMED), 2);
  let_go(lab, OUT);
  lab_depart(lab, OUT, FULL_OF_RETRANSMISSIONS + FULL_OF_TRIMMED);
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
  lab_free(lab);
}

/* Pools of 9,000, 6,000 and 6,000 B, queues of 3,000 B; packets of 3,001 B never fit. 65 trimmed packets fill a queue,
 * 130 the pool. */
SGF_TEST(a_trimmed_packet_is_held_against_the_space_of_pool_1_too)
{
  enum { PORTS = 4, OF_A_QUEUE = 65, BYTES = 3001 };
  lab_t* lab =
      lab_new(PORTS, 400, LAB_DELAY, 1, LAB_SETTINGS(TRIMMING, "TotalSharedBufferSize", "1045KB", "PlaneBDP", "3KB"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(lab->buffer, TRIMMED), 6000);
  for (unsigned port = OUT; port <= THIRD; port++) {
    held(lab, port);
    const net_frame_t fields = uet_fields(port, net_role_dscp(NET_ROLE_TRIMMABLE));
    for (unsigned i = 0; i < (port < THIRD ? OF_A_QUEUE : 1); i++)
      lab_packet(lab, IN, &fields, BYTES);
  }
  CU_ASSERT_EQUAL(trimmed(lab, OUT) + trimmed(lab, OTHER), 2 * OF_A_QUEUE);
  CU_ASSERT_EQUAL(trimmed(lab, THIRD), 0);
  CU_ASSERT_EQUAL(lab->state->ports[THIRD].drops[SWITCH_DROP_EGRESS_POOL][TRIMMED], 1);
  CU_ASSERT_EQUAL(lab_drops(lab), 1);
  CU_ASSERT(lab_holds(lab, IN, DATA, 2 * OF_A_QUEUE * TRIMMED_CHARGE, 0));
  lab_free(lab);
}

SGF_TEST(SW_114_without_trimming_358_packets_fit_and_537_retransmissions)
{
  lab_t* lab = held(lab_d128(LAB_SETTINGS(POLICY)), OUT);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, 358);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, DATA), 1497872);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE, 1);
  CU_ASSERT_EQUAL(refused(lab, OUT, DATA), 1);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, 537 - 358);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, DATA), 2246808);
  CU_ASSERT_EQUAL(lab_drops(lab), 1);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, 1);
  CU_ASSERT_EQUAL(refused(lab, OUT, DATA), 2);
  CU_ASSERT_EQUAL(trimmed(lab, OUT), 0);
  lab_free(lab);
}

/* Without the policy the codepoint of retransmissions means nothing: one limit for all. */
SGF_TEST(SW_21_retransmissions_have_no_limit_of_their_own_without_the_policy)
{
  lab_t* lab = held(lab_d128(LAB_SETTINGS("EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]", "LossyAlpha", "0",
                                          "QueueDropThresholdEnable", "true")),
                    OUT);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, 358);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  uet_packets(lab, OUT, NET_ROLE_TRIMMABLE_RTX, 1);
  CU_ASSERT_EQUAL(refused(lab, OUT, DATA), 1);
  lab_free(lab);
}

/* 9.4: EnablePFC keeps its meaning; a group is then one class, that of the pool's number. */
SGF_TEST(the_policy_pauses_what_EnablePFC_says)
{
  lab_t* lab = held(lab_d128(LAB_SETTINGS("UETPolicyEnabled", "true")), OUT);
  uet_packets(lab, OUT, NET_ROLE_NO_TRIM, 168); /* 168 x 4,184 = 702,912 > 700,000 */
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, DATA), 1);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1);
  CU_ASSERT_EQUAL(lab_drops(lab), 0); /* O-30 */
  lab_free(lab);
}
