/* The pauses that a switch asks for (spec/switch.md 6.1 to 6.3). When it asks is the shared buffer's decision. */
#include "switch/path.h"

void switch_pause_peer(switch_state_t* state, unsigned number, unsigned pool)
{
  switch_port_t* port = &state->ports[number];
  pfc_send_group(&port->pfc, sgf_sb_group(state->buffer, pool), PFC_MAX_QUANTA);
  pfc_refresh_start(&port->refresh[pool], state->self);
}

void switch_resume_peer(switch_state_t* state, unsigned number, unsigned pool)
{
  switch_port_t* port = &state->ports[number];
  pfc_refresh_stop(&port->refresh[pool], state->self);
  pfc_send_group(&port->pfc, sgf_sb_group(state->buffer, pool), 0);
}
