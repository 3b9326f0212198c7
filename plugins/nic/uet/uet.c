/* The transport as a NIC sees it: attributes, set-up, the table of its functions. */
#include "nic/uet/uet.h"

#include <inttypes.h>
#include <stdlib.h>

#include "attr/alloc.h"

/* ---- Attributes (spec/uet-nic.md 2.5, 2.6) ----------------------------------------------------------------------- */

#define UET_PDS "TransportProcessingLayers/ScalaUETPdsManager/"
#define UET_CC "TransportProcessingLayers/ScalaUETCongestionControl/"
#define UET_SEM "TransportProcessingLayers/SemanticLayer/"

static const sgf_attr_t rows[] = {
    {UET_PDS "TrimmingEnabled", SGF_ATTR_BOOL, offsetof(uet_config_t, trimming_enabled), "false", "",
     "true: first transmissions are marked trimmable; false: no-trim."},
    {UET_PDS "UseDistinctDSCPForRetransmits", SGF_ATTR_BOOL, offsetof(uet_config_t, distinct_dscp_for_retransmits),
     "true", "", "true: retransmissions are marked trimmable-retransmission; false: as first transmissions."},
    {UET_PDS "InitialRetransmitTimeout", SGF_ATTR_TIMEVAL, offsetof(uet_config_t, initial_rto), "150us", "1ns..100s",
     "Retransmission timeout of a first transmission; each retransmission of a packet doubles it."},
    {UET_PDS "MaxExponentialRTOBackoffCount", SGF_ATTR_UINT, offsetof(uet_config_t, max_backoff), "5", "0..15",
     "How often the timeout doubles before it stays."},
    {UET_PDS "FixedRexmitTimeEnable", SGF_ATTR_BOOL, offsetof(uet_config_t, fixed_rto_enable), "false", "",
     "true: every transmission uses FixedRexmitTimeout."},
    {UET_PDS "FixedRexmitTimeout", SGF_ATTR_TIMEVAL, offsetof(uet_config_t, fixed_rto), "150us", "1ns..100s",
     "Retransmission timeout when FixedRexmitTimeEnable is true."},
    {UET_CC "InitialBaseRTT", SGF_ATTR_TIMEVAL, offsetof(uet_config_t, initial_base_rtt), "6us", "1ps..1s",
     "Round trip that sizes the window of a destination: 1.5 x link rate x this."},
    {UET_SEM "RdmaDataMSS", SGF_ATTR_UINT, offsetof(uet_config_t, mss), "4096", "1..65447",
     "Largest payload of a data packet in bytes; the upper bound is that of an IPv4 datagram."},
};

static const sgf_attr_table_t table = {"UET NIC", rows, sizeof rows / sizeof *rows};

static const sgf_attr_section_t sections[] = {
    {&nic_attributes, offsetof(uet_block_t, nic.common)},
    {&sgf_pcie_attributes, offsetof(uet_block_t, nic.pcie)},
    {&net_codepoints_attributes, offsetof(uet_block_t, codepoints)},
    {&table, offsetof(uet_block_t, own)},
};

const sgf_attr_set_t uet_attributes = {"nic", sections, sizeof sections / sizeof *sections, sizeof(uet_block_t)};

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

static const net_codepoints_config_t* codepoints(const void* block)
{
  return &((const uet_block_t*)block)->codepoints;
}

static int64_t largest_payload(const void* block)
{
  return (int64_t)((const uet_block_t*)block)->own.mss;
}

static int64_t largest_frame(const void* block)
{
  return largest_payload(block) + UET_DATA_OVERHEAD;
}

/* The window, 1.5 x link rate x InitialBaseRTT, and the rules C2, C3 and C6 (3.4, 9.2). Congestion control counts whole
 * Gbps (B11). */
static sgf_status_t setup_window(nic_t* nic, sgf_error_t* error)
{
  uet_state_t* state         = uet_state(nic);
  const uet_config_t* config = &state->config;
  const int64_t gbps         = net_port_bps(&nic->port) / 1000000000;
  const int64_t nominal      = (int64_t)config->mss + UET_NOMINAL_OVERHEAD;
  if (gbps < 1)
    return sgf_error_set(error, SGF_RULE, "the link runs at %" PRId64 " bps; a UET NIC needs at least 1 Gbps",
                         net_port_bps(&nic->port));
  /* 1.5 x Gbps x ps / 8,000 bytes; 1 s at 100 Tbps stays below 2^63 */
  state->window = (int64_t)(3 * gbps * config->initial_base_rtt / 16000);
  if (state->window < nominal)
    return sgf_error_set(error, SGF_RULE,
                         "InitialBaseRTT: 1.5 x link rate x InitialBaseRTT is %" PRId64
                         " B, less than one packet of %" PRId64 " B",
                         state->window, nominal);
  if (state->window > UINT32_MAX)
    return sgf_error_set(error, SGF_RULE,
                         "InitialBaseRTT: 1.5 x link rate x InitialBaseRTT is %" PRId64 " B, more than 4,294,967,295 B",
                         state->window);
  return SGF_OK;
}

static sgf_status_t setup(nic_t* nic, const void* block, sgf_error_t* error)
{
  uet_state_t* state = uet_state(nic);
  opp_sim_t* sim     = opp_module_sim(nic->module);
  state->config      = ((const uet_block_t*)block)->own;
  if (net_codepoints_init(&state->codepoints, codepoints(block), error) != SGF_OK)
    return error->status;
  state->lanes      = opp_rate(sgf_pcie_to_host_bps(nic->pcie));
  state->doorbells  = opp_line_new(sim);
  state->held_acks  = opp_line_new(sim);
  state->deliveries = opp_line_new(sim);
  state->groups     = sgf_calloc(nic->host_count, sizeof *state->groups);
  for (unsigned level = 0; level < UET_RTO_LEVELS; level++) {
    state->timer[level]        = opp_timer_new(nic->module, UET_TIMEOUT, NET_PRIORITY_TIMER);
    state->timer[level]->bytes = level;
  }
  return setup_window(nic, error);
}

static void destroy(nic_t* nic)
{
  uet_state_t* state = uet_state(nic);
  if (state == NULL)
    return;
  for (uint32_t i = 0; state->groups != NULL && i < nic->host_count; i++)
    free(state->groups[i]);
  for (uint32_t i = 0; i < state->pdc_count; i++) {
    free(state->pdcs[i]->ring);
    free(state->pdcs[i]);
  }
  for (uint32_t i = 0; i < state->end_count; i++) {
    free(state->ends[i]->arrived);
    free(state->ends[i]);
  }
  for (size_t i = 0; i < state->packet_slab_count; i++)
    free(state->packet_slabs[i]);
  free(state->groups);
  free(state->pdcs);
  free(state->ends);
  free(state->end_table);
  free(state->packet_slabs);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static unsigned receive_class(const nic_t* nic, const net_frame_t* frame)
{
  const net_role_t role = uet_role(nic, frame);
  return role == NET_ROLE_CONTROL || net_role_is_trimmed(role) ? UET_CONTROL_CLASS : UET_DATA_CLASS;
}

static int64_t payload(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - UET_DATA_OVERHEAD;
}

static void timer(nic_t* nic, opp_msg_t* msg)
{
  switch (msg->kind) {
    case UET_DOORBELL:
      opp_msg_delete(msg);
      uet_transmit(nic);
      break;
    case UET_HELD_ACK:
      nic_send_control(nic, msg);
      break;
    case UET_TIMEOUT:
      uet_timeout(nic, msg->bytes);
      break;
    case UET_DELIVERED:
      uet_delivered(nic, msg);
      break;
    case UET_PACED:
      uet_paced(nic, msg);
      break;
    default:
      opp_error(nic->module, "a UET NIC has no timer of kind %d", msg->kind);
  }
}

static int64_t window(const nic_t* nic)
{
  return uet_state(nic)->window;
}

static opp_simtime_t longest_timeout(const nic_t* nic)
{
  unsigned level;
  return uet_rto(&uet_state(nic)->config, UET_RTO_LEVELS, &level);
}

static uint64_t retransmissions(const nic_t* nic)
{
  return uet_state(nic)->retransmissions;
}

const nic_transport_t uet_transport = {
    .name              = "uet",
    .codepoints        = codepoints,
    .attributes        = &uet_attributes,
    .state_size        = sizeof(uet_state_t),
    .setup             = setup,
    .destroy           = destroy,
    .largest_payload   = largest_payload,
    .largest_frame     = largest_frame,
    .post              = uet_post,
    .receive_class     = receive_class,
    .received          = uet_received,
    .payload           = payload,
    .written           = uet_written,
    .serialised        = uet_serialised,
    .room              = uet_room,
    .timer             = timer,
    .closing           = uet_closing,
    .progress_sent     = uet_progress_sent,
    .progress_received = uet_progress_received,
    .window            = window,
    .longest_timeout   = longest_timeout,
    .retransmissions   = retransmissions,
    .waits             = uet_waits,
};
