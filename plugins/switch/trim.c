/* Trimming: a packet that its egress queue refuses is cut to its headers, so that its receiver learns of the loss
 * (spec/switch.md 9.3). */
#include "switch/path.h"

bool switch_may_trim(const switch_state_t* state, const net_frame_t* frame)
{
  return state->trimming && frame->header_bytes != 0 &&
         net_role_is_trimmable(state->classes.codepoints.role_of_dscp[frame->dscp]);
}

/* Cut the packet and say so in its codepoint. Its arrival completes nothing any more. */
static void cut(const switch_state_t* state, const switch_port_t* port, opp_msg_t* msg)
{
  net_frame_t* frame   = net_frame(msg);
  const uint32_t bytes = frame->header_bytes + NET_ETHERNET_BYTES;
  if (bytes < msg->bytes)
    msg->bytes = bytes;
  frame->dscp = state->classes.codepoints.dscp_of_role[port->faces_nic ? NET_ROLE_TRIMMED_LAST_HOP : NET_ROLE_TRIMMED];
  frame->closing = false;
}

/* Its ingress charge shrinks at once and stays where it was (O-22). */
sgf_sb_queueing_t switch_trim(switch_state_t* state, unsigned out, opp_msg_t* msg)
{
  net_frame_t* frame     = net_frame(msg);
  const uint32_t charged = frame->charge;
  cut(state, &state->ports[out], msg);
  net_frame_retag(frame, switch_class(&state->classes, frame), sgf_sb_charge(net_ip_bytes(msg)));
  return sgf_sb_trim(state->buffer, frame->in_port, frame->in_tc, out, frame->tc, charged, frame->charge);
}
