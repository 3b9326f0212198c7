/* spec/roce-nic.md 9 in a simulation: the PCIe link between a RoCE NIC and its host (RO-13, RO-14). */
#include "harness.h"

#include "roce_run_support.h"

#include <sgfabric/stats.h>

static const int64_t gen5 = INT64_C(504320000000);
static const int64_t gen3 = INT64_C(126080000000);

/* What bytes take on a link, rounded down once. */
static opp_simtime_t takes(int64_t bytes, int64_t bps)
{
  return 8 * bytes * (OPP_S / 1000) / (bps / 1000);
}

static sgf_pcie_stats_t pcie(unsigned host, sgf_pcie_end_t end)
{
  return sgf_device_pcie_stats(sgf_fabric_host(sg_fabric_get(), host), end);
}

/* A read request and 4,368 B of answer for each packet at h0, 4,368 B for each at h1. */
SGF_SCENARIO(RO_13_the_default_link_fetches_in_70_84_ns_and_carries_472_9_Gbps_of_payload)
{
  rrun_cable_of(NULL);
  const size_t write   = run_write(0, 1, RRUN_MIB, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(rrun_date(ROCE_DATA, true, 0), rrun_start + 70843 + rrun_wire + rrun_cable);
  CU_ASSERT_EQUAL(pcie(0, SGF_PCIE_NIC).link_bytes, 256 * 98);
  CU_ASSERT_EQUAL(pcie(0, SGF_PCIE_HOST).link_bytes, 256 * 4368);
  CU_ASSERT_EQUAL(pcie(1, SGF_PCIE_NIC).link_bytes, 256 * 4368);
  CU_ASSERT_EQUAL(INT64_C(8) * RRUN_MIB * OPP_S / takes(256 * 4368, gen5) / 100000000, 4729);
  CU_ASSERT_EQUAL(run_received(receive), rrun_arrival(256) + takes(4368, gen5));
  /* 394.4 Gb/s of payload on the wire */
  CU_ASSERT_EQUAL(INT64_C(8) * RRUN_MIB * OPP_S / (256 * rrun_wire) / 100000000, 3944);
}

/* A message to oneself crosses PCIe alone. Its read requests share the direction of its writes, which is never idle. */
SGF_SCENARIO(RO_13_read_requests_and_writes_share_a_direction_at_462_5_Gbps)
{
  enum { PACKETS = 2560 };
  rrun_cable_of(NULL);
  const size_t write   = run_write(0, 0, PACKETS * RRUN_MSS, 0);
  const size_t receive = run_receive(0, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_received(receive), rrun_start + takes(PACKETS * (98 + 4368), gen5));
  CU_ASSERT_EQUAL(INT64_C(8) * RRUN_MSS * OPP_S / takes(98 + 4368, gen5) / 100000000, 4625);
}

/* A transfer begins on a whole picosecond; the specification prints 277.16 ns. */
SGF_SCENARIO(RO_14_a_write_over_PCIe_3_takes_277_157_ns)
{
  rrun_cable_of(RUN_SETTINGS("**.h1.pcie=gen3 x16"));
  const size_t write   = run_write(0, 1, RRUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(takes(4368, gen3), 277157);
  CU_ASSERT_EQUAL(run_received(receive), rrun_arrival(1) + 277157);
}

SGF_SCENARIO(RO_14_PCIe_3_carries_118_2_Gbps_of_payload)
{
  rrun_cable_of(RUN_SETTINGS("**.h1.pcie=gen3 x16"));
  const size_t write   = run_write(0, 1, RRUN_MIB, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_received(receive), rrun_arrival(1) + takes(256 * 4368, gen3));
  CU_ASSERT_EQUAL(INT64_C(8) * RRUN_MIB * OPP_S / (run_received(receive) - rrun_arrival(1)) / 100000000, 1182);
}
