/* Messages: each opens a PDC, and closes it when every packet is acknowledged (spec/uet-nic.md 8.1, 8.2, 8.13). */
#include "attr/alloc.h"
#include "nic/uet/uet.h"

static uet_pdc_t* free_pdc(uet_state_t* state)
{
  uet_pdc_t* pdc = state->free_pdcs;
  if (pdc != NULL) {
    state->free_pdcs = pdc->next;
    return pdc;
  }
  if (state->pdc_count == UET_MAX_SENDER_PDCS)
    return NULL;
  pdc                             = sgf_calloc(1, sizeof *pdc);
  pdc->ring_size                  = 128; /* a window of 450,000 B is 107 packets */
  pdc->ring                       = sgf_calloc(pdc->ring_size, sizeof(uet_packet_t*));
  state->pdcs                     = sgf_realloc(state->pdcs, state->pdc_count + 1, sizeof(uet_pdc_t*));
  state->pdcs[state->pdc_count++] = pdc;
  pdc->id                         = (uint16_t)state->pdc_count;
  return pdc;
}

static uint16_t local_port(const uet_pdc_t* pdc)
{
  return (uint16_t)(UET_FIRST_LOCAL_PORT + (pdc->id - 1) % UET_LOCAL_PORTS);
}

static void open_pdc(nic_t* nic, uet_pdc_t* pdc, nic_message_t* message)
{
  const uint64_t mss     = uet_state(nic)->config.mss;
  const uint64_t packets = nic_packet_count(message->bytes, mss);
  if (packets > UINT32_MAX / 2) {
    opp_error(nic->module, "a message of %llu bytes has more packets than a PDC has sequence numbers",
              (unsigned long long)message->bytes);
    return;
  }
  uet_packet_t** ring = pdc->ring;
  *pdc                = (uet_pdc_t){.message = message, .id = pdc->id, .ring = ring, .ring_size = pdc->ring_size};
  pdc->packet_count   = (uint32_t)packets;
  pdc->probe_sent_at  = -1;
  pdc->unsent_bytes   = (int64_t)(message->bytes + packets * UET_DATA_OVERHEAD);
  pdc->group          = uet_group_join(nic, message->dst, local_port(pdc));
  message->sending    = pdc;
  if (uet_state(nic)->recorder != NULL) {
    uet_record_sender_event(nic, SGF_PDC_CREATED, pdc);
    uet_record_sender_event(nic, SGF_WQE_CREATED, pdc);
  }
  nic_pace_begin(&pdc->pace, nic, message, pdc->packet_count);
  uet_make_ready(nic, pdc, false);
  opp_schedule_on_line(nic->module, uet_state(nic)->doorbells, nic_now(nic) + UET_DOORBELL_DELAY,
                       opp_timer_new(nic->module, UET_DOORBELL, NET_PRIORITY_TIMER));
}

void uet_post(nic_t* nic, nic_message_t* message)
{
  uet_state_t* state = uet_state(nic);
  uet_pdc_t* pdc     = free_pdc(state);
  state->counters.messages_posted++;
  if (pdc != NULL) {
    open_pdc(nic, pdc, message);
    return;
  }
  message->next = NULL;
  if (state->waiting_first != NULL)
    state->waiting_last->next = message;
  else
    state->waiting_first = message;
  state->waiting_last = message;
}

void uet_close(nic_t* nic, uet_pdc_t* pdc)
{
  uet_state_t* state     = uet_state(nic);
  nic_message_t* message = pdc->message;
  uet_rotation_remove(pdc->group, pdc);
  uet_group_leave(nic, pdc->group);
  state->counters.messages_acknowledged++;
  if (state->recorder != NULL) {
    uet_record_sender_event(nic, SGF_WQE_COMPLETE, pdc);
    uet_record_sender_event(nic, SGF_PDC_TERMINATED, pdc);
  }
  message->sending    = NULL;
  pdc->message        = NULL;
  nic_message_t* next = state->waiting_first;
  if (next != NULL) {
    state->waiting_first = next->next;
    open_pdc(nic, pdc, next);
  } else {
    pdc->next        = state->free_pdcs;
    state->free_pdcs = pdc;
  }
  nic->owner.acknowledged(nic->owner.user, message);
}

uet_pdc_t* uet_sending_pdc(const nic_t* nic, uint16_t id, uint64_t message)
{
  const uet_state_t* state = uet_state(nic);
  if (id == 0 || id > state->pdc_count)
    return NULL;
  uet_pdc_t* pdc = state->pdcs[id - 1];
  return pdc->message != NULL && pdc->message->number == message ? pdc : NULL;
}
