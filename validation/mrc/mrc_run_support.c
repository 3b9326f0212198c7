/* MRC NICs in a SimGrid simulation: see mrc_run_support.h. */
#include "mrc_run_support.h"

#include "fabric/fabric_internal.h"
#include "harness.h"

#include <sgfabric/stats.h>
#include <simgrid/host.h>

/* ---- The log ----------------------------------------------------------------------------------------------------- */

mrun_frame_t mrun_log[MRUN_LOG];
size_t mrun_logged;
run_tap_t mrun_fate;

static uint8_t write_down(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const net_frame_t* frame = net_frame(msg);
  CU_ASSERT_FATAL(mrun_logged < MRUN_LOG);
  mrun_frame_t* entry = &mrun_log[mrun_logged++];
  *entry              = (mrun_frame_t){.date = now, .to_host = to_host, .kind = MRUN_PFC, .bytes = msg->bytes};
  if (frame->type == NET_FRAME_PFC)
    return MRUN_PFC;
  entry->header  = *mrc_header_const(frame);
  entry->kind    = entry->header.type;
  entry->dscp    = frame->dscp;
  entry->entropy = frame->src_port;
  return entry->kind;
}

static const run_log_t frames = {"mrc", write_down, &mrun_fate};

size_t mrun_count(int kind, bool to_host)
{
  return run_log_count(kind, to_host);
}

const mrun_frame_t* mrun_nth(int kind, bool to_host, size_t n)
{
  const size_t at = run_log_nth(kind, to_host, n);
  CU_ASSERT_FATAL(at != SIZE_MAX);
  return &mrun_log[at];
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

void mrun_cable_of(const char* const* settings)
{
  run_log_cable(&frames, settings);
}

void mrun_rack_of(unsigned hosts, const char* const* settings)
{
  run_log_rack(&frames, hosts, settings);
}

const sgf_mrc_counters_t* mrun_counters(unsigned host)
{
  return &mrc_state(run_nic(host))->counters;
}

mrc_pair_t* mrun_pair(unsigned host, unsigned to, uint32_t number)
{
  mrc_pair_t* pair = mrc_pair_find(run_nic(host), run_nic(to)->address, number);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pair);
  return pair;
}

double mrun_window(unsigned host, unsigned to)
{
  return mrun_pair(host, to, 0)->destination->congestion.window;
}

uint32_t mrun_generated(void)
{
  return mrun_pair(0, 1, 0)->next_psn;
}

static int64_t link_bytes(unsigned host, sgf_pcie_end_t end)
{
  return (int64_t)sgf_device_pcie_stats(sgf_fabric_host(sg_fabric_get(), host), end).link_bytes;
}

int64_t mrun_to_host_bytes(unsigned host)
{
  return link_bytes(host, SGF_PCIE_NIC);
}

int64_t mrun_to_nic_bytes(unsigned host)
{
  return link_bytes(host, SGF_PCIE_HOST);
}

/* ---- Taps -------------------------------------------------------------------------------------------------------- */

mrc_header_t* mrun_data(opp_msg_t* msg)
{
  net_frame_t* frame = net_frame(msg);
  if (frame->type == NET_FRAME_PFC || mrc_header(frame)->type != MRC_DATA)
    return NULL;
  return net_role_is_trimmed(net_role_of_dscp(frame->dscp)) ? NULL : mrc_header(frame);
}

bool mrun_is_answer(opp_msg_t* msg)
{
  return net_frame(msg)->type != NET_FRAME_PFC && mrc_header(net_frame(msg))->type >= MRC_ACK;
}

void mrun_trim(opp_msg_t* msg, net_role_t role)
{
  msg->bytes           = net_frame(msg)->header_bytes + NET_ETHERNET_BYTES;
  net_frame(msg)->dscp = net_role_dscp(role);
}

opp_simtime_t mrun_lose_answers(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  (void)to_host;
  return mrun_is_answer(msg) ? RUN_LOST : 0;
}

opp_simtime_t mrun_release;

opp_simtime_t mrun_hold_data(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  return to_host && mrun_data(msg) != NULL && now < mrun_release ? mrun_release - now : 0;
}

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

void mrun_post(unsigned count, uint64_t bytes, uint32_t queue_pair)
{
  for (unsigned i = 0; i < count; i++) {
    sgf_op_t* write = sgf_rdma_write_async(sg_host_by_name("h1"), bytes, 1000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(write);
    CU_ASSERT_EQUAL(sgf_op_set_queue_pair(write, queue_pair, NULL), SGF_OK);
    sgf_op_unref(write);
  }
}
