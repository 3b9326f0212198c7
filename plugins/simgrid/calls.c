/* What actors call: writes, receives, waits. Built with -fexceptions: a killed actor unwinds through these frames, and
 * their cleanups run. */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "simgrid/seat.h"

static sgf_device_t* nic_of_host(sg_host_t host)
{
  return seat.scenario == NULL ? NULL : sgf_scenario_nic(seat.scenario, sg_host_get_name(host));
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

void seat_finish(sgf_op_t* op)
{
  seat_wait_t* wait = sgf_op_user(op);
  if (wait == NULL)
    return;
  wait->owed     = wait->waiters;
  wait->finished = true;
  wait->next     = NULL;
  if (seat.finished_last != NULL)
    seat.finished_last->next = wait;
  else
    seat.finished_first = wait;
  seat.finished_last = wait;
}

static void wait_free(seat_wait_t* wait)
{
  if (wait->waiters > 0 || wait->finished)
    return;
  sg_sem_destroy(wait->sem);
  free(wait);
}

/* A release lets other actors run: waiters leave, further operations finish, and the fabric's actor may end with its
 * host. What is not done then stays in the list; a release too many finds nobody. */
void seat_wake_finished(void)
{
  seat_wait_t* wait;
  while ((wait = seat.finished_first) != NULL) {
    if (wait->owed > 0 && wait->waiters > 0) {
      sg_sem_release(wait->sem);
      wait->owed--;
      continue;
    }
    seat.finished_first = wait->next;
    if (seat.finished_first == NULL)
      seat.finished_last = NULL;
    wait->finished = false;
    wait_free(wait);
  }
}

static sgf_op_t* enter(sgf_op_t* op)
{
  seat_wait_t* wait = sgf_op_user(op);
  if (wait == NULL) {
    wait      = sgf_calloc(1, sizeof *wait);
    wait->sem = sg_sem_init(0);
    sgf_op_set_user(op, wait);
  }
  wait->waiters++;
  sgf_op_set_awaited(op, true);
  return sgf_op_ref(op);
}

/* Also when the actor is killed while it waits. */
static void leave(sgf_op_t** op)
{
  seat_wait_t* wait = sgf_op_user(*op);
  if (--wait->waiters == 0) {
    sgf_op_set_awaited(*op, false);
    sgf_op_set_user(*op, NULL);
    wait_free(wait);
  }
  sgf_op_unref(*op);
}

static sgf_status_t wait_for(sgf_op_t* op, double timeout_s)
{
  seat_catch_up();
  if (sgf_op_done(op))
    return sgf_op_status(op);
  if (timeout_s == 0.0)
    return SGF_TIMEOUT;
  __attribute__((cleanup(leave))) sgf_op_t* waited_for = enter(op);
  seat_notice(waited_for);
  const seat_wait_t* wait = sgf_op_user(waited_for);
  if (timeout_s < 0)
    sg_sem_acquire(wait->sem);
  else if (sg_sem_acquire_timeout(wait->sem, timeout_s))
    seat_catch_up(); /* a completion at the instant of the time-out wins */
  return sgf_op_done(waited_for) ? sgf_op_status(waited_for) : SGF_TIMEOUT;
}

sgf_status_t sgf_op_wait(sgf_op_t* op)
{
  return wait_for(op, -1.0);
}

sgf_status_t sgf_op_wait_for(sgf_op_t* op, double timeout_s)
{
  return wait_for(op, timeout_s);
}

bool sgf_op_test(sgf_op_t* op)
{
  seat_catch_up();
  return sgf_op_done(op);
}

/* ---- Posting ----------------------------------------------------------------------------------------------------- */

static void drop(sgf_op_t** op)
{
  sgf_op_unref(*op);
}

static sgf_status_t post_write(sg_host_t dst, uint64_t bytes, uint64_t tag, sgf_op_t** op)
{
  sgf_device_t* from = nic_of_host(sg_host_self());
  sgf_device_t* to   = nic_of_host(dst);
  if (from == NULL || to == NULL)
    return SGF_NO_NIC;
  seat_catch_up();
  sgf_error_t error = {0};
  *op               = sgf_op_write(seat.fabric, from, to, bytes, tag, seat_now(), sg_actor_self_get_pid(), &error);
  if (*op != NULL)
    seat_notice(*op);
  return error.status;
}

sgf_op_t* sgf_rdma_write_async(sg_host_t dst, uint64_t bytes, uint64_t tag)
{
  sgf_op_t* op = NULL;
  post_write(dst, bytes, tag, &op);
  return op;
}

sgf_status_t sgf_rdma_write(sg_host_t dst, uint64_t bytes, uint64_t tag)
{
  __attribute__((cleanup(drop))) sgf_op_t* op = NULL;
  const sgf_status_t status                   = post_write(dst, bytes, tag, &op);
  return status == SGF_OK ? sgf_op_wait(op) : status;
}

sgf_op_t* sgf_recv_async(uint64_t tag)
{
  sgf_device_t* host = nic_of_host(sg_host_self());
  if (host == NULL)
    return NULL;
  seat_catch_up();
  return sgf_op_recv(seat.fabric, host, tag, seat_now(), sg_actor_self_get_pid());
}

sgf_status_t sgf_recv(uint64_t tag, uint64_t* bytes, sg_host_t* src)
{
  __attribute__((cleanup(drop))) sgf_op_t* op = sgf_recv_async(tag);
  if (op == NULL)
    return SGF_NO_NIC;
  const sgf_status_t status = sgf_op_wait(op);
  if (status != SGF_OK)
    return status;
  if (bytes != NULL)
    *bytes = sgf_op_bytes(op);
  if (src != NULL)
    *src = sg_host_by_name(sgf_device_name(sgf_op_src(op)));
  return SGF_OK;
}
