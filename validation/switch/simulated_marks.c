/* ECN marks in a SimGrid simulation: data of UET NICs, which is ECT(1), behind a port that the receiver holds.
 * spec/switch.md 7, replays of 10.9 and 10.15. */
#include "harness.h"
#include "simulation_support.h"

enum { IN = 0, OUT = 1, OTHER = 2 };

/* Limits of 5 x 300 KB for every queue, so a band from 300,000 to 1,200,000 B; the average is the queue itself. */
#define FIXED_CAP "switch.LossyAlpha", "0", "switch.QueueDropThresholdEnable", "true", "switch.EwmaWeight", "1"

/* Two hosts write so many packets to a third, which lets none through before all are there. */
static void run_star(unsigned first, unsigned second, const char* const* properties)
{
  sim_star(&(star_t){.hosts = 3, .properties = properties});
  sim_hold(OUT, 0, 0, 100e-6);
  sim_write_packets(IN, OUT, first, 1e-6);
  if (second > 0)
    sim_write_packets(OTHER, OUT, second, 1e-6);
  sim_run();
  CU_ASSERT_EQUAL(sim_drops(), 0);
  CU_ASSERT_EQUAL(sgf_sb_egress_queue(sim_buffer(), OUT, 0), 0);
}

static double average(void)
{
  return switch_ecn_average(sim_switch()->ecn, OUT, 0);
}

static uint64_t marked(void)
{
  return sim_switch()->ports[OUT].marked[0];
}

SGF_SCENARIO(SW_52_and_SW_54_the_average_of_three_packets_stays_when_they_have_left)
{
  run_star(3, 0, SIM_PROPERTIES(SIM_PACKETS("60us")));
  CU_ASSERT_DOUBLE_EQUAL(average(), 2244.0, 1e-9);
  CU_ASSERT_EQUAL(marked(), 0);
}

/* All 188 packets leave while the average stands at 752,000: each is marked with a probability of 0.502. */
SGF_SCENARIO(SW_53_in_the_middle_of_the_band_about_half_is_marked)
{
  enum { EACH = 94, FIVE_DEVIATIONS = 35 }; /* 5 x sqrt(188 / 4) = 34.3 */
  run_star(EACH, EACH, SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP));
  CU_ASSERT_EQUAL(average(), 752000.0);
  CU_ASSERT(marked() > EACH - FIVE_DEVIATIONS && marked() < EACH + FIVE_DEVIATIONS);
}

SGF_SCENARIO(SW_104_a_lossless_class_is_marked_at_1200000_B)
{
  enum { EACH = 150 };
  run_star(EACH, EACH, SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP));
  CU_ASSERT_EQUAL(average(), 1200000.0);
  CU_ASSERT_EQUAL(marked(), 2 * EACH);
}

SGF_SCENARIO(SW_53_and_SW_104_at_the_lower_end_of_the_band_nothing_is_marked)
{
  run_star(75, 0, SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP));
  CU_ASSERT_EQUAL(average(), 300000.0);
  CU_ASSERT_EQUAL(marked(), 0);
}

SGF_SCENARIO(SW_55_with_EnableEcn_off_nothing_is_marked)
{
  enum { EACH = 150 };
  run_star(EACH, EACH, SIM_PROPERTIES(SIM_PACKETS("60us"), FIXED_CAP, "switch.EnableEcn", "false"));
  CU_ASSERT_EQUAL(average(), 1200000.0);
  CU_ASSERT_EQUAL(marked(), 0);
}
