/* Pauses between the pool, the headroom and other traffic: spec/switch.md 10.5, 10.10 and 10.15 with every PFC frame
 * counted. D128; nothing drains unless departures are named, and peers ignore the pauses. */
#include "lab_support.h"

#include "harness.h"

enum { IN = 0, SINK = 127 };

static lab_t* held_d128(const char* const* settings)
{
  lab_t* lab = lab_d128(settings);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    lab_hold(lab, SINK, tc);
  return lab;
}

static unsigned pauses_of_ports(lab_t* lab, unsigned ports, unsigned tc)
{
  lab_settle(lab);
  unsigned pauses = 0;
  for (unsigned port = 0; port < ports; port++)
    pauses += lab_pauses(lab, port, tc);
  return pauses;
}

/* Packets of TC1 from ports 0 to ports - 1 in turn, up to and including number `last`; the state is that after numbers
 * 1 to `first`. */
static void in_turn(lab_t* lab, unsigned ports, unsigned first, unsigned last)
{
  for (unsigned number = first + 1; number <= last; number++)
    lab_packets(lab, (number - 1) % ports, SINK, 1, 1);
}

/* ---------------------------------------------------------------------------------- 10.5, 10.10 What causes a pause */

SGF_TEST(SW_38_128_paused_ports_and_more_than_half_the_pool_free)
{
  lab_t* lab = lab_d128(LAB_DEFAULTS);
  for (unsigned port = 0; port < 128; port++)
    lab_hold(lab, port, 0);
  for (unsigned port = 0; port < 128; port++) {
    lab_packets(lab, port, (port + 1) % 128, 0, 175);
    CU_ASSERT_FALSE(sgf_sb_paused(lab->buffer, port, 0));
    lab_packets(lab, port, (port + 1) % 128, 0, 1);
  }
  CU_ASSERT_EQUAL(pauses_of_ports(lab, 128, 0), 128);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 128);
  CU_ASSERT(2 * sgf_sb_pool_total(lab->buffer, 0) < sgf_sb_pool_size(lab->buffer, 0));
  lab_free(lab);
}

SGF_TEST(SW_59_lossy_bytes_bring_the_pause_nearer)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 2, 100);
  lab_packets(lab, IN, SINK, 0, 75);
  CU_ASSERT(lab_holds(lab, IN, 0, 700000, 0));
  CU_ASSERT_EQUAL(pauses_of_ports(lab, 1, 0), 0);
  lab_packets(lab, IN, SINK, 0, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  CU_ASSERT_EQUAL(pauses_of_ports(lab, 1, 0), 1);
  lab_free(lab);
}

SGF_TEST(SW_60_lossy_packets_never_pause)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 2, 300);
  lab_settle(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 1200000, 0));
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 0);
  lab_free(lab);
}

/* ----------------------------------------------------------------------------------------- 10.15 Pool against pause */

SGF_TEST(SW_93_the_32nd_port_is_dropped_by_the_pool_and_never_paused)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  for (unsigned port = 0; port < 31; port++)
    lab_packets(lab, port, SINK, 1, 176);
  CU_ASSERT_EQUAL(pauses_of_ports(lab, 32, 1), 31);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(lab->buffer, 1), 21824000);

  lab_packets(lab, 31, SINK, 1, 124);
  CU_ASSERT_EQUAL(sgf_sb_pool_total(lab->buffer, 1), 22320000);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_packets(lab, 31, SINK, 1, 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_INGRESS_POOL], 1);
  CU_ASSERT_EQUAL(lab->state->ports[31].rx_drops, 1);
  CU_ASSERT(lab_holds(lab, 31, 1, 496000, 0));
  CU_ASSERT_EQUAL(pauses_of_ports(lab, 32, 1), 31);

  lab_packets(lab, 0, SINK, 1, 1);
  CU_ASSERT(lab_holds(lab, 0, 1, 704000, 4000));
  CU_ASSERT_EQUAL(lab_drops(lab), 1);
  lab_free(lab);
}

SGF_TEST(SW_94_a_packet_that_is_dropped_by_the_pool_still_pauses)
{
  enum { PORTS = 32 };
  lab_t* lab = held_d128(LAB_DEFAULTS);
  in_turn(lab, PORTS, 0, 5580);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  in_turn(lab, PORTS, 5580, 5581);
  CU_ASSERT_EQUAL(lab->state->ports[12].rx_drops, 1);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_INGRESS_POOL], 1);
  for (unsigned port = 0; port < PORTS; port++)
    CU_ASSERT(lab_holds(lab, port, 1, port < 12 ? 700000 : 696000, 0));
  in_turn(lab, PORTS, 5581, 5600);
  CU_ASSERT_EQUAL(pauses_of_ports(lab, PORTS, 1), 0);

  in_turn(lab, PORTS, 5600, 5601); /* O-08 */
  CU_ASSERT_EQUAL(pauses_of_ports(lab, PORTS, 1), 1);
  CU_ASSERT_EQUAL(lab_pauses(lab, 0, 1), 1);
  CU_ASSERT_EQUAL(lab->state->ports[0].rx_drops, 1);
  CU_ASSERT(lab_holds(lab, 0, 1, 700000, 0));
  in_turn(lab, PORTS, 0, 1); /* from now on the port's packets go to headroom */
  CU_ASSERT(lab_holds(lab, 0, 1, 700000, 4000));
  lab_free(lab);
}

SGF_TEST(SW_94_31_ports_in_turn_pause_without_loss)
{
  enum { PORTS = 31 };
  lab_t* lab = held_d128(LAB_DEFAULTS);
  in_turn(lab, PORTS, 0, 5456);
  CU_ASSERT_EQUAL(pauses_of_ports(lab, PORTS, 1), 31);
  CU_ASSERT_EQUAL(lab_drops(lab), 0);
  lab_free(lab);
}

SGF_TEST(SW_95_two_classes_of_a_port_are_paused_and_dropped_apart)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  for (unsigned i = 0; i < 300; i++) {
    lab_packets(lab, IN, SINK, 0, 1);
    lab_packets(lab, IN, SINK, 1, 1);
  }
  lab_settle(lab);
  for (unsigned tc = 0; tc < 2; tc++) {
    CU_ASSERT(lab_holds(lab, IN, tc, 704000, 256000));
    CU_ASSERT_EQUAL(lab_pauses(lab, IN, tc), 1);
    CU_ASSERT_EQUAL(net_port_queue_length(&lab->state->ports[SINK].out, tc), 300 - 60);
  }
  CU_ASSERT_EQUAL(lab->state->ports[IN].rx_drops, 120);
  CU_ASSERT_EQUAL(lab->state->drops[SWITCH_DROP_HEADROOM], 120);
  lab_free(lab);
}

SGF_TEST(SW_95_a_paused_pool_leaves_other_pools_and_ports_alone)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 0, 177);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 4000));
  lab_packets(lab, IN, SINK, 1, 1);
  CU_ASSERT(lab_holds(lab, IN, 1, 4000, 0));
  lab_packets(lab, 5, SINK, 0, 1);
  CU_ASSERT(lab_holds(lab, 5, 0, 4000, 0));
  lab_free(lab);
}

/* ---------------------------------------------------------------------------------------------------- 10.15 Resumes */

SGF_TEST(SW_96_resume_on_departure_101_when_headroom_was_never_used)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 0, 176);
  lab_release(lab, SINK, 0);
  lab_depart(lab, SINK, 100);
  CU_ASSERT(lab_holds(lab, IN, 0, 304000, 0));
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  lab_depart(lab, SINK, 1);
  const opp_simtime_t departed = lab_now(lab);
  CU_ASSERT(lab_holds(lab, IN, 0, 300000, 0));
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 0, 0), departed + lab_pfc_way(lab));
  CU_ASSERT_EQUAL(sgf_sb_headroom_peak(lab->buffer, IN, 0), 0);
  lab_free(lab);
}

SGF_TEST(SW_97_a_lossy_packet_passes_a_paused_port_without_a_resume_test)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 0, 241);
  lab_packets(lab, IN, SINK, 2, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 708000, 256000));
  lab_release(lab, SINK, 2);
  lab_depart(lab, SINK, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 256000));
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1);
  lab_free(lab);
}

SGF_TEST(SW_98_a_departure_splits_over_headroom_and_occupancy)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 0, 176);
  const net_frame_t fields = lab_fields(SINK, 0);
  lab_packet(lab, IN, &fields, 1000);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 1000));
  lab_release(lab, SINK, 0);
  lab_depart(lab, SINK, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 701000, 0));
  CU_ASSERT_EQUAL(sgf_sb_pool_total(lab->buffer, 0), 701000);
  lab_free(lab);
}

/* Let every packet of a class leave that waits on SINK. */
static void depart_class(lab_t* lab, unsigned tc, unsigned count)
{
  lab_release(lab, SINK, tc);
  lab_depart(lab, SINK, count);
}

SGF_TEST(SW_99_without_a_lossless_departure_the_refresh_goes_on)
{
  enum { REFRESHES = 5 };
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 2, 100);
  lab_packets(lab, IN, SINK, 0, 76);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 0));
  depart_class(lab, 0, 76);
  CU_ASSERT(lab_holds(lab, IN, 0, 400000, 0));
  depart_class(lab, 2, 100);
  CU_ASSERT(sgf_sb_empty(lab->buffer, NULL, 0));

  lab_run(lab, REFRESHES * INT64_C(42192400) + lab_pfc_way(lab)); /* O-11 */
  CU_ASSERT_EQUAL(lab_pauses(lab, IN, 0), 1 + REFRESHES);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 0);

  lab_hold(lab, SINK, 0);
  lab_packets(lab, IN, SINK, 0, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 0, 4000));
  depart_class(lab, 0, 1);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1);
  lab_free(lab);
}

/* The option also tests on lossy releases: at 300,000 B, with the 25th TC2 packet. */
SGF_TEST(O_11_with_ResumeOnLossyRelease_a_lossy_departure_resumes)
{
  lab_t* lab = held_d128(LAB_SETTINGS("ResumeOnLossyRelease", "true"));
  lab_packets(lab, IN, SINK, 2, 100);
  lab_packets(lab, IN, SINK, 0, 76);
  depart_class(lab, 0, 76);
  depart_class(lab, 2, 24);
  CU_ASSERT(lab_holds(lab, IN, 0, 304000, 0));
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  lab_depart(lab, SINK, 1);
  const opp_simtime_t departed = lab_now(lab);
  CU_ASSERT_FALSE(sgf_sb_paused(lab->buffer, IN, 0));
  lab_run(lab, 10 * INT64_C(42192400));
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 0, 0), departed + lab_pfc_way(lab));
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 2); /* and no refresh after it */
  CU_ASSERT_EQUAL(sgf_sb_unresumed(lab->buffer), 0);
  lab_free(lab);
}

/* The same when the lossy packet never left: a refusal at egress releases its charge. Xon is above Xoff, so that a port
 * is paused that may be resumed at once. */
static lab_t* refuse_a_lossy_packet(const char* resume_on_lossy_release)
{
  enum { FILLER = 5, FULL = 75 };
  lab_t* lab = held_d128(LAB_SETTINGS("ResumeOnLossyRelease", resume_on_lossy_release, "LossyAlpha", "0",
                                      "QueueDropThresholdEnable", "true", "QueueDropThreshold", "1",
                                      "StaticPoolXoffThreshold", "1KB", "StaticPoolXonThreshold", "1000KB"));
  lab_packets(lab, FILLER, SINK, 2, FULL);
  lab_packets(lab, IN, SINK, 0, 1);
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  lab_packets(lab, IN, SINK, 2, 1);
  CU_ASSERT_EQUAL(lab->state->ports[SINK].drops[SWITCH_DROP_EGRESS_QUEUE][2], 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 4000, 0));
  lab_settle(lab);
  return lab;
}

SGF_TEST(O_11_with_ResumeOnLossyRelease_a_refused_packet_resumes)
{
  lab_t* lab = refuse_a_lossy_packet("true");
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 1);
  CU_ASSERT_FALSE(sgf_sb_paused(lab->buffer, IN, 0));
  lab_free(lab);

  lab = refuse_a_lossy_packet("false");
  CU_ASSERT_EQUAL(lab_resumes(lab, IN, 0), 0);
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  CU_ASSERT_EQUAL(sgf_sb_unresumed(lab->buffer), 1);
  lab_free(lab);
}

SGF_TEST(O_11_by_default_such_releases_are_counted)
{
  lab_t* lab = held_d128(LAB_DEFAULTS);
  lab_packets(lab, IN, SINK, 2, 100);
  lab_packets(lab, IN, SINK, 0, 76);
  depart_class(lab, 0, 76);
  depart_class(lab, 2, 24);
  CU_ASSERT_EQUAL(sgf_sb_unresumed(lab->buffer), 0);
  lab_depart(lab, SINK, 76); /* each of them leaves at most 300,000 B */
  CU_ASSERT_EQUAL(sgf_sb_unresumed(lab->buffer), 76);
  CU_ASSERT(sgf_sb_paused(lab->buffer, IN, 0));
  lab_free(lab);
}

SGF_TEST(O_13_a_pause_takes_as_long_as_its_frame_is)
{
  lab_t* lab = held_d128(LAB_SETTINGS("PfcFrame.Bytes", "84B"));
  lab_packets(lab, IN, SINK, 0, 176);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 0, 65535, 0), 1680 + LAB_DELAY); /* 672 bits at 400 Gbps */
  lab_free(lab);
}

SGF_TEST(O_13_a_pause_frame_has_64_bytes_at_least)
{
  switch_block_t block;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  CU_ASSERT_EQUAL(block.own.pfc_frame_bytes, PFC_FRAME_BYTES);
  CU_ASSERT_EQUAL(sgf_attr_set_value(&switch_attributes, &block, "PfcFrame.Bytes", "63B", &error), SGF_RANGE);
}

SGF_TEST(SW_113_with_vectors_one_frame_names_both_classes)
{
  enum { REFRESHES = 3, BOTH = 3 };
  lab_t* lab =
      held_d128(LAB_SETTINGS("TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]", "PfcFrame.Vector", "true"));
  for (unsigned number = 1; number <= 178; number++)
    lab_packets(lab, IN, SINK, (number - 1) % 2, 1);
  for (unsigned refresh = 1; refresh <= REFRESHES; refresh++) {
    lab_pfc_group(lab, SINK, BOTH, PFC_MAX_QUANTA);
    lab_run(lab, refresh * INT64_C(42192400) + lab_pfc_way(lab));
    CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1 + refresh);
  }
  CU_ASSERT_EQUAL(lab_pfc_date(lab, IN, 1, 65535, 0), lab_pfc_way(lab));
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 8000));

  lab_pfc_group(lab, SINK, BOTH, 0);
  lab_depart(lab, SINK, 178);
  lab_settle(lab);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 1 + REFRESHES + 1);
  for (size_t i = 0; i < lab->record_count; i++)
    CU_ASSERT(!lab->records[i].is_pfc || lab->records[i].classes == BOTH);
  for (unsigned tc = 0; tc < 2; tc++) {
    CU_ASSERT_EQUAL(lab_pauses(lab, IN, tc), 1 + REFRESHES);
    CU_ASSERT_EQUAL(lab_resumes(lab, IN, tc), 1);
    CU_ASSERT_EQUAL(lab->state->ports[IN].pfc.pauses[tc], 1 + REFRESHES);
    CU_ASSERT_EQUAL(lab->state->ports[IN].pfc.resumes[tc], 1);
    CU_ASSERT_EQUAL(lab->state->ports[SINK].peer.pauses[tc],
                    REFRESHES + 1); /* and the one that held the port at first */
    CU_ASSERT_EQUAL(lab->state->ports[SINK].peer.resumes[tc], 1);
  }
  lab_free(lab);
}

SGF_TEST(SW_113_a_group_of_two_classes_takes_two_frames_each_time)
{
  enum { REFRESHES = 3 };
  lab_t* lab = held_d128(LAB_SETTINGS("TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"));
  for (unsigned number = 1; number <= 176; number++) {
    CU_ASSERT_EQUAL(lab_pfc_frames(lab), 0);
    lab_packets(lab, IN, SINK, (number - 1) % 2, 1);
  }
  lab_settle(lab);
  for (unsigned tc = 0; tc < 2; tc++)
    CU_ASSERT_EQUAL(lab_pauses(lab, IN, tc), 1);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 2);

  lab_packets(lab, IN, SINK, 0, 1);
  lab_packets(lab, IN, SINK, 1, 1);
  CU_ASSERT(lab_holds(lab, IN, 0, 704000, 8000));

  lab_hold(lab, SINK, 0);
  lab_hold(lab, SINK, 1);
  lab_run(lab, INT64_C(42192400) + 2 * lab_pfc_way(lab));
  for (unsigned refresh = 2; refresh <= REFRESHES; refresh++) {
    lab_hold(lab, SINK, 0);
    lab_hold(lab, SINK, 1);
    lab_run(lab, refresh * INT64_C(42192400) + 2 * lab_pfc_way(lab));
  }
  for (unsigned tc = 0; tc < 2; tc++)
    CU_ASSERT_EQUAL(lab_pauses(lab, IN, tc), 1 + REFRESHES);

  lab_release(lab, SINK, 0);
  lab_release(lab, SINK, 1);
  lab_depart(lab, SINK, 178);
  lab_settle(lab);
  for (unsigned tc = 0; tc < 2; tc++)
    CU_ASSERT_EQUAL(lab_resumes(lab, IN, tc), 1);
  CU_ASSERT_EQUAL(lab_pfc_frames(lab), 2 * (1 + REFRESHES + 1));
  lab_free(lab);
}
