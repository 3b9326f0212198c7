/* Pauses between the pool, the headroom and other traffic: spec/switch.md 10.5, 10.10 and 10.15 with every PFC frame
 * counted. D128; nothing drains unless departures are named, and peers ignore the pauses. */
#include "rig_support.h"

#include "harness.h"

enum { IN = 0, SINK = 127 };

static rig_t* held_d128(const char* const* settings)
{
  rig_t* rig = rig_d128(settings);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    rig_hold(rig, SINK, tc);
  return rig;
}

static unsigned pauses_of_ports(rig_t* rig, unsigned ports, unsigned tc)
{
  rig_settle(rig);
  unsigned pauses = 0;
  for (unsigned port = 0; port < ports; port++)
    pauses += rig_pauses(rig, port, tc);
  return pauses;
}

/* Packets of TC1 from ports 0 to ports - 1 in turn, up to and including number `last`; the state is that after numbers
 * 1 to `first`. */
static void in_turn(rig_t* rig, unsigned ports, unsigned first, unsigned last)
{
  for (unsigned number = first + 1; number <= last; number++)
    rig_packets(rig, (number - 1) % ports, SINK, 1, 1);
}

/* ------------------------------------------------------------------------------------- 10.5, 10.10 What causes a pause
 */

SGF_TEST(SW_38_128_paused_ports_and_more_than_half_the_pool_free)
{
  rig_t* rig = rig_d128(RIG_DEFAULTS);
  for (unsigned port = 0; port < 128; port++)
    rig_hold(rig, port, 0);
  for (unsigned port = 0; port < 128; port++) {
    rig_packets(rig, port, (port + 1) % 128, 0, 175);
    CU_ASSERT_FALSE(sgf_sb_paused(rig->buffer, port, 0));
    rig_packets(rig, port, (port + 1) % 128, 0, 1);
  }
  CU_ASSERT_EQUAL(pauses_of_ports(rig, 128, 0), 128);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 128);
  CU_ASSERT(2 * sgf_sb_pool_total(rig->buffer, 0) < sgf_sb_pool_size(rig->buffer, 0));
  rig_free(rig);
}

SGF_TEST(SW_59_lossy_bytes_bring_the_pause_nearer)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 2, 100);
  rig_packets(rig, IN, SINK, 0, 75);
  CU_ASSERT(rig_holds(rig, IN, 0, 700000, 0));
  CU_ASSERT_EQUAL(pauses_of_ports(rig, 1, 0), 0);
  rig_packets(rig, IN, SINK, 0, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(pauses_of_ports(rig, 1, 0), 1);
  rig_free(rig);
}

SGF_TEST(SW_60_lossy_packets_never_pause)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 2, 300);
  rig_settle(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 1200000, 0));
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 0);
  rig_free(rig);
}

/* -------------------------------------------------------------------------------------------- 10.15 Pool against pause
 */

SGF_TEST(SW_93_the_32nd_port_is_dropped_by_the_pool_and_never_paused)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  for (unsigned port = 0; port < 31; port++)
    rig_packets(rig, port, SINK, 1, 176);
  CU_ASSERT_EQUAL(pauses_of_ports(rig, 32, 1), 31);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(rig->buffer, 1), 21824000);

  rig_packets(rig, 31, SINK, 1, 124);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(rig->buffer, 1), 22320000);
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  rig_packets(rig, 31, SINK, 1, 1);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_INGRESS_POOL], 1);
  CU_ASSERT_EQUAL(rig->state->ports[31].rx_drops, 1);
  CU_ASSERT(rig_holds(rig, 31, 1, 496000, 0));
  CU_ASSERT_EQUAL(pauses_of_ports(rig, 32, 1), 31);

  rig_packets(rig, 0, SINK, 1, 1);
  CU_ASSERT(rig_holds(rig, 0, 1, 704000, 4000));
  CU_ASSERT_EQUAL(rig_drops(rig), 1);
  rig_free(rig);
}

SGF_TEST(SW_94_a_packet_that_is_dropped_by_the_pool_still_pauses)
{
  enum { PORTS = 32 };
  rig_t* rig = held_d128(RIG_DEFAULTS);
  in_turn(rig, PORTS, 0, 5580);
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  in_turn(rig, PORTS, 5580, 5581);
  CU_ASSERT_EQUAL(rig->state->ports[12].rx_drops, 1);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_INGRESS_POOL], 1);
  for (unsigned port = 0; port < PORTS; port++)
    CU_ASSERT(rig_holds(rig, port, 1, port < 12 ? 700000 : 696000, 0));
  in_turn(rig, PORTS, 5581, 5600);
  CU_ASSERT_EQUAL(pauses_of_ports(rig, PORTS, 1), 0);

  in_turn(rig, PORTS, 5600, 5601); /* O-08 */
  CU_ASSERT_EQUAL(pauses_of_ports(rig, PORTS, 1), 1);
  CU_ASSERT_EQUAL(rig_pauses(rig, 0, 1), 1);
  CU_ASSERT_EQUAL(rig->state->ports[0].rx_drops, 1);
  CU_ASSERT(rig_holds(rig, 0, 1, 700000, 0));
  in_turn(rig, PORTS, 0, 1); /* from now on the port's packets go to headroom */
  CU_ASSERT(rig_holds(rig, 0, 1, 700000, 4000));
  rig_free(rig);
}

SGF_TEST(SW_94_31_ports_in_turn_pause_without_loss)
{
  enum { PORTS = 31 };
  rig_t* rig = held_d128(RIG_DEFAULTS);
  in_turn(rig, PORTS, 0, 5456);
  CU_ASSERT_EQUAL(pauses_of_ports(rig, PORTS, 1), 31);
  CU_ASSERT_EQUAL(rig_drops(rig), 0);
  rig_free(rig);
}

SGF_TEST(SW_95_two_classes_of_a_port_are_paused_and_dropped_apart)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  for (unsigned i = 0; i < 300; i++) {
    rig_packets(rig, IN, SINK, 0, 1);
    rig_packets(rig, IN, SINK, 1, 1);
  }
  rig_settle(rig);
  for (unsigned tc = 0; tc < 2; tc++) {
    CU_ASSERT(rig_holds(rig, IN, tc, 704000, 256000));
    CU_ASSERT_EQUAL(rig_pauses(rig, IN, tc), 1);
    CU_ASSERT_EQUAL(net_port_queue_length(&rig->state->ports[SINK].out, tc), 300 - 60);
  }
  CU_ASSERT_EQUAL(rig->state->ports[IN].rx_drops, 120);
  CU_ASSERT_EQUAL(rig->state->drops[SWITCH_DROP_HEADROOM], 120);
  rig_free(rig);
}

SGF_TEST(SW_95_a_paused_pool_leaves_other_pools_and_ports_alone)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 0, 177);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 4000));
  rig_packets(rig, IN, SINK, 1, 1);
  CU_ASSERT(rig_holds(rig, IN, 1, 4000, 0));
  rig_packets(rig, 5, SINK, 0, 1);
  CU_ASSERT(rig_holds(rig, 5, 0, 4000, 0));
  rig_free(rig);
}

/* ---------------------------------------------------------------------------------------------- 10.15 Resumes */

SGF_TEST(SW_96_resume_on_departure_101_when_headroom_was_never_used)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 0, 176);
  rig_release(rig, SINK, 0);
  rig_depart(rig, SINK, 100);
  CU_ASSERT(rig_holds(rig, IN, 0, 304000, 0));
  CU_ASSERT(sgf_sb_paused(rig->buffer, IN, 0));
  rig_depart(rig, SINK, 1);
  const opp_simtime_t departed = rig_now(rig);
  CU_ASSERT(rig_holds(rig, IN, 0, 300000, 0));
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_pfc_date(rig, IN, 0, 0, 0), departed + rig_pfc_way(rig));
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(rig->buffer, IN, 0), 0);
  rig_free(rig);
}

SGF_TEST(SW_97_a_lossy_packet_passes_a_paused_port_without_a_resume_test)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 0, 241);
  rig_packets(rig, IN, SINK, 2, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 708000, 256000));
  rig_release(rig, SINK, 2);
  rig_depart(rig, SINK, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 256000));
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 1);
  rig_free(rig);
}

SGF_TEST(SW_98_a_departure_splits_over_headroom_and_occupancy)
{
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 0, 176);
  const net_frame_t fields = rig_fields(SINK, 0);
  rig_packet(rig, IN, &fields, 1000);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 1000));
  rig_release(rig, SINK, 0);
  rig_depart(rig, SINK, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 701000, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_total(rig->buffer, 0), 701000);
  rig_free(rig);
}

/* Let every packet of a class leave that waits on SINK. */
static void depart_class(rig_t* rig, unsigned tc, unsigned count)
{
  rig_release(rig, SINK, tc);
  rig_depart(rig, SINK, count);
}

SGF_TEST(SW_99_without_a_lossless_departure_the_refresh_goes_on)
{
  enum { REFRESHES = 5 };
  rig_t* rig = held_d128(RIG_DEFAULTS);
  rig_packets(rig, IN, SINK, 2, 100);
  rig_packets(rig, IN, SINK, 0, 76);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 0));
  depart_class(rig, 0, 76);
  CU_ASSERT(rig_holds(rig, IN, 0, 400000, 0));
  depart_class(rig, 2, 100);
  CU_ASSERT(sgf_sb_empty(rig->buffer, NULL, 0));

  rig_run(rig, REFRESHES * INT64_C(42192400) + rig_pfc_way(rig)); /* O-11 */
  CU_ASSERT_EQUAL(rig_pauses(rig, IN, 0), 1 + REFRESHES);
  CU_ASSERT_EQUAL(rig_resumes(rig, IN, 0), 0);

  rig_hold(rig, SINK, 0);
  rig_packets(rig, IN, SINK, 0, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 0, 4000));
  depart_class(rig, 0, 1);
  rig_settle(rig);
  CU_ASSERT_EQUAL(rig_resumes(rig, IN, 0), 1);
  rig_free(rig);
}

SGF_TEST(SW_113_a_group_of_two_classes_takes_two_frames_each_time)
{
  enum { REFRESHES = 3 };
  rig_t* rig = held_d128(RIG_SETTINGS("TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  for (unsigned number = 1; number <= 176; number++) {
    CU_ASSERT_EQUAL(rig_pfc_frames(rig), 0);
    rig_packets(rig, IN, SINK, (number - 1) % 2, 1);
  }
  rig_settle(rig);
  for (unsigned tc = 0; tc < 2; tc++)
    CU_ASSERT_EQUAL(rig_pauses(rig, IN, tc), 1);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 2);

  rig_packets(rig, IN, SINK, 0, 1);
  rig_packets(rig, IN, SINK, 1, 1);
  CU_ASSERT(rig_holds(rig, IN, 0, 704000, 8000));

  rig_hold(rig, SINK, 0);
  rig_hold(rig, SINK, 1);
  rig_run(rig, INT64_C(42192400) + 2 * rig_pfc_way(rig));
  for (unsigned refresh = 2; refresh <= REFRESHES; refresh++) {
    rig_hold(rig, SINK, 0);
    rig_hold(rig, SINK, 1);
    rig_run(rig, refresh * INT64_C(42192400) + 2 * rig_pfc_way(rig));
  }
  for (unsigned tc = 0; tc < 2; tc++)
    CU_ASSERT_EQUAL(rig_pauses(rig, IN, tc), 1 + REFRESHES);

  rig_release(rig, SINK, 0);
  rig_release(rig, SINK, 1);
  rig_depart(rig, SINK, 178);
  rig_settle(rig);
  for (unsigned tc = 0; tc < 2; tc++)
    CU_ASSERT_EQUAL(rig_resumes(rig, IN, tc), 1);
  CU_ASSERT_EQUAL(rig_pfc_frames(rig), 2 * (1 + REFRESHES + 1));
  rig_free(rig);
}
