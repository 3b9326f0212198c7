/* The class of a packet: see classify.h. */
#include "switch/classify.h"

/* Classes of the UET policy; class k is in pool k (9.2). */
enum { CLASS_OF_DATA, CLASS_OF_TRIMMED, CLASS_OF_CONTROL };

static unsigned class_of_role(net_role_t role)
{
  switch (role) {
    case NET_ROLE_CONTROL:
      return CLASS_OF_CONTROL;
    case NET_ROLE_TRIMMED:
    case NET_ROLE_TRIMMED_LAST_HOP:
      return CLASS_OF_TRIMMED;
    default:
      return CLASS_OF_DATA;
  }
}

sgf_status_t switch_classes_init(switch_classes_t* classes, const net_codepoints_config_t* config, bool uet_policy,
                                 sgf_error_t* error)
{
  const net_codepoints_t* codepoints = &classes->codepoints;
  if (net_codepoints_init(&classes->codepoints, config, error) != SGF_OK)
    return error->status;
  for (unsigned dscp = 0; dscp < NET_DSCP_VALUES; dscp++)
    classes->of_dscp[dscp] = (uint8_t)class_of_role(codepoints->role_of_dscp[dscp]);
  classes->retransmission_dscp = codepoints->dscp_of_role[NET_ROLE_TRIMMABLE_RTX];
  classes->by_role             = uet_policy;
  return SGF_OK;
}
