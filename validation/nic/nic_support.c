#include "nic_support.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_HOST = 0x0a000001 };

/* ---- The peer ---------------------------------------------------------------------------------------------------- */

static uet_header_t* header_of(opp_msg_t* msg)
{
  return uet_header(net_frame(msg));
}

static opp_msg_t* frame_from(bench_t* bench, unsigned host, uint32_t bytes, net_role_t role)
{
  opp_msg_t* msg     = opp_frame_new(bench->peer, 0, bytes);
  net_frame_t* frame = net_frame(msg);
  frame->src         = FIRST_HOST + host;
  frame->dst         = FIRST_HOST;
  frame->protocol    = NET_PROTOCOL_UDP;
  frame->src_port    = 4000;
  frame->dst_port    = UET_UDP_PORT;
  frame->dscp        = net_role_dscp(role);
  frame->ecn         = NET_ECN_ECT1;
  return msg;
}

static void arrive(bench_t* bench, opp_msg_t* msg)
{
  opp_send_direct(bench->peer, msg, opp_gate(bench->nic->module, "port$i", 0));
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
      frame_from(bench, data->frame.dst - FIRST_HOST, what.is_nack ? UET_NACK_BYTES : UET_ACK_BYTES, NET_ROLE_CONTROL);
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
  arrive(bench, msg);
}

static void acknowledge_at_once(bench_t* bench, const bench_frame_t* data)
{
  const uet_header_t* header = bench_header(data);
  uint32_t* seen             = &bench->seen[header->message - 1];
  if (header->psn >= *seen)
    *seen = header->psn + 1;
  if (header->flags & UET_FLAG_AR)
    answer(bench, data, (bench_answer_t){.expected = *seen});
}

static void peer_handles(opp_module_t* self, opp_msg_t* msg)
{
  bench_t* bench = *(bench_t**)opp_module_state(self);
  if (net_frame(msg)->type != NET_FRAME_PFC && uet_header(net_frame(msg))->type == UET_PROBE) {
    bench->probes++;
    bench->probe = (bench_frame_t){opp_now(self), msg->bytes, *net_frame(msg)};
    opp_msg_delete(msg);
    return;
  }
  CU_ASSERT_FATAL(bench->count < BENCH_MAX_LOG);
  bench_frame_t* entry = &bench->log[bench->count++];
  *entry               = (bench_frame_t){opp_now(self), msg->bytes, *net_frame(msg)};
  opp_msg_delete(msg);
  if (bench->answers && entry->frame.type != NET_FRAME_PFC && bench_header(entry)->type == UET_DATA)
    acknowledge_at_once(bench, entry);
}

static const opp_module_type_t peer_type = {
    .name = "peer", .state_size = sizeof(bench_t*), .handle_message = peer_handles};

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

static void sent(void* user, nic_message_t* message)
{
  bench_t* bench                      = user;
  bench->sent_at[message->number - 1] = bench_now(bench);
}

static void acknowledged(void* user, nic_message_t* message)
{
  bench_t* bench                              = user;
  bench->acknowledged_at[message->number - 1] = bench_now(bench);
}

static void delivered(void* user, nic_t* nic, const nic_delivery_t* delivery)
{
  bench_t* bench = user;
  CU_ASSERT_PTR_EQUAL(nic, bench->nic);
  bench->deliveries++;
  bench->delivery     = *delivery;
  bench->delivered_at = bench_now(bench);
}

static void count_warning(void* user, const char* text)
{
  bench_t* bench = user;
  CU_ASSERT(text[0] != '\0');
  bench->warnings++;
}

static bench_t* assemble(int64_t bps, opp_simtime_t delay, const char* const* settings, sgf_error_t* error)
{
  uet_block_t block = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&uet_attributes, &block, NULL), SGF_OK);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&uet_attributes, &block, settings[0], settings[1], NULL), SGF_OK);

  bench_t* bench                            = calloc(1, sizeof *bench);
  bench->log                                = calloc(BENCH_MAX_LOG, sizeof *bench->log);
  bench->sim                                = opp_sim_new(1);
  opp_module_t* nic_module                  = opp_module_new(bench->sim, NULL, "nic", -1, &nic_module_type);
  bench->peer                               = opp_module_new(bench->sim, NULL, "peer", -1, &peer_type);
  *(bench_t**)opp_module_state(bench->peer) = bench;
  opp_gate_add(nic_module, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_add(bench->peer, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_connect(opp_gate(nic_module, "port$o", 0), opp_gate(bench->peer, "port$i", 0),
                   opp_channel_datarate(bench->sim, bps, delay));
  opp_gate_connect(opp_gate(bench->peer, "port$o", 0), opp_gate(nic_module, "port$i", 0),
                   opp_channel_datarate(bench->sim, bps, delay));

  const nic_owner_t owner = {bench, sent, acknowledged, delivered, &bench->progress};
  nic_setup(nic_module, &uet_transport, &block, FIRST_HOST, FIRST_HOST, BENCH_HOSTS, owner, count_warning, bench,
            error);
  bench->nic = nic_of(nic_module);
  bench->uet = uet_state(bench->nic);
  return bench;
}

bench_t* bench_on(int64_t bps, opp_simtime_t delay, const char* const* settings)
{
  sgf_error_t error = {0};
  bench_t* bench    = assemble(bps, delay, settings, &error);
  CU_ASSERT_EQUAL_FATAL(error.status, SGF_OK);
  CU_ASSERT_EQUAL_FATAL(opp_sim_initialize(bench->sim), SGF_OK);
  return bench;
}

bench_t* bench_new(const char* const* settings)
{
  return bench_on(400000000000, bench_delay, settings);
}

sgf_status_t bench_refusal(int64_t bps, const char* const* settings, sgf_error_t* error)
{
  bench_t* bench = assemble(bps, bench_delay, settings, error);
  bench_free(bench);
  return error->status;
}

void bench_free(bench_t* bench)
{
  CU_ASSERT_EQUAL(opp_sim_error(bench->sim)->status, SGF_OK);
  opp_sim_free(bench->sim);
  for (size_t i = 0; i < bench->post_count; i++)
    free(bench->posted[i]);
  free(bench->log);
  free(bench);
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

opp_simtime_t bench_now(const bench_t* bench)
{
  return opp_sim_clock(bench->sim);
}

const uet_group_t* bench_group(const bench_t* bench, unsigned host)
{
  return bench->uet->groups[host];
}

int64_t bench_in_flight(const bench_t* bench, unsigned host)
{
  const uet_group_t* group = bench_group(bench, host);
  return group != NULL ? group->in_flight : 0;
}

void bench_run(bench_t* bench, opp_simtime_t date)
{
  CU_ASSERT_NOT_EQUAL_FATAL(opp_sim_run(bench->sim, date), OPP_RUN_ERROR);
}

void bench_step(bench_t* bench)
{
  bench_run(bench, opp_sim_next_event_time(bench->sim));
}

/* ---- What happens to the NIC ------------------------------------------------------------------------------------- */

size_t bench_post(bench_t* bench, unsigned dst, uint64_t bytes)
{
  return bench_post_at(bench, dst, bytes, 0);
}

size_t bench_post_at(bench_t* bench, unsigned dst, uint64_t bytes, int64_t bps)
{
  CU_ASSERT_FATAL(bench->post_count < BENCH_MAX_POST);
  const size_t place     = bench->post_count++;
  nic_message_t* message = calloc(1, sizeof *message);
  *message             = (nic_message_t){.number = place + 1, .bytes = bytes, .rate_bps = bps, .dst = FIRST_HOST + dst};
  bench->posted[place] = message;
  bench->acknowledged_at[place] = -1;
  bench->sent_at[place]         = -1;
  uet_post(bench->nic, message);
  return place;
}

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
  arrive(bench, msg);
  bench_run(bench, bench_now(bench));
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
  arrive(bench, msg);
  bench_run(bench, bench_now(bench));
}

void bench_answer_probe(bench_t* bench)
{
  const uet_header_t* probe = bench_header(&bench->probe);
  opp_msg_t* msg            = frame_from(bench, bench->probe.frame.dst - FIRST_HOST, UET_ACK_BYTES, NET_ROLE_CONTROL);
  *header_of(msg) =
      (uet_header_t){.type = UET_ACK, .flags = UET_FLAG_PROBE, .message = probe->message, .dst_pdc = probe->src_pdc};
  arrive(bench, msg);
  bench_run(bench, bench_now(bench));
}

void bench_pause(bench_t* bench, unsigned tc, uint16_t quanta)
{
  opp_msg_t* msg     = opp_frame_new(bench->peer, 0, PFC_FRAME_BYTES);
  net_frame_t* frame = net_frame(msg);
  frame->type        = NET_FRAME_PFC;
  frame->pfc.classes = (uint8_t)(1U << tc);
  frame->pfc.quanta  = quanta;
  arrive(bench, msg);
  bench_run(bench, bench_now(bench));
}

/* ---- What it sends ----------------------------------------------------------------------------------------------- */

const uet_header_t* bench_header(const bench_frame_t* frame)
{
  return (const uet_header_t*)(const void*)frame->frame.transport;
}

static bool is_of_kind(const bench_frame_t* frame, int kind)
{
  if (frame->frame.type == NET_FRAME_PFC)
    return kind == BENCH_PFC_FRAMES;
  return kind == bench_header(frame)->type;
}

size_t bench_count(const bench_t* bench, int kind, size_t first)
{
  size_t count = 0;
  for (size_t i = first; i < bench->count; i++)
    count += is_of_kind(&bench->log[i], kind);
  return count;
}

const bench_frame_t* bench_nth(const bench_t* bench, int kind, size_t n)
{
  for (size_t i = 0; i < bench->count; i++)
    if (is_of_kind(&bench->log[i], kind) && n-- == 0)
      return &bench->log[i];
  return NULL;
}
