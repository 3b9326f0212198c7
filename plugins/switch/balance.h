/* switch: which member of an equal-cost set a packet takes (spec/switch.md 8). Pure state: the clock and what the
 * egress ports look like are passed in.
 *
 * Sets of two members and more only: one with a single member has no slots, no place among the first 128 and no
 * counters (O-21), and its owner does not ask. */
#ifndef SWITCH_BALANCE_H
#define SWITCH_BALANCE_H

#include <sgfabric/attr.h>

#include "switch/flow_hash.h"

enum {
  SWITCH_FLOW_SLOTS      = 512, /* of the flowlet table of a set */
  SWITCH_SETS_WITH_SLOTS = 128, /* those met first */
};

#define SWITCH_NO_GROUP UINT32_MAX /* a set that was not met yet, or has one member */

typedef enum switch_balance_method { SWITCH_BALANCE_NONE, SWITCH_BALANCE_FLOWLET } switch_balance_method_t;

typedef struct switch_balance_config {
  int hash_method;   /* switch_hash_method_t */
  int method;        /* switch_balance_method_t */
  opp_simtime_t gap; /* LoadBalancingFlowlet.Gap, 0..2 s (S-08) */
  bool pfc_aware;    /* LoadBalancingFlowlet.PFCAware */
} switch_balance_config_t;

extern const sgf_attr_table_t switch_balance_attributes;

typedef struct switch_balance switch_balance_t;

/* `node_id` gives the salt of the hashes; ties are drawn from a stream of (seed, run, node_id) (O-20). Fails with
 * SGF_RULE where flowlets meet a hash method that knows destinations instead of flows (S-07). */
switch_balance_t* switch_balance_new(const switch_balance_config_t* config, uint32_t node_id, uint64_t seed,
                                     uint64_t run, sgf_error_t* error);
void switch_balance_free(switch_balance_t* balance);

/* A packet is looked up to a set for the first time: its number, from 0 in this order. `ports` are copied. With
 * flowlets the first 128 sets get slots. The only call that allocates. */
uint32_t switch_balance_meet(switch_balance_t* balance, const uint16_t* ports, uint32_t count, opp_simtime_t now);

/* What a selection looks at: bytes in all egress queues of a port, the frame on its wire included, and whether its peer
 * holds the class. */
typedef struct switch_egress {
  int64_t load;
  bool paused;
} switch_egress_t;

typedef struct switch_view {
  switch_egress_t (*look)(const void* user, unsigned port, unsigned tc);
  const void* user;
} switch_view_t;

/* The member for one packet, to be given back when the packet was admitted to its port. */
typedef struct switch_choice {
  uint32_t group; /* SWITCH_NO_GROUP: a set with one member */
  uint16_t port;
  uint16_t member;
  uint16_t slot;
} switch_choice_t;

/* The member of `group` for a packet of class `tc` (8.3, 8.4). Moves nothing but the counters of paused members. */
switch_choice_t switch_balance_select(switch_balance_t* balance, uint32_t group, const net_frame_t* frame, unsigned tc,
                                      opp_simtime_t now, const switch_view_t* view);

/* The member that a packet of a set of `members` would get at this instant, changing nothing; `members`: that cannot be
 * said beforehand, because its flowlet would choose. `group` as above, or SWITCH_NO_GROUP. */
uint32_t switch_balance_expect(const switch_balance_t* balance, uint32_t group, const net_frame_t* frame,
                               uint32_t members, opp_simtime_t now);

/* The packet was admitted with `charge` bytes: its slot has this member from now on (8.4, O-37). */
void switch_balance_admitted(switch_balance_t* balance, switch_choice_t choice, uint32_t charge, opp_simtime_t now);

/* ---- Counters (spec/records.md 7, R-11) -------------------------------------------------------------------------- */

typedef struct switch_member_stats {
  uint64_t bytes; /* charge sizes of packets admitted to the member's egress */
  uint64_t packets;
  uint64_t assignments; /* flows that got it with an empty slot */
  uint64_t movements_in;
  uint64_t movements_out;
  uint64_t paused_skips;      /* selections in which it was left out because it was paused */
  uint64_t paused_selections; /* selections that took or kept it although it was paused */
} switch_member_stats_t;

typedef struct switch_group {
  opp_simtime_t formed; /* when the set was met */
  uint32_t size;        /* members */
  uint32_t slots;       /* 512; 0: hash modulo */
} switch_group_t;

uint32_t switch_balance_group_count(const switch_balance_t* balance);
switch_group_t switch_balance_group(const switch_balance_t* balance, uint32_t group);
uint16_t switch_balance_member_port(const switch_balance_t* balance, uint32_t group, uint32_t member);
const switch_member_stats_t* switch_balance_member_stats(const switch_balance_t* balance, uint32_t group,
                                                         uint32_t member);

/* The identity by which the switch tells flows of a set of `members` apart. */
uint16_t switch_balance_flow_hash(const switch_balance_t* balance, const net_frame_t* frame, uint32_t members);

#endif
