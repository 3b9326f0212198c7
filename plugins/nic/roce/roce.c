/* The transport as a NIC sees it: set-up, end, the table of its functions. */
#include "nic/roce/roce.h"

#include <inttypes.h>
#include <stdlib.h>

#define ROCE_BASE_RTT (6 * OPP_US) /* what BdpCap is derived from: InitialBaseRTT of the UET NIC */

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

static nic_classes_t classes(const void* block)
{
  const roce_config_t* config = &((const roce_block_t*)block)->own;
  return (nic_classes_t){.data = (uint8_t)config->data_class, .control = (uint8_t)config->control_class};
}

static int64_t largest_payload(const void* block)
{
  return ((const roce_block_t*)block)->own.mss;
}

static int64_t largest_frame(const void* block)
{
  return largest_payload(block) + ROCE_DATA_OVERHEAD;
}

/* Rules of 3 that concern the transport alone. */
static sgf_status_t check(const roce_config_t* config, sgf_error_t* error)
{
  const int64_t frame = config->mss + ROCE_DATA_OVERHEAD;
  if (frame < (int64_t)config->mtu)
    return SGF_OK;
  return sgf_error_set(error, SGF_RULE,
                       "ScalaRoceQpManager.MSS: a packet of %" PRId64 " B of payload has %" PRId64
                       " B; it has to be smaller than Mtu, %" PRIu64 " B, which leaves %" PRId64 " B for MSS",
                       config->mss, frame, config->mtu, (int64_t)config->mtu - ROCE_DATA_OVERHEAD - 1);
}

/* Full packets in BdpCap, or in what the line carries in a round trip. */
static uint32_t packets_in_cap(const nic_t* nic, const roce_config_t* config)
{
  const int64_t of_round_trip = net_port_bps(&nic->port) * (ROCE_BASE_RTT / OPP_US) / (8 * (OPP_S / OPP_US));
  const int64_t cap           = config->bdp_cap > 0 ? config->bdp_cap : of_round_trip;
  const int64_t packets       = cap / (config->mss + ROCE_DATA_OVERHEAD);
  return packets < 1 ? 1 : (uint32_t)packets; /* it fits: a size has 32 bits */
}

static void setup_timers(nic_t* nic)
{
  roce_state_t* state         = roce_state(nic);
  const roce_config_t* config = &state->config;
  const bool selective        = config->loss_recovery == ROCE_SELECTIVE_REPEAT;
  opp_sim_t* sim              = opp_module_sim(nic->module);
  state->generate             = opp_timer_new(nic->module, ROCE_GENERATE, NET_PRIORITY_TIMER);
  state->rate_runs            = opp_line_new(sim);
  state->deliveries           = opp_line_new(sim);
  nic_timeouts_init(&state->timeouts, nic->module, ROCE_RTO, selective ? config->rto_high : config->retransmit_timeout,
                    0);
  nic_timeouts_init(&state->low_timeouts, nic->module, ROCE_RTO_LOW, config->rto_low, 0);
  nic_timeouts_init(&state->ack_delays, nic->module, ROCE_ACK_DUE, config->ack_delay, 0);
}

static sgf_status_t setup(nic_t* nic, const void* block, sgf_error_t* error)
{
  roce_state_t* state        = roce_state(nic);
  const roce_block_t* config = block;
  if (check(&config->own, error) != SGF_OK)
    return error->status;
  state->config           = config->own;
  state->classes          = classes(block);
  state->enable_ecn       = config->rate.enable_ecn;
  state->cnp_min_interval = config->rate.cnp_min_interval;
  state->cap              = packets_in_cap(nic, &config->own);
  state->acks_config      = (roce_acks_config_t){.coalesces = config->own.coalesces,
                                                 .threshold = config->own.ack_threshold,
                                                 .selective = config->own.loss_recovery == ROCE_SELECTIVE_REPEAT};
  roce_rate_prepare(&state->rate, &config->rate, net_port_bps(&nic->port));
  setup_timers(nic);
  return SGF_OK;
}

static void destroy(nic_t* nic)
{
  roce_state_t* state = roce_state(nic);
  if (state == NULL)
    return;
  for (uint32_t i = 0; i < state->pair_count; i++)
    roce_pair_free(state->pairs[i]);
  for (uint32_t i = 0; i < state->end_count; i++) {
    roce_acks_free(&state->ends[i]->acks);
    free(state->ends[i]);
  }
  free(state->pairs);
  free(state->pair_table);
  free(state->ends);
  free(state->end_table);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static unsigned receive_class(const nic_t* nic, const net_frame_t* frame)
{
  (void)nic;
  return frame->dscp / ROCE_DSCP_OF_CLASS;
}

static int64_t payload(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - ROCE_DATA_OVERHEAD;
}

static uint64_t message_of(const net_frame_t* frame)
{
  return roce_header_const(frame)->type == ROCE_DATA ? roce_header_const(frame)->message : 0;
}

static void timer(nic_t* nic, opp_msg_t* msg)
{
  roce_state_t* state = roce_state(nic);
  switch (msg->kind) {
    case ROCE_GENERATE:
      roce_generate(nic);
      break;
    case ROCE_RTO:
      roce_timeout(nic, &state->timeouts, msg->bytes);
      break;
    case ROCE_RTO_LOW:
      roce_timeout(nic, &state->low_timeouts, msg->bytes);
      break;
    case ROCE_ACK_DUE:
      roce_ack_due(nic, msg->bytes);
      break;
    case ROCE_RATE_RUN:
      roce_rate_due(nic, msg);
      break;
    case ROCE_PACED:
      roce_paced(nic, msg);
      break;
    case ROCE_DELIVERED:
      roce_delivered(nic, msg);
      break;
    default:
      opp_error(nic->module, "a RoCE NIC has no timer of kind %d", msg->kind);
  }
}

static int64_t window(const nic_t* nic)
{
  const roce_state_t* state = roce_state(nic);
  return state->config.bdp_flow_control ? (int64_t)state->cap * (state->config.mss + ROCE_DATA_OVERHEAD) : 0;
}

static opp_simtime_t longer(opp_simtime_t a, opp_simtime_t b)
{
  return a > b ? a : b;
}

/* That a full packet lasts long at the lowest rate is no stall either. */
static opp_simtime_t longest_timeout(const nic_t* nic)
{
  const roce_state_t* state   = roce_state(nic);
  const opp_rate_t floor      = opp_rate((int64_t)state->rate.floor);
  const opp_simtime_t packet  = opp_rate_duration(floor, 8 * (state->config.mss + ROCE_DATA_OVERHEAD));
  const opp_simtime_t timeout = longer(state->timeouts.initial, packet);
  return state->acks_config.selective ? longer(timeout, state->low_timeouts.initial) : timeout;
}

static const char* holds(const nic_t* nic)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (roce_state(nic)->replies[tc].first != NULL)
      return "an ACK or NAK waits for room in its transmit pool";
  return NULL;
}

static uint64_t retransmissions(const nic_t* nic)
{
  return roce_state(nic)->resent;
}

const nic_transport_t roce_transport = {
    .name              = "roce",
    .traits            = {.least_pools         = 1,
                          .weightless_classes  = true,
                          .pause_bytes         = ROCE_PAUSE_BYTES,
                          .has_queue_pairs     = true,
                          .has_message_classes = true,
                          .shortest_data       = ROCE_DATA_OVERHEAD,
                          .shortest_ack        = ROCE_ACK_BYTES},
    .attributes        = &roce_attributes,
    .state_size        = sizeof(roce_state_t),
    .setup             = setup,
    .destroy           = destroy,
    .classes           = classes,
    .largest_payload   = largest_payload,
    .largest_frame     = largest_frame,
    .post              = roce_post,
    .fetched           = roce_fetched,
    .receive_class     = receive_class,
    .received          = roce_received,
    .payload           = payload,
    .message_of        = message_of,
    .written           = roce_written,
    .starting          = roce_starting,
    .serialised        = roce_serialised,
    .room              = roce_room,
    .timer             = timer,
    .closing           = roce_closing,
    .progress_sent     = roce_progress_sent,
    .progress_received = roce_progress_received,
    .window            = window,
    .longest_timeout   = longest_timeout,
    .retransmissions   = retransmissions,
    .holds             = holds,
    .facts             = roce_facts,
    .waits             = roce_waits,
};
