/* Codepoints of packet roles: see codepoints.h. */
#include "net/codepoints.h"

#include <string.h>

#define CODEPOINT(role, name, initial, help)                                                                           \
  {                                                                                                                    \
    "Codepoints/" name, SGF_ATTR_UINT, offsetof(net_codepoints_config_t, dscp[role]), initial, "0..63", help           \
  }

static const sgf_attr_t rows[NET_ROLES] = {
    [NET_ROLE_NO_TRIM]   = CODEPOINT(NET_ROLE_NO_TRIM, "NoTrim", "0", "DSCP of data that switches may not trim."),
    [NET_ROLE_TRIMMABLE] = CODEPOINT(NET_ROLE_TRIMMABLE, "Trimmable", "1", "DSCP of data that switches may trim."),
    [NET_ROLE_TRIMMABLE_RTX] =
        CODEPOINT(NET_ROLE_TRIMMABLE_RTX, "TrimmableRtx", "2", "DSCP of retransmissions that switches may trim."),
    [NET_ROLE_TRIMMED] = CODEPOINT(NET_ROLE_TRIMMED, "Trimmed", "9", "DSCP of packets that a switch has trimmed."),
    [NET_ROLE_TRIMMED_LAST_HOP] =
        CODEPOINT(NET_ROLE_TRIMMED_LAST_HOP, "TrimmedLastHop", "10",
                  "DSCP of packets that were trimmed on the last hop, at a switch's port to a NIC."),
    [NET_ROLE_CONTROL] =
        CODEPOINT(NET_ROLE_CONTROL, "Control", "8", "DSCP of acknowledgements, their negative kind, and probes."),
};

const sgf_attr_table_t net_codepoints_attributes = {"codepoints", rows, NET_ROLES};

sgf_status_t net_codepoints_init(net_codepoints_t* codepoints, const net_codepoints_config_t* config,
                                 sgf_error_t* error)
{
  memset(codepoints->role_of_dscp, NET_ROLE_UNRECOGNIZED, sizeof codepoints->role_of_dscp);
  for (unsigned role = 0; role < NET_ROLES; role++) {
    const uint8_t dscp   = (uint8_t)config->dscp[role];
    const unsigned owner = codepoints->role_of_dscp[dscp];
    if (owner != NET_ROLE_UNRECOGNIZED)
      return sgf_error_set(error, SGF_RULE, "%s and %s are both %u: every role needs a codepoint of its own",
                           rows[owner].path, rows[role].path, dscp);
    codepoints->role_of_dscp[dscp] = (uint8_t)role;
    codepoints->dscp_of_role[role] = dscp;
  }
  return SGF_OK;
}

const char* net_role_name(net_role_t role)
{
  static const char* const names[] = {
      [NET_ROLE_NO_TRIM]          = "NO_TRIM",
      [NET_ROLE_TRIMMABLE]        = "TRIMMABLE",
      [NET_ROLE_TRIMMABLE_RTX]    = "TRIMMABLE_RTX",
      [NET_ROLE_TRIMMED]          = "TRIMMED",
      [NET_ROLE_TRIMMED_LAST_HOP] = "TRIMMED_LAST_HOP",
      [NET_ROLE_CONTROL]          = "CONTROL",
      [NET_ROLE_UNRECOGNIZED]     = "UNRECOGNIZED",
  };
  return names[role];
}

/* ---- Defaults ---------------------------------------------------------------------------------------------------- */

static const uint8_t default_dscp[NET_ROLES] = {
    [NET_ROLE_NO_TRIM] = 0, [NET_ROLE_TRIMMABLE] = 1,         [NET_ROLE_TRIMMABLE_RTX] = 2,
    [NET_ROLE_TRIMMED] = 9, [NET_ROLE_TRIMMED_LAST_HOP] = 10, [NET_ROLE_CONTROL] = 8,
};

uint8_t net_role_dscp(net_role_t role)
{
  return default_dscp[role];
}

net_role_t net_role_of_dscp(uint8_t dscp)
{
  for (unsigned role = 0; role < NET_ROLES; role++)
    if (default_dscp[role] == dscp)
      return (net_role_t)role;
  return NET_ROLE_UNRECOGNIZED;
}
