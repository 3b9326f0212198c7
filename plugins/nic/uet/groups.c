/* Groups: all PDCs to one destination share a window, a load balancer and a turn (spec/uet-nic.md 8.11). */
#include "attr/alloc.h"
#include "nic/uet/uet.h"

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static uet_group_t* group_new(nic_t* nic, uint32_t address, uint16_t local_port)
{
  uet_state_t* state = uet_state(nic);
  uet_group_t* group = state->free_groups;
  if (group != NULL)
    state->free_groups = group->next;
  else {
    group             = sgf_calloc(1, sizeof *group);
    state->all_groups = sgf_realloc(state->all_groups, state->group_count + 1, sizeof(uet_group_t*));
    state->all_groups[state->group_count++] = group;
  }
  spray_t spray = group->spray;
  *group        = (uet_group_t){.address = address};
  nscc_init(&group->congestion, &state->congestion, nic_now(nic));
  spray_begin(&spray, &state->spray_config, local_port, state->exploration);
  group->spray = spray;
  return group;
}

uet_group_t* uet_group_join(nic_t* nic, uint32_t address, uint16_t local_port)
{
  const uet_state_t* state = uet_state(nic);
  uet_group_t** of_host    = state->config.groups ? &state->groups[address - nic->first_host] : NULL;
  uet_group_t* group       = of_host != NULL ? *of_host : NULL;
  if (group == NULL)
    group = group_new(nic, address, local_port);
  if (of_host != NULL)
    *of_host = group;
  group->members++;
  return group;
}

static void ready_remove(uet_state_t* state, uet_group_t* group)
{
  if (group->previous != NULL)
    group->previous->next = group->next;
  else
    state->ready_first = group->next;
  if (group->next != NULL)
    group->next->previous = group->previous;
  else
    state->ready_last = group->previous;
  group->ready = false;
}

static void starved_remove(uet_state_t* state, uet_group_t* group)
{
  uet_group_t* before = NULL;
  for (uet_group_t* other = state->starved_first; other != group; other = other->next_starved)
    before = other;
  *(before != NULL ? &before->next_starved : &state->starved_first) = group->next_starved;
  if (state->starved_last == group)
    state->starved_last = before;
}

void uet_group_leave(nic_t* nic, uet_group_t* group)
{
  uet_state_t* state = uet_state(nic);
  if (--group->members > 0)
    return;
  if (group->ready)
    ready_remove(state, group);
  if (group->starved)
    starved_remove(state, group);
  state->counters.quick_adapts += group->congestion.quick_adapts;
  if (state->config.groups)
    state->groups[group->address - nic->first_host] = NULL;
  group->next        = state->free_groups;
  state->free_groups = group;
}

/* ---- Ready groups ------------------------------------------------------------------------------------------------ */

void uet_ready_push(uet_state_t* state, uet_group_t* group, bool at_head)
{
  group->ready    = true;
  group->next     = at_head ? state->ready_first : NULL;
  group->previous = at_head ? NULL : state->ready_last;
  if (group->next != NULL)
    group->next->previous = group;
  else
    state->ready_last = group;
  if (group->previous != NULL)
    group->previous->next = group;
  else
    state->ready_first = group;
}

uet_group_t* uet_ready_pop(uet_state_t* state)
{
  uet_group_t* group = state->ready_first;
  ready_remove(state, group);
  return group;
}

/* ---- Rotation of a group's PDCs with something to send ----------------------------------------------------------- */

bool uet_has_something_to_send(const uet_pdc_t* pdc)
{
  return pdc->retransmit.first != NULL || pdc->prefetched.first != NULL || pdc->next_psn < pdc->pace.eligible;
}

/* Behind all others: just before the one whose turn it is. */
static void rotation_add(uet_group_t* group, uet_pdc_t* pdc)
{
  if (pdc->in_rotation)
    return;
  pdc->in_rotation = true;
  if (group->turn == NULL) {
    pdc->next = pdc->previous = pdc;
    group->turn               = pdc;
    return;
  }
  pdc->next           = group->turn;
  pdc->previous       = group->turn->previous;
  pdc->previous->next = pdc;
  pdc->next->previous = pdc;
}

void uet_rotation_remove(uet_group_t* group, uet_pdc_t* pdc)
{
  if (!pdc->in_rotation)
    return;
  pdc->in_rotation = false;
  if (pdc->next == pdc) {
    group->turn = NULL;
    return;
  }
  pdc->previous->next = pdc->next;
  pdc->next->previous = pdc->previous;
  if (group->turn == pdc)
    group->turn = pdc->next;
}

void uet_make_ready(nic_t* nic, uet_pdc_t* pdc, bool at_head)
{
  uet_group_t* group = pdc->group;
  if (uet_has_something_to_send(pdc))
    rotation_add(group, pdc);
  if (group->turn != NULL && !group->ready)
    uet_ready_push(uet_state(nic), group, at_head);
}
