/* What actors call: writes, receives, waits. Built with -fexceptions: a killed actor unwinds through these frames, and
 * their cleanups run. */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "simgrid/seat.h"

sgf_device_t* seat_nic(sg_host_t host)
{
  return seat.scenario == NULL ? NULL : sgf_scenario_nic(seat.scenario, sg_host_get_name(host));
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

sgf_status_t sgf_op_wait_for(sgf_op_t* op, double timeout_s)
{
  sgf_status_t status;
  seat_wait(&op, 1, timeout_s, &status);
  return status;
}

sgf_status_t sgf_op_wait(sgf_op_t* op)
{
  return sgf_op_wait_for(op, -1.0);
}

ptrdiff_t sgf_op_wait_any(sgf_op_t* const* ops, size_t count)
{
  return sgf_op_wait_any_for(ops, count, -1.0);
}

ptrdiff_t sgf_op_wait_any_for(sgf_op_t* const* ops, size_t count, double timeout_s)
{
  sgf_status_t status;
  return seat_wait(ops, count, timeout_s, &status);
}

typedef struct list {
  sgf_op_t* const* ops;
  size_t count;
} list_t;

static void drop_list(list_t* list)
{
  for (size_t i = 0; i < list->count; i++)
    sgf_op_unref(list->ops[i]);
}

/* Others may give up the later ones while the earlier ones are waited for. */
sgf_status_t sgf_op_wait_all(sgf_op_t* const* ops, size_t count)
{
  __attribute__((cleanup(drop_list))) list_t held = {ops, count};
  for (size_t i = 0; i < held.count; i++)
    sgf_op_ref(held.ops[i]);
  sgf_status_t first_failure = SGF_OK;
  for (size_t i = 0; i < count; i++) {
    const sgf_status_t status = sgf_op_wait(ops[i]);
    if (first_failure == SGF_OK)
      first_failure = status;
  }
  return first_failure;
}

bool sgf_op_test(sgf_op_t* op)
{
  seat_catch_up();
  return sgf_op_done(op);
}

/* ---- Posting ----------------------------------------------------------------------------------------------------- */

int64_t seat_post_order(void)
{
  enum { CALL_BITS = 36 }; /* as in the model seat (order.c) */
  static uint64_t calls;
  return (int64_t)sg_actor_self_get_pid() << CALL_BITS | (int64_t)(++calls & ((UINT64_C(1) << CALL_BITS) - 1));
}

static void drop(sgf_op_t** op)
{
  sgf_op_unref(*op);
}

static sgf_status_t post_write(sg_host_t dst, uint64_t bytes, uint64_t tag, sgf_op_t** op)
{
  sgf_device_t* from = seat_nic(sg_host_self());
  sgf_device_t* to   = seat_nic(dst);
  if (from == NULL || to == NULL)
    return SGF_NO_NIC;
  seat_catch_up();
  sgf_error_t error = {0};
  *op               = sgf_op_write(seat.fabric, from, to, bytes, tag, seat_now(), seat_post_order(), &error);
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
  sgf_device_t* host = seat_nic(sg_host_self());
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
