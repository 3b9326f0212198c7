/* The transport as a NIC sees it: set-up, end, the table of its functions. */
#include "nic/mrc/mrc.h"

#include <inttypes.h>
#include <stdlib.h>

#include "attr/alloc.h"

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

static const net_codepoints_config_t* codepoints(const void* block)
{
  return &((const mrc_block_t*)block)->codepoints;
}

static nic_classes_t classes(const void* block)
{
  (void)block;
  return (nic_classes_t){.data = MRC_DATA_CLASS, .control = MRC_CONTROL_CLASS};
}

static int64_t largest_payload(const void* block)
{
  return ((const mrc_block_t*)block)->own.mss;
}

static int64_t overhead(const mrc_config_t* config)
{
  return MRC_DATA_OVERHEAD + (config->timestamp_mode == MRC_WIRE_TIMESTAMP ? MRC_TIMESTAMP_BYTES : 0);
}

static int64_t largest_frame(const void* block)
{
  return largest_payload(block) + overhead(&((const mrc_block_t*)block)->own);
}

/* ---- Rules (3) --------------------------------------------------------------------------------------------------- */

static sgf_status_t check_pool(const char* manager, const char* class_name, int64_t size, int64_t least,
                               sgf_error_t* error)
{
  if (size >= least)
    return SGF_OK;
  return sgf_error_set(error, SGF_RULE,
                       "%s.TotalBufferSize leaves %" PRId64 " B to the %s class; its largest packet takes %" PRId64
                       " B",
                       manager, size, class_name, least);
}

static sgf_status_t check_pools(const nic_t* nic, int64_t frame, sgf_error_t* error)
{
  if (check_pool("EgressBufferManager", "data", nic->egress[MRC_DATA_CLASS].size, frame, error) != SGF_OK ||
      check_pool("EgressBufferManager", "control", nic->egress[MRC_CONTROL_CLASS].size, MRC_SACK_BYTES, error) !=
          SGF_OK ||
      check_pool("IngressBufferManager", "data", nic->ingress[MRC_DATA_CLASS].size, frame, error) != SGF_OK ||
      check_pool("IngressBufferManager", "control", nic->ingress[MRC_CONTROL_CLASS].size, MRC_SACK_BYTES, error) !=
          SGF_OK)
    return error->status;
  return SGF_OK;
}

static sgf_status_t check(nic_t* nic, sgf_error_t* error)
{
  mrc_state_t* state         = mrc_state(nic);
  const mrc_config_t* config = &state->config;
  const int64_t frame        = config->mss + state->overhead;
  if (frame >= config->mtu)
    return sgf_error_set(error, SGF_RULE,
                         "MSS is %" PRId64 " B; with %" PRId64 " B of headers it has to stay below Mtu, %" PRId64 " B",
                         config->mss, state->overhead, config->mtu);
  if (config->first_entropy_value + config->entropy_values > UINT16_MAX + 1)
    return sgf_error_set(error, SGF_RULE,
                         "FirstEntropyValue is %" PRIu64 ": %" PRIu64 " values from there on go beyond port 65535",
                         config->first_entropy_value, config->entropy_values);
  if (check_pools(nic, frame, error) != SGF_OK)
    return error->status;
  return nscc_prepare(&state->congestion, &state->congestion_config, net_port_bps(&nic->port),
                      frame - NET_ETHERNET_BYTES, config->trimming_enabled, error);
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static void setup_timers(nic_t* nic)
{
  mrc_state_t* state = mrc_state(nic);
  opp_sim_t* sim     = opp_module_sim(nic->module);
  state->retries     = opp_line_new(sim);
  state->deliveries  = opp_line_new(sim);
  state->doorbell    = opp_timer_new(nic->module, MRC_DOORBELL, NET_PRIORITY_TIMER);
  nic_timeouts_init(&state->timeouts, nic->module, MRC_TIMEOUT, state->config.initial_rto,
                    (unsigned)state->config.max_backoff);
}

static sgf_status_t setup(nic_t* nic, const void* block, sgf_error_t* error)
{
  mrc_state_t* state        = mrc_state(nic);
  const mrc_block_t* config = block;
  state->config             = config->own;
  state->congestion_config  = config->congestion;
  state->overhead           = overhead(&config->own);
  state->destinations       = sgf_calloc(nic->host_count, sizeof(mrc_destination_t*));
  if (net_codepoints_init(&state->codepoints, &config->codepoints, error) != SGF_OK || check(nic, error) != SGF_OK)
    return error->status;
  setup_timers(nic);
  return SGF_OK;
}

static void destroy(nic_t* nic)
{
  mrc_state_t* state = mrc_state(nic);
  if (state == NULL)
    return;
  mrc_pairs_free(state);
  mrc_ends_free(state);
  nic_slabs_free(&state->outgoing);
  nic_slabs_free(&state->packets);
  for (uint32_t i = 0; state->destinations != NULL && i < nic->host_count; i++)
    free(state->destinations[i]);
  free(state->destinations);
  free(state->due);
  free(state->recorder);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static unsigned receive_class(const nic_t* nic, const net_frame_t* frame)
{
  const net_role_t role = mrc_role(nic, frame);
  return role == NET_ROLE_CONTROL || net_role_is_trimmed(role) ? MRC_CONTROL_CLASS : MRC_DATA_CLASS;
}

static int64_t payload(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - mrc_overhead(mrc_header_const(net_frame((opp_msg_t*)msg)));
}

static uint64_t message_of(const net_frame_t* frame)
{
  return mrc_header_const(frame)->type == MRC_DATA ? mrc_header_const(frame)->data.message : 0;
}

/* Which release it was decides whether generation goes on: mrc_serialised has seen it (5.3). */
static void room(nic_t* nic, unsigned tc)
{
  (void)nic;
  (void)tc;
}

static void timer(nic_t* nic, opp_msg_t* msg)
{
  switch (msg->kind) {
    case MRC_DOORBELL:
      mrc_generate(nic);
      break;
    case MRC_RETRY:
      mrc_retry_due(nic, msg);
      break;
    case MRC_TIMEOUT:
      mrc_timeout(nic, msg->bytes);
      break;
    case MRC_DELIVERED:
      mrc_delivered(nic, msg);
      break;
    case MRC_PACED:
      mrc_paced(nic, msg);
      break;
    case MRC_PROBE_DUE:
      mrc_probe_due(nic, msg);
      break;
    default:
      opp_error(nic->module, "an MRC NIC has no timer of kind %d", msg->kind);
  }
}

static int64_t window(const nic_t* nic)
{
  return (int64_t)mrc_state(nic)->congestion.max_window;
}

static opp_simtime_t longest_timeout(const nic_t* nic)
{
  const mrc_config_t* config = &mrc_state(nic)->config;
  unsigned level;
  return nic_rto(config->initial_rto, (unsigned)config->max_backoff, NIC_RTO_LEVELS, &level);
}

static uint64_t retransmissions(const nic_t* nic)
{
  return mrc_state(nic)->counters.retransmissions;
}

sgf_mrc_counters_t mrc_counters(const nic_t* nic)
{
  const mrc_state_t* state    = mrc_state(nic);
  sgf_mrc_counters_t counters = state->counters;
  for (uint32_t i = 0; i < nic->host_count; i++)
    if (state->destinations[i] != NULL)
      counters.quick_adapts += state->destinations[i]->congestion.quick_adapts;
  return counters;
}

const nic_transport_t mrc_transport = {
    .name              = "mrc",
    .traits            = {.charges_ethernet = true,
                          .smallest_charge  = 64,
                          .fixed_pools      = true,
                          .pause_bytes      = PFC_FRAME_BYTES, /* it sends none */
                          .ignores_pauses   = true,
                          .has_queue_pairs  = true,
                          .shortest_data    = MRC_DATA_OVERHEAD,
                          .shortest_ack     = MRC_ACK_BYTES},
    .attributes        = &mrc_attributes,
    .state_size        = sizeof(mrc_state_t),
    .setup             = setup,
    .destroy           = destroy,
    .codepoints        = codepoints,
    .classes           = classes,
    .largest_payload   = largest_payload,
    .largest_frame     = largest_frame,
    .post              = mrc_post,
    .fetched           = mrc_fetched,
    .receive_class     = receive_class,
    .received          = mrc_received,
    .payload           = payload,
    .message_of        = message_of,
    .written           = mrc_written,
    .serialised        = mrc_serialised,
    .room              = room,
    .timer             = timer,
    .closing           = mrc_closing,
    .progress_sent     = mrc_progress_sent,
    .progress_received = mrc_progress_received,
    .window            = window,
    .longest_timeout   = longest_timeout,
    .retransmissions   = retransmissions,
    .facts             = mrc_facts,
    .waits             = mrc_waits,
};
