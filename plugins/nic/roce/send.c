/* Sending: the ready queue, generation, and what becomes of fetched payload (spec/roce-nic.md 5.2, 10.1 to 10.3). */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/roce/roce.h"
#include "nic/segments.h"

/* ---- The ready queue (10.1) -------------------------------------------------------------------------------------- */

static void queue_append(roce_state_t* state, roce_pair_t* pair)
{
  pair->ready    = true;
  pair->next     = NULL;
  pair->previous = state->ready_last;
  if (state->ready_last != NULL)
    state->ready_last->next = pair;
  else
    state->ready_first = pair;
  state->ready_last = pair;
}

static void queue_remove(roce_state_t* state, roce_pair_t* pair)
{
  pair->ready = false;
  if (pair->previous != NULL)
    pair->previous->next = pair->next;
  else
    state->ready_first = pair->next;
  if (pair->next != NULL)
    pair->next->previous = pair->previous;
  else
    state->ready_last = pair->previous;
}

/* Packets that may have been fetched: what its own rate and flow control allow. */
static uint32_t limit_of(const roce_state_t* state, const roce_pair_t* pair)
{
  const uint32_t window = pair->window.base + state->cap;
  if (state->config.bdp_flow_control && window < pair->pace.eligible)
    return window;
  return pair->pace.eligible;
}

static bool has_more(const roce_state_t* state, roce_pair_t* pair)
{
  return pair->message != NULL && roce_window_has_more(&pair->window, limit_of(state, pair));
}

static void start_generation(nic_t* nic)
{
  roce_state(nic)->stopped = false;
  opp_reschedule_after(nic->module, ROCE_GENERATION_START, roce_state(nic)->generate);
}

void roce_make_ready(nic_t* nic, roce_pair_t* pair)
{
  roce_state_t* state  = roce_state(nic);
  const bool was_empty = state->ready_first == NULL;
  if (pair->ready || !has_more(state, pair))
    return;
  queue_append(state, pair);
  if (was_empty)
    start_generation(nic);
}

void roce_unready(nic_t* nic, roce_pair_t* pair)
{
  if (pair->ready)
    queue_remove(roce_state(nic), pair);
}

/* ---- Generation (5.2, 10.1) -------------------------------------------------------------------------------------- */

opp_msg_t* roce_frame(nic_t* nic, uint32_t dst, unsigned tc, roce_type_t type, uint32_t bytes)
{
  opp_msg_t* msg           = opp_frame_new(nic->module, 0, bytes);
  net_frame_t* frame       = net_frame(msg);
  frame->src               = nic->address;
  frame->dst               = dst;
  frame->dst_port          = ROCE_UDP_PORT;
  frame->protocol          = NET_PROTOCOL_UDP;
  frame->dscp              = roce_dscp(tc);
  frame->ecn               = NET_ECN_NOT_ECT;
  frame->tc                = (uint8_t)tc;
  roce_header(frame)->type = (uint8_t)type;
  return msg;
}

static opp_msg_t* data_frame(nic_t* nic, const roce_pair_t* pair, uint32_t psn, int64_t payload)
{
  opp_msg_t* msg = roce_frame(nic, pair->dst, pair->classes.data, ROCE_DATA, (uint32_t)(payload + ROCE_DATA_OVERHEAD));
  net_frame_t* frame    = net_frame(msg);
  frame->src_port       = (uint16_t)(ROCE_FIRST_PORT + pair->number % ROCE_PORTS);
  frame->ecn            = roce_state(nic)->enable_ecn ? NET_ECN_ECT0 : NET_ECN_NOT_ECT;
  roce_header_t* header = roce_header(frame);
  header->message       = pair->message->number;
  header->psn           = psn;
  header->queue_pair    = pair->number;
  header->data.bytes    = pair->message->bytes;
  header->data.tag      = pair->message->tag;
  header->epoch         = pair->window.epoch;
  header->control_class = pair->classes.control;
  if (psn + 1 == pair->window.packets)
    header->flags |= ROCE_FLAG_LAST;
  return msg;
}

/* The rate of a message counts from the date at which its packet could have been generated, had there been no start of
 * generation to wait for: else the rate would never be reached. */
static void pace(nic_t* nic, roce_pair_t* pair, int64_t payload)
{
  const opp_simtime_t now  = nic_now(nic);
  const opp_simtime_t next = nic_pace_next(&pair->pace, roce_pace_now(nic), payload);
  if (next <= now) { /* the pair stays ready: another start of generation would cost more than the rate allows */
    nic_pace_pass(&pair->pace, nic, false);
    return;
  }
  opp_msg_t* timer = opp_timer_new(nic->module, ROCE_PACED, NET_PRIORITY_TIMER);
  timer->bytes     = pair->number;
  roce_state(nic)->pacing++;
  opp_schedule_at(nic->module, next, timer);
}

/* The packet is fetched for the first time. */
static void count_generated(nic_t* nic, roce_pair_t* pair, int64_t payload)
{
  pair->generated++;
  if (pair->generated == pair->window.packets)
    nic->owner.sent(nic->owner.user, pair->message);
  else if (pair->generated == pair->pace.eligible)
    pace(nic, pair, payload);
}

/* Fetch the next segment of a pair. False: the transmit pool of its class has no room. */
static bool fetch_segment(nic_t* nic, roce_pair_t* pair)
{
  const uint32_t psn    = roce_window_psn(&pair->window);
  const int64_t payload = nic_packet_payload(pair->message->bytes, (uint64_t)roce_state(nic)->config.mss, psn);
  if (!nic_reserve(nic, pair->classes.data, payload + ROCE_DATA_OVERHEAD))
    return false;
  opp_msg_t* msg = data_frame(nic, pair, psn, payload);
  roce_window_take(&pair->window);
  if (psn == pair->generated)
    count_generated(nic, pair, payload);
  nic_fetch(nic, msg, payload);
  return true;
}

/* One segment of each pair in turn, in no time, until nothing is left or does not fit. */
void roce_generate(nic_t* nic)
{
  roce_state_t* state = roce_state(nic);
  roce_pair_t* pair;
  while ((pair = state->ready_first) != NULL) {
    if (has_more(state, pair) && !fetch_segment(nic, pair)) {
      state->stopped    = true;
      state->stopped_by = pair->classes.data;
      return;
    }
    queue_remove(state, pair);
    if (has_more(state, pair))
      queue_append(state, pair);
  }
}

void roce_room(nic_t* nic, unsigned tc)
{
  const roce_state_t* state     = roce_state(nic);
  const nic_egress_pool_t* pool = &nic->egress[tc];
  roce_release_replies(nic, tc);
  if (state->stopped && tc == state->stopped_by && 2 * pool->reserved <= pool->size)
    start_generation(nic);
}

void roce_paced(nic_t* nic, opp_msg_t* msg)
{
  roce_pair_t* pair = roce_pair_numbered(nic, msg->bytes);
  opp_msg_delete(msg);
  roce_state(nic)->pacing--;
  nic_pace_pass(&pair->pace, nic, pair->window.base == pair->generated);
  roce_make_ready(nic, pair);
}

/* ---- Fetched payload (10.3, 10.6) -------------------------------------------------------------------------------- */

static void sent_grow(roce_pair_t* pair)
{
  const roce_window_t* window = &pair->window;
  roce_sent_t* old            = pair->sent;
  const uint32_t old_size     = pair->sent_size;
  pair->sent_size             = 2 * old_size;
  pair->sent                  = sgf_calloc(pair->sent_size, sizeof *pair->sent);
  for (uint32_t psn = window->base; psn != window->used; psn++)
    *roce_sent_of(pair, psn) = old[psn & (old_size - 1)];
  free(old);
}

/* Take note of a packet that has its PSN. `used`: PSNs that had been used before. */
static void note_sent(nic_t* nic, roce_pair_t* pair, uint32_t psn, uint32_t used)
{
  if (psn < used) {
    roce_sent_of(pair, psn)->again = true;
    pair->resent++;
    roce_state(nic)->resent++;
    return;
  }
  *roce_sent_of(pair, psn) = (roce_sent_t){.at = -1};
}

/* What was fetched in vain gives its reservation back as if it had left. */
static void discard(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame       = net_frame(msg);
  roce_header(frame)->type = ROCE_DISCARDED;
  roce_state(nic)->counters.payload_discards++;
  net_frame_tag(frame, frame->tc, msg->bytes);
  nic_leave(nic, msg);
  opp_msg_delete(msg);
}

void roce_fetched(nic_t* nic, opp_msg_t* msg)
{
  const roce_header_t* header = roce_header(net_frame(msg));
  const uint32_t psn          = header->psn;
  roce_pair_t* pair           = roce_pair_sending(nic, header->queue_pair, header->message);
  if (pair != NULL && pair->window.used - pair->window.base == pair->sent_size)
    sent_grow(pair);
  const uint32_t used = pair != NULL ? pair->window.used : 0;
  if (pair == NULL || !roce_window_give(&pair->window, psn, header->epoch)) {
    discard(nic, msg);
    return;
  }
  note_sent(nic, pair, psn, used);
  roce_note_outstanding(nic, pair);
  nic_queue(nic, msg);
}

/* ---- The port ---------------------------------------------------------------------------------------------------- */

static void data_serialised(nic_t* nic, const opp_msg_t* msg, const roce_header_t* header)
{
  roce_pair_t* pair = roce_pair_sending(nic, header->queue_pair, header->message);
  if (pair == NULL || header->psn < pair->window.base)
    return;
  roce_sent_t* sent = roce_sent_of(pair, header->psn);
  if (sent->at < 0)
    pair->unsent_bytes -= msg->bytes;
  sent->at = nic_now(nic);
}

void roce_serialised(nic_t* nic, opp_msg_t* msg)
{
  sgf_roce_counters_t* counters = &roce_state(nic)->counters;
  const roce_header_t* header   = roce_header(net_frame(msg));
  switch ((roce_type_t)header->type) {
    case ROCE_DATA:
      counters->data_sent++;
      data_serialised(nic, msg, header);
      break;
    case ROCE_ACK:
      counters->acks_sent++;
      break;
    case ROCE_NAK:
      counters->naks_sent++;
      counters->selective_sent += (header->flags & ROCE_FLAG_SELECTIVE) != 0;
      break;
    case ROCE_CNP:
      counters->cnps_sent++;
      break;
    case ROCE_DISCARDED:
      break;
  }
}
