/* The receiving end of a queue pair: see acks.h. */
#include "nic/roce/acks.h"

void roce_acks_init(roce_acks_t* acks, const roce_acks_config_t* config)
{
  *acks = (roce_acks_t){.config = config};
  nic_arrivals_init(&acks->arrivals);
}

void roce_acks_free(roce_acks_t* acks)
{
  nic_arrivals_free(&acks->arrivals);
}

void roce_acks_next_message(roce_acks_t* acks)
{
  nic_arrivals_restart(&acks->arrivals);
  acks->nak_sent = false;
}

static roce_arrival_t beyond_gap(roce_acks_t* acks, uint32_t psn)
{
  const bool first = !acks->nak_sent;
  acks->nak_sent   = true;
  if (acks->config->selective && !nic_arrivals_mark(&acks->arrivals, psn))
    return ROCE_KEPT_ALREADY;
  return first ? ROCE_GAP : ROCE_BEHIND_GAP;
}

roce_arrival_t roce_acks_arrival(roce_acks_t* acks, uint32_t psn)
{
  if (psn < acks->arrivals.expected)
    return ROCE_DUPLICATE;
  if (psn > acks->arrivals.expected)
    return beyond_gap(acks, psn);
  nic_arrivals_mark(&acks->arrivals, psn);
  acks->nak_sent = false;
  return ROCE_IN_ORDER;
}

static roce_answer_t send_ack(roce_acks_t* acks)
{
  acks->held = 0;
  return ROCE_SEND_ACK;
}

roce_answer_t roce_acks_count(roce_acks_t* acks, bool urgent)
{
  if (!acks->config->coalesces || urgent || acks->held >= acks->config->threshold)
    return send_ack(acks);
  acks->held++;
  return ROCE_HOLD;
}

roce_answer_t roce_acks_refuse(roce_acks_t* acks, roce_arrival_t arrival)
{
  if (arrival != ROCE_GAP && !acks->config->selective)
    return ROCE_NO_ANSWER;
  acks->held = 0;
  return ROCE_SEND_NAK;
}

roce_answer_t roce_acks_expire(roce_acks_t* acks)
{
  return acks->held > 0 ? send_ack(acks) : ROCE_NO_ANSWER;
}
