/* The way of a packet through a switch: classification, scheduling, drops, transmission and the order of events at one
 * instant. spec/switch.md 5, replays of 10.10 and 10.15. */
#include "rig_support.h"

#include "harness.h"

enum { IN, OUT, OTHER };

static unsigned queued(const rig_t* rig, unsigned port, unsigned tc)
{
  return (unsigned)net_port_queue_length(&rig->state->ports[port].out, tc);
}

static rig_t* held(rig_t* rig, unsigned port)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    rig_hold(rig, port, tc);
  return rig;
}

/* Numbers of the packets at a peer, in order. */
static bool came_out_as(const rig_t* rig, unsigned port, unsigned count, const uint32_t* numbers)
{
  if (rig_packet_count(rig, port) != count)
    return false;
  for (unsigned n = 0; n < count; n++)
    if (rig_nth_packet(rig, port, n).number != numbers[n])
      return false;
  return true;
}

#define CAME_OUT_AS(rig, port, ...)                                                                                    \
  came_out_as(rig, port, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* -------------------------------------------------------------------------------- 10.10 Classes, charges, scheduling
 */

SGF_TEST(SW_56_class_of_a_dscp)
{
  const struct {
    uint8_t dscp;
    unsigned tc;
  } cases[] = {{0, 0}, {7, 0}, {8, 1}, {15, 1}, {55, 6}, {56, 7}, {63, 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rig_t* rig         = held(rig_d128(RIG_DEFAULTS), OUT);
    net_frame_t fields = rig_fields(OUT, 0);
    fields.dscp        = cases[i].dscp;
    rig_packet(rig, IN, &fields, RIG_PACKET);
    for (unsigned tc = 0; tc < NET_CLASSES; tc++)
      CU_ASSERT_EQUAL(queued(rig, OUT, tc), tc == cases[i].tc);
    rig_free(rig);
  }
}

SGF_TEST(SW_56_every_dscp_is_in_the_class_of_its_eighth)
{
  rig_t* rig         = held(rig_d128(RIG_DEFAULTS), OUT);
  net_frame_t fields = rig_fields(OUT, 0);
  for (fields.dscp = 0; fields.dscp < 64; fields.dscp++)
    rig_packet(rig, IN, &fields, RIG_PACKET);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    CU_ASSERT_EQUAL(queued(rig, OUT, tc), 8);
  rig_free(rig);
}

SGF_TEST(SW_57_charges_at_ingress_and_egress)
{
  static const uint32_t cases[][2] = {
      {20, 46}, {45, 46}, {46, 46}, {47, 47}, {4000, 4000}}; /* without Ethernet, charge */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rig_t* rig               = held(rig_d128(RIG_DEFAULTS), OUT);
    const net_frame_t fields = rig_fields(OUT, 0);
    rig_packet(rig, IN, &fields, cases[i][0]);
    CU_ASSERT(rig_holds(rig, IN, 0, cases[i][1], 0));
    CU_ASSERT_EQUAL(sgf_sb_egress_queue(rig->buffer, OUT, 0), cases[i][1]);
    rig_release(rig, OUT, 0);
    rig_depart(rig, OUT, 1);
    CU_ASSERT(sgf_sb_empty(rig->buffer, NULL, 0));
    rig_free(rig);
  }
}

SGF_TEST(SW_58_pfc_first_then_classes_from_the_top_but_not_paused_ones)
{
  rig_t* rig = rig_d128(RIG_DEFAULTS);
  rig_hold(rig, OTHER, 0);
  rig_hold(rig, OUT, 3);
  rig_packets(rig, IN, OUT, 0, 1); /* number 1: on the wire while the others come */
  rig_packets(rig, IN, OUT, 0, 1);
  rig_packets(rig, IN, OUT, 3, 1);
  rig_packets(rig, IN, OUT, 7, 1);
  rig_packets(rig, OUT, OTHER, 0, 176); /* what the peer of OUT sends makes OUT pause it */
  rig_run(rig, 4 * rig_packet_way(rig));
  CU_ASSERT(CAME_OUT_AS(rig, OUT, 1, 4, 2));

  const opp_simtime_t packet = rig_wire_time(rig, RIG_PACKET + NET_ETHERNET_BYTES);
  const opp_simtime_t pfc    = rig_wire_time(rig, PFC_FRAME_BYTES);
  CU_ASSERT_EQUAL(rig_pfc_date(rig, OUT, 0, 65535, 0), packet + pfc + RIG_DELAY); /* it waited for number 1 alone */
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 1).date, packet + pfc + packet + RIG_DELAY);
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 2).date, packet + pfc + 2 * packet + RIG_DELAY);

  rig_release(rig, OUT, 3);
  rig_settle(rig);
  CU_ASSERT(CAME_OUT_AS(rig, OUT, 1, 4, 2, 3));
  rig_free(rig);
}

SGF_TEST(SW_61_a_packet_that_is_refused_at_egress_is_a_transmit_drop)
{
  rig_t* rig = held(rig_d128(RIG_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true")), OUT);
  rig_packets(rig, IN, OUT, 2, 375);
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  const int64_t occupancy = sgf_sb_occupancy(rig->buffer, OTHER, 0);
  const int64_t total     = sgf_sb_pool_total(rig->buffer, 0);
  rig_packets(rig, OTHER, OUT, 2, 1);
  CU_ASSERT_EQUAL(rig->state->ports[OUT].tx_drops, 1);
  CU_ASSERT_EQUAL(rig->state->ports[OTHER].rx_drops, 0);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_EGRESS_QUEUE], 1);
  CU_ASSERT_EQUAL(sgf_sb_occupancy(rig->buffer, OTHER, 0), occupancy);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(rig->buffer, 0), total);
  CU_ASSERT_EQUAL(queued(rig, OUT, 2), 375);
  rig_free(rig);
}

SGF_TEST(SW_62_either_bound_alone_refuses)
{
  /* One pool of 1,000,000 B. What port IN has in headroom counts at egress only: there the pool is full first. */
  rig_t* rig = rig_new(4, 400, RIG_DELAY, 1,
                       RIG_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true", "EnablePFC",
                                    "[1, 0, 0, 0, 0, 0, 0, 0]", "TotalSharedBufferSize", "2024KB", "PoolAllocationMap",
                                    "[1, 0, 0, 0, 0, 0, 0, 0]", "TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  held(held(rig, OUT), 3);
  rig_packets(rig, IN, OUT, 0, 240);
  rig_packets(rig, OTHER, 3, 2, 10);
  CU_ASSERT_EQUAL(sgf_sb_egress_total(rig->buffer, 0), sgf_sb_pool_size(rig->buffer, 0));
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  rig_packets(rig, OTHER, 3, 2, 1);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_EGRESS_POOL], 1);
  CU_ASSERT_EQUAL(rig->state->ports[3].tx_drops, 1);
  rig_free(rig);

  rig = held(rig_d128(RIG_SETTINGS("LossyAlpha", "0", "QueueDropThresholdEnable", "true")), OUT);
  rig_packets(rig, IN, OUT, 2, 376);
  CU_ASSERT(sgf_sb_egress_total(rig->buffer, 0) + RIG_PACKET < sgf_sb_pool_size(rig->buffer, 0));
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_EGRESS_QUEUE], 1);
  CU_ASSERT_EQUAL(rig->state->ports[OUT].tx_drops, 1);
  rig_free(rig);
}

/* --------------------------------------------------------------------------------------- 10.15 Transmission, PFC
 * frames */

SGF_TEST(SW_105_charges_stand_for_the_whole_serialisation)
{
  enum { FRAME_TIME = 80360 }; /* ps: 4,018 B at 400 Gbps */
  rig_t* rig = rig_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, OUT, 0, 2);
  for (unsigned left = 2; left > 0; left--) {
    const opp_simtime_t start = rig_now(rig);
    rig_run(rig, start + FRAME_TIME - 1);
    CU_ASSERT(rig_holds(rig, IN, 0, left * INT64_C(4000), 0));
    CU_ASSERT_EQUAL(sgf_sb_egress_queue(rig->buffer, OUT, 0), left * INT64_C(4000));
    rig_run(rig, start + FRAME_TIME);
    CU_ASSERT(rig_holds(rig, IN, 0, (left - 1) * INT64_C(4000), 0));
    CU_ASSERT_EQUAL(sgf_sb_egress_queue(rig->buffer, OUT, 0), (left - 1) * INT64_C(4000));
  }
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 0).date, FRAME_TIME + RIG_DELAY);
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 1).date, 2 * FRAME_TIME + RIG_DELAY); /* no gap */
  rig_free(rig);
}

SGF_TEST(SW_106_a_pfc_frame_that_arrives_is_neither_charged_nor_forwarded)
{
  rig_t* rig = rig_d128(RIG_DEFAULTS);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    rig_pfc(rig, IN, tc, 65535);
  CU_ASSERT(sgf_sb_empty(rig->buffer, NULL, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(rig->buffer, 0) + sgf_sb_pool_peak(rig->buffer, 1), 0);
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig->record_count, 0);
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  rig_free(rig);
}

SGF_TEST(SW_106_a_pfc_frame_that_is_sent_is_charged_nowhere)
{
  rig_t* rig = held(rig_d128(RIG_DEFAULTS), OUT);
  rig_packets(rig, IN, OUT, 0, 176);
  const net_port_t* port = &rig->state->ports[IN].out;
  CU_ASSERT_PTR_NOT_NULL_FATAL(port->on_wire); /* the pause */
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(rig->buffer, IN, 0), 0);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(sgf_sb_egress_total(rig->buffer, 0), 704000);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(rig->buffer, 0), 704000);
  rig_free(rig);
}

/* A pause for a class that this switch itself treats as lossy (O-12). */
SGF_TEST(O_12_a_pause_for_a_lossy_class_is_honoured)
{
  rig_t* rig = rig_d128(RIG_DEFAULTS);
  CU_ASSERT_FALSE(sgf_sb_lossless(rig->buffer, 5));
  rig_hold(rig, OUT, 5);
  rig_packets(rig, IN, OUT, 5, 1);
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_packet_count(rig, OUT), 0);
  CU_ASSERT_EQUAL(queued(rig, OUT, 5), 1);
  rig_free(rig);
}

SGF_TEST(O_09_a_packet_is_forwarded_when_its_last_bit_has_arrived)
{
  const opp_simtime_t arrival = 5 * OPP_US;
  rig_t* rig                  = rig_d128(RIG_DEFAULTS);
  rig_packet_for(rig, IN, OUT, 0, arrival);
  rig_run(rig, arrival - 1);
  CU_ASSERT(sgf_sb_empty(rig->buffer, NULL, 0));
  rig_run(rig, arrival);
  CU_ASSERT(rig_holds(rig, IN, 0, 4000, 0));
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_nth_packet(rig, OUT, 0).date, arrival + rig_packet_way(rig));
  rig_free(rig);
}

/* ------------------------------------------------------------------------------------ Order at one instant (O-35) */

SGF_TEST(O_35_a_release_comes_before_an_arrival_at_the_same_instant)
{
  const opp_simtime_t instant = 5 * OPP_US;
  rig_t* rig                  = held(rig_d128(RIG_DEFAULTS), OUT);
  rig_packets(rig, IN, OUT, 0, 240);
  rig_packet_for(rig, IN, OUT, 0, instant); /* under way before anybody knows of the departure */
  rig_run(rig, instant - rig_wire_time(rig, RIG_PACKET + NET_ETHERNET_BYTES));
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 256000));
  rig_release(rig, OUT, 0);
  rig_run(rig, instant - 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 256000));
  rig_run(rig, instant);
  CU_ASSERT_EQUAL(rig_drops(rig), 0); /* the headroom that was just given back took it */
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 256000));
  rig_free(rig);
}

SGF_TEST(O_35_a_timer_comes_before_an_arrival_at_the_same_instant)
{
  const opp_simtime_t instant = INT64_C(84384800); /* the end of the pause */
  rig_t* rig                  = rig_d128(RIG_DEFAULTS);
  rig_hold(rig, OUT, 3);
  rig_packets(rig, IN, OUT, 3, 1);
  rig_packet_for(rig, IN, OUT, 7, instant);
  rig_run(rig, instant + 2 * rig_packet_way(rig));
  CU_ASSERT(CAME_OUT_AS(rig, OUT, 1, 2)); /* the arrival would have gone first: it is of a higher class */
  rig_free(rig);
}

SGF_TEST(O_35_the_next_frame_is_chosen_before_a_timer_at_the_same_instant)
{
  const opp_simtime_t instant = 1780000; /* the end of a pause of 1,000 quanta */
  rig_t* rig                  = rig_d128(RIG_DEFAULTS);
  rig_pfc(rig, OUT, 7, 1000);
  rig_run(rig, instant - rig_wire_time(rig, RIG_PACKET + NET_ETHERNET_BYTES));
  rig_packets(rig, IN, OUT, 0, 2);
  rig_packets(rig, IN, OUT, 7, 1);
  rig_run(rig, instant + 3 * rig_packet_way(rig));
  CU_ASSERT(CAME_OUT_AS(rig, OUT, 1, 2, 3));
  rig_free(rig);
}

/* --------------------------------------------------------------------------------------------------- No route (O-36)
 */

SGF_TEST(O_36_a_packet_without_a_route_is_a_receive_drop_and_releases_its_charge)
{
  rig_t* rig           = rig_d128(RIG_DEFAULTS);
  net_frame_t stranger = rig_fields(0, 0);
  rig_packets(rig, IN, 200, 0, 1); /* a host that no route leads to */
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_NO_ROUTE], 1);
  stranger.dst = RIG_FIRST_HOST - 1; /* an address that is no host's */
  rig_packet(rig, IN, &stranger, RIG_PACKET);
  stranger.dst = RIG_FIRST_HOST + 256;
  rig_packet(rig, IN, &stranger, RIG_PACKET);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_NO_ROUTE], 3);
  CU_ASSERT_EQUAL(rig->state->ports[IN].rx_drops, 3);
  CU_ASSERT_EQUAL(rig_drops(rig), 3);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(rig->buffer, 0), RIG_PACKET); /* it was admitted first */
  CU_ASSERT(sgf_sb_empty(rig->buffer, NULL, 0));
  rig_free(rig);
}

SGF_TEST(O_36_the_release_of_a_packet_without_a_route_resumes_like_a_departure)
{
  rig_t* rig = rig_d128(RIG_SETTINGS("StaticPoolXoffThreshold", "1KB", "StaticPoolXonThreshold", "1KB"));
  rig_packets(rig, IN, 200, 0, 1);
  rig_run(rig, 100 * OPP_US);
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1);
  CU_ASSERT_EQUAL(rig_resumes(rig, IN, 0), 1);
  CU_ASSERT_FALSE(sgf_sb_paused(rig->buffer, IN, 0));
  rig_free(rig);
}
