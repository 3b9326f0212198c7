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

#include "attr/alloc.h"
#include "pfc/episodes.h"
#include "pfc/pfc.h"
#include "switch/balance.h"
#include "switch/classify.h"
#include "switch/ecn.h"
#include "switch/watchdog.h"

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

typedef struct switch_config {
  int64_t uplink_bps;   /* UplinkNetworkInterface.DataRate; 0: the cable's */
  int64_t downlink_bps; /* DownlinkNetworkInterface.DataRate; 0: the cable's */
  opp_simtime_t delay;  /* TransmissionMedium.Delay: of links to uplink peers that have none of their own */
  uint64_t uplinks;     /* NumUpLinks, NumDownLinks, NumUpLinksPerSwitch: advice, the topology decides */
  uint64_t downlinks;
  uint64_t uplinks_per_switch;
  int64_t switching_capacity;            /* SwitchingCapacity, bit/s: only to be compared with switch_total_bps */
  bool trimming;                         /* PacketTrimmer.TrimmingEnabled */
  bool trimming_stats;                   /* PacketTrimmer.TrimmingStatsEnabled */
  bool load_balancing_stats;             /* EnableLoadBalancingStats */
  opp_simtime_t load_balancing_interval; /* LoadBalancingStatsReportInterval */
  bool per_port_buffer_stats;            /* ReportPerPortBufferStats; also an attribute of the buffer (O-33) */
  int64_t pfc_frame_bytes;               /* PfcFrame.Bytes, on the wire */
  bool pfc_frame_vector;                 /* PfcFrame.Vector */
} switch_config_t;

/* The whole block behind the prefix `switch`. */
typedef struct switch_block {
  switch_config_t own;
  switch_balance_config_t balance;
  net_codepoints_config_t codepoints;
  switch_ecn_config_t ecn;
  pfc_watchdog_config_t watchdog;
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
  SWITCH_DROP_WATCHDOG,         /* egress: in a queue or on the way to one that has a storm */
  SWITCH_DROP_WATCHDOG_ARRIVAL, /* ingress: in a class and port whose queue has one */
  SWITCH_DROP_CAUSES,
} switch_drop_t;

/* Whether a drop counts at the port on which the frame arrived; else at that by which it was to leave. */
static inline bool switch_drop_is_on_arrival(switch_drop_t cause)
{
  return cause != SWITCH_DROP_EGRESS_QUEUE && cause != SWITCH_DROP_EGRESS_POOL && cause != SWITCH_DROP_WATCHDOG;
}

typedef struct switch_port {
  _Alignas(SGF_CACHE_LINE) net_port_t out;
  pfc_receiver_t peer;                 /* what the peer has paused */
  pfc_sender_t pfc;                    /* what this port has asked of the peer */
  pfc_refresh_t refresh[SGF_SB_POOLS]; /* of the pause of each pool with a lossless class */
  bool faces_nic;                      /* the peer is one */
  uint8_t stormed;                     /* bit tc: the watchdog has found a storm in this queue, and it lasts */
  uint64_t rx_drops;                   /* drops on arrival here (nd-stats) */
  uint64_t tx_drops;                   /* egress drops of frames that were to leave here */
  uint64_t trimmed;                    /* frames cut to their headers and queued here; no drops (O-23) */
  uint64_t marked[NET_CLASSES];        /* frames of each class that left with CE set here */
  uint64_t (*drops)[NET_CLASSES];      /* by cause; a frame that was trimmed first is in the class of what was left */
} switch_port_t;

/* Frames that arrived at a port, PFC frames and those dropped afterwards too, and their bytes on the wire. Apart from
 * the ports, of which an arrival needs nothing else. */
typedef struct switch_received {
  uint64_t frames;
  uint64_t bytes;
} switch_received_t;

/* An equal-cost set: the ports on which the equally good routes to some hosts start, in order (8.1). */
typedef struct switch_set {
  uint32_t first;      /* in `members` */
  uint32_t group;      /* its number in `balance` once a packet was looked up to it; SWITCH_NO_GROUP before */
  uint16_t count;      /* 0: no route */
  uint16_t first_port; /* members[first] */
} switch_set_t;

/* A pause for class `tc` has arrived at a port: the first one, or another one while it is held. */
typedef void (*switch_held_cb)(void* user, unsigned port, unsigned tc);

/* Hears what those want to know who measure how fast feedback works (spec/feedback-budget.md 3, 4). Both look at a
 * frame before it goes on, and may write what its transport carries along for them. */
typedef struct switch_observer {
  void (*queued)(void* user, unsigned port, net_frame_t* frame); /* admitted to the egress queue of a port */
  void (*marked)(void* user, unsigned port, net_frame_t* frame); /* CE was set, at a port's start of transmission */
  void* user;
  pfc_episodes_t* episodes; /* of the pauses that the switch asks for; a pool's bytes above Xoff are its headroom */
} switch_observer_t;

/* What every packet needs comes first. */
typedef struct switch_state {
  sgf_shared_buffer_t* buffer;
  switch_port_t* ports;
  switch_received_t* received; /* by port */
  uint32_t* set_of_host;       /* index into `sets` */
  switch_set_t* sets;          /* 0: the empty set */
  switch_ecn_t* ecn;
  uint32_t first_host; /* address of host 0 */
  uint32_t host_count;
  opp_module_t* self;
  switch_balance_t* balance;
  unsigned storms; /* that last, at all ports */
  switch_classes_t classes;
  bool trimming;
  const switch_observer_t* observer; /* NULL: nobody measures */
  unsigned port_count;
  uint16_t* members; /* of all sets */
  uint32_t set_count;
  uint32_t member_count;
  uint64_t drops[SWITCH_DROP_CAUSES];
  uint64_t (*port_drops)[NET_CLASSES]; /* those of all ports; apart, because packets that pass do not need them */
  switch_watchdog_t* watchdog;         /* NULL: off */
  switch_held_cb held;                 /* NULL: nobody listens */
  void* held_user;
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

/* Tell the switch that a port leads to a NIC: what it trims there was trimmed on the last hop. */
void switch_faces_nic(switch_state_t* state, unsigned port);

/* Frames to `host` leave by one of `ports`, in ascending order; destinations with the same list share a set. */
void switch_set_route(switch_state_t* state, uint32_t host, const uint16_t* ports, uint32_t count);

/* The member for a frame that was looked up to this set, which is not empty (8). To be given to switch_balance_admitted
 * when the frame was admitted to its port. */
switch_choice_t switch_choose(switch_state_t* state, switch_set_t* set, const net_frame_t* frame);

/* The ports by which a frame would leave at this instant: one, several that are equally good where that cannot be said
 * beforehand, or none. Returns their number; `ports` points to them until a route is set. */
uint32_t switch_ways(const switch_state_t* state, const net_frame_t* frame, const uint16_t** ports);

/* Tell of the pauses that arrive from now on; one listener. */
void switch_listen(switch_state_t* state, switch_held_cb held, void* user);

/* Whether a queue has a watchdog that is on. */
bool switch_is_watched(const switch_state_t* state, unsigned port, unsigned tc);

/* Storms of all queues so far, in order of detection. */
size_t switch_storm_count(const switch_state_t* state);
switch_storm_t switch_storm(const switch_state_t* state, size_t i);

/* How long a pause may last until the watchdog finds it; 0: for ever, there is none. */
opp_simtime_t switch_watchdog_patience(const switch_state_t* state);

/* Drops of a class that count at a port, of all causes: those on arrival, those at egress. */
uint64_t switch_rx_drops(const switch_port_t* port, unsigned tc);
uint64_t switch_tx_drops(const switch_port_t* port, unsigned tc);

/* The speeds of all ports together, bit/s: above SwitchingCapacity, the switch is oversubscribed (O-02). */
int64_t switch_total_bps(const switch_state_t* state);

#endif
