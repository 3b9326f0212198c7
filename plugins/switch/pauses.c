/* The pauses that a switch asks for (spec/switch.md 6.1 to 6.3), and those that it is asked for (6.4). When it asks is
 * the shared buffer's decision. */
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
  if (state->observer != NULL)
    pfc_episode_end(state->observer->episodes, number, pool);
}

void switch_listen(switch_state_t* state, switch_held_cb held, void* user)
{
  state->held      = held;
  state->held_user = user;
}

/* Those who listen hear of the pause after it has taken effect. */
static void tell(const switch_state_t* state, unsigned number, unsigned classes)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (classes >> tc & 1)
      state->held(state->held_user, number, tc);
}

void switch_receive_pfc(switch_state_t* state, unsigned number, opp_msg_t* msg)
{
  switch_port_t* port    = &state->ports[number];
  const unsigned classes = net_frame(msg)->pfc.classes;
  const bool pauses      = net_frame(msg)->pfc.quanta > 0;
  if (state->watchdog != NULL)
    switch_watchdog_hear(state, number, classes);
  pfc_receive(&port->peer, msg);
  if (state->watchdog != NULL)
    switch_watchdog_look(state, number);
  if (pauses && state->held != NULL)
    tell(state, number, classes & port->out.held);
}

void switch_hold_ends(switch_state_t* state, unsigned number)
{
  pfc_receiver_expire(&state->ports[number].peer);
  if (state->watchdog != NULL)
    switch_watchdog_look(state, number);
}
