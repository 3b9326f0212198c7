/* The UET policy in a SimGrid simulation of D128: pools and classes by codepoint, fixed limits, packets that are cut to
 * their headers, answered with NACKs and sent again. spec/switch.md 9, replays of 10.14 and 10.15 (SW-114). Data
 * packets of UET are 4,184 B. */
#include "harness.h"
#include "simulation_support.h"

#include "nic/uet/uet.h"
#include "switch/simulation_taps_support.h"

enum { D128 = 128, IN = 0, OUT = 1 };
enum { DATA, TRIMMED, CONTROL }; /* classes of the policy, each with the pool of its number */
enum { PAYLOAD = 4096, CHARGE = 4184, TRIMMED_CHARGE = 46, CONTROL_CHARGE = 60 };
enum { TRIMMED_BYTES = 62, PROBE_BYTES = 62 }; /* on the wire */
enum { LIMIT = 300000, LIMIT_WITHOUT_TRIMMING = 1500000 };

#define PACKETS(rtt)                                                                                                   \
  "nic.RdmaDataMSS", "4096", "nic.InitialBaseRTT", rtt, "nic.PassThrough", "true", "nic.InitialRetransmitTimeout",     \
      "10ms"
#define POLICY "switch.UETPolicyEnabled", "true", SIM_ALL_LOSSY
#define TRIMMING POLICY, "switch.PacketTrimmer.TrimmingEnabled", "true"
#define MARKED_TRIMMABLE "nic.TrimmingEnabled", "true"
/* NICs that mark first transmissions as the switch expects retransmissions, and the other way round. */
#define MARKED_AS_RETRANSMISSIONS MARKED_TRIMMABLE, "nic.Codepoints.Trimmable", "2", "nic.Codepoints.TrimmableRtx", "1"

static void d128(const char* const* properties)
{
  sim_star(&(star_t){.hosts = D128, .properties = properties});
}

static const switch_port_t* out(void)
{
  return &sim_switch()->ports[OUT];
}

static void write_packets(unsigned from, unsigned count)
{
  sim_write(from, OUT, (uint64_t)count * PAYLOAD, 1e-6);
}

/* The bytes in a full queue. */
static int64_t full(int64_t limit, int64_t charge)
{
  return limit / charge * charge;
}

/* ---- Pools and classes (SW-87, SW-88) ---------------------------------------------------------------------------- */

SGF_SCENARIO(SW_87_three_pools_as_1_5_to_1_to_1)
{
  d128(SIM_PROPERTIES(PACKETS("6us"), "switch.UETPolicyEnabled", "true"));
  static const int64_t sizes[SGF_SB_POOLS] = {95670857, 63780571, 63780572};
  CU_ASSERT_EQUAL(sgf_sb_sizing_total(sim_buffer()), sizes[0] + sizes[1] + sizes[2]);
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), pool), sizes[pool]);
  write_packets(IN, 1);
  sim_run();
}

SGF_SCENARIO(SW_88_data_is_class_0_and_control_class_2)
{
  d128(SIM_PROPERTIES(PACKETS("6us"), POLICY));
  write_packets(IN, 1);
  sim_run();
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++) {
    CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, pool), pool == DATA      ? CHARGE
                                                                   : pool == CONTROL ? SIM_PROBE
                                                                                     : 0);
    CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), OUT, pool), pool == CONTROL ? CONTROL_CHARGE : 0);
  }
}

/* ---- Limits without trimming (SW-89, SW-114, O-30) --------------------------------------------------------------- */

/* More packets than fit one queue, of which nothing leaves; `fit` of them do. */
static void check_drops(int64_t limit, unsigned fit, const char* const* properties)
{
  enum { TOO_MANY = 20 };
  d128(properties);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), DATA), LIMIT_WITHOUT_TRIMMING);
  CU_ASSERT_EQUAL(full(limit, CHARGE), fit * INT64_C(4184));
  sim_watch(IN, OUT, DATA);
  sim_hold_all(OUT, 0, 100e-6);
  write_packets(IN, fit + TOO_MANY);
  sim_run();
  CU_ASSERT_EQUAL(sim_row_of_tx_drop(1)->egress, full(limit, CHARGE));
  CU_ASSERT_EQUAL(out()->drops[SWITCH_DROP_EGRESS_QUEUE][DATA], TOO_MANY);
  CU_ASSERT_EQUAL(sim_drops(), TOO_MANY);
  CU_ASSERT_EQUAL(out()->trimmed, 0);
}

SGF_SCENARIO(SW_89_and_SW_114_without_trimming_358_packets_fit)
{
  check_drops(LIMIT_WITHOUT_TRIMMING, 358, SIM_PROPERTIES(PACKETS("60us"), POLICY));
}

SGF_SCENARIO(SW_89_and_SW_114_without_trimming_537_retransmissions_fit)
{
  check_drops(3 * LIMIT_WITHOUT_TRIMMING / 2, 537, SIM_PROPERTIES(PACKETS("60us"), POLICY, MARKED_AS_RETRANSMISSIONS));
}

SGF_SCENARIO(O_30_lossless_classes_meet_no_fixed_limit)
{
  enum { SENDERS = 3, EACH = 160 }; /* 669,440 B a port: nobody is paused */
  d128(SIM_PROPERTIES(PACKETS("60us"), "switch.UETPolicyEnabled", "true"));
  sim_watch(IN, OUT, DATA);
  sim_hold_all(OUT, 0, 100e-6);
  write_packets(0, EACH);
  write_packets(2, EACH);
  write_packets(3, EACH);
  sim_run();
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), DATA), LIMIT_WITHOUT_TRIMMING);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), DATA), SENDERS * EACH * CHARGE);
  CU_ASSERT(sgf_sb_pool_peak(sim_buffer(), DATA) > LIMIT_WITHOUT_TRIMMING);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* ---- Trimming (SW-89, SW-91, SW-92, SW-114) ---------------------------------------------------------------------- */

SGF_SCENARIO(SW_92_no_trim_packets_over_the_limit_are_dropped)
{
  enum { FIT = 71, TOO_MANY = 20 };
  d128(SIM_PROPERTIES(PACKETS("60us"), TRIMMING));
  sim_watch(IN, OUT, DATA);
  sim_hold_all(OUT, 0, 100e-6);
  write_packets(IN, FIT + TOO_MANY);
  sim_run();
  CU_ASSERT_EQUAL(sim_row_of_tx_drop(1)->egress, FIT * CHARGE);
  CU_ASSERT_EQUAL(out()->drops[SWITCH_DROP_EGRESS_QUEUE][DATA], TOO_MANY);
  CU_ASSERT_EQUAL(out()->trimmed, 0);
  CU_ASSERT_EQUAL(sim_drops(), TOO_MANY);
}

/* Neither data nor trimmed packets leave while they come: nobody hears of a loss. */
static void fill_both_queues(unsigned fit, unsigned more, const char* const* properties)
{
  d128(properties);
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), DATA), LIMIT);
  sim_hold_all(OUT, 0, 800e-6);
  write_packets(IN, fit + more);
}

/* Trimmed packets leave with 62 B, ahead of the data, and all that was cut comes again. The message's one probe is
 * control. */
SGF_SCENARIO(SW_91_a_packet_is_cut_to_its_headers_and_comes_again)
{
  enum { FIT = 71, MORE = 20 };
  const unsigned tap = sim_tap(&(sim_tap_t){.device = "s0", .port = OUT});
  fill_both_queues(FIT, MORE, SIM_PROPERTIES(PACKETS("60us"), TRIMMING, MARKED_TRIMMABLE));
  sim_watch(IN, OUT, DATA);
  sim_run();
  const sim_row_t* trim = sim_row_of_trim(1);
  CU_ASSERT_EQUAL(trim->egress, FIT * CHARGE);
  CU_ASSERT_EQUAL(trim->occupancy, FIT * CHARGE + TRIMMED_CHARGE); /* its ingress charge has shrunk, in pool 0 (O-22) */
  CU_ASSERT_EQUAL(trim->pool_total, FIT * CHARGE + TRIMMED_CHARGE);
  CU_ASSERT_EQUAL(out()->trimmed, MORE);
  CU_ASSERT_EQUAL(sim_drops(), 0);
  CU_ASSERT_EQUAL(out()->tx_drops, 0); /* trims are no drops (O-23) */

  const unsigned last_hop = net_role_dscp(NET_ROLE_TRIMMED_LAST_HOP);
  CU_ASSERT_EQUAL(sim_frames_with(tap, last_hop), MORE);
  CU_ASSERT_EQUAL(sim_frames_with(tap, net_role_dscp(NET_ROLE_TRIMMED)), 0);
  CU_ASSERT_EQUAL(sim_frames_with(tap, net_role_dscp(NET_ROLE_TRIMMABLE)), FIT);
  CU_ASSERT_EQUAL(sim_frames_with(tap, net_role_dscp(NET_ROLE_TRIMMABLE_RTX)), MORE);
  CU_ASSERT_EQUAL(sim_frames_with(tap, net_role_dscp(NET_ROLE_CONTROL)), 1);
  CU_ASSERT_EQUAL(sim_frame_count(tap), FIT + MORE + MORE + 1);
  for (size_t n = 0; n < sim_frame_count(tap); n++) {
    const sim_frame_t* frame = sim_frame(tap, n);
    const bool is_control    = frame->header.dscp == net_role_dscp(NET_ROLE_CONTROL);
    CU_ASSERT_EQUAL(frame->bytes, is_control                       ? PROBE_BYTES
                                  : frame->header.dscp == last_hop ? TRIMMED_BYTES
                                                                   : CHARGE + NET_ETHERNET_BYTES);
  }
  /* TC1 is released no later than one data packet after TC0, and then goes first. */
  CU_ASSERT_EQUAL(sim_frame(tap, 1 + MORE)->header.dscp, net_role_dscp(NET_ROLE_TRIMMABLE));
  sgf_report_t* report = sgf_report_new(sim_fabric());
  CU_ASSERT_EQUAL(report->retransmissions, MORE);
  sgf_report_free(report);
}

SGF_SCENARIO(SW_89_and_SW_114_with_trimming_71_packets_fit_and_6521_trimmed_ones)
{
  enum { FIT = 71, FIT_TRIMMED = 6521, TOO_MANY = 10 };
  fill_both_queues(FIT, FIT_TRIMMED + TOO_MANY, SIM_PROPERTIES(PACKETS("400us"), TRIMMING, MARKED_TRIMMABLE));
  sim_watch(IN, OUT, TRIMMED);
  sim_run();
  CU_ASSERT_EQUAL(full(LIMIT, CHARGE), FIT * CHARGE);
  CU_ASSERT_EQUAL(full(LIMIT, TRIMMED_CHARGE), FIT_TRIMMED * TRIMMED_CHARGE);
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  CU_ASSERT_EQUAL(drop->egress, 299966);
  CU_ASSERT_EQUAL(drop->trimmed, FIT_TRIMMED);
  CU_ASSERT_EQUAL(sim_row_of_tx_drop(TOO_MANY)->trimmed, FIT_TRIMMED);
  CU_ASSERT_EQUAL(out()->drops[SWITCH_DROP_EGRESS_QUEUE][TRIMMED], TOO_MANY); /* as what was left of them */
  CU_ASSERT_EQUAL(out()->drops[SWITCH_DROP_EGRESS_QUEUE][DATA], 0);
}

SGF_SCENARIO(SW_89_and_SW_114_with_trimming_107_retransmissions_fit)
{
  enum { FIT = 107, MORE = 20 };
  fill_both_queues(FIT, MORE, SIM_PROPERTIES(PACKETS("60us"), TRIMMING, MARKED_AS_RETRANSMISSIONS));
  sim_watch(IN, OUT, DATA);
  sim_run();
  CU_ASSERT_EQUAL(full(3 * LIMIT / 2, CHARGE), FIT * CHARGE);
  CU_ASSERT_EQUAL(sim_row_of_trim(1)->egress, FIT * CHARGE);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* h0 and h1 are behind u0, and the receiver too: s0 sends to a switch, which sends to a NIC. */
SGF_SCENARIO(SW_91_towards_a_switch_it_was_trimmed_on_the_way)
{
  enum { FIT = 71, MORE = 20, SENDER = 2, RECEIVER = 0, UPSTREAM = 0 };
  const unsigned way      = sim_tap(&(sim_tap_t){.device = "s0", .port = UPSTREAM});
  const unsigned last_hop = sim_tap(&(sim_tap_t){.device = "h0", .port = 0});
  sim_star(
      &(star_t){.hosts = 4, .behind = 2, .properties = SIM_PROPERTIES(PACKETS("60us"), TRIMMING, MARKED_TRIMMABLE)});
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    sim_hold_port(UPSTREAM, tc, 0, 100e-6);
  sim_write(SENDER, RECEIVER, (FIT + MORE) * UINT64_C(4096), 1e-6);
  sim_run();
  CU_ASSERT_EQUAL(sim_switch()->ports[UPSTREAM].trimmed, MORE);
  CU_ASSERT_EQUAL(sim_frames_with(way, net_role_dscp(NET_ROLE_TRIMMED)), MORE);
  CU_ASSERT_EQUAL(sim_frames_with(way, net_role_dscp(NET_ROLE_TRIMMED_LAST_HOP)), 0);
  /* An ACK of each packet and of the probe, and a NACK for each that was trimmed. */
  CU_ASSERT_EQUAL(sim_frames_with(last_hop, net_role_dscp(NET_ROLE_CONTROL)), FIT + MORE + 1 + MORE);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}
