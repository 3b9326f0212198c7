/* switch: the class of a packet by its codepoint (spec/switch.md 5.3, 9.2). */
#ifndef SWITCH_CLASSIFY_H
#define SWITCH_CLASSIFY_H

#include <sgfabric/shared_buffer.h>

#include "net/frame.h"

typedef struct switch_classes {
  bool by_role;                /* the UET policy; else floor(DSCP / 8), for which no table is read */
  uint8_t retransmission_dscp; /* of packets with a limit of their own (9.3), read by role only */
  uint8_t of_dscp[NET_DSCP_VALUES];
  net_codepoints_t codepoints;
} switch_classes_t;

/* Fails as net_codepoints_init. */
sgf_status_t switch_classes_init(switch_classes_t* classes, const net_codepoints_config_t* config, bool uet_policy,
                                 sgf_error_t* error);

static inline unsigned switch_class(const switch_classes_t* classes, const net_frame_t* frame)
{
  return classes->by_role ? classes->of_dscp[frame->dscp] : frame->dscp / 8U;
}

/* Which limit of the egress queue the packet is held against. */
static inline sgf_sb_limit_t switch_limit(const switch_classes_t* classes, const net_frame_t* frame)
{
  return classes->by_role && frame->dscp == classes->retransmission_dscp ? SGF_SB_LIMIT_RETRANSMISSION
                                                                         : SGF_SB_LIMIT_NORMAL;
}

#endif
