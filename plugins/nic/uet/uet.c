/* The transport as a NIC sees it: set-up, end, the table of its functions. */
#include "nic/uet/uet.h"

#include <inttypes.h>
#include <stdlib.h>

#include "attr/alloc.h"

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

static const net_codepoints_config_t* codepoints(const void* block)
{
  return &((const uet_block_t*)block)->codepoints;
}

static nic_classes_t classes(const void* block)
{
  const uet_config_t* config = &((const uet_block_t*)block)->own;
  return (nic_classes_t){.data = (uint8_t)config->data_class, .control = (uint8_t)config->control_class};
}

static int64_t largest_payload(const void* block)
{
  return (int64_t)((const uet_block_t*)block)->own.mss;
}

static int64_t largest_frame(const void* block)
{
  return largest_payload(block) + UET_DATA_OVERHEAD;
}

static sgf_status_t check_class(const nic_t* nic, const char* name, unsigned tc, sgf_error_t* error)
{
  if (nic->egress[tc].size > 0 && nic->ingress[tc].size > 0)
    return SGF_OK;
  return sgf_error_set(error, SGF_RULE, "TrafficClasses.%s is %u, which has no pool in the %s buffer", name, tc,
                       nic->egress[tc].size > 0 ? "receive" : "transmit");
}

/* Rules S2 and C1 to C6, and classes with a pool (3.3 to 3.5). */
static sgf_status_t check(nic_t* nic, sgf_error_t* error)
{
  uet_state_t* state         = uet_state(nic);
  const uet_config_t* config = &state->config;
  if (config->prefetch && config->prefetch_bytes < config->mss + UET_DATA_OVERHEAD)
    return sgf_error_set(error, SGF_RULE,
                         "PrefetchBufferSize is %" PRIu64 " B; with RdmaDataMSS %" PRIu64 " a packet takes %" PRIu64
                         " B of it",
                         config->prefetch_bytes, config->mss, config->mss + UET_DATA_OVERHEAD);
  if (check_class(nic, "Data", state->data_class, error) != SGF_OK ||
      check_class(nic, "Control", state->control_class, error) != SGF_OK)
    return error->status;
  return nscc_prepare(&state->congestion, &state->congestion_config, net_port_bps(&nic->port),
                      (int64_t)config->mss + UET_NOMINAL_OVERHEAD, config->trimming_enabled, error);
}

/* P = floor(link rate x InitialBaseRTT / 8 / full packet) (10.5). */
static uint32_t exploration_packets(const uet_state_t* state)
{
  const double bdp = nscc_bandwidth_delay(state->congestion.gbps, state->congestion.initial_base_rtt);
  return (uint32_t)(bdp / state->congestion.nominal);
}

static void setup_timers(nic_t* nic)
{
  uet_state_t* state         = uet_state(nic);
  const uet_config_t* config = &state->config;
  opp_sim_t* sim             = opp_module_sim(nic->module);
  state->doorbells           = opp_line_new(sim);
  state->held_acks           = opp_line_new(sim);
  state->deliveries          = opp_line_new(sim);
  if (config->fixed_rto_enable)
    nic_timeouts_init(&state->timeouts, nic->module, UET_TIMEOUT, config->fixed_rto, 0);
  else
    nic_timeouts_init(&state->timeouts, nic->module, UET_TIMEOUT, config->initial_rto, (unsigned)config->max_backoff);
  uet_watch_setup(nic);
}

static sgf_status_t setup(nic_t* nic, const void* block, sgf_error_t* error)
{
  uet_state_t* state        = uet_state(nic);
  const uet_block_t* config = block;
  state->config             = config->own;
  state->congestion_config  = config->congestion;
  state->spray_config       = config->spray;
  state->data_class         = (unsigned)config->own.data_class;
  state->control_class      = (unsigned)config->own.control_class;
  state->lanes              = opp_rate(sgf_pcie_to_host_bps(nic->pcie));
  state->groups             = sgf_calloc(nic->host_count, sizeof *state->groups);
  if (net_codepoints_init(&state->codepoints, &config->codepoints, error) != SGF_OK || check(nic, error) != SGF_OK ||
      uet_monitor_check(&config->monitor, error) != SGF_OK)
    return error->status;
  state->exploration = exploration_packets(state);
  setup_timers(nic);
  return SGF_OK;
}

static void destroy(nic_t* nic)
{
  uet_state_t* state = uet_state(nic);
  if (state == NULL)
    return;
  for (size_t i = 0; i < state->group_count; i++) {
    spray_free(&state->all_groups[i]->spray);
    free(state->all_groups[i]);
  }
  for (uint32_t i = 0; i < state->pdc_count; i++) {
    free(state->pdcs[i]->ring);
    free(state->pdcs[i]);
  }
  for (uint32_t i = 0; i < state->end_count; i++) {
    nic_arrivals_free(&state->ends[i]->arrivals);
    free(state->ends[i]);
  }
  nic_slabs_free(&state->packets);
  uet_watch_free(state);
  free(state->recorder);
  free(state->groups);
  free(state->all_groups);
  free(state->pdcs);
  free(state->ends);
  free(state->end_table);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static unsigned receive_class(const nic_t* nic, const net_frame_t* frame)
{
  const net_role_t role = uet_role(nic, frame);
  return role == NET_ROLE_CONTROL || net_role_is_trimmed(role) ? uet_state(nic)->control_class
                                                               : uet_state(nic)->data_class;
}

static int64_t payload(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - UET_DATA_OVERHEAD;
}

static uint64_t message_of(const net_frame_t* frame)
{
  return uet_header_const(frame)->type == UET_DATA ? uet_header_const(frame)->message : 0;
}

static void timer(nic_t* nic, opp_msg_t* msg)
{
  switch (msg->kind) {
    case UET_DOORBELL:
      opp_msg_delete(msg);
      uet_transmit(nic);
      break;
    case UET_HELD_ACK:
      uet_release_ack(nic, msg);
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
    case UET_WATCH:
      uet_watch_due(nic);
      break;
    default:
      opp_error(nic->module, "a UET NIC has no timer of kind %d", msg->kind);
  }
}

static int64_t window(const nic_t* nic)
{
  return (int64_t)uet_state(nic)->congestion.max_window;
}

static opp_simtime_t longest_timeout(const nic_t* nic)
{
  unsigned level;
  return uet_rto(&uet_state(nic)->config, NIC_RTO_LEVELS, &level);
}

static uint64_t retransmissions(const nic_t* nic)
{
  return uet_state(nic)->counters.retransmissions;
}

const nic_transport_t uet_transport = {
    .name              = "uet",
    .traits            = {.least_pools        = 2,
                          .least_control_pool = UET_ACK_BYTES,
                          .pause_bytes        = PFC_FRAME_BYTES,
                          .shortest_data      = UET_DATA_OVERHEAD,
                          .shortest_ack       = UET_ACK_BYTES},
    .classes           = classes,
    .codepoints        = codepoints,
    .attributes        = &uet_attributes,
    .state_size        = sizeof(uet_state_t),
    .setup             = setup,
    .destroy           = destroy,
    .largest_payload   = largest_payload,
    .largest_frame     = largest_frame,
    .post              = uet_post,
    .fetched           = uet_fetched,
    .receive_class     = receive_class,
    .received          = uet_received,
    .payload           = payload,
    .message_of        = message_of,
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
    .facts             = uet_facts,
    .waits             = uet_waits,
};
