/* The transport as a NIC sees it: set-up, end, the table of its functions. */
#include "nic/udp/udp.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Set-up ------------------------------------------------------------------------------------------------------ */

static nic_classes_t classes(const void* block)
{
  const uint8_t tc = (uint8_t)((const udp_block_t*)block)->own.traffic_class;
  return (nic_classes_t){.data = tc, .control = tc};
}

static int64_t largest_payload(const void* block)
{
  return (int64_t)((const udp_block_t*)block)->own.mss;
}

static int64_t largest_frame(const void* block)
{
  return largest_payload(block) + (int64_t)((const udp_block_t*)block)->own.header_bytes;
}

static sgf_status_t check(const nic_t* nic, const udp_config_t* config, int64_t largest, sgf_error_t* error)
{
  const unsigned tc = (unsigned)config->traffic_class;
  if (largest - NET_ETHERNET_BYTES > UDP_LARGEST_IP)
    return sgf_error_set(error, SGF_RULE,
                         "MSS %" PRIu64 " and HeaderBytes %" PRIu64 " make a packet of %" PRId64
                         " B with its IP header; an IPv4 datagram has %d at most",
                         config->mss, config->header_bytes, largest - NET_ETHERNET_BYTES, UDP_LARGEST_IP);
  if (nic->egress[tc].size > 0 && nic->ingress[tc].size > 0)
    return SGF_OK;
  return sgf_error_set(error, SGF_RULE, "TrafficClass is %u, which has no pool in the %s buffer", tc,
                       nic->egress[tc].size > 0 ? "receive" : "transmit");
}

static sgf_status_t setup(nic_t* nic, const void* block, sgf_error_t* error)
{
  udp_state_t* state  = udp_state(nic);
  opp_sim_t* sim      = opp_module_sim(nic->module);
  state->config       = ((const udp_block_t*)block)->own;
  state->doorbells    = opp_line_new(sim);
  state->deliveries   = opp_line_new(sim);
  nic->ignores_pauses = !state->config.obeys_pauses;
  udp_set_send_rate(nic, state->config.send_bps);
  return check(nic, &state->config, largest_frame(block), error);
}

static void destroy(nic_t* nic)
{
  udp_state_t* state = udp_state(nic);
  if (state == NULL)
    return;
  udp_sendings_free(state);
  free(state->ends.table);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* The class that the sender gave it, if there is a pool for that. */
static unsigned receive_class(const nic_t* nic, const net_frame_t* frame)
{
  const unsigned tc = frame->dscp / 8U;
  return nic->ingress[tc].size > 0 ? tc : (unsigned)udp_state(nic)->config.traffic_class;
}

static int64_t payload(const opp_msg_t* msg)
{
  return udp_header_const((const net_frame_t*)(const void*)(msg + 1))->payload;
}

static uint64_t message_of(const net_frame_t* frame)
{
  return udp_header_const(frame)->message;
}

static void timer(nic_t* nic, opp_msg_t* msg)
{
  switch (msg->kind) {
    case UDP_DOORBELL:
      opp_msg_delete(msg);
      udp_doorbell(nic);
      break;
    case UDP_DELIVERED:
      udp_delivered(nic, msg);
      break;
    case UDP_PACED:
      udp_paced(nic, msg);
      break;
    default:
      opp_error(nic->module, "a udp NIC has no timer of kind %d", msg->kind);
  }
}

/* Nothing limits what is in flight. */
static int64_t window(const nic_t* nic)
{
  (void)nic;
  return 0;
}

/* Nothing is sent again; but that a frame lasts long at a low SendRate is no stall. */
static opp_simtime_t longest_timeout(const nic_t* nic)
{
  const udp_state_t* state = udp_state(nic);
  const int64_t largest    = (int64_t)(state->config.mss + state->config.header_bytes);
  return state->send.rate.bps == 0 ? 0 : opp_rate_duration(state->send.rate, 8 * largest);
}

static uint64_t retransmissions(const nic_t* nic)
{
  (void)nic;
  return 0;
}

static void facts(const nic_t* nic, nic_fact_cb tell, void* user)
{
  const udp_config_t* config = &udp_state(nic)->config;
  const int64_t wire         = (int64_t)(config->mss + config->header_bytes);
  tell(user, "datagrams in the transmit pool", NIC_COUNT, nic->egress[config->traffic_class].size / wire);
  tell(user, "datagrams in the receive pool", NIC_COUNT,
       nic->ingress[config->traffic_class].size / (wire - NET_ETHERNET_BYTES));
}

const nic_transport_t udp_transport = {
    .name              = "udp",
    .traits            = {.least_pools         = 1,
                          .weightless_classes  = true,
                          .pause_bytes         = PFC_FRAME_BYTES,
                          .has_message_classes = true,
                          .unacknowledged      = true,
                          .shortest_data       = UDP_LEAST_HEADERS,
                          .shortest_ack        = UDP_LEAST_HEADERS},
    .classes           = classes,
    .attributes        = &udp_attributes,
    .state_size        = sizeof(udp_state_t),
    .setup             = setup,
    .destroy           = destroy,
    .largest_payload   = largest_payload,
    .largest_frame     = largest_frame,
    .post              = udp_post,
    .fetched           = udp_fetched,
    .receive_class     = receive_class,
    .received          = udp_received,
    .payload           = payload,
    .message_of        = message_of,
    .written           = udp_written,
    .starting          = udp_starting,
    .serialised        = udp_serialised,
    .room              = udp_room,
    .timer             = timer,
    .closing           = udp_closing,
    .progress_sent     = udp_progress_sent,
    .progress_received = udp_progress_received,
    .window            = window,
    .longest_timeout   = longest_timeout,
    .retransmissions   = retransmissions,
    .facts             = facts,
    .waits             = udp_waits,
};
