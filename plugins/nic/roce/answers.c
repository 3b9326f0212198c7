/* Answers of the receiver: ACKs and NAKs, and the timer of what is held (spec/roce-nic.md 10.5, 5.2). */
#include "nic/roce/roce.h"

/* ---- Room in the transmit pool (5.2) ----------------------------------------------------------------------------- */

/* The pool has room for it: it goes. */
static bool send_reply(nic_t* nic, const roce_end_t* end)
{
  const roce_reply_t* reply = &end->reply;
  if (!nic_reserve(nic, end->control_class, ROCE_ACK_BYTES))
    return false;
  opp_msg_t* msg        = roce_frame(nic, end->src, end->control_class, (roce_type_t)reply->type, ROCE_ACK_BYTES);
  net_frame_t* frame    = net_frame(msg);
  frame->src_port       = end->src_port;
  frame->closing        = reply->completes;
  roce_header_t* header = roce_header(frame);
  header->message       = reply->message;
  header->psn           = reply->psn;
  header->queue_pair    = end->queue_pair;
  header->drawn_by      = reply->drawn_by;
  header->flags         = reply->flags;
  nic_queue(nic, msg);
  return true;
}

static void wait_for_room(roce_replies_t* replies, roce_end_t* end)
{
  end->replies    = true;
  end->next_reply = NULL;
  if (replies->last != NULL)
    replies->last->next_reply = end;
  else
    replies->first = end;
  replies->last = end;
}

/* Whether an ACK tells the sender nothing that the NAK of a gap does not. */
static bool is_covered(const roce_reply_t* ack, const roce_reply_t* nak)
{
  return ack->message < nak->message || (ack->message == nak->message && ack->psn < nak->psn);
}

/* What is to be said instead of one that waits and of one that comes. A gap draws no second NAK from go-back-N, and a
 * packet beyond a gap draws its NAK once: that one may not be forgotten as long as the gap is there. With
 * SelectiveRepeat the highest packet is named, for everything below it is sent again. */
static roce_reply_t merged(const roce_reply_t* waiting, roce_reply_t what)
{
  if (waiting->type != ROCE_NAK)
    return what;
  if (what.type == ROCE_ACK && is_covered(&what, waiting))
    return *waiting;
  const uint32_t expected = what.type == ROCE_ACK ? what.psn + 1 : what.psn;
  if (!(waiting->flags & ROCE_FLAG_SELECTIVE) || waiting->message != what.message || waiting->drawn_by <= expected)
    return what;
  roce_reply_t nak = *waiting;
  nak.psn          = expected;
  if (what.type == ROCE_NAK && what.drawn_by > nak.drawn_by)
    nak.drawn_by = what.drawn_by;
  return nak;
}

/* One that waits already is merged with this one, in its place. */
static void reply(nic_t* nic, roce_end_t* end, roce_reply_t what)
{
  roce_replies_t* replies = &roce_state(nic)->replies[end->control_class];
  end->reply              = end->replies ? merged(&end->reply, what) : what;
  if (end->replies)
    return;
  if (replies->first != NULL || !send_reply(nic, end))
    wait_for_room(replies, end);
}

void roce_release_replies(nic_t* nic, unsigned tc)
{
  roce_replies_t* replies = &roce_state(nic)->replies[tc];
  while (replies->first != NULL && send_reply(nic, replies->first)) {
    roce_end_t* end = replies->first;
    end->replies    = false;
    replies->first  = end->next_reply;
    if (replies->first == NULL)
      replies->last = NULL;
  }
}

/* ---- The timer (10.5, 3) ----------------------------------------------------------------------------------------- */

static void start_timer(nic_t* nic, roce_end_t* end)
{
  end->timer_runs = true;
  nic_timeouts_start(&roce_state(nic)->ack_delays, &end->timed, 0);
}

static void stop_timer(nic_t* nic, roce_end_t* end)
{
  if (end->timer_runs)
    nic_timeouts_stop(&roce_state(nic)->ack_delays, &end->timed);
  end->timer_runs = false;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static void acknowledge(nic_t* nic, roce_end_t* end)
{
  const bool completes = end->acked_message == end->message && roce_end_is_complete(end);
  if (completes && end->answered_at < 0)
    end->answered_at = nic_now(nic);
  reply(nic, end,
        (roce_reply_t){.type = ROCE_ACK, .message = end->acked_message, .psn = end->acked_psn, .completes = completes});
}

/* The expected PSN has not come, and of what has come beyond it SelectiveRepeat names the last. */
static void refuse(nic_t* nic, roce_end_t* end, uint32_t drawn_by)
{
  reply(nic, end,
        (roce_reply_t){.type     = ROCE_NAK,
                       .flags    = end->acks.config->selective ? ROCE_FLAG_SELECTIVE : 0,
                       .message  = end->message,
                       .psn      = end->acks.arrivals.expected,
                       .drawn_by = drawn_by});
}

void roce_answer(nic_t* nic, roce_end_t* end, roce_answer_t answer, uint32_t drawn_by)
{
  switch (answer) {
    case ROCE_HOLD:
      if (!end->timer_runs)
        start_timer(nic, end);
      break;
    case ROCE_SEND_ACK:
      if (end->acks.config->coalesces) { /* from this ACK on, the next that is held waits no longer than AckDelay */
        stop_timer(nic, end);
        start_timer(nic, end);
      }
      acknowledge(nic, end);
      break;
    case ROCE_SEND_NAK:
      refuse(nic, end, drawn_by);
      break;
    case ROCE_NO_ANSWER:
      break;
  }
}

void roce_ack_due(nic_t* nic, unsigned level)
{
  nic_timeouts_t* delays = &roce_state(nic)->ack_delays;
  nic_timed_t* timed;
  while ((timed = nic_timeouts_due(delays, level)) != NULL) {
    roce_end_t* end = (roce_end_t*)(void*)timed;
    stop_timer(nic, end);
    if (roce_acks_expire(&end->acks) == ROCE_SEND_ACK)
      acknowledge(nic, end);
  }
  nic_timeouts_go_on(delays, level);
}
