/* A receiver whose PCIe does not keep up while it sends too, on the bench: data comes back to back, and the answers to
 * what it sends take no room from it (spec/mrc-nic.md 14; MR-29). */
#include "harness.h"
#include "mrc_support.h"

typedef struct flood {
  bench_t* bench;
  uint64_t arrivals;
  uint32_t psn;
} flood_t;

/* Full packets arrive every 83.48 ns. One that is dropped comes again at once. */
static void flood(flood_t* flood, uint64_t count)
{
  bench_t* bench = flood->bench;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t dropped = bench->nic->rx_drops;
    bench_run(bench, (opp_simtime_t)flood->arrivals++ * mrc_wire);
    mrc_packets(bench, flood->psn, 1);
    flood->psn += bench->nic->rx_drops == dropped;
    bench->count = 0; /* the log is not asked for */
  }
}

SGF_TEST(MR_29_a_NIC_of_13_lanes_that_sends_too_drops_4_26_percent)
{
  enum { FILLING = 20000, COUNT = 50000 };
  bench_t* bench = mrc_bench(BENCH_SETTINGS(MRC_UNGATED, "NicPCIeInterface/PhysicalLayer/LaneCount", "13"));
  flood_t state  = {.bench = bench};
  bench->answers = true;
  bench_post(bench, 1, UINT64_C(1) << 32);
  flood(&state, 10000);
  const int64_t before = bench->nic->ingress[0].occupancy;
  flood(&state, 10000);
  const double grown = (double)(bench->nic->ingress[0].occupancy - before) / (10000 * 83.48);
  /* 2.1289 B/ns with one read request for each write; there are 0.97 for each packet that arrives, and 0.957 writes. */
  CU_ASSERT(grown > 2.12 && grown < 2.15);
  flood(&state, FILLING);
  CU_ASSERT(bench->nic->rx_drops > 0);
  const uint64_t dropped = bench->nic->rx_drops;
  const uint64_t sent    = mrc_counted(bench)->data_sent;
  flood(&state, COUNT);
  const double share = 100.0 * (double)(bench->nic->rx_drops - dropped) / COUNT;
  const double rate  = (double)(mrc_counted(bench)->data_sent - sent) / COUNT;
  CU_ASSERT(share >= 4.0 && share <= 4.5);
  CU_ASSERT(rate > 0.96 && rate < 0.98); /* "about 97%" */
  bench_free(bench);
}
