/* A RoCE NIC on a bench: see roce_support.h. */
#include "roce_support.h"

#include "harness.h"

#define LINE INT64_C(400000000000)

static opp_msg_t* frame_from(bench_t* bench, unsigned host, unsigned tc, roce_type_t type, uint32_t bytes)
{
  opp_msg_t* msg           = bench_frame_from(bench, host, bytes);
  net_frame_t* frame       = net_frame(msg);
  frame->protocol          = NET_PROTOCOL_UDP;
  frame->src_port          = 50000;
  frame->dst_port          = ROCE_UDP_PORT;
  frame->dscp              = roce_dscp(tc);
  roce_header(frame)->type = (uint8_t)type;
  return msg;
}

static opp_msg_t* answer(bench_t* bench, roce_type_t type, uint32_t number, uint64_t message, uint32_t psn)
{
  opp_msg_t* msg        = frame_from(bench, 1, 1, type, type == ROCE_CNP ? ROCE_CNP_BYTES : ROCE_ACK_BYTES);
  roce_header_t* header = roce_header(net_frame(msg));
  header->queue_pair    = number;
  header->message       = message;
  header->psn           = psn;
  return msg;
}

static bool hears(bench_t* bench, const bench_frame_t* frame)
{
  const roce_header_t* header = roce_header_const(&frame->frame);
  if (bench->answers && header->type == ROCE_DATA)
    bench_send(bench, answer(bench, ROCE_ACK, header->queue_pair, header->message, header->psn));
  return true;
}

static int kind(const net_frame_t* frame)
{
  return roce_header_const(frame)->type;
}

static const bench_transport_t transport = {&roce_transport, 0, hears, kind};

bench_t* roce_bench(const char* const* settings)
{
  return bench_of(&transport, LINE, bench_delay, settings);
}

bench_t* roce_bench_on(int64_t bps, const char* const* settings)
{
  return bench_of(&transport, bps, bench_delay, settings);
}

sgf_status_t roce_refusal(const char* const* settings, sgf_error_t* error)
{
  return bench_refusal_of(&transport, LINE, settings, error);
}

void roce_data(bench_t* bench, roce_data_t data)
{
  opp_msg_t* msg =
      frame_from(bench, data.from == 0 ? 1 : data.from, 0, ROCE_DATA, (uint32_t)(data.payload + ROCE_DATA_OVERHEAD));
  net_frame_t* frame    = net_frame(msg);
  frame->ecn            = data.is_marked ? NET_ECN_CE : NET_ECN_ECT0;
  roce_header_t* header = roce_header(frame);
  header->flags         = data.is_last ? ROCE_FLAG_LAST : 0;
  header->message       = data.message == 0 ? 1 : data.message;
  header->psn           = data.psn;
  header->queue_pair    = data.queue_pair;
  header->data.bytes    = data.bytes;
  header->control_class = 1;
  bench_feed(bench, msg);
}

void roce_packets(bench_t* bench, uint32_t psn, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    roce_data(bench, (roce_data_t){.psn = psn + i, .payload = ROCE_MSS});
}

void roce_ack(bench_t* bench, uint32_t number, uint64_t message, uint32_t psn)
{
  bench_feed(bench, answer(bench, ROCE_ACK, number, message, psn));
}

void roce_nak(bench_t* bench, uint32_t number, uint64_t message, uint32_t expected)
{
  bench_feed(bench, answer(bench, ROCE_NAK, number, message, expected));
}

void roce_selective_nak(bench_t* bench, uint32_t number, uint64_t message, uint32_t expected, uint32_t drawn_by)
{
  opp_msg_t* msg        = answer(bench, ROCE_NAK, number, message, expected);
  roce_header_t* header = roce_header(net_frame(msg));
  header->flags         = ROCE_FLAG_SELECTIVE;
  header->drawn_by      = drawn_by;
  bench_feed(bench, msg);
}

void roce_cnp(bench_t* bench, uint32_t number)
{
  bench_feed(bench, answer(bench, ROCE_CNP, number, 0, 0));
}

static void pause_both(bench_t* bench, uint16_t quanta)
{
  opp_msg_t* msg     = bench_frame_from(bench, 1, ROCE_PAUSE_BYTES);
  net_frame_t* frame = net_frame(msg);
  frame->type        = NET_FRAME_PFC;
  frame->pfc.classes = 3;
  frame->pfc.quanta  = quanta;
  bench_feed(bench, msg);
}

void roce_hold_both(bench_t* bench)
{
  pause_both(bench, PFC_MAX_QUANTA);
}

void roce_free_both(bench_t* bench)
{
  pause_both(bench, 0);
}

const roce_header_t* roce_header_at(const bench_t* bench, size_t entry)
{
  CU_ASSERT_FATAL(entry < bench->count);
  return roce_header_const(&bench->log[entry].frame);
}

void roce_run_to_the_end(bench_t* bench)
{
  while (opp_sim_next_event_time(bench->sim) != OPP_TIME_MAX)
    bench_step(bench);
}
