/* The way of a packet through a switch: classification, scheduling, drops, transmission and the order of events at one
 * instant. spec/switch.md 5, replays of 10.10 and 10.15. */
#include "lab_support.h"

#include "harness.h"

enum { IN, OUT, OTHER };

static unsigned queued(const lab_t* lab, unsigned port, unsigned tc)
{
  return (unsigned)net_port_queue_length(&lab->state->ports[port].out, tc);
}

static lab_t* held(lab_t* lab, unsigned port)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    lab_hold(lab, port, tc);
  return lab;
}

/* Numbers of the packets at a peer, in order. */
static bool came_out_as(const lab_t* lab, unsigned port, unsigned count, const uint32_t* numbers)
{
  if (lab_packet_count(lab, port) != count)
    return false;
  for (unsigned n = 0; n < count; n++)
    if (lab_nth_packet(lab, port, n).number != numbers[n])
      return false;
  return true;
}

#define CAME_OUT_AS(lab, port, ...)                                                                                    \
  came_out_as(lab, port, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* ------------------------------------------------------------------------------- 10.10 Classes, charges, scheduling */

SGF_TEST(SW_56_class_of_a_dscp)
{
  const struct {
    uint8_t dscp;
    unsigned tc;
  } cases[] = {{0, 0}, {7, 0}, {8, 1}, {15, 1}, {55, 6}, {56, 7}, {63, 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lab_t* lab         = held(lab_d128(LAB_DEFAULTS), OUT);
    net_frame_t fields = lab_fields(OUT, 0);
    fields.dscp        = cases[i].dscp;
    lab_packet(lab, IN, &fields, LAB_PACKET);
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      CU_ASSERT_EQUAL(queued(lab, OUT, tc), tc == cases[i].tc);
    lab_free(lab);
  }
}

SGF_TEST(SW_56_every_dscp_is_in_the_class_of_its_eighth)
{
  lab_t* lab         = held(lab_d128(LAB_DEFAULTS), OUT);
  net_frame_t fields = lab_fields(OUT, 0);
  for (fields.dscp = 0; fields.dscp < 64; fields.dscp++)
    lab_packet(lab, IN, &fields, LAB_PACKET);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(queued(lab, OUT, tc), 8);
  lab_free(lab);
}

SGF_TEST(SW_57_charges_at_ingress_and_egress)
{
  static const uint32_t cases[][2] = {
      {20, 46}, {45, 46}, {46, 46}, {47, 47}, {4000, 4000}}; /* without Ethernet, charge */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lab_t* lab               = held(lab_d128(LAB_DEFAULTS), OUT);
    const net_frame_t fields = lab_fields(OUT, 0);
    lab_packet(lab, IN, &fields, cases[i][0]);
    CU_ASSERT(lab_holds(lab, IN, 0, cases[i][1], 0));
    CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, 0), cases[i][1]);
    lab_release(lab, OUT, 0);
    lab_depart(lab, OUT, 1);
    CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
    lab_free(lab);
  }
}

SGF_TEST(SW_58_pfc_first_then_classes_from_the_top_but_not_paused_ones)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  lab_hold(lab, OTHER, 0);
  lab_hold(lab, OUT, 3);
  lab_packets(lab, IN, OUT, 0, 1); /* number 1: on the wire while the others come */
  lab_packets(lab, IN, OUT, 0, 1);
  lab_packets(lab, IN, OUT, 3, 1);
  lab_packets(lab, IN, OUT, 7, 1);
  lab_packets(lab, OUT, OTHER, 0, 176); /* what the peer of OUT sends makes OUT pause it */
  lab_run(lab, 4 * lab_packet_way(lab));
  CU_ASSERT(CAME_OUT_AS(lab, OUT, 1, 4, 2));

  const opp_simtime_t packet = lab_wire_time(lab, LAB_PACKET + NET_ETHERNET_BYTES);
  const opp_simtime_t pfc    = lab_wire_time(lab, PFC_FRAME_BYTES);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, OUT, 0, 65535, 0), packet + pfc + LAB_DELAY); /* it waited for number 1 alone */
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 1).date, packet + pfc + packet + LAB_DELAY);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 2).date, packet + pfc + 2 * packet + LAB_DELAY);

  lab_release(lab, OUT, 3);
  lab_settle(lab);
  CU_ASSERT(CAME_OUT_AS(lab, OUT, 1, 4, 2, 3));
  lab_free(lab);
}

SGF_TEST(SW_61_a_packet_that_is_refused_at_egress_is_a_transmit_drop)
{
  lab_t* lab = held(lab_d128(LAB_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true")), OUT);
  lab_packets(lab, IN, OUT, 2, 375);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  const int64_t occupancy = sgf_sb_occupancy(lab->buffer, OTHER, 0);
  const int64_t total     = sgf_sb_pool_total(lab->buffer, 0);
  lab_packets(lab, OTHER, OUT, 2, 1);
  CU_ASSERT_EQUAL(lab->state->ports[OUT].tx_drops, 1);
  CU_ASSERT_EQUAL(lab->state->ports[OTHER].rx_drops, 0);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_EGRESS_QUEUE], 1);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(lab->buffer, OTHER, 0), occupancy);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(lab->buffer, 0), total);
  CU_ASSERT_EQUAL(queued(lab, OUT, 2), 375);
  lab_free(lab);
}

SGF_TEST(SW_62_either_bound_alone_refuses)
{
  /* One pool of 1,000,000 B. What port IN has in headroom counts at egress only: there the pool is full first. */
  lab_t* lab = lab_new(4, 400, LAB_DELAY, 1,
                       LAB_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true", "EnablePFC",
                                    "[1, 0, 0, 0, 0, 0, 0, 0]", "TotalSharedBufferSize", "2024KB", "PoolAllocationMap",
                                    "[1, 0, 0, 0, 0, 0, 0, 0]", "TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  held(held(lab, OUT), 3);
  lab_packets(lab, IN, OUT, 0, 240);
  lab_packets(lab, OTHER, 3, 2, 10);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(lab->buffer, 0), sgf_sb_pool_size(lab->buffer, 0));
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_packets(lab, OTHER, 3, 2, 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_EGRESS_POOL], 1);
  CU_ASSERT_EQUAL(lab->state->ports[3].tx_drops, 1);
  lab_free(lab);

  lab = held(lab_d128(LAB_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true")), OUT);
  lab_packets(lab, IN, OUT, 2, 376);
  CU_ASSERT(sgf_sb_egress_total(lab->buffer, 0) + LAB_PACKET < sgf_sb_pool_size(lab->buffer, 0));
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_EGRESS_QUEUE], 1);
  CU_ASSERT_EQUAL(lab->state->ports[OUT].tx_drops, 1);
  lab_free(lab);
}

/* --------------------------------------------------------------------------------------- 10.15 Transmission, PFC
 * frames */

SGF_TEST(SW_105_charges_stand_for_the_whole_serialisation)
{
  enum { FRAME_TIME = 80360 }; /* ps: 4,018 B at 400 Gbps */
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, OUT, 0, 2);
  for (unsigned left = 2; left > 0; left--) {
    const opp_simtime_t start = lab_now(lab);
    lab_run(lab, start + FRAME_TIME - 1);
    CU_ASSERT(lab_holds(lab, IN, 0, left * INT64_C(4000), 0));
    CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, 0), left * INT64_C(4000));
    lab_run(lab, start + FRAME_TIME);
    CU_ASSERT(lab_holds(lab, IN, 0, (left - 1) * INT64_C(4000), 0));
    CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, OUT, 0), (left - 1) * INT64_C(4000));
  }
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 0).date, FRAME_TIME + LAB_DELAY);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 1).date, 2 * FRAME_TIME + LAB_DELAY); /* no gap */
  lab_free(lab);
}

SGF_TEST(SW_106_a_pfc_frame_that_arrives_is_neither_charged_nor_forwarded)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    lab_pfc(lab, IN, tc, 65535);
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(lab->buffer, 0) + sgf_sb_pool_peak(lab->buffer, 1), 0);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab->record_count, 0);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_free(lab);
}

SGF_TEST(SW_106_a_pfc_frame_that_is_sent_is_charged_nowhere)
{
  lab_t* lab = held(lab_d128(LAB_DEFAULTS), OUT);
  lab_packets(lab, IN, OUT, 0, 176);
  const net_port_t* port = &lab->state->ports[IN].out;
  CU_ASSERT_PTR_NOT_NULL_FATAL(port->on_wire); /* the pause */
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(lab->buffer, IN, 0), 0);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(sgf_sb_egress_total(lab->buffer, 0), 704000);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(lab->buffer, 0), 704000);
  lab_free(lab);
}

/* A pause for a class that this switch itself treats as lossy (O-12). */
SGF_TEST(O_12_a_pause_for_a_lossy_class_is_honoured)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  CU_ASSERT_FALSE(sgf_sb_lossless(lab->buffer, 5));
  lab_hold(lab, OUT, 5);
  lab_packets(lab, IN, OUT, 5, 1);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_packet_count(lab, OUT), 0);
  CU_ASSERT_EQUAL(queued(lab, OUT, 5), 1);
  lab_free(lab);
}

SGF_TEST(O_09_a_packet_is_forwarded_when_its_last_bit_has_arrived)
{
  const opp_simtime_t arrival = 5 * OPP_US;
  lab_t* lab                  = lab_d128(LAB_DEFAULTS);
  lab_packet_for(lab, IN, OUT, 0, arrival);
  lab_run(lab, arrival - 1);
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
  lab_run(lab, arrival);
  CU_ASSERT(lab_holds(lab, IN, 0, 4000, 0));
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_nth_packet(lab, OUT, 0).date, arrival + lab_packet_way(lab));
  lab_free(lab);
}

/* -------------------------------------------------------------------------------------- Order at one instant (O-35) */

SGF_TEST(O_35_a_release_comes_before_an_arrival_at_the_same_instant)
{
  const opp_simtime_t instant = 5 * OPP_US;
  lab_t* lab                  = held(lab_d128(LAB_DEFAULTS), OUT);
  lab_packets(lab, IN, OUT, 0, 240);
  lab_packet_for(lab, IN, OUT, 0, instant); /* under way before anybody knows of the departure */
  lab_run(lab, instant - lab_wire_time(lab, LAB_PACKET + NET_ETHERNET_BYTES));
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 256000));
  lab_release(lab, OUT, 0);
  lab_run(lab, instant - 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 256000));
  lab_run(lab, instant);
  CU_ASSERT_EQUAL(lab_drops(lab), 0); /* the headroom that was just given back took it */
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 256000));
  lab_free(lab);
}

SGF_TEST(O_35_a_timer_comes_before_an_arrival_at_the_same_instant)
{
  const opp_simtime_t instant = INT64_C(84384800); /* the end of the pause */
  lab_t* lab                  = lab_d128(LAB_DEFAULTS);
  lab_hold(lab, OUT, 3);
  lab_packets(lab, IN, OUT, 3, 1);
  lab_packet_for(lab, IN, OUT, 7, instant);
  lab_run(lab, instant + 2 * lab_packet_way(lab));
  CU_ASSERT(CAME_OUT_AS(lab, OUT, 1, 2)); /* the arrival would have gone first: it is of a higher class */
  lab_free(lab);
}

SGF_TEST(O_35_the_next_frame_is_chosen_before_a_timer_at_the_same_instant)
{
  const opp_simtime_t instant = 1780000; /* the end of a pause of 1,000 quanta */
  lab_t* lab                  = lab_d128(LAB_DEFAULTS);
  lab_pfc(lab, OUT, 7, 1000);
  lab_run(lab, instant - lab_wire_time(lab, LAB_PACKET + NET_ETHERNET_BYTES));
  lab_packets(lab, IN, OUT, 0, 2);
  lab_packets(lab, IN, OUT, 7, 1);
  lab_run(lab, instant + 3 * lab_packet_way(lab));
  CU_ASSERT(CAME_OUT_AS(lab, OUT, 1, 2, 3));
  lab_free(lab);
}

/* -------------------------------------------------------------------------------------------------- No route (O-36) */

SGF_TEST(O_36_a_packet_without_a_route_is_a_receive_drop_and_releases_its_charge)
{
  lab_t* lab           = lab_d128(LAB_DEFAULTS);
  net_frame_t stranger = lab_fields(0, 0);
  lab_packets(lab, IN, 200, 0, 1); /* a host that no route leads to */
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_NO_ROUTE], 1);
  stranger.dst = LAB_FIRST_HOST - 1; /* an address that is no host's */
  lab_packet(lab, IN, &stranger, LAB_PACKET);
  stranger.dst = LAB_FIRST_HOST + 256;
  lab_packet(lab, IN, &stranger, LAB_PACKET);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_NO_ROUTE], 3);
  CU_ASSERT_EQUAL(lab->state->ports[IN].rx_drops, 3);
  CU_ASSERT_EQUAL(lab_drops(lab), 3);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(lab->buffer, 0), LAB_PACKET); /* it was admitted first */
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));
  lab_free(lab);
}

SGF_TEST(O_36_the_release_of_a_packet_without_a_route_resumes_like_a_departure)
{
  lab_t* lab = lab_d128(LAB_SETTINGS("StaticPoolXoffThreshold", "1KB", "StaticPoolXonThreshold", "1KB"));
  lab_packets(lab, IN, 200, 0, 1);
  lab_run(lab, 100 * OPP_US);
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1);
  CU_ASSERT_FALSE(sgf_sb_paused(lab->buffer, IN, 0));
  lab_free(lab);
}
