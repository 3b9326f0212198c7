/* A UET NIC on a bench: see nic_support.h. */
#include "nic_support.h"

#include "harness.h"

/* ---- The peer ---------------------------------------------------------------------------------------------------- */

typedef struct memory {
  uint32_t seen[BENCH_MAX_POST]; /* packets of each message that it has acknowledged, or could have */
  bench_probes_t probes;
} memory_t;

static uet_header_t* header_of(opp_msg_t* msg)
{
  return uet_header(net_frame(msg));
}

static opp_msg_t* frame_from(bench_t* bench, unsigned host, uint32_t bytes, net_role_t role)
{
  opp_msg_t* msg     = bench_frame_from(bench, host, bytes);
  net_frame_t* frame = net_frame(msg);
  frame->protocol    = NET_PROTOCOL_UDP;
  frame->src_port    = 4000;
  frame->dst_port    = UET_UDP_PORT;
  frame->dscp        = net_role_dscp(role);
  frame->ecn         = NET_ECN_ECT1;
  return msg;
}

static uint8_t flags_of(const uet_header_t* received, bench_answer_t what)
{
  unsigned flags = received->flags & UET_FLAG_RETRANSMIT;
  flags |= what.is_of_last_hop ? UET_FLAG_LAST_HOP : 0;
  flags |= what.is_marked ? UET_FLAG_ECN_ECHO : 0;
  flags |= what.restores ? UET_FLAG_RESTORE : 0;
  return (uint8_t)flags;
}

static void answer(bench_t* bench, const bench_frame_t* data, bench_answer_t what)
{
  const uet_header_t* received = bench_header(data);
  opp_msg_t* msg =
      frame_from(bench, bench_host(data->frame.dst), what.is_nack ? UET_NACK_BYTES : UET_ACK_BYTES, NET_ROLE_CONTROL);
  net_frame(msg)->src_port = data->frame.src_port;
  uet_header_t* header     = header_of(msg);
  header->type             = what.is_nack ? UET_NACK : UET_ACK;
  header->flags            = flags_of(received, what);
  header->message          = received->message;
  header->psn              = received->psn;
  header->src_pdc          = UET_FIRST_RECEIVER_PDC;
  header->dst_pdc          = received->src_pdc;
  header->service_time     = what.service_time;
  header->expected         = what.expected;
  header->ack.base         = what.expected;
  header->ack.bitmap       = what.bitmap;
  header->ack.penalty      = what.penalty;
  bench_send(bench, msg);
}

static void acknowledge_at_once(bench_t* bench, const bench_frame_t* data)
{
  const uet_header_t* header = bench_header(data);
  memory_t* memory           = bench->memory;
  uint32_t* seen             = &memory->seen[header->message - 1];
  if (header->psn >= *seen)
    *seen = header->psn + 1;
  if (header->flags & UET_FLAG_AR)
    answer(bench, data, (bench_answer_t){.expected = *seen});
}

static bool hears(bench_t* bench, const bench_frame_t* frame)
{
  if (bench_header(frame)->type == UET_PROBE) {
    memory_t* memory    = bench->memory;
    memory->probes.last = *frame;
    memory->probes.count++;
    return false;
  }
  if (bench->answers && bench_header(frame)->type == UET_DATA)
    acknowledge_at_once(bench, frame);
  return true;
}

static int kind(const net_frame_t* frame)
{
  return uet_header_const(frame)->type;
}

static const bench_transport_t transport = {&uet_transport, sizeof(memory_t), hears, kind};

const bench_probes_t* bench_probes(const bench_t* bench)
{
  return &((const memory_t*)bench->memory)->probes;
}

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

bench_t* bench_on(int64_t bps, opp_simtime_t delay, const char* const* settings)
{
  return bench_of(&transport, bps, delay, settings);
}

bench_t* bench_new(const char* const* settings)
{
  return bench_on(400000000000, bench_delay, settings);
}

sgf_status_t bench_refusal(int64_t bps, const char* const* settings, sgf_error_t* error)
{
  return bench_refusal_of(&transport, bps, settings, error);
}

/* ---- Its state --------------------------------------------------------------------------------------------------- */

uet_state_t* bench_uet(const bench_t* bench)
{
  return uet_state(bench->nic);
}

const uet_group_t* bench_group(const bench_t* bench, unsigned host)
{
  return bench_uet(bench)->groups[host];
}

int64_t bench_in_flight(const bench_t* bench, unsigned host)
{
  const uet_group_t* group = bench_group(bench, host);
  return group != NULL ? group->in_flight : 0;
}

/* ---- What happens to the NIC ------------------------------------------------------------------------------------- */

static void send_data(bench_t* bench, bench_data_t data, uint32_t bytes, net_role_t role)
{
  opp_msg_t* msg       = frame_from(bench, data.from == 0 ? 1 : data.from, bytes, role);
  uet_header_t* header = header_of(msg);
  header->type         = UET_DATA;
  header->flags        = (uint8_t)((data.is_unflagged ? 0 : UET_FLAG_AR) | (data.is_last ? UET_FLAG_END : 0) |
                            (data.is_again ? UET_FLAG_RETRANSMIT : 0));
  header->message      = data.message == 0 ? 1 : data.message;
  header->psn          = data.psn;
  header->src_pdc      = data.pdc == 0 ? 1 : data.pdc;
  if (data.is_marked)
    net_frame(msg)->ecn = NET_ECN_CE;
  header->data.bytes = data.bytes;
  bench_feed(bench, msg);
}

void bench_data(bench_t* bench, bench_data_t data)
{
  send_data(bench, data, (uint32_t)(data.payload + UET_DATA_OVERHEAD),
            data.is_again ? NET_ROLE_TRIMMABLE_RTX : NET_ROLE_NO_TRIM);
}

void bench_trimmed(bench_t* bench, bench_data_t data, net_role_t role)
{
  send_data(bench, data, UET_TRIMMED_IP_BYTES + NET_ETHERNET_BYTES, role);
}

void bench_packet(bench_t* bench, uint32_t psn, int64_t payload)
{
  bench_data(bench, (bench_data_t){.psn = psn, .payload = payload});
}

void bench_packets(bench_t* bench, uint32_t psn, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    bench_packet(bench, psn + i, BENCH_MSS);
}

void bench_ack(bench_t* bench, const bench_frame_t* data, uint32_t expected, uint64_t bitmap)
{
  bench_answer(bench, data, (bench_answer_t){.expected = expected, .bitmap = bitmap});
}

void bench_answer(bench_t* bench, const bench_frame_t* data, bench_answer_t what)
{
  answer(bench, data, what);
  bench_run(bench, bench_now(bench));
}

void bench_probe_from(bench_t* bench, unsigned host)
{
  opp_msg_t* msg          = frame_from(bench, host, UET_PROBE_BYTES, NET_ROLE_CONTROL);
  header_of(msg)->type    = UET_PROBE;
  header_of(msg)->message = 1;
  header_of(msg)->src_pdc = 1;
  bench_feed(bench, msg);
}

void bench_answer_probe(bench_t* bench)
{
  const bench_frame_t* last = &bench_probes(bench)->last;
  const uet_header_t* probe = bench_header(last);
  opp_msg_t* msg            = frame_from(bench, bench_host(last->frame.dst), UET_ACK_BYTES, NET_ROLE_CONTROL);
  *header_of(msg) =
      (uet_header_t){.type = UET_ACK, .flags = UET_FLAG_PROBE, .message = probe->message, .dst_pdc = probe->src_pdc};
  bench_feed(bench, msg);
}

const uet_header_t* bench_header(const bench_frame_t* frame)
{
  return uet_header_const(&frame->frame);
}
