/* Flows as a fabric makes them, neighbouring addresses and source ports in sequence, and a switch that has some of its
 * ports as equal-cost members for all of them. */
#ifndef SGF_VALIDATION_BALANCE_SUPPORT_H
#define SGF_VALIDATION_BALANCE_SUPPORT_H

#include "lab_support.h"

enum {
  TIER_PORTS   = 32,
  TIER_MEMBER  = 4, /* port of member 0; the others follow */
  TIER_HOSTS   = 2 * TIER_PORTS,
  FLOW_SOURCES = 64,
  FLOW_DESTS   = 32,
  FLOW_CLASS   = 2,   /* lossy */
  FLOW_SMALL   = 100, /* bytes of a packet where its size does not matter */
};

/* The names of EcmpHashMethod, by switch_hash_method_t. */
enum { HASH_METHODS = 6 };
extern const char* const hash_method_names[HASH_METHODS];

/* What a switch with `settings` gives its load balancer. They must be accepted. */
switch_balance_config_t balance_configure(const char* const* settings);

/* Flow i: 2,048 pairs of hosts, then the next source port. */
net_frame_t flow_number(unsigned i);

/* A switch with all hosts behind `members` of its ports. */
lab_t* tier_new(uint32_t node_id, unsigned members, const char* const* settings);

/* The member by which a small packet of this flow leaves; time passes until it has left. */
unsigned tier_member_of(lab_t* lab, const net_frame_t* flow);

#define FLOWLETS(...) LAB_SETTINGS("LoadBalancingMethod", "flowlet", __VA_ARGS__)

#endif
