/* Pools against pauses in a SimGrid simulation of D128: spec/switch.md 10.1, 10.5, 10.6 and 10.15. Data is of TC0;
 * where the document fills pool 1 with TC1, pool 0 gets that size and TC0 fills it. */
#include "harness.h"
#include "simulation_support.h"

enum { D128 = 128 };
#define POOL_0_AS_POOL_1 "switch.PoolAllocationMap", "[0.1, 0.9, 0, 0, 0, 0, 0, 0]"

/* ------------------------------------------------------------------------------------------------------ All ports
 * pause */

/* Every host sends to the next, and no host takes anything for 200 us. */
static void all_ports_pause(const char* const* properties)
{
  sim_star(&(star_t){.hosts = D128, .properties = properties});
  for (unsigned host = 0; host < D128; host++) {
    sim_hold(host, 0, 0, 200e-6);
    sim_write_packets(host, (host + 1) % D128, 200, 1e-6);
  }
  sim_run();
}

static unsigned paused_ports(void)
{
  unsigned paused = 0;
  for (unsigned port = 0; port < D128; port++)
    paused += sim_switch()->ports[port].pfc.pauses[0] > 0;
  return paused;
}

SGF_SCENARIO(SW_08_and_SW_38_all_ports_pause_and_the_pool_is_half_empty)
{
  all_ports_pause(SIM_PROPERTIES(SIM_PACKETS("60us")));
  for (unsigned port = 0; port < D128; port++)
    CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), port, 0), 704000); /* SW-07 */
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 0), 90112000);
  CU_ASSERT(2 * sgf_sb_pool_peak(sim_buffer(), 0) < sgf_sb_pool_size(sim_buffer(), 0));
  CU_ASSERT_EQUAL(paused_ports(), D128);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_41_a_pool_smaller_than_all_pause_points_drops)
{
  all_ports_pause(SIM_PROPERTIES(SIM_PACKETS("60us"), POOL_0_AS_POOL_1));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 22323200);
  CU_ASSERT(sim_switch()->drops[SWITCH_DROP_INGRESS_POOL] > 0);
}

SGF_SCENARIO(SW_42_a_fraction_of_0_404_is_enough)
{
  all_ports_pause(SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.PoolAllocationMap", "[0.404, 0.596, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 90185728);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 0), 90112000);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_42_a_fraction_of_0_403_is_not)
{
  all_ports_pause(SIM_PROPERTIES(SIM_PACKETS("60us"), "switch.PoolAllocationMap", "[0.403, 0.597, 0, 0, 0, 0, 0, 0]"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 89962496);
  CU_ASSERT(sim_switch()->drops[SWITCH_DROP_INGRESS_POOL] > 0);
}

SGF_SCENARIO(SW_43_a_lower_xoff_is_enough)
{
  all_ports_pause(SIM_PROPERTIES(SIM_PACKETS("60us"), POOL_0_AS_POOL_1, "switch.StaticPoolXoffThreshold", "170.4KB",
                                 "switch.StaticPoolXonThreshold", "100KB"));
  CU_ASSERT_EQUAL(sgf_sb_pool_size(sim_buffer(), 0), 22323200);
  CU_ASSERT(sgf_sb_pool_peak(sim_buffer(), 0) <= 128 * (170400 + SIM_PACKET));
  CU_ASSERT_EQUAL(paused_ports(), D128);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* ------------------------------------------------------------------------------------------------ Ports in turn
 * (SW-94) */

/* h0 to h<senders - 1> send at once, so that their packets arrive in turn; h127 takes nothing for 200 us. */
static void in_turn(unsigned senders, unsigned packets, unsigned watched)
{
  sim_star(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), POOL_0_AS_POOL_1)});
  sim_watch(watched, D128 - 1, 0);
  sim_hold(D128 - 1, 0, 0, 200e-6);
  for (unsigned host = 0; host < senders; host++)
    sim_write_packets(host, D128 - 1, packets, 1e-6);
  sim_run();
}

SGF_SCENARIO(SW_09_and_SW_94_31_ports_in_turn_pause_without_loss)
{
  in_turn(31, 176, 30);
  CU_ASSERT_EQUAL(sgf_sb_pool_peak(sim_buffer(), 0), 21824000);
  CU_ASSERT_EQUAL(paused_ports(), 31);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

/* The packets of a round arrive in order of the ports; the first that finds the pool full is number 5,581, from
 * port 12. */
SGF_SCENARIO(SW_94_with_32_ports_packet_5581_is_the_first_drop)
{
  in_turn(32, 175, 12);
  const sim_row_t* drop = sim_row_of_rx_drop(1);
  CU_ASSERT_EQUAL(drop->pool_total, 22320000);
  CU_ASSERT_EQUAL(drop->occupancy, 696000);
  CU_ASSERT_EQUAL(drop->pauses, 0);
  CU_ASSERT_EQUAL(sim_drops(), 20);
  for (unsigned port = 0; port < 32; port++) {
    CU_ASSERT_EQUAL(sim_switch()->ports[port].rx_drops, port >= 12); /* packets 5,581 to 5,600 */
    CU_ASSERT_EQUAL(sgf_sb_occupancy_peak(sim_buffer(), port, 0), port < 12 ? 700000 : 696000);
    CU_ASSERT_EQUAL(sim_switch()->ports[port].pfc.pauses[0], 0);
  }
}

SGF_SCENARIO(SW_94_packet_5601_pauses_although_the_pool_drops_it)
{
  in_turn(32, 176, 0);
  const sim_row_t* pause = sim_row_of_pause(1);
  CU_ASSERT_EQUAL(pause->occupancy, 700000); /* O-08 */
  CU_ASSERT_EQUAL(pause->rx_drops, 1);
  CU_ASSERT_EQUAL(pause[-1].rx_drops, 0);
  CU_ASSERT_EQUAL(paused_ports(), 12);
}

SGF_SCENARIO(SW_93_the_32nd_port_is_dropped_by_the_pool_and_never_paused)
{
  sim_star(&(star_t){.hosts = D128, .properties = SIM_PROPERTIES(SIM_PACKETS("60us"), POOL_0_AS_POOL_1)});
  sim_watch(31, D128 - 1, 0);
  sim_hold(D128 - 1, 0, 0, 200e-6);
  for (unsigned host = 0; host < 31; host++)
    sim_write_packets(host, D128 - 1, 176, 1e-6);
  sim_write_packets(31, D128 - 1, 125, 50e-6);
  sim_run();
  CU_ASSERT_EQUAL(paused_ports(), 31);
  const sim_row_t* drop = sim_row_of_rx_drop(1);
  CU_ASSERT_EQUAL(drop->pool_total, 21824000 + 124 * SIM_PACKET);
  CU_ASSERT_EQUAL(drop->occupancy, 496000);
  CU_ASSERT_EQUAL(drop->pauses, 0);
  CU_ASSERT_EQUAL(sim_drops(), 1);
}
