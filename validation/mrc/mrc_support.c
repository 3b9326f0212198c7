/* An MRC NIC on a bench: see mrc_support.h. */
#include "mrc_support.h"

#include "harness.h"

#define LINE INT64_C(400000000000)

/* ---- The peer ---------------------------------------------------------------------------------------------------- */

/* What the hosts that the peer plays have seen, by queue pair. */
typedef struct memory {
  uint32_t seen[BENCH_HOSTS][BENCH_MAX_POST];
} memory_t;

static opp_msg_t* frame_from(bench_t* bench, unsigned host, net_role_t role, mrc_type_t type, int64_t bytes)
{
  opp_msg_t* msg          = bench_frame_from(bench, host, (uint32_t)bytes);
  net_frame_t* frame      = net_frame(msg);
  frame->protocol         = NET_PROTOCOL_UDP;
  frame->src_port         = 300;
  frame->dst_port         = MRC_UDP_PORT;
  frame->dscp             = net_role_dscp(role);
  frame->ecn              = NET_ECN_ECT1;
  mrc_header(frame)->type = (uint8_t)type;
  return msg;
}

static int64_t size_of(mrc_type_t type)
{
  return type == MRC_SACK ? MRC_SACK_BYTES : type == MRC_NACK ? MRC_NACK_BYTES : MRC_ACK_BYTES;
}

static opp_msg_t* answer(bench_t* bench, const bench_frame_t* data, mrc_answer_t what)
{
  const mrc_header_t* received = mrc_header_at(data);
  const mrc_type_t type        = what.type == MRC_DATA ? MRC_SACK : what.type;
  opp_msg_t* msg               = frame_from(bench, bench_host(data->frame.dst), NET_ROLE_CONTROL, type, size_of(type));
  net_frame(msg)->src_port     = data->frame.src_port;
  mrc_header_t* header         = mrc_header(net_frame(msg));
  header->queue_pair           = received->queue_pair;
  header->psn                  = received->psn;
  header->flags                = received->flags & MRC_FLAG_RETRANSMIT;
  if (received->type == MRC_PROBE)
    header->flags |= MRC_FLAG_PROBE;
  if (what.is_marked)
    header->flags |= MRC_FLAG_ECN_ECHO;
  if (type == MRC_NACK) {
    header->reason = (uint8_t)what.reason;
    return msg;
  }
  header->verdict      = (uint8_t)what.verdict;
  header->service_time = what.service_time;
  header->ack.expected = what.expected;
  header->ack.base     = what.base == 0 ? what.expected : what.base;
  header->ack.bitmap   = what.bitmap;
  return msg;
}

static bool hears(bench_t* bench, const bench_frame_t* frame)
{
  const mrc_header_t* header = mrc_header_at(frame);
  memory_t* memory           = bench->memory;
  if (!bench->answers || header->type != MRC_DATA)
    return true;
  uint32_t* seen = &memory->seen[bench_host(frame->frame.dst)][header->queue_pair];
  if (header->psn >= *seen)
    *seen = header->psn + 1;
  bench_send(bench, answer(bench, frame, (mrc_answer_t){.expected = *seen}));
  return true;
}

static int kind(const net_frame_t* frame)
{
  return mrc_header_const(frame)->type;
}

static const bench_transport_t transport = {&mrc_transport, sizeof(memory_t), hears, kind};

bench_t* mrc_bench(const char* const* settings)
{
  return bench_of(&transport, LINE, bench_delay, settings);
}

sgf_status_t mrc_refusal(const char* const* settings, sgf_error_t* error)
{
  return bench_refusal_of(&transport, LINE, settings, error);
}

/* ---- Its state --------------------------------------------------------------------------------------------------- */

mrc_pair_t* mrc_pair_at(const bench_t* bench, unsigned host, uint32_t number)
{
  mrc_pair_t* pair = mrc_pair_find(bench->nic, bench_address(host), number);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pair);
  return pair;
}

int64_t mrc_in_flight(const bench_t* bench, unsigned host)
{
  return mrc_of(bench)->destinations[host]->in_flight;
}

int64_t mrc_reserved(const bench_t* bench)
{
  return bench->nic->egress[0].reserved;
}

/* ---- What happens to the NIC ------------------------------------------------------------------------------------- */

static void send_data(bench_t* bench, mrc_data_t data, int64_t bytes, net_role_t role)
{
  opp_msg_t* msg       = frame_from(bench, data.from == 0 ? 1 : data.from, role, MRC_DATA, bytes);
  mrc_header_t* header = mrc_header(net_frame(msg));
  header->flags        = (uint8_t)((data.is_last ? MRC_FLAG_END : 0) | (data.is_again ? MRC_FLAG_RETRANSMIT : 0) |
                            (data.asks || data.is_last ? MRC_FLAG_ASK : 0));
  header->queue_pair   = data.queue_pair;
  header->psn          = data.psn;
  header->index        = data.index;
  header->data.message = data.message == 0 ? 1 : data.message;
  header->data.bytes   = data.bytes;
  if (data.is_marked)
    net_frame(msg)->ecn = NET_ECN_CE;
  bench_feed(bench, msg);
}

void mrc_data(bench_t* bench, mrc_data_t data)
{
  send_data(bench, data, data.payload + MRC_DATA_OVERHEAD, data.is_again ? NET_ROLE_TRIMMABLE_RTX : NET_ROLE_NO_TRIM);
}

void mrc_packets(bench_t* bench, uint32_t psn, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    mrc_data(bench, (mrc_data_t){.psn = psn + i, .index = psn + i, .payload = MRC_MSS, .bytes = 1 << 30});
}

void mrc_trimmed(bench_t* bench, mrc_data_t data, net_role_t role)
{
  send_data(bench, data, MRC_TRIMMED_IP_BYTES + NET_ETHERNET_BYTES, role);
}

void mrc_probe_from(bench_t* bench, unsigned host)
{
  bench_feed(bench, frame_from(bench, host, NET_ROLE_NO_TRIM, MRC_PROBE, MRC_PROBE_BYTES));
}

void mrc_answer(bench_t* bench, const bench_frame_t* data, mrc_answer_t what)
{
  bench_feed(bench, answer(bench, data, what));
}

void mrc_nack(bench_t* bench, const bench_frame_t* data, mrc_reason_t reason)
{
  mrc_answer(bench, data, (mrc_answer_t){.type = MRC_NACK, .reason = reason});
}

/* ---- What it does ------------------------------------------------------------------------------------------------ */

const bench_frame_t* mrc_data_at(const bench_t* bench, size_t n)
{
  const bench_frame_t* frame = bench_nth(bench, MRC_DATA, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return frame;
}

void mrc_run_to_the_end(bench_t* bench)
{
  while (opp_sim_next_event_time(bench->sim) != OPP_TIME_MAX)
    bench_step(bench);
}
