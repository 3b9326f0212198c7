/* Equal-cost sets: destinations reached over the same ports share one (spec/switch.md 8.1); what their members look
 * like to the load balancer. */
#include <string.h>

#include "attr/alloc.h"
#include "switch/switch.h"

static bool set_is(const switch_state_t* state, const switch_set_t* set, const uint16_t* ports, uint32_t count)
{
  return set->count == count && memcmp(&state->members[set->first], ports, count * sizeof *ports) == 0;
}

static uint32_t set_of(switch_state_t* state, const uint16_t* ports, uint32_t count)
{
  for (uint32_t i = 0; i < state->set_count; i++)
    if (set_is(state, &state->sets[i], ports, count))
      return i;
  state->sets                   = sgf_realloc(state->sets, state->set_count + 1, sizeof *state->sets);
  state->members                = sgf_realloc(state->members, state->member_count + count, sizeof *state->members);
  state->sets[state->set_count] = (switch_set_t){
      .first = state->member_count, .group = SWITCH_NO_GROUP, .count = (uint16_t)count, .first_port = ports[0]};
  memcpy(state->members + state->member_count, ports, count * sizeof *ports);
  state->member_count += count;
  return state->set_count++;
}

void switch_set_route(switch_state_t* state, uint32_t host, const uint16_t* ports, uint32_t count)
{
  state->set_of_host[host] = set_of(state, ports, count);
}

/* A member as a selection sees it. */
static switch_egress_t look(const void* user, unsigned port, unsigned tc)
{
  const switch_state_t* state = user;
  return (switch_egress_t){.load   = sgf_sb_port_queued(state->buffer, port),
                           .paused = state->ports[port].out.held >> tc & 1};
}

switch_choice_t switch_choose(switch_state_t* state, switch_set_t* set, const net_frame_t* frame)
{
  if (set->count == 1)
    return (switch_choice_t){.group = SWITCH_NO_GROUP, .port = set->first_port};
  const opp_simtime_t now = opp_now(state->self);
  if (set->group == SWITCH_NO_GROUP)
    set->group = switch_balance_meet(state->balance, &state->members[set->first], set->count, now);
  return switch_balance_select(state->balance, set->group, frame, frame->tc, now, &(switch_view_t){look, state});
}

uint32_t switch_ways(const switch_state_t* state, const net_frame_t* frame, const uint16_t** ports)
{
  const uint32_t host     = frame->dst - state->first_host;
  const switch_set_t* set = &state->sets[host < state->host_count ? state->set_of_host[host] : 0];
  *ports                  = state->members != NULL ? &state->members[set->first] : NULL;
  if (set->count < 2)
    return set->count;
  const uint32_t member = switch_balance_expect(state->balance, set->group, frame, set->count, opp_now(state->self));
  if (member == set->count)
    return set->count;
  *ports += member;
  return 1;
}
