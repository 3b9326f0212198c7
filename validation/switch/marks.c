/* ECN marks on the way of a packet through a switch: when the average moves, and which packets are marked.
 * spec/switch.md 7, replays of 10.9 and 10.15. */
#include "lab_support.h"

#include "harness.h"

enum { IN, OUT, OTHER };

/* Limits of 5 x 300 KB for every queue, so a band from 300,000 to 1,200,000 B; the average is the queue itself. */
#define FIXED_CAP "LossyAlpha", "0", "QueueDropThresholdEnable", "true", "EwmaWeight", "1"
/* Every ECT packet is marked. */
#define ALWAYS "MinThreshold", "0", "MaxThreshold", "0"

static double average(const lab_t* lab)
{
  return switch_ecn_average(lab->state->ecn, OUT, 0);
}

/* Packets of TC0 that left OUT with a mark. */
static uint64_t marked(const lab_t* lab)
{
  return lab->state->ports[OUT].marked[0];
}

/* One ECT packet of TC0 at a time, so that no pause comes. */
static void ect_packets(lab_t* lab, unsigned port, unsigned count, uint32_t charge)
{
  net_frame_t fields = lab_fields(OUT, 0);
  fields.ecn         = NET_ECN_ECT1;
  for (unsigned i = 0; i < count; i++)
    lab_packet(lab, port, &fields, charge);
}

SGF_TEST(SW_52_the_queue_is_read_with_the_packet_itself)
{
  const double averages[] = {400, 1160, 2244};
  lab_t* lab              = lab_d128(LAB_DEFAULTS);
  lab_hold(lab, OUT, 0);
  for (unsigned i = 0; i < 3; i++) {
    lab_packets(lab, IN, OUT, 0, 1);
    CU_ASSERT_DOUBLE_EQUAL(average(lab), averages[i], 1e-9);
  }
  lab_free(lab);
}

SGF_TEST(SW_54_a_queue_that_drains_leaves_the_average_alone)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  lab_hold(lab, OUT, 0);
  lab_packets(lab, IN, OUT, 0, 3);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 3);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, 0), 0);
  CU_ASSERT_DOUBLE_EQUAL(average(lab), 2244.0, 1e-9);
  lab_free(lab);
}

/* The codepoint with which a packet leaves that has come with `ecn`. */
static net_ecn_t leaves_with(lab_t* lab, net_ecn_t ecn)
{
  net_frame_t fields = lab_fields(OUT, 0);
  fields.ecn         = (uint8_t)ecn;
  lab_packet(lab, IN, &fields, LAB_PACKET);
  const net_ecn_t left = net_frame(lab->state->ports[OUT].out.on_wire)->ecn;
  lab_depart(lab, OUT, 1);
  return left;
}

SGF_TEST(SW_55_a_packet_that_is_not_ECT_is_never_marked)
{
  lab_t* lab = lab_d128(LAB_SETTINGS(ALWAYS, NULL));
  CU_ASSERT_EQUAL(leaves_with(lab, NET_ECN_NOT_ECT), NET_ECN_NOT_ECT);
  CU_ASSERT_EQUAL(leaves_with(lab, NET_ECN_CE), NET_ECN_CE);
  CU_ASSERT_EQUAL(marked(lab), 0);
  CU_ASSERT_EQUAL(leaves_with(lab, NET_ECN_ECT0), NET_ECN_CE);
  CU_ASSERT_EQUAL(leaves_with(lab, NET_ECN_ECT1), NET_ECN_CE);
  CU_ASSERT_EQUAL(marked(lab), 2);
  lab_free(lab);
}

SGF_TEST(SW_55_with_EnableEcn_off_nothing_is_marked)
{
  lab_t* lab = lab_d128(LAB_SETTINGS(ALWAYS, "EnableEcn", "false", NULL));
  CU_ASSERT_EQUAL(leaves_with(lab, NET_ECN_ECT0), NET_ECN_ECT0);
  CU_ASSERT_EQUAL(leaves_with(lab, NET_ECN_ECT1), NET_ECN_ECT1);
  CU_ASSERT_EQUAL(marked(lab), 0);
  lab_free(lab);
}

/* TC2 is lossy and shares pool 0 with TC0, which is lossless: one queue, one average. */
SGF_TEST(SW_103_the_average_moves_with_admitted_packets_alone)
{
  enum { CAP = 375 };
  lab_t* lab = lab_d128(LAB_SETTINGS(FIXED_CAP, NULL));
  lab_hold(lab, OUT, 0);
  lab_hold(lab, OUT, 2);
  lab_packets(lab, IN, OUT, 2, CAP);
  CU_ASSERT_EQUAL(average(lab), CAP * LAB_PACKET);
  lab_packets(lab, IN, OUT, 2, 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_EGRESS_QUEUE], 1);
  CU_ASSERT_EQUAL(average(lab), CAP * LAB_PACKET);
  lab_packets(lab, OTHER, OUT, 0, 1);
  CU_ASSERT_EQUAL(average(lab), (CAP + 1) * LAB_PACKET);
  lab_free(lab);
}

/* A refused packet would move an average that trails behind the queue. */
SGF_TEST(SW_103_a_refused_packet_leaves_an_average_that_trails_alone)
{
  enum { CAP = 375 };
  lab_t* lab = lab_d128(LAB_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true", NULL));
  lab_hold(lab, OUT, 2);
  lab_packets(lab, IN, OUT, 2, CAP);
  const double before = average(lab);
  CU_ASSERT(before < CAP * LAB_PACKET);
  lab_packets(lab, IN, OUT, 2, 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_EGRESS_QUEUE], 1);
  CU_ASSERT_EQUAL(average(lab), before);
  lab_free(lab);
}

/* 300 packets from two ports, which then hold 600,000 B each: no pause. */
SGF_TEST(SW_104_lossless_packets_are_marked_at_1200000_B)
{
  enum { EACH = 150 };
  lab_t* lab = lab_d128(LAB_SETTINGS(FIXED_CAP, NULL));
  lab_hold(lab, OUT, 0);
  ect_packets(lab, IN, EACH, LAB_PACKET);
  ect_packets(lab, OTHER, EACH, LAB_PACKET);
  CU_ASSERT_EQUAL(average(lab), 1200000.0);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, 2 * EACH);
  CU_ASSERT_EQUAL(marked(lab), 2 * EACH);
  lab_free(lab);
}

SGF_TEST(SW_104_lossless_packets_are_not_marked_at_299999_B)
{
  enum { FULL = 74 };
  lab_t* lab = lab_d128(LAB_SETTINGS(FIXED_CAP, NULL));
  lab_hold(lab, OUT, 0);
  ect_packets(lab, IN, FULL, LAB_PACKET);
  ect_packets(lab, IN, 1, LAB_PACKET - 1);
  CU_ASSERT_EQUAL(average(lab), 299999.0);
  lab_release(lab, OUT, 0);
  lab_depart(lab, OUT, FULL + 1);
  CU_ASSERT_EQUAL(marked(lab), 0);
  lab_free(lab);
}
