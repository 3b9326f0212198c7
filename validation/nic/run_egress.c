/* spec/uet-nic.md 11.2 and 11.6 in a simulation: the transmit pool and the window. */
#include "harness.h"
#include "nic_run_support.h"

#include <string.h>

#define HALVES(bytes)                                                                                                  \
  "**.nic.EgressBufferManager.PoolAllocationVector=[0.5, 0.5, 0, 0, 0, 0, 0, 0]",                                      \
      "**.nic.EgressBufferManager.TotalBufferSize=" bytes

/* End of the n-th full packet on the sender's wire, n from 1. */
static opp_simtime_t end_of(int64_t n)
{
  return run_packet_start(n + 1);
}

/* Segments of the first message of h0 that were committed so far, and the bytes that its data pool holds. */
static uint32_t committed(void)
{
  return uet_state(run_nic(0))->pdcs[0]->next_psn;
}

static int64_t reserved(void)
{
  return run_nic(0)->egress[0].reserved;
}

/* ---- No acknowledgement comes back before 40 us: nothing but half the pool restarts generation ------------------- */

static void pool_is_filled(void)
{
  CU_ASSERT_EQUAL(committed(), 54);
  CU_ASSERT_EQUAL(reserved(), 226908);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(run_nic(0)->pcie), 54 * sgf_pcie_link_bytes(RUN_MSS));
}

static void twenty_six_have_left(void)
{
  CU_ASSERT_EQUAL(committed(), 54);
  CU_ASSERT_EQUAL(reserved(), 117656);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(run_nic(0)->pcie), 54 * sgf_pcie_link_bytes(RUN_MSS));
}

static void the_27th_has_left(void)
{
  CU_ASSERT_EQUAL(committed(), 54 + 27);
  CU_ASSERT_EQUAL(reserved(), 226908);
}

SGF_SCENARIO(UN_14_generation_restarts_at_the_end_of_the_27th_packet)
{
  run_cable("20us", NULL);
  const size_t write = run_write(0, 1, 100 * RUN_MSS, 0);
  run_look(run_doorbell, pool_is_filled); /* UN-11 and UN-16: before any payload has arrived */
  run_look(end_of(26), twenty_six_have_left);
  run_look(end_of(27) - 1, twenty_six_have_left);
  run_look(end_of(27), the_27th_has_left);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write),
                  run_back_on_a_cable(end_of(100)) + 2 * (20 * OPP_US - run_delay)); /* UN-15: no gap */
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 226908);
}

/* ---- Acknowledgements come back early ---------------------------------------------------------------------------- */

static opp_simtime_t first_answered = -1;

/* UN-19: the first acknowledgement finds more than half of the pool reserved, and room for those that have left. */
static void watch_first_answer(opp_simtime_t now)
{
  static uint32_t before;
  if (run_nic(0)->ingress[1].peak > 0 && first_answered < 0) {
    first_answered     = now;
    const int64_t left = (now - run_packet_start(1)) / run_wire;
    CU_ASSERT_EQUAL(before, 54);
    CU_ASSERT(left < 27);
    CU_ASSERT_EQUAL(committed(), 54 + left);
  }
  if (uet_state(run_nic(0))->pdc_count > 0)
    before = committed();
}

SGF_SCENARIO(UN_18_and_UN_19_a_full_pool_drops_nothing_and_is_retried_on_acknowledgements)
{
  run_cable("100ns", RUN_SETTINGS("**.nic.PassThrough=true")); /* the window would be smaller than the pool */
  run_watch(watch_first_answer);
  const size_t write = run_write(0, 1, 1000 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(first_answered, run_back_on_a_cable(end_of(1)));
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(end_of(1000) + run_probe));
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 226908);
  CU_ASSERT_EQUAL(run_link_bytes("h0", "h1"), 1000 * RUN_FULL + RUN_PROBE);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
}

/* ---- A pool around one full packet ------------------------------------------------------------------------------- */

static bool a_line_says(const char* host, const char* reason)
{
  for (size_t i = 0; i < run_wait_count; i++)
    if (strstr(run_waits[i], host) != NULL && strstr(run_waits[i], reason) != NULL)
      return true;
  return false;
}

static bool a_warning_says(const char* text)
{
  for (size_t i = 0; i < sgf_fabric_warning_count(sg_fabric_get()); i++)
    if (strstr(sgf_fabric_warning(sg_fabric_get(), i), text) != NULL)
      return true;
  return false;
}

SGF_SCENARIO(UN_20_a_pool_below_one_full_packet_sends_nothing_and_the_run_says_so)
{
  run_rack(3, "100ns", RUN_SETTINGS(HALVES("8402B")));
  CU_ASSERT(a_warning_says("4201 B, less than one full packet (4202 B)"));
  const size_t first  = run_write(0, 1, RUN_MSS, 0);
  const size_t second = run_write(0, 2, 10 * RUN_MSS, 0); /* nor to any other destination */
  CU_ASSERT_EQUAL(run_all(), SGF_STALLED);
  CU_ASSERT_EQUAL(run_written(first), -1);
  CU_ASSERT_EQUAL(run_written(second), -1);
  CU_ASSERT_EQUAL(run_report()->packet_hops, 0);
  CU_ASSERT_EQUAL(run_report()->flows[0].end, -1);
  CU_ASSERT_EQUAL(run_wait_count, 2);
  CU_ASSERT(a_line_says("h0 -> h1", "no room for the next packet in the transmit pool"));
  CU_ASSERT(a_line_says("h0 -> h2", "0 of 10 packets acknowledged"));
}

SGF_SCENARIO(UN_20_a_pool_of_one_full_packet_sends_one_at_a_time)
{
  enum { PACKETS = 100 };
  run_cable("100ns", RUN_SETTINGS(HALVES("8404B")));
  const size_t write = run_write(0, 1, (uint64_t)PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t sent = run_doorbell + PACKETS * (run_fetch + run_wire); /* fetched when the one before has left */
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(sent));
  CU_ASSERT_EQUAL(run_peak("h0", "tx0"), 4202);
}

/* ---- The window -------------------------------------------------------------------------------------------------- */

static int64_t most_in_flight;

static void watch_flight(opp_simtime_t now)
{
  (void)now;
  const uet_group_t* group = uet_state(run_nic(0))->groups[1];
  if (group != NULL && group->in_flight > most_in_flight)
    most_in_flight = group->in_flight;
}

/* The way there and back is longer than a window. The 108th packet is fetched when the first is acknowledged; those
 * behind it follow at the pace of acknowledgements, which is the wire's. */
SGF_SCENARIO(UN_102_the_window_is_107_packets)
{
  run_cable("20us", NULL);
  run_watch(watch_flight);
  const size_t write = run_write(0, 1, 2 * 107 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t longer     = 2 * (20 * OPP_US - run_delay);
  const opp_simtime_t first_back = run_back_on_a_cable(end_of(1)) + longer;
  CU_ASSERT(first_back > end_of(107));
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(first_back + run_fetch + 107 * run_wire) + longer);
  CU_ASSERT_EQUAL(most_in_flight, 447688);
}

/* Without that limit the same two windows go out in one. */
SGF_SCENARIO(UN_102_a_longer_base_RTT_is_a_larger_window)
{
  run_cable("20us", RUN_SETTINGS("**.nic.InitialBaseRTT=50us"));
  run_watch(watch_flight);
  const size_t write = run_write(0, 1, 2 * 107 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(end_of(2 * 107)) + 2 * (20 * OPP_US - run_delay));
  CU_ASSERT_EQUAL(most_in_flight, 2 * 447688);
}
