/* spec/mrc-nic.md 9.5 and 14 in a simulation: what lanes of PCIe carry, and what a receiver does that has too few of
 * them (MR-16 to MR-20, MR-27 to MR-30, MR-54). No taps: these runs are long. */
#include "harness.h"

#include "mrc_run_support.h"

#include <stdlib.h>

#define LANES_OF(host, count) "**." host ".nic.NicPCIeInterface.PhysicalLayer.LaneCount=" count
#define HOST_LANES_OF(host, count) "**." host ".nic.HostPCIeInterface.PhysicalLayer.LaneCount=" count
/* Answers that take next to nothing of the link that they share with data. */
#define FEW_SACKS "**.nic.SackThreshold=262144B"
#define GIGABYTES (UINT64_C(4) << 30)

static const int64_t gen5 = INT64_C(504320000000);

/* Data packets that have arrived at a host, dropped ones too. */
static uint64_t arrivals(unsigned host)
{
  return mrun_counters(host)->data_received + run_nic(host)->class_drops[MRC_DATA_CLASS];
}

/* What bytes take at a rate, rounded down once. */
static opp_simtime_t takes(int64_t bytes, int64_t bps)
{
  return 8 * bytes * (OPP_S / 1000) / (bps / 1000);
}

/* Gbps of bytes in a time. */
static double gbps(int64_t bytes, opp_simtime_t time)
{
  return 8.0 * (double)bytes / ((double)time / (double)OPP_NS);
}

/* ---- Rates ------------------------------------------------------------------------------------------------------- */

/* Counters of h1 at two looks. */
static struct {
  uint64_t arrived;
  int64_t to_host;
} seen[2];
static size_t seen_count;

static void look(void)
{
  seen[seen_count].arrived   = arrivals(1);
  seen[seen_count++].to_host = mrun_to_host_bytes(1);
}

enum { BEGIN_US = 100, END_US = 300 };
static const opp_simtime_t span = (END_US - BEGIN_US) * OPP_US;

/* h0 writes to h1, and h1 to h0 if it is to; what h1 sees in 200 us. */
static void run_rates(bool both_ways, const char* const* settings)
{
  run_cable_of("mrc", "100ns", settings);
  run_write(0, 1, GIGABYTES, 0);
  if (both_ways)
    run_write(1, 0, GIGABYTES, 0);
  run_look(BEGIN_US * OPP_US, look);
  run_look(END_US * OPP_US, look);
  run_until((END_US + 1) * OPP_US);
}

static double payload_rate(void)
{
  return gbps((int64_t)(seen[1].arrived - seen[0].arrived) * MRUN_MSS, span);
}

static double pcie_rate(void)
{
  return gbps(seen[1].to_host - seen[0].to_host, span);
}

/* A packet of 200 us at either end of them. */
static const double one_packet = 2 * 8.0 * 4466 / 200000;

SGF_SCENARIO(MR_16_and_MR_18_receiving_at_full_rate_takes_418_59_Gbps_of_PCIe)
{
  run_rates(false, NULL);
  CU_ASSERT_EQUAL(sgf_pcie_to_host_bps(run_nic(1)->pcie), gen5);
  CU_ASSERT_EQUAL(sgf_pcie_to_nic_bps(run_nic(0)->pcie), gen5);
  CU_ASSERT_DOUBLE_EQUAL(payload_rate(), 392.53, one_packet);
  CU_ASSERT_DOUBLE_EQUAL(pcie_rate(), 418.59, one_packet);
}

SGF_SCENARIO(MR_18_receiving_and_sending_at_full_rate_takes_427_98_Gbps)
{
  run_rates(true, RUN_SETTINGS(FEW_SACKS, MRUN_STUBBORN));
  CU_ASSERT_DOUBLE_EQUAL(pcie_rate(), 427.98, one_packet);
}

/* A message to oneself crosses PCIe alone. Its read requests share the direction of its writes, which is never idle. */
SGF_SCENARIO(MR_17_read_requests_and_writes_share_a_direction_at_462_54_Gbps)
{
  enum { PACKETS = 2560 };
  run_cable_of("mrc", "100ns", NULL);
  const size_t write   = run_write(0, 0, PACKETS * MRUN_MSS, 0);
  const size_t receive = run_receive(0, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t took = run_received(receive) - mrun_start;
  CU_ASSERT_EQUAL(took, takes(PACKETS * (98 + 4368), gen5));
  CU_ASSERT_DOUBLE_EQUAL(gbps((int64_t)PACKETS * MRUN_MSS, took), 462.54, 0.005);
}

static uint64_t fetched[2];
static size_t fetched_count;

static void look_at_fetches(void)
{
  fetched[fetched_count++] = mrun_counters(0)->data_sent; /* a packet goes down when its payload is here */
}

/* Requests take less than answers: those follow each other, as many as the window lets in. */
SGF_SCENARIO(MR_16_payloads_are_fetched_at_472_92_Gbps)
{
  enum { PACKETS = 100 };
  run_cable_of("mrc", "100ns", RUN_SETTINGS("**.h0.nic.EgressBufferManager.TotalBufferSize=4MB"));
  run_write(0, 1, GIGABYTES, 0);
  const opp_simtime_t took = takes((int64_t)PACKETS * 4368, gen5);
  run_look(mrun_start + 1554 + took - 1, look_at_fetches);
  run_look(mrun_start + 1554 + took, look_at_fetches);
  run_until(20 * OPP_US);
  CU_ASSERT_DOUBLE_EQUAL(gbps((int64_t)PACKETS * MRUN_MSS, took), 472.92, 0.005);
  CU_ASSERT_EQUAL(fetched[0], PACKETS - 1);
  CU_ASSERT_EQUAL(fetched[1], PACKETS);
}

/* ---- Senders that PCIe holds ------------------------------------------------------------------------------------- */

SGF_SCENARIO(MR_54_eight_lanes_at_the_host_cap_sending_at_236_46_Gbps)
{
  run_rates(false, RUN_SETTINGS(HOST_LANES_OF("h0", "8")));
  CU_ASSERT_DOUBLE_EQUAL(payload_rate(), 236.46, one_packet);
}

SGF_SCENARIO(MR_54_eight_lanes_at_the_host_do_not_touch_receiving)
{
  run_rates(false, RUN_SETTINGS(HOST_LANES_OF("h1", "8")));
  CU_ASSERT_DOUBLE_EQUAL(payload_rate(), 392.53, one_packet);
  CU_ASSERT(run_peak("h1", "rx0") <= MRUN_FULL);
}

/* ---- Enough lanes ------------------------------------------------------------------------------------------------ */

/* The packet that arrives is the only one there: its write has entered PCIe before the next. */
SGF_SCENARIO(MR_19_fourteen_lanes_keep_up_with_receiving_and_sending)
{
  run_rates(true, RUN_SETTINGS(LANES_OF("h1", "14"), FEW_SACKS, MRUN_STUBBORN));
  CU_ASSERT_DOUBLE_EQUAL(payload_rate(), 392.53, one_packet);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), MRUN_FULL);
}

static void stays_empty(void)
{
  CU_ASSERT_EQUAL(run_nic(0)->rx_drops, 0);
  CU_ASSERT(run_nic(0)->ingress[0].peak > 0 && run_nic(0)->ingress[0].peak <= 2 * MRUN_FULL);
  CU_ASSERT(arrivals(0) > 11900); /* of the 11,978 that fit 1 ms */
}

SGF_SCENARIO(MR_30_with_16_lanes_the_pool_of_one_receiver_of_many_stays_empty)
{
  run_rack_of("mrc", 7, "100ns", NULL);
  for (unsigned src = 1; src < 7; src++)
    run_write(src, 0, GIGABYTES, 0);
  run_look(OPP_MS, stays_empty);
  run_until(OPP_MS);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
}

/* ---- Thirteen lanes ---------------------------------------------------------------------------------------------- */

#define THIRTEEN LANES_OF("h1", "13")

/* From the first drop on, so many arrivals. */
static uint64_t wanted;
static opp_simtime_t first_drop = -1;
static opp_simtime_t counted_at;
static uint64_t counted, dropped, sent;

static void watch_drops(opp_simtime_t now)
{
  static uint64_t arrivals_before, drops_before, sent_before;
  const uint64_t drops = run_nic(1)->rx_drops;
  if (drops == 0 || counted > 0)
    return;
  if (first_drop < 0) {
    first_drop      = now;
    arrivals_before = arrivals(1);
    drops_before    = drops;
    sent_before     = mrun_counters(1)->data_sent;
  } else if (arrivals(1) == arrivals_before + wanted) {
    counted_at = now;
    counted    = wanted;
    dropped    = drops - drops_before;
    sent       = mrun_counters(1)->data_sent - sent_before;
  }
}

static int64_t occupancies[2];
static size_t occupancy_count;

static void note_occupancy(void)
{
  occupancies[occupancy_count++] = run_nic(1)->ingress[MRC_DATA_CLASS].occupancy;
}

static double dropped_percent(void)
{
  CU_ASSERT_EQUAL_FATAL(counted, wanted);
  return 100.0 * (double)dropped / (double)wanted;
}

/* 1.0549 B/ns for 2 ms, to a packet at either end; the bands of the dates and of the share are those of the
 * specification, 3.64 ms its own result for these choices. */
SGF_SCENARIO(MR_27_and_MR_28_with_13_lanes_the_pool_fills_in_3_64_ms_and_2_11_percent_are_dropped)
{
  wanted = 100000;
  run_cable_of("mrc", "100ns", RUN_SETTINGS(THIRTEEN, MRUN_STUBBORN));
  run_write(0, 1, GIGABYTES, 0);
  run_look(OPP_MS, note_occupancy);
  run_look(3 * OPP_MS, note_occupancy);
  run_watch(watch_drops);
  run_until(3700 * OPP_US + 8400 * OPP_US);
  CU_ASSERT(llabs(occupancies[1] - occupancies[0] - 2109800) < 2 * MRUN_FULL);
  CU_ASSERT(first_drop > 3635 * OPP_US && first_drop < 3645 * OPP_US);
  CU_ASSERT_DOUBLE_EQUAL(dropped_percent(), 2.11, 0.1);
  CU_ASSERT_EQUAL(run_nic(1)->class_drops[MRC_CONTROL_CLASS], 0);
  CU_ASSERT_EQUAL(run_peak("h1", "rx0"), 862 * MRUN_FULL); /* MR-11 */
}

/* The window reacts to no loss by a gap: what is dropped is found by gaps, and sent again until it is there. */
SGF_SCENARIO(MR_28_and_MR_45_what_13_lanes_drop_is_recovered_by_gaps_alone)
{
  enum { PACKETS = 20000 };
  mrun_cable_of(RUN_SETTINGS(THIRTEEN, MRUN_STUBBORN, "**.h1.nic.IngressBufferManager.TotalBufferSize=100KB"));
  const size_t write   = run_write(0, 1, (uint64_t)PACKETS * MRUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT(run_written(write) > 0 && run_received(receive) > 0);
  const uint64_t drops                    = run_nic(1)->rx_drops;
  const sgf_mrc_counters_t* sender        = mrun_counters(0);
  const sgf_mrc_counters_t* counted_by_h1 = mrun_counters(1);
  CU_ASSERT(drops > 100);
  CU_ASSERT_EQUAL(sender->retransmissions, drops);
  CU_ASSERT_EQUAL(sender->gap_losses + sender->timeouts, drops);
  CU_ASSERT(sender->timeouts <= 64); /* of those that no 64 packets followed */
  CU_ASSERT_EQUAL(sender->data_sent, PACKETS + drops);
  CU_ASSERT_EQUAL(counted_by_h1->data_received, PACKETS); /* dropped ones are in no counter, and drew no answer */
  CU_ASSERT_EQUAL(counted_by_h1->duplicates, 0);
  CU_ASSERT_EQUAL(counted_by_h1->sacks_sent + counted_by_h1->acks_sent, PACKETS);
  CU_ASSERT_EQUAL(counted_by_h1->nacks_sent, 0);
}

/* What answers the packets that h1 sends takes 0.97 x 94 B of the link for each 4,174 B of data: the cable is faster by
 * as much, 2.18 %, so that data comes every 83.48 ns as if there were no answers. They come within 10 ns and a frame,
 * since generation waits for them. One read request for each write would be 2.1289 B/ns; there are 0.97 for each packet
 * that arrives, and 0.957 writes (as on the bench, see lanes.c). */
SGF_SCENARIO(MR_29_a_NIC_of_13_lanes_that_sends_too_drops_4_26_percent)
{
  wanted = 20000;
  run_cable_at("mrc", "408.7Gbps", "10ns",
               RUN_SETTINGS(THIRTEEN, MRUN_STUBBORN, "**.nic.UplinkNetworkInterface.DataRate=410Gbps"));
  run_write(0, 1, GIGABYTES, 0);
  run_write(1, 0, GIGABYTES, 0);
  run_look(500 * OPP_US, note_occupancy);
  run_look(1500 * OPP_US, note_occupancy);
  run_watch(watch_drops);
  run_until(4 * OPP_MS);
  const double grown = (double)(occupancies[1] - occupancies[0]) / 1e6;
  const double share = dropped_percent();
  const double rate  = (double)sent * 83.48 / ((double)(counted_at - first_drop) / OPP_NS);
  CU_ASSERT(grown > 2.12 && grown < 2.15);
  CU_ASSERT(share >= 4.0 && share <= 4.5);
  CU_ASSERT(rate > 0.96 && rate < 0.98); /* "about 97%" */
}
