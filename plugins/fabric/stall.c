/* Who waits for whom: runs that cannot go on, and runs that end with work outstanding. */
#include <inttypes.h>
#include <stdio.h>

#include "fabric/fabric_internal.h"

/* ---- Watching for progress --------------------------------------------------------------------------------------- */

/* The timer runs while writes are outstanding. */
void fabric_watch_progress(sgf_fabric_t* fabric)
{
  const bool runs = opp_msg_is_scheduled(fabric->stall_timer);
  if (fabric->outstanding > 0 && !runs) {
    fabric->progress_at_check = fabric->progress;
    opp_schedule_after(fabric->net, fabric->stall_period, fabric->stall_timer);
  } else if (fabric->outstanding == 0 && runs)
    opp_cancel_event(fabric->net, fabric->stall_timer);
}

void fabric_stall_timer(sgf_fabric_t* fabric)
{
  if (fabric->progress != fabric->progress_at_check) {
    fabric_watch_progress(fabric);
    return;
  }
  for (sgf_op_t* op = fabric->ops; op != NULL; op = op->next)
    if (op->kind != FABRIC_RECEIVE && op->src != NULL && !op->held && !op->acknowledged && !op->given_up) {
      op->given_up = true;
      fabric->given_up++;
      if (!op->done) /* a message that has arrived is done before it is acknowledged */
        fabric_complete(op, SGF_STALLED);
    }
  for (uint32_t h = 0; h < fabric->host_count; h++) /* receives that may have been waiting for one of them */
    for (sgf_op_t *op = fabric->hosts[h]->receives, *next; op != NULL && op->dst->incoming != NULL; op = next) {
      next = op->next_awaited;
      fabric_mailbox_withdraw(op);
      fabric_complete(op, SGF_STALLED);
    }
  opp_end_simulation(fabric->net);
}

/* ---- The end of a run -------------------------------------------------------------------------------------------- */

typedef struct listener {
  void (*waits)(void* user, const char* line);
  void* user;
} listener_t;

static void tell(const listener_t* listener, const char* line)
{
  if (listener->waits != NULL)
    listener->waits(listener->user, line);
}

static void tell_writes(const sgf_fabric_t* fabric, const listener_t* listener)
{
  for (size_t i = 0; i < fabric->post_count; i++) {
    char line[512];
    snprintf(line, sizeof line, "%s -> %s, %" PRIu64 " B: posted, not begun", fabric->posts[i]->src->name,
             fabric->posts[i]->dst->name, fabric->posts[i]->bytes);
    tell(listener, line);
  }
  for (uint32_t h = 0; h < fabric->host_count; h++)
    for (const sgf_op_t* op = fabric->hosts[h]->incoming; op != NULL; op = op->next_incoming) {
      if (op->acknowledged)
        continue;
      char state[256], line[512];
      op->src->transport->waits(fabric_nic(op->src), &op->message, state, sizeof state);
      snprintf(line, sizeof line, "%s -> %s, %" PRIu64 " B: %s", op->src->name, op->dst->name, op->bytes, state);
      tell(listener, line);
    }
}

/* Queues that a pause holds, and pools that are full. */
static void tell_port(const char* device, const net_port_t* port, const char* peer, const listener_t* listener)
{
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (port->held >> tc & 1 && port->backlog >> tc & 1) {
      char line[512];
      snprintf(line, sizeof line, "%s: %zu frames of class %u wait for %s to resume them", device,
               net_port_queue_length(port, tc), tc, peer);
      tell(listener, line);
    }
}

static void tell_devices(const sgf_fabric_t* fabric, const listener_t* listener)
{
  for (size_t d = 0; d < fabric->device_count; d++) {
    const sgf_device_t* device = fabric->devices[d];
    if (!sgf_device_is_switch(device)) {
      tell_port(device->name, &fabric_nic(device)->port, device->ports[0].peer->name, listener);
      continue;
    }
    for (unsigned p = 0; p < device->port_count; p++)
      tell_port(device->name, &switch_state(device->module)->ports[p].out, device->ports[p].peer->name, listener);
  }
}

static sgf_status_t check_empty(const sgf_fabric_t* fabric, sgf_error_t* error)
{
  char what[256];
  for (size_t d = 0; d < fabric->device_count; d++) {
    const sgf_device_t* device = fabric->devices[d];
    const bool empty           = sgf_device_is_switch(device)
                                     ? sgf_sb_empty(switch_state(device->module)->buffer, what, sizeof what)
                                     : nic_is_empty(fabric_nic(device), what, sizeof what);
    if (!empty)
      return sgf_error_set(error, SGF_CONSERVATION, "'%s': %s at the end of the run", device->name, what);
  }
  return SGF_OK;
}

sgf_status_t sgf_fabric_check_end(sgf_fabric_t* fabric, void (*waits)(void* user, const char* line), void* user,
                                  sgf_error_t* error)
{
  const listener_t listener = {waits, user};
  const sgf_error_t* broken = opp_sim_error(fabric->sim);
  if (broken->status != SGF_OK)
    return sgf_error_set(error, broken->status, "%s", broken->text);
  const uint64_t unfinished = fabric->outstanding + fabric->post_count;
  if (unfinished == 0)
    return check_empty(fabric, error);
  tell_writes(fabric, &listener);
  tell_devices(fabric, &listener);
  return sgf_error_set(error, SGF_STALLED, "%" PRIu64 " write%s not complete at %.12f s", unfinished,
                       unfinished == 1 ? " is" : "s are", (double)opp_sim_clock(fabric->sim) * 1e-12);
}
