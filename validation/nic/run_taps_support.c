/* UET behind taps: see run_taps_support.h. */
#include "run_taps_support.h"

const uet_header_t* run_sent_data(const opp_msg_t* msg, bool to_host)
{
  const net_frame_t* frame = net_frame((opp_msg_t*)msg);
  if (to_host || frame->type == NET_FRAME_PFC || uet_header_const(frame)->type != UET_DATA)
    return NULL;
  return uet_header_const(frame);
}

nscc_t* run_congestion(unsigned dst)
{
  uet_group_t* group = uet_state(run_nic(0))->groups[dst];
  return group != NULL ? &group->congestion : NULL;
}
