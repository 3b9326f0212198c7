/* switch: packet handling around the shared buffer (spec/switch.md 5, 6, 8).
 *
 *   frame in -> PFC? act on it -> classify -> ingress admission -> route -> egress admission -> class queue ->
 * transmission
 *
 * The shared buffer decides (Xoff, headroom, limits); this module moves frames, sends the pauses and keeps the clocks.
 */
#ifndef SWITCH_H
#define SWITCH_H

#include <sgfabric/shared_buffer.h>

#include "pfc/pfc.h"
#include "switch/ecn.h"

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

typedef struct switch_config {
  int64_t uplink_bps;   /* UplinkNetworkInterface.DataRate; 0: the cable's */
  int64_t downlink_bps; /* DownlinkNetworkInterface.DataRate; 0: the cable's */
  int ecmp_hash_method;
  int load_balancing_method;
} switch_config_t;

/* The whole block behind the prefix `switch`. */
typedef struct switch_block {
  switch_config_t own;
  switch_ecn_config_t ecn;
  sgf_shared_buffer_config_t buffer;
} switch_block_t;

extern const sgf_attr_set_t switch_attributes;

/* ---- State ------------------------------------------------------------------------------------------------------- */

typedef enum switch_drop {
  SWITCH_DROP_HEADROOM,     /* ingress: port paused, headroom used up */
  SWITCH_DROP_INGRESS_POOL, /* ingress: pool full */
  SWITCH_DROP_EGRESS_QUEUE, /* egress: lossy queue limit */
  SWITCH_DROP_EGRESS_POOL,  /* egress: pool full */
  SWITCH_DROP_NO_ROUTE,
  SWITCH_DROP_CAUSES,
} switch_drop_t;

typedef struct switch_port {
  net_port_t out;
  pfc_receiver_t peer;                 /* what the peer has paused */
  pfc_sender_t pfc;                    /* what this port has asked of the peer */
  pfc_refresh_t refresh[SGF_SB_POOLS]; /* of the pause of each pool with a lossless class */
  uint64_t rx_drops;                   /* ingress drops of frames that arrived here (nd-stats) */
  uint64_t tx_drops;                   /* egress drops of frames that were to leave here */
  uint64_t marked[NET_CLASSES];        /* frames of each class that left with CE set here */
} switch_port_t;

/* An equal-cost set: the ports on which the equally good routes to some hosts start, in order (8.1). */
typedef struct switch_set {
  uint32_t first; /* in `members` */
  uint32_t count; /* 0: no route */
} switch_set_t;

typedef struct switch_state {
  opp_module_t* self;
  sgf_shared_buffer_t* buffer;
  switch_ecn_t* ecn;
  switch_port_t* ports;
  unsigned port_count;
  uint32_t salt;       /* of the flow hash */
  uint32_t first_host; /* address of host 0 */
  uint32_t host_count;
  uint32_t* set_of_host; /* index into `sets` */
  switch_set_t* sets;    /* 0: the empty set */
  uint32_t set_count;
  uint16_t* members;
  uint32_t member_count;
  uint64_t drops[SWITCH_DROP_CAUSES];
} switch_state_t;

extern const opp_module_type_t switch_module_type;

static inline switch_state_t* switch_state(opp_module_t* module)
{
  return module->state;
}

/* Set up a module of switch_module_type whose gate vector "port" is connected, one gate for each cable. `node_id` tells
 * switches apart, the same in every run. Fails as sgf_sb_new. */
sgf_status_t switch_setup(opp_module_t* module, const switch_block_t* config, uint32_t node_id, uint32_t first_host,
                          uint32_t host_count, sgf_error_t* error);

/* Frames to `host` leave by one of `ports`, in ascending order; destinations with the same list share a set. */
void switch_set_route(switch_state_t* state, uint32_t host, const uint16_t* ports, uint32_t count);

/* The port of a set's member for this frame: flow hash mod set size (8.3). */
static inline unsigned switch_member(const switch_state_t* state, const switch_set_t* set, const net_frame_t* frame)
{
  return state->members[set->first + (set->count == 1 ? 0 : net_flow_hash(frame, state->salt) % set->count)];
}

/* Class of a packet: floor(DSCP / 8) (5.3). */
static inline unsigned switch_class(const net_frame_t* frame)
{
  return frame->dscp / 8;
}

#endif
