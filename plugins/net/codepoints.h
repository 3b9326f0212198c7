/* net: the DSCP codepoints that say what a packet is for (spec/switch.md 9.2, spec/uet-nic.md 4.2). Their values are
 * given nowhere (O-21, B18): they are attributes, and switches and NICs have to be told the same ones. */
#ifndef NET_CODEPOINTS_H
#define NET_CODEPOINTS_H

#include <sgfabric/attr.h>

typedef enum net_role {
  NET_ROLE_NO_TRIM,
  NET_ROLE_TRIMMABLE,
  NET_ROLE_TRIMMABLE_RTX,
  NET_ROLE_TRIMMED,
  NET_ROLE_TRIMMED_LAST_HOP,
  NET_ROLE_CONTROL,
  NET_ROLE_UNRECOGNIZED,
} net_role_t;

enum { NET_ROLES = NET_ROLE_UNRECOGNIZED, NET_DSCP_VALUES = 64 };

/* Component Codepoints: the DSCP of each role. The defaults have data in 0..7 and control in 8..15, so that
 * floor(DSCP / 8) puts them in classes 0 and 1, the NIC's own default classes. */
typedef struct net_codepoints_config {
  uint64_t dscp[NET_ROLES];
} net_codepoints_config_t;

extern const sgf_attr_table_t net_codepoints_attributes;

/* The same as look-ups in both directions. */
typedef struct net_codepoints {
  uint8_t dscp_of_role[NET_ROLES];
  uint8_t role_of_dscp[NET_DSCP_VALUES]; /* net_role_t */
} net_codepoints_t;

/* SGF_RULE: two roles have the same codepoint; the message names both attributes. */
sgf_status_t net_codepoints_init(net_codepoints_t* codepoints, const net_codepoints_config_t* config,
                                 sgf_error_t* error);

/* Whether a packet of this role may be cut to its headers (9.3). */
static inline bool net_role_is_trimmable(net_role_t role)
{
  return role == NET_ROLE_TRIMMABLE || role == NET_ROLE_TRIMMABLE_RTX;
}

/* Whether a switch has cut it. */
static inline bool net_role_is_trimmed(net_role_t role)
{
  return role == NET_ROLE_TRIMMED || role == NET_ROLE_TRIMMED_LAST_HOP;
}

/* "NO_TRIM", .., as records print it. */
const char* net_role_name(net_role_t role);

/* By the defaults. */
uint8_t net_role_dscp(net_role_t role);
net_role_t net_role_of_dscp(uint8_t dscp);

#endif
