/* The per-packet monitor: its attributes, and packets as it sees them (spec/records.md 10, spec/uet-nic.md 2.8). */
#include <ctype.h>
#include <string.h>

#include "nic/uet/uet.h"

/* ---- Attributes -------------------------------------------------------------------------------------------------- */

#define MONITOR "TransportProcessingLayers/ScalaUETMonitor/"
#define AT(field) offsetof(sgf_uet_monitor_config_t, field)

static const sgf_attr_t rows[] = {
    {MONITOR "EnableUETMonitor", SGF_ATTR_BOOL, AT(enable), "false", "",
     "Write a row of uet-monitor for each UET packet of the PDCs that the filters select."},
    {MONITOR "FilterOnFepId", SGF_ATTR_TEXT, AT(fep_id), "All", "", "All, or the node id of the NIC."},
    {MONITOR "FilterOnLocalIp", SGF_ATTR_TEXT, AT(local_ip), "All", "", "All, or the address of the PDC's end here."},
    {MONITOR "FilterOnRemoteIp", SGF_ATTR_TEXT, AT(remote_ip), "All", "", "All, or the address of its other end."},
    {MONITOR "FilterOnPdc", SGF_ATTR_TEXT, AT(pdc), "All", "",
     "All, or address:id of one end of the PDC, for example 10.0.0.2:32769."},
    {MONITOR "TriggerLoggingOnRttEnable", SGF_ATTR_BOOL, AT(rtt_trigger), "false", "",
     "Select a connection with an RTT sample of at least TriggerLoggingOnRttThreshold."},
    {MONITOR "TriggerLoggingOnRttThreshold", SGF_ATTR_TIMEVAL, AT(rtt_threshold), "100us", "", "Threshold of it."},
    {MONITOR "TriggerLoggingOnCWindPen", SGF_ATTR_BOOL, AT(penalty_trigger), "false", "",
     "Select a connection with a receiver penalty of at least TriggerLoggingOnCWindPenThreshold."},
    {MONITOR "TriggerLoggingOnCWindPenThreshold", SGF_ATTR_UINT, AT(penalty_threshold), "127", "0..127",
     "Threshold of it."},
    {MONITOR "TriggeredLoggingPDCLimit", SGF_ATTR_UINT, AT(trigger_limit), "1", "0..100",
     "Connections that both triggers together may select."},
};

const sgf_attr_table_t uet_monitor_attributes = {"UET monitor", rows, sizeof rows / sizeof *rows};

static sgf_status_t check_filter(const char* name, const char* filter, sgf_error_t* error)
{
  for (const char* c = filter; *c != '\0'; c++)
    if (!isalnum((unsigned char)*c) && strchr(" .:-_", *c) == NULL)
      return sgf_error_set(error, SGF_RULE,
                           "%s is \"%s\": '%c' may not be in a filter, only letters, digits, space and . : - _", name,
                           filter, *c);
  return SGF_OK;
}

sgf_status_t uet_monitor_check(const sgf_uet_monitor_config_t* config, sgf_error_t* error)
{
  if (check_filter("FilterOnFepId", config->fep_id, error) != SGF_OK ||
      check_filter("FilterOnLocalIp", config->local_ip, error) != SGF_OK ||
      check_filter("FilterOnRemoteIp", config->remote_ip, error) != SGF_OK ||
      check_filter("FilterOnPdc", config->pdc, error) != SGF_OK)
    return SGF_RULE;
  return SGF_OK;
}

/* ---- Packets ----------------------------------------------------------------------------------------------------- */

/* A frame has no room for a number of its own: its message, its PSN and its type tell it from others. */
static uint64_t id_of(const uet_header_t* header)
{
  enum { TYPE_BITS = 3, OF_PROBE = 4, PSN_BITS = 28 };
  const uint64_t type = header->type | (header->flags & UET_FLAG_PROBE ? OF_PROBE : 0U);
  return (header->message << PSN_BITS | header->psn) << TYPE_BITS | type;
}

/* Those at the end of what the PDC has taken up: their payload is on its way into the prefetch buffer, or there. */
static int64_t prefetched_of(const nic_t* nic, const uet_pdc_t* pdc)
{
  int64_t bytes = 0;
  for (uint32_t psn = pdc->next_psn; psn-- > pdc->base;) {
    const uet_packet_t* packet = uet_outstanding(pdc, psn);
    if (packet == NULL || packet->state != UET_FETCHED)
      break;
    bytes += uet_nominal(nic, packet) + UET_DATA_OVERHEAD - UET_NOMINAL_OVERHEAD;
  }
  return bytes;
}

static sgf_uet_packet_t packet_of(const nic_t* nic, const net_frame_t* frame, int64_t bytes)
{
  const uet_header_t* header = uet_header_const(frame);
  const bool is_ack          = header->type == UET_ACK;
  return (sgf_uet_packet_t){
      .date           = nic_now(nic),
      .type           = (sgf_uet_type_t)header->type,
      .id             = id_of(header),
      .bytes          = bytes,
      .asks_for_ack   = header->flags & UET_FLAG_AR,
      .echoes         = header->flags & UET_FLAG_ECN_ECHO,
      .is_of_last_hop = header->flags & UET_FLAG_LAST_HOP,
      .entropy        = frame->src_port,
      .rtt            = -1,
      .psn            = header->psn,
      .expected       = is_ack ? header->expected : 0,
      .bitmap_base    = is_ack ? header->ack.base : 0,
      .bitmap         = is_ack ? header->ack.bitmap : 0,
      .penalty        = is_ack ? header->ack.penalty : 0,
      .dscp_type      = net_role_name(uet_role(nic, frame)),
  };
}

/* The end here is the one that sends the messages of the PDC. */
static void add_sender(const nic_t* nic, sgf_uet_packet_t* packet, const uet_header_t* header, uint16_t id)
{
  const uet_pdc_t* pdc    = uet_sending_pdc(nic, id, header->message);
  packet->is_local_sender = true;
  if (pdc == NULL)
    return;
  packet->is_sender_known = true;
  packet->message         = header->message;
  packet->sender          = (sgf_uet_sender_t){.nic_prefetched = uet_state(nic)->prefetched,
                                               .pdc_prefetched = prefetched_of(nic, pdc),
                                               .fetched        = pdc->group->fetched,
                                               .in_flight      = pdc->group->in_flight,
                                               .window         = (int64_t)pdc->group->congestion.window};
  if (packet->type == SGF_UET_DATA)
    packet->penalty = pdc->penalty;
}

void uet_monitor_sent(nic_t* nic, const net_frame_t* frame, int64_t bytes)
{
  const uet_recorder_t* recorder = uet_state(nic)->recorder;
  const uet_header_t* header     = uet_header_const(frame);
  if (recorder->packet == NULL)
    return;
  sgf_uet_packet_t packet = packet_of(nic, frame, bytes);
  packet.direction        = header->type == UET_DATA && header->flags & UET_FLAG_RETRANSMIT ? SGF_UET_RETX : SGF_UET_TX;
  packet.local            = (sgf_pdc_id_t){nic->address, header->src_pdc};
  packet.remote           = (sgf_pdc_id_t){frame->dst, header->dst_pdc};
  if (header->type == UET_DATA || header->type == UET_PROBE)
    add_sender(nic, &packet, header, header->src_pdc);
  else if (header->type == UET_NACK) { /* it does not carry the id of this end */
    const uet_end_t* end = uet_end_find(uet_state(nic), frame->dst, header->dst_pdc);
    packet.local.id      = end != NULL ? end->id : 0;
  }
  recorder->packet(recorder->packet_user, &packet);
}

void uet_monitor_received(nic_t* nic, const net_frame_t* frame, int64_t bytes, opp_simtime_t rtt)
{
  const uet_recorder_t* recorder = uet_state(nic)->recorder;
  const uet_header_t* header     = uet_header_const(frame);
  if (recorder->packet == NULL)
    return;
  sgf_uet_packet_t packet = packet_of(nic, frame, bytes);
  packet.direction        = SGF_UET_RX;
  packet.is_marked        = frame->ecn == NET_ECN_CE;
  packet.rtt              = rtt;
  packet.local            = (sgf_pdc_id_t){nic->address, header->dst_pdc};
  packet.remote           = (sgf_pdc_id_t){frame->src, header->src_pdc};
  if (header->type == UET_ACK || header->type == UET_NACK) {
    const uet_pdc_t* pdc = uet_sending_pdc(nic, header->dst_pdc, header->message);
    add_sender(nic, &packet, header, header->dst_pdc);
    if (pdc != NULL && packet.remote.id == 0)
      packet.remote.id = pdc->peer;
  } else {
    const uet_end_t* end = uet_end_find(uet_state(nic), frame->src, header->src_pdc);
    packet.local.id      = end != NULL ? end->id : 0;
  }
  recorder->packet(recorder->packet_user, &packet);
}
