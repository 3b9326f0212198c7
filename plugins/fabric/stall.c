/* Who waits for whom: runs that cannot go on, and runs that end with work outstanding. */
#include <inttypes.h>
#include <stdio.h>

#include "fabric/fabric_internal.h"

/* ---- Watching for progress --------------------------------------------------------------------------------------- */

void fabric_be_patient(sgf_fabric_t* fabric, const sgf_device_t* host)
{
  const opp_simtime_t longest  = host->transport->longest_timeout(fabric_nic(host));
  const opp_simtime_t patience = longest < OPP_TIME_MAX / 64 ? 32 * longest : OPP_TIME_MAX / 2;
  if (patience > fabric->stall_period)
    fabric->stall_period = patience;
}

/* Look whether anything has moved since, a period after `date`. */
static void check_after(sgf_fabric_t* fabric, opp_simtime_t date)
{
  if (opp_msg_is_scheduled(fabric->stall_timer))
    opp_cancel_event(fabric->net, fabric->stall_timer);
  fabric->progress_at_check = fabric->progress;
  if (date < OPP_TIME_MAX - fabric->stall_period)
    opp_schedule_at(fabric->net, date + fabric->stall_period, fabric->stall_timer);
}

/* The timer runs while writes are outstanding. */
void fabric_watch_progress(sgf_fabric_t* fabric)
{
  const bool runs = opp_msg_is_scheduled(fabric->stall_timer);
  if (fabric->outstanding > 0 && !runs)
    check_after(fabric, opp_sim_clock(fabric->sim));
  else if (fabric->outstanding == 0 && runs)
    opp_cancel_event(fabric->net, fabric->stall_timer);
}

/* The timer is set far ahead while all writes wait for nothing but their own rates. */
void fabric_watch_post(sgf_fabric_t* fabric)
{
  const opp_simtime_t now = opp_sim_clock(fabric->sim);
  if (!opp_msg_is_scheduled(fabric->stall_timer) ||
      opp_msg_arrival_time(fabric->stall_timer) - now > fabric->stall_period)
    check_after(fabric, now);
}

/* In a NIC, and neither acknowledged nor given up. */
static bool is_live(const sgf_op_t* op)
{
  return op->kind != FABRIC_RECEIVE && op->src != NULL && !op->held && !op->acknowledged && !op->given_up;
}

static void give_up(sgf_op_t* op)
{
  op->given_up = true;
  op->fabric->given_up++;
  fabric_never_sent(op);
  fabric_stop_draining(op->fabric);
  if (!op->done) /* a message that has arrived is done before it is acknowledged */
    fabric_complete(op, SGF_STALLED);
}

/* Give up what does not move, except for what its own rate keeps from moving. When the first of those goes on;
 * OPP_TIME_MAX: there is none. */
static opp_simtime_t give_up_writes(sgf_fabric_t* fabric)
{
  opp_simtime_t resumes = OPP_TIME_MAX;
  for (sgf_op_t* op = fabric->ops; op != NULL; op = op->next) {
    if (!is_live(op))
      continue;
    nic_progress_t progress = {0};
    op->src->transport->progress_sent(fabric_nic(op->src), &op->message, &progress);
    if (progress.resumes_at == 0)
      give_up(op);
    else if (progress.resumes_at < resumes)
      resumes = progress.resumes_at;
  }
  return resumes;
}

/* Whether a receive may have been waiting for a write that was given up, and waits for no other. */
static bool is_forlorn(const sgf_op_t* receive)
{
  bool is_forlorn = false;
  for (const sgf_op_t* write = receive->dst->incoming; write != NULL; write = write->next_incoming) {
    if (is_live(write) && write->kind == FABRIC_WRITE && write->tag == receive->tag)
      return false;
    is_forlorn |= !is_live(write);
  }
  return is_forlorn;
}

static void give_up_receives(const sgf_device_t* host)
{
  for (sgf_op_t *op = host->receives, *next; op != NULL; op = next) {
    next = op->next_awaited;
    if (is_forlorn(op)) {
      fabric_mailbox_withdraw(op);
      fabric_complete(op, SGF_STALLED);
    }
  }
}

void fabric_stall_timer(sgf_fabric_t* fabric)
{
  if (fabric->progress != fabric->progress_at_check) {
    fabric_watch_progress(fabric);
    return;
  }
  const opp_simtime_t resumes = give_up_writes(fabric);
  for (uint32_t h = 0; h < fabric->host_count; h++)
    give_up_receives(fabric->hosts[h]);
  if (resumes != OPP_TIME_MAX)
    check_after(fabric, resumes);
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
