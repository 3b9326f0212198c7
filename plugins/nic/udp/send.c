/* Sending: messages take turns, one datagram each; a message is complete when its last datagram has left. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/udp/udp.h"

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

static void push(udp_turns_t* turns, udp_sending_t* sending)
{
  sending->ready = true;
  sending->next  = NULL;
  if (turns->last != NULL)
    turns->last->next = sending;
  else
    turns->first = sending;
  turns->last = sending;
}

static void pop(udp_turns_t* turns)
{
  turns->first->ready = false;
  turns->first        = turns->first->next;
  if (turns->first == NULL)
    turns->last = NULL;
}

/* ---- Datagrams --------------------------------------------------------------------------------------------------- */

static opp_msg_t* datagram_new(nic_t* nic, const udp_sending_t* sending, int64_t payload, uint32_t bytes)
{
  const nic_message_t* message = sending->message;
  opp_msg_t* msg               = opp_frame_new(nic->module, 0, bytes);
  net_frame_t* frame           = net_frame(msg);
  frame->src                   = nic->address;
  frame->dst                   = message->dst;
  frame->src_port              = (uint16_t)message->number; /* one path for a message, where paths are by flow */
  frame->dst_port              = UDP_PORT;
  frame->protocol              = NET_PROTOCOL_UDP;
  frame->dscp                  = (uint8_t)(8 * sending->tc);
  frame->ecn                   = udp_state(nic)->config.ecn ? NET_ECN_ECT0 : NET_ECN_NOT_ECT;
  frame->tc                    = sending->tc;
  *udp_header(frame)           = (udp_header_t){.message = message->number,
                                                .bytes   = message->bytes,
                                                .tag     = message->tag,
                                                .slot    = sending->slot,
                                                .payload = (uint32_t)payload,
                                                .index   = sending->generated};
  return msg;
}

static void pace(nic_t* nic, udp_sending_t* sending, int64_t payload)
{
  opp_msg_t* timer = opp_timer_new(nic->module, UDP_PACED, NET_PRIORITY_TIMER);
  timer->bytes     = sending->slot;
  opp_schedule_at(nic->module, nic_pace_next(&sending->pace, nic_now(nic), payload), timer);
}

/* False: there is no room for the datagram. */
static bool generate_one(nic_t* nic, udp_sending_t* sending)
{
  const udp_config_t* config = &udp_state(nic)->config;
  const int64_t payload      = nic_packet_payload(sending->message->bytes, config->mss, sending->generated);
  const int64_t wire         = payload + (int64_t)config->header_bytes;
  if (!nic_reserve(nic, sending->tc, wire))
    return false;
  opp_msg_t* msg = datagram_new(nic, sending, payload, (uint32_t)wire);
  sending->generated++;
  nic_fetch(nic, msg, payload);
  if (sending->generated == sending->packet_count)
    nic->owner.sent(nic->owner.user, sending->message);
  else if (sending->generated == sending->pace.eligible)
    pace(nic, sending, payload);
  return true;
}

/* As far as there is room: nothing smaller goes past the datagram whose turn it is. */
static void generate(nic_t* nic, unsigned tc)
{
  udp_state_t* state = udp_state(nic);
  udp_turns_t* turns = &state->turns[tc];
  while (turns->first != NULL && generate_one(nic, turns->first)) {
    udp_sending_t* sending = turns->first;
    pop(turns);
    if (sending->generated < sending->pace.eligible)
      push(turns, sending);
  }
}

void udp_room(nic_t* nic, unsigned tc)
{
  generate(nic, tc);
}

/* Those of one instant take turns from their first datagrams on. */
void udp_doorbell(nic_t* nic)
{
  udp_state_t* state = udp_state(nic);
  while (state->posted.first != NULL && state->posted.first->rings_at <= nic_now(nic)) {
    udp_sending_t* sending = state->posted.first;
    pop(&state->posted);
    push(&state->turns[sending->tc], sending);
  }
  for (unsigned tc = NET_CLASSES; tc-- > 0;)
    generate(nic, tc);
}

void udp_paced(nic_t* nic, opp_msg_t* msg)
{
  udp_state_t* state     = udp_state(nic);
  udp_sending_t* sending = state->sendings[msg->bytes]; /* lives still: its last datagram is not generated */
  opp_msg_delete(msg);
  nic_pace_pass(&sending->pace, nic, sending->serialised == sending->generated);
  push(&state->turns[sending->tc], sending);
  generate(nic, sending->tc);
}

void udp_fetched(nic_t* nic, opp_msg_t* msg)
{
  nic_queue(nic, msg);
}

/* ---- SendRate ---------------------------------------------------------------------------------------------------- */

void udp_set_send_rate(nic_t* nic, int64_t bps)
{
  const bool is_limit  = bps > 0 && bps < net_port_bps(&nic->port);
  udp_state(nic)->send = (opp_transmitter_t){0};
  if (is_limit)
    udp_state(nic)->send.rate = opp_rate(bps);
}

/* Remainders are carried from frame to frame as long as the port is not idle between them. */
opp_simtime_t udp_starting(nic_t* nic, opp_msg_t* msg)
{
  opp_transmitter_t* send = &udp_state(nic)->send;
  const opp_simtime_t now = nic_now(nic);
  return send->rate.bps == 0 ? 0 : opp_transmit(send, now, 8 * (int64_t)msg->bytes) - now;
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static udp_sending_t* free_sending(udp_state_t* state)
{
  udp_sending_t* sending = state->free;
  if (sending != NULL) {
    state->free = sending->next;
    return sending;
  }
  sending         = sgf_calloc(1, sizeof *sending);
  sending->slot   = state->sending_count;
  state->sendings = sgf_realloc(state->sendings, state->sending_count + 1, sizeof(udp_sending_t*));
  state->sendings[state->sending_count++] = sending;
  return sending;
}

void udp_post(nic_t* nic, nic_message_t* message)
{
  udp_state_t* state         = udp_state(nic);
  const udp_config_t* config = &state->config;
  const uint64_t packets     = nic_packet_count(message->bytes, config->mss);
  if (packets > UINT32_MAX) {
    opp_error(nic->module, "a message of %llu bytes has more datagrams than a NIC can count",
              (unsigned long long)message->bytes);
    return;
  }
  udp_sending_t* sending = free_sending(state);
  *sending               = (udp_sending_t){.message = message, .slot = sending->slot};
  sending->packet_count  = (uint32_t)packets;
  sending->unsent_bytes  = (int64_t)(message->bytes + packets * config->header_bytes);
  sending->tc            = message->has_classes ? message->classes.data : (uint8_t)config->traffic_class;
  sending->rings_at      = nic_now(nic) + UDP_DOORBELL_DELAY;
  message->sending       = sending;
  nic_pace_begin(&sending->pace, nic, message, sending->packet_count);
  push(&state->posted, sending);
  opp_schedule_on_line(nic->module, state->doorbells, sending->rings_at,
                       opp_timer_new(nic->module, UDP_DOORBELL, NET_PRIORITY_TIMER));
}

void udp_serialised(nic_t* nic, opp_msg_t* msg)
{
  udp_state_t* state     = udp_state(nic);
  udp_sending_t* sending = state->sendings[udp_header(net_frame(msg))->slot];
  nic_message_t* message = sending->message;
  ++*nic->owner.progress;
  sending->serialised++;
  sending->unsent_bytes -= msg->bytes;
  if (sending->serialised < sending->packet_count)
    return;
  sending->next    = state->free;
  state->free      = sending;
  message->sending = NULL;
  nic->owner.acknowledged(nic->owner.user, message);
}

void udp_sendings_free(udp_state_t* state)
{
  for (uint32_t i = 0; i < state->sending_count; i++)
    free(state->sendings[i]);
  free(state->sendings);
}
