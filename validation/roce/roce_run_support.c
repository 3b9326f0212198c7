/* RoCE NICs in a SimGrid simulation: see roce_run_support.h. */
#include "roce_run_support.h"

#include "harness.h"

/* ---- The log ----------------------------------------------------------------------------------------------------- */

rrun_frame_t rrun_log[RRUN_LOG];
size_t rrun_logged;
run_tap_t rrun_fate;

static uint8_t write_down(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const net_frame_t* frame = net_frame(msg);
  CU_ASSERT_FATAL(rrun_logged < RRUN_LOG);
  rrun_frame_t* entry = &rrun_log[rrun_logged++];
  *entry = (rrun_frame_t){.date = now, .to_host = to_host, .kind = RRUN_PFC, .bytes = msg->bytes, .ecn = frame->ecn};
  if (frame->type == NET_FRAME_PFC) {
    entry->pfc_classes = frame->pfc.classes;
    entry->quanta      = frame->pfc.quanta;
    return RRUN_PFC;
  }
  const roce_header_t* header = roce_header_const(frame);
  entry->kind                 = header->type;
  entry->dscp                 = frame->dscp;
  entry->flags                = header->flags;
  entry->psn                  = header->psn;
  entry->queue_pair           = header->queue_pair;
  entry->message              = header->message;
  return entry->kind;
}

static const run_log_t frames = {"roce", write_down, &rrun_fate};

size_t rrun_count(int kind, bool to_host)
{
  return run_log_count(kind, to_host);
}

const rrun_frame_t* rrun_nth(int kind, bool to_host, size_t n)
{
  const size_t at = run_log_nth(kind, to_host, n);
  return at != SIZE_MAX ? &rrun_log[at] : NULL;
}

opp_simtime_t rrun_date(int kind, bool to_host, size_t n)
{
  const rrun_frame_t* frame = rrun_nth(kind, to_host, n);
  CU_ASSERT_PTR_NOT_NULL_FATAL(frame);
  return frame->date;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

void rrun_cable_of(const char* const* settings)
{
  run_log_cable(&frames, settings);
}

void rrun_rack_of(unsigned hosts, const char* const* settings)
{
  run_log_rack(&frames, hosts, settings);
}

const sgf_roce_counters_t* rrun_counters(unsigned host)
{
  return &roce_state(run_nic(host))->counters;
}

roce_pair_t* rrun_pair(unsigned host, uint32_t number)
{
  roce_pair_t* pair = roce_pair_numbered(run_nic(host), number);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pair);
  return pair;
}

roce_header_t* rrun_data(opp_msg_t* msg)
{
  if (net_frame(msg)->type == NET_FRAME_PFC || roce_header(net_frame(msg))->type != ROCE_DATA)
    return NULL;
  return roce_header(net_frame(msg));
}

void rrun_mark(opp_msg_t* msg)
{
  if (rrun_data(msg) != NULL)
    net_frame(msg)->ecn = NET_ECN_CE;
}

opp_simtime_t rrun_mark_all(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  if (to_host)
    rrun_mark(msg);
  return 0;
}

void rrun_pause(unsigned host, unsigned tc, uint16_t quanta)
{
  pfc_send(&run_nic(host)->pfc, tc, quanta);
}

/* ---- Rates ------------------------------------------------------------------------------------------------------- */

enum { MOST_MARKS = 8, LEAST_PACKETS = 10 };

static opp_simtime_t marks[MOST_MARKS];
static size_t mark_count;
static size_t marked;

void rrun_mark_at(opp_simtime_t date)
{
  CU_ASSERT_FATAL(mark_count < MOST_MARKS);
  marks[mark_count++] = date;
}

opp_simtime_t rrun_mark_some(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  if (to_host && marked < mark_count && now >= marks[marked] && rrun_data(msg) != NULL) {
    rrun_mark(msg);
    marked++;
  }
  return 0;
}

/* What n full packets take, rounded down once. */
static opp_simtime_t packets_at(int64_t n, int64_t bps)
{
  const int64_t whole = 8 * RRUN_FULL * OPP_S / bps;
  const int64_t rest  = 8 * RRUN_FULL * OPP_S % bps;
  return n * whole + n * rest / bps;
}

void rrun_check_rate(opp_simtime_t begin, opp_simtime_t end, double bps)
{
  opp_simtime_t free_at = INT64_MAX; /* h0's wire */
  opp_simtime_t first   = -1;
  int64_t packets       = 0;
  for (size_t i = 0; i < rrun_logged; i++) {
    const rrun_frame_t* frame = &rrun_log[i];
    if (frame->kind != ROCE_DATA || !frame->to_host)
      continue;
    const opp_simtime_t starts = free_at;
    free_at                    = frame->date - rrun_cable;
    if (starts < begin || starts >= end)
      continue;
    if (first < 0)
      first = starts;
    CU_ASSERT_EQUAL(free_at - first, packets_at(++packets, (int64_t)bps));
  }
  CU_ASSERT(packets >= LEAST_PACKETS);
}
