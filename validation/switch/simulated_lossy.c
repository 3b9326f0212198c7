/* Lossy classes in a SimGrid simulation of D128: the egress limits of spec/switch.md 10.2 and 10.8, drops, and the
 * recovery of what was dropped. All classes are lossy; a lossy class can be held by the receiver all the same (O-12).
 */
#include "harness.h"
#include "simulation_support.h"

#include <stdlib.h>

enum { IN = 0, OUT = 1, D128 = 128 };

/* h0 sends more packets than one egress queue takes; `queue` of them fit. */
static void check_limit(unsigned queue, unsigned pool, const char* const* properties)
{
  enum { TOO_MANY = 20 };
  sim_star(&(star_t){.hosts = D128, .properties = properties});
  sim_watch(IN, OUT, pool);
  sim_hold(OUT, 0, 0, 100e-6);
  sim_write_packets(IN, OUT, queue + TOO_MANY, 1e-6);
  sim_run();
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  CU_ASSERT_EQUAL(drop->egress, (int64_t)queue * SIM_PACKET);
  CU_ASSERT_EQUAL(drop->occupancy, (int64_t)queue * SIM_PACKET); /* SW-61: as before it arrived */
  CU_ASSERT_EQUAL(drop->pool_total, (int64_t)queue * SIM_PACKET);
  CU_ASSERT_EQUAL(sim_switch()->ports[OUT].tx_drops, TOO_MANY);
  CU_ASSERT_EQUAL(sim_switch()->drops[SWITCH_DROP_EGRESS_QUEUE], TOO_MANY);
  CU_ASSERT_EQUAL(sim_drops(), TOO_MANY);
  CU_ASSERT_EQUAL(sim_rows()[sim_row_count() - 1].pauses, 0);
}

SGF_SCENARIO(SW_20_and_SW_61_an_equal_share_takes_392_packets)
{
  check_limit(392, 0, SIM_PROPERTIES(SIM_PACKETS("60us"), SIM_ALL_LOSSY, "switch.LossyAlpha", "0"));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), 0), 1569600); /* SW-14 */
}

SGF_SCENARIO(SW_21_and_SW_61_a_fixed_cap_takes_375_packets)
{
  check_limit(375, 0,
              SIM_PROPERTIES(SIM_PACKETS("60us"), SIM_ALL_LOSSY, "switch.LossyAlpha", "0",
                             "switch.QueueDropThresholdEnable", "true"));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), 0), 1500000); /* SW-15 */
}

SGF_SCENARIO(SW_22_an_equal_share_of_pool_1_takes_43_packets)
{
  check_limit(43, 1,
              SIM_PROPERTIES(SIM_PACKETS("60us"), SIM_ALL_LOSSY, "switch.LossyAlpha", "0",
                             "switch.TrafficClassPoolMapping", "[1, 0, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_queue_limit(sim_buffer(), 1), 174400);
}

SGF_SCENARIO(SW_60_lossy_packets_never_pause)
{
  sim_star(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), SIM_ALL_LOSSY)});
  sim_watch(IN, OUT, 0);
  sim_hold(OUT, 0, 0, 100e-6);
  sim_write_packets(IN, OUT, 300, 1e-6);
  sim_run();
  CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), IN, 0), 1200000);
  CU_ASSERT_EQUAL(sim_rows()[sim_row_count() - 1].pauses, 0);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* ------------------------------------------------------------------------------------------ Dynamic limit (SW-48 to
 * 50) */

#define LOSSY_WITH(alpha) SIM_PROPERTIES(SIM_PACKETS("2ms"), SIM_ALL_LOSSY, "switch.LossyAlpha", alpha)

/* What one queue holds when it takes no more: pool 0 of D128 and nothing else in it. */
static int64_t level_of_one_queue(unsigned packets, const char* const* properties)
{
  sim_star(&(star_t){.hosts = D128, .properties = properties});
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 200908800);
  sim_hold(OUT, 0, 0, 3.5e-3);
  sim_write_packets(IN, OUT, packets, 1e-6);
  sim_run();
  CU_ASSERT_EQUAL(sim_drops(), sim_switch()->ports[OUT].tx_drops);
  CU_ASSERT(sim_drops() > 0);
  return sgf_sb_pool_peak(sim_buffer(), 0);
}

static bool within_a_packet(int64_t bytes, int64_t level)
{
  return llabs(bytes - level) <= SIM_PACKET;
}

SGF_SCENARIO(SW_10_and_SW_48_and_SW_50_one_queue_takes_half_the_pool)
{
  /* a packet that is then refused at egress is charged at ingress for an instant */
  CU_ASSERT_EQUAL(level_of_one_queue(25200, LOSSY_WITH("1.0")), 25114 * INT64_C(4000) + SIM_PACKET);
  CU_ASSERT_EQUAL(sim_drops(), 25200 - 25114);
}

SGF_SCENARIO(SW_48_with_an_alpha_of_a_quarter_one_queue_takes_a_fifth)
{
  CU_ASSERT(within_a_packet(level_of_one_queue(10100, LOSSY_WITH("0.25")) - SIM_PACKET, 40181760));
}

SGF_SCENARIO(SW_48_with_an_alpha_of_a_half_one_queue_takes_a_third)
{
  CU_ASSERT(within_a_packet(level_of_one_queue(16800, LOSSY_WITH("0.5")) - SIM_PACKET, 66969600));
}

SGF_SCENARIO(SW_48_with_an_alpha_of_two_one_queue_takes_two_thirds)
{
  CU_ASSERT(within_a_packet(level_of_one_queue(33600, LOSSY_WITH("2")) - SIM_PACKET, 133939200));
}

SGF_SCENARIO(SW_51_the_dynamic_limit_reads_no_fixed_cap)
{
  const int64_t level =
      level_of_one_queue(10100, SIM_PROPERTIES(SIM_PACKETS("2ms"), SIM_ALL_LOSSY, "switch.LossyAlpha", "0.25",
                                               "switch.QueueDropThresholdEnable", "true", "switch.QueueDropThreshold",
                                               "1", "switch.PlaneBDP", "10KB"));
  CU_ASSERT(within_a_packet(level - SIM_PACKET, 40181760));
}

/* A NIC serves its destinations in turn, a packet each. */
SGF_SCENARIO(SW_49_two_queues_filled_in_turn)
{
  sim_star(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES(SIM_PACKETS("2ms"), SIM_ALL_LOSSY)});
  sim_watch(IN, OUT, 0);
  sim_hold(1, 0, 0, 3.5e-3);
  sim_hold(2, 0, 0, 3.5e-3);
  sim_write_packets(IN, 1, 16800, 1e-6);
  sim_write_packets(IN, 2, 16800, 1e-6);
  sim_run();
  const sim_row_t* drop = sim_row_of_tx_drop(1);
  CU_ASSERT_EQUAL(drop->egress, 66972000);
  CU_ASSERT_EQUAL(drop->pool_total - drop->egress, 66968000);
}

/* ------------------------------------------------------------------------------------- Pool total (SW-17, SW-37,
 * SW-39) */

#define FIXED_CAP "switch.LossyAlpha", "0", "switch.QueueDropThresholdEnable", "true"

/* h0 fills the queues of h1 to h<ports> in turn, each beyond its cap of 1,500,000 B; they share 22,323,200 B. */
static void fill_caps(unsigned ports)
{
  sim_star(&(star_t){.hosts      = D128,
                     .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), SIM_ALL_LOSSY, FIXED_CAP,
                                                  "switch.PoolAllocationMap", "[0.1, 0.9, 0, 0, 0, 0, 0, 0]")});
  for (unsigned port = 1; port <= ports; port++) {
    sim_hold(port, 0, 0, 800e-6);
    sim_write_packets(IN, port, 380, 1e-6);
  }
  sim_run();
}

SGF_SCENARIO(SW_17_the_pool_holds_14_full_caps)
{
  fill_caps(14);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 0), 21000000 + SIM_PACKET);
  CU_ASSERT_EQUAL(sim_switch()->drops[SWITCH_DROP_EGRESS_QUEUE], 14 * (380 - 375));
  CU_ASSERT_EQUAL(sim_drops(), 14 * (380 - 375));
}

SGF_SCENARIO(SW_17_with_15_busy_ports_the_pool_binds_before_the_caps)
{
  fill_caps(15);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 0), 22320000);
  CU_ASSERT_EQUAL(sim_switch()->drops[SWITCH_DROP_EGRESS_QUEUE], 0);
  CU_ASSERT_EQUAL(sim_switch()->drops[SWITCH_DROP_INGRESS_POOL], 15 * 380 - 22320000 / SIM_PACKET);
}

/* A buffer whose one pool is what 128 x 256,000 B of headroom leave; the cap of a queue is beyond it. */
static void fill_pool(const char* buffer_size)
{
  sim_star(&(star_t){.hosts      = D128,
                     .properties = SIM_PROPERTIES(
                         SIM_PACKETS("200us"), SIM_ALL_LOSSY, FIXED_CAP, "switch.QueueDropThreshold", "20",
                         "switch.PoolAllocationMap", "[1, 0, 0, 0, 0, 0, 0, 0]", "switch.TrafficClassPoolMapping",
                         "[0, 0, 0, 0, 0, 0, 0, 0]", "switch.TotalSharedBufferSize", buffer_size)});
  sim_watch(IN, OUT, 0);
  sim_hold(OUT, 0, 0, 200e-6);
  sim_write_packets(IN, OUT, 1010, 1e-6);
  sim_run();
}

SGF_SCENARIO(SW_37_and_SW_39_a_pool_can_be_filled_exactly)
{
  fill_pool("36768KB");
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 4000000);
  CU_ASSERT_EQUAL(sim_row_of_rx_drop(1)->pool_total, 4000000);
  CU_ASSERT_EQUAL(sim_drops(), 10);
  CU_ASSERT_EQUAL(sim_switch()->drops[SWITCH_DROP_INGRESS_POOL], 10);
}

SGF_SCENARIO(SW_39_one_byte_less_takes_one_packet_less)
{
  fill_pool("36767.999KB");
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 3999999);
  CU_ASSERT_EQUAL(sim_row_of_rx_drop(1)->pool_total, 3996000);
  CU_ASSERT_EQUAL(sim_drops(), 11);
}
