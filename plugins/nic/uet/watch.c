/* Early failure detection: a packet that is not acknowledged some base RTTs after it was sent is a failed path, long
 * before its timer says so (spec/uet-nic.md 10.6). Deadlines follow each destination's base RTT, so they come in no
 * order: a heap, with one timer for the earliest. An entry whose packet was acknowledged, or sent again, is void. */
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/uet/uet.h"

typedef struct watch_entry {
  opp_simtime_t deadline;
  uint64_t number; /* of equal deadlines, the first one first */
  uint64_t message;
  uint32_t psn;
  uint16_t pdc;
  uint16_t retransmissions;
} watch_entry_t;

typedef struct uet_watch {
  opp_msg_t* timer;
  uint64_t last_number;
  watch_entry_t* heap;
  size_t count;
  size_t capacity;
} uet_watch_t;

/* ---- Heap -------------------------------------------------------------------------------------------------------- */

static bool is_before(const watch_entry_t* a, const watch_entry_t* b)
{
  return a->deadline != b->deadline ? a->deadline < b->deadline : a->number < b->number;
}

static void push(uet_watch_t* watch, watch_entry_t entry)
{
  if (watch->count == watch->capacity) {
    watch->capacity = watch->capacity == 0 ? 256 : 2 * watch->capacity;
    watch->heap     = sgf_realloc(watch->heap, watch->capacity, sizeof *watch->heap);
  }
  size_t at = watch->count++;
  for (; at > 0 && is_before(&entry, &watch->heap[(at - 1) / 2]); at = (at - 1) / 2)
    watch->heap[at] = watch->heap[(at - 1) / 2];
  watch->heap[at] = entry;
}

static void pop(uet_watch_t* watch)
{
  const watch_entry_t entry = watch->heap[--watch->count];
  size_t at                 = 0;
  for (size_t child; (child = 2 * at + 1) < watch->count; at = child) {
    if (child + 1 < watch->count && is_before(&watch->heap[child + 1], &watch->heap[child]))
      child++;
    if (!is_before(&watch->heap[child], &entry))
      break;
    watch->heap[at] = watch->heap[child];
  }
  watch->heap[at] = entry;
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

void uet_watch_setup(nic_t* nic)
{
  uet_state_t* state = uet_state(nic);
  if (state->spray_config.type != SPRAY_REPS || state->spray_config.failure_multiplier == 0)
    return;
  state->watch        = sgf_calloc(1, sizeof *state->watch);
  state->watch->timer = opp_timer_new(nic->module, UET_WATCH, NET_PRIORITY_TIMER);
}

void uet_watch_packet(nic_t* nic, const uet_packet_t* packet)
{
  uet_watch_t* watch           = uet_state(nic)->watch;
  const uet_group_t* group     = packet->pdc->group;
  const opp_simtime_t patience = spray_failure_deadline(&group->spray, group->congestion.base_rtt);
  const opp_simtime_t first    = watch->count > 0 ? watch->heap[0].deadline : OPP_TIME_MAX;
  if (patience < 0)
    return;
  const watch_entry_t entry = {
      .deadline        = packet->sent_at + patience,
      .number          = ++watch->last_number,
      .message         = packet->pdc->message->number,
      .psn             = packet->psn,
      .pdc             = packet->pdc->id,
      .retransmissions = packet->retransmissions,
  };
  push(watch, entry);
  if (entry.deadline < first)
    opp_reschedule_at(nic->module, entry.deadline, watch->timer);
}

static uet_packet_t* still_missing(const nic_t* nic, const watch_entry_t* entry)
{
  const uet_pdc_t* pdc = uet_sending_pdc(nic, entry->pdc, entry->message);
  uet_packet_t* packet = pdc != NULL ? uet_outstanding(pdc, entry->psn) : NULL;
  return packet != NULL && packet->state == UET_SENT && packet->retransmissions == entry->retransmissions ? packet
                                                                                                          : NULL;
}

void uet_watch_due(nic_t* nic)
{
  uet_watch_t* watch = uet_state(nic)->watch;
  while (watch->count > 0 && watch->heap[0].deadline <= nic_now(nic)) {
    const uet_packet_t* packet = still_missing(nic, &watch->heap[0]);
    pop(watch);
    if (packet != NULL)
      spray_path_failed(&packet->pdc->group->spray, nic_now(nic));
  }
  if (watch->count > 0)
    opp_schedule_at(nic->module, watch->heap[0].deadline, watch->timer);
}

void uet_watch_free(uet_state_t* state)
{
  if (state->watch != NULL)
    free(state->watch->heap);
  free(state->watch);
}
