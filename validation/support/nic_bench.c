/* A NIC of any transport on a bench: see nic_bench.h. */
#include "support/nic_bench.h"

#include "harness.h"

#include <stdlib.h>

enum { FIRST_HOST = 0x0a000001 };

/* ---- The peer ---------------------------------------------------------------------------------------------------- */

static void peer_handles(opp_module_t* self, opp_msg_t* msg)
{
  bench_t* bench                = *(bench_t**)opp_module_state(self);
  const bench_frame_t frame     = {opp_now(self), msg->bytes, *net_frame(msg)};
  const bench_transport_t* with = bench->transport;
  opp_msg_delete(msg);
  if (frame.frame.type != NET_FRAME_PFC && with->hears != NULL && !with->hears(bench, &frame))
    return;
  CU_ASSERT_FATAL(bench->count < BENCH_MAX_LOG);
  bench->log[bench->count++] = frame;
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
  CU_ASSERT_FATAL(bench->deliveries < BENCH_MAX_LOG);
  bench->delivered[bench->deliveries++] = (bench_delivery_t){*delivery, bench_now(bench)};
}

static void count_warning(void* user, const char* text)
{
  bench_t* bench = user;
  CU_ASSERT(text[0] != '\0');
  bench->warnings++;
}

/* The configuration block of such a NIC; the caller frees it. */
static void* configure(const sgf_attr_set_t* attributes, const char* const* settings)
{
  void* block = calloc(1, attributes->block_size);
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(attributes, block, NULL), SGF_OK);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(attributes, block, settings[0], settings[1], NULL), SGF_OK);
  return block;
}

static opp_module_t* connect_peer(bench_t* bench, int64_t bps, opp_simtime_t delay)
{
  opp_module_t* nic_module                  = opp_module_new(bench->sim, NULL, "nic", -1, &nic_module_type);
  bench->peer                               = opp_module_new(bench->sim, NULL, "peer", -1, &peer_type);
  *(bench_t**)opp_module_state(bench->peer) = bench;
  opp_gate_add(nic_module, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_add(bench->peer, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_connect(opp_gate(nic_module, "port$o", 0), opp_gate(bench->peer, "port$i", 0),
                   opp_channel_datarate(bench->sim, bps, delay));
  opp_gate_connect(opp_gate(bench->peer, "port$o", 0), opp_gate(nic_module, "port$i", 0),
                   opp_channel_datarate(bench->sim, bps, delay));
  return nic_module;
}

static bench_t* assemble(const bench_transport_t* transport, int64_t bps, opp_simtime_t delay,
                         const char* const* settings, sgf_error_t* error)
{
  bench_t* bench           = calloc(1, sizeof *bench);
  bench->transport         = transport;
  bench->log               = calloc(BENCH_MAX_LOG, sizeof *bench->log);
  bench->delivered         = calloc(BENCH_MAX_LOG, sizeof *bench->delivered);
  bench->memory            = transport->peer_size > 0 ? calloc(1, transport->peer_size) : NULL;
  bench->sim               = opp_sim_new(1);
  opp_module_t* nic_module = connect_peer(bench, bps, delay);
  void* block              = configure(transport->nic->attributes, settings);

  const nic_owner_t owner = {bench, sent, acknowledged, delivered, &bench->progress};
  nic_setup(nic_module, transport->nic, block, FIRST_HOST, FIRST_HOST, BENCH_HOSTS, owner, count_warning, bench, error);
  bench->nic = nic_of(nic_module);
  free(block);
  return bench;
}

bench_t* bench_of(const bench_transport_t* transport, int64_t bps, opp_simtime_t delay, const char* const* settings)
{
  sgf_error_t error = {0};
  bench_t* bench    = assemble(transport, bps, delay, settings, &error);
  CU_ASSERT_EQUAL_FATAL(error.status, SGF_OK);
  CU_ASSERT_EQUAL_FATAL(opp_sim_initialize(bench->sim), SGF_OK);
  return bench;
}

sgf_status_t bench_refusal_of(const bench_transport_t* transport, int64_t bps, const char* const* settings,
                              sgf_error_t* error)
{
  bench_t* bench = assemble(transport, bps, bench_delay, settings, error);
  bench_free(bench);
  return error->status;
}

void bench_free(bench_t* bench)
{
  CU_ASSERT_EQUAL(opp_sim_error(bench->sim)->status, SGF_OK);
  opp_sim_free(bench->sim);
  for (size_t i = 0; i < bench->post_count; i++)
    free(bench->posted[i]);
  free(bench->delivered);
  free(bench->memory);
  free(bench->log);
  free(bench);
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

opp_simtime_t bench_now(const bench_t* bench)
{
  return opp_sim_clock(bench->sim);
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

uint32_t bench_address(unsigned host)
{
  return FIRST_HOST + host;
}

unsigned bench_host(uint32_t address)
{
  return address - FIRST_HOST;
}

size_t bench_post(bench_t* bench, unsigned dst, uint64_t bytes)
{
  return bench_post_at(bench, dst, bytes, 0);
}

size_t bench_post_at(bench_t* bench, unsigned dst, uint64_t bytes, int64_t bps)
{
  return bench_post_as(bench, dst, (nic_message_t){.bytes = bytes, .rate_bps = bps});
}

size_t bench_post_as(bench_t* bench, unsigned dst, nic_message_t message)
{
  CU_ASSERT_FATAL(bench->post_count < BENCH_MAX_POST);
  const size_t place            = bench->post_count++;
  message.number                = place + 1;
  message.dst                   = bench_address(dst);
  bench->posted[place]          = calloc(1, sizeof message);
  *bench->posted[place]         = message;
  bench->acknowledged_at[place] = -1;
  bench->sent_at[place]         = -1;
  bench->transport->nic->post(bench->nic, bench->posted[place]);
  return place;
}

opp_msg_t* bench_frame_from(bench_t* bench, unsigned host, uint32_t bytes)
{
  opp_msg_t* msg      = opp_frame_new(bench->peer, 0, bytes);
  net_frame(msg)->src = bench_address(host);
  net_frame(msg)->dst = bench_address(0);
  return msg;
}

void bench_send(bench_t* bench, opp_msg_t* msg)
{
  opp_send_direct(bench->peer, msg, opp_gate(bench->nic->module, "port$i", 0));
}

void bench_feed(bench_t* bench, opp_msg_t* msg)
{
  bench_send(bench, msg);
  bench_run(bench, bench_now(bench));
}

void bench_pause(bench_t* bench, unsigned tc, uint16_t quanta)
{
  opp_msg_t* msg     = opp_frame_new(bench->peer, 0, bench->transport->nic->traits.pause_bytes);
  net_frame_t* frame = net_frame(msg);
  frame->type        = NET_FRAME_PFC;
  frame->pfc.classes = (uint8_t)(1U << tc);
  frame->pfc.quanta  = quanta;
  bench_feed(bench, msg);
}

/* ---- What it does ------------------------------------------------------------------------------------------------ */

static bool is_of_kind(const bench_t* bench, const bench_frame_t* frame, int kind)
{
  if (frame->frame.type == NET_FRAME_PFC)
    return kind == BENCH_PFC_FRAMES;
  return kind == bench->transport->kind(&frame->frame);
}

size_t bench_count(const bench_t* bench, int kind, size_t first)
{
  size_t count = 0;
  for (size_t i = first; i < bench->count; i++)
    count += is_of_kind(bench, &bench->log[i], kind);
  return count;
}

const bench_frame_t* bench_nth(const bench_t* bench, int kind, size_t n)
{
  for (size_t i = 0; i < bench->count; i++)
    if (is_of_kind(bench, &bench->log[i], kind) && n-- == 0)
      return &bench->log[i];
  return NULL;
}

const bench_delivery_t* bench_delivery(const bench_t* bench)
{
  CU_ASSERT_FATAL(bench->deliveries > 0);
  return &bench->delivered[bench->deliveries - 1];
}
