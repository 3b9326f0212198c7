/* SimGrid's C calls for mailboxes and communications, over the fabric (sgfabric/comm.h). Built with -fexceptions, as
 * calls.c is. */
#include <sgfabric/comm.h>
#include <simgrid/host.h>
#include <stdlib.h>
#include <xbt/asserts.h>

#include "attr/alloc.h"
#include "simgrid/seat.h"

/* The calling actor's alone, who gives it back by waiting for it. */
struct sgf_comm {
  sgf_mailbox_t* mailbox;
  sgf_op_t* op; /* NULL: a put that has not begun */
  bool gets;
  void* payload; /* of a put, as the next one */
  uint64_t bytes;
};

void sgf_comm_load_platform(const char* file)
{
  if (!seat.initialised)
    sg_fabric_plugin_init();
  sg_fabric_load_platform(file);
}

/* ---- Mailboxes --------------------------------------------------------------------------------------------------- */

const char* sgf_comm_mailbox_name(const sgf_mailbox_t* mailbox)
{
  return seat_mailbox_name(mailbox);
}

int sgf_comm_listen(const char* name)
{
  return seat_mailbox_waits(sgf_mailbox_by_name(name)) ? 1 : 0;
}

static sgf_comm_t new_comm(sgf_mailbox_t* mailbox, bool gets)
{
  xbt_assert(seat_nic(sg_host_self()) != NULL, "host %s has no NIC for what goes over mailbox %s of the fabric",
             sg_host_self_get_name(), seat_mailbox_name(mailbox));
  sgf_comm_t comm = sgf_calloc(1, sizeof *comm);
  comm->mailbox   = mailbox;
  comm->gets      = gets;
  return comm;
}

static void begin(sgf_comm_t comm)
{
  if (comm->op == NULL)
    comm->op = sgf_mailbox_put_async(comm->mailbox, comm->payload, comm->bytes);
}

sgf_comm_t sgf_comm_put_init(sgf_mailbox_t* mailbox, void* payload, long simulated_bytes)
{
  const uint64_t bytes = simulated_bytes > 0 ? (uint64_t)simulated_bytes : 0;
  xbt_assert(bytes <= SGF_LARGEST_WRITE, "%ld bytes are too many for mailbox %s of the fabric", simulated_bytes,
             seat_mailbox_name(mailbox));
  sgf_comm_t comm = new_comm(mailbox, false);
  comm->payload   = payload;
  comm->bytes     = bytes;
  return comm;
}

sgf_comm_t sgf_comm_put_async(sgf_mailbox_t* mailbox, void* payload, long simulated_bytes)
{
  sgf_comm_t comm = sgf_comm_put_init(mailbox, payload, simulated_bytes);
  begin(comm);
  return comm;
}

sgf_comm_t sgf_comm_get_async(sgf_mailbox_t* mailbox, void** payload)
{
  sgf_comm_t comm = new_comm(mailbox, true);
  comm->op        = sgf_mailbox_get_async(mailbox, payload);
  return comm;
}

void sgf_comm_put(sgf_mailbox_t* mailbox, void* payload, long simulated_bytes)
{
  const uint64_t bytes      = simulated_bytes > 0 ? (uint64_t)simulated_bytes : 0;
  const sgf_status_t status = sgf_mailbox_put(mailbox, payload, bytes);
  xbt_assert(status == SGF_OK, "put of %ld bytes on host %s to mailbox %s of the fabric: %s", simulated_bytes,
             sg_host_self_get_name(), seat_mailbox_name(mailbox), sgf_status_text(status));
}

void* sgf_comm_get(sgf_mailbox_t* mailbox)
{
  void* payload;
  const sgf_status_t status = seat_mailbox_get(mailbox, &payload);
  xbt_assert(status == SGF_OK, "get on host %s from mailbox %s of the fabric: %s", sg_host_self_get_name(),
             seat_mailbox_name(mailbox), sgf_status_text(status));
  return payload;
}

/* ---- Communications ---------------------------------------------------------------------------------------------- */

void sgf_comm_unref(sgf_comm_t comm)
{
  if (comm->op != NULL)
    sgf_op_unref(comm->op);
  free(comm);
}

/* Also when the actor is killed. */
static void give_back(sgf_comm_t* comm)
{
  if (*comm != NULL)
    sgf_comm_unref(*comm);
}

void sgf_comm_detach(sgf_comm_t comm, void (*clean_function)(void*))
{
  (void)clean_function; /* of a message that fails, which none does */
  begin(comm);
  sgf_comm_unref(comm);
}

/* Where a call has no way to say that it is not. */
static void assert_complete(const struct sgf_comm* comm)
{
  const sgf_status_t status = sgf_op_status(comm->op);
  xbt_assert(status == SGF_OK, "%s on host %s, mailbox %s of the fabric: %s", comm->gets ? "get" : "put",
             sg_host_self_get_name(), seat_mailbox_name(comm->mailbox), sgf_status_text(status));
}

int sgf_comm_test(sgf_comm_t comm)
{
  begin(comm);
  if (!sgf_op_test(comm->op))
    return 0;
  assert_complete(comm);
  sgf_comm_unref(comm);
  return 1;
}

sg_error_t sgf_comm_wait(sgf_comm_t comm)
{
  return sgf_comm_wait_for(comm, -1.0);
}

/* Who times out has given up: what it has not met it takes back, and the place of a get may not last. */
static void give_up(sgf_comm_t comm)
{
  if (!seat_mailbox_withdraw(comm->mailbox, comm->op) && comm->gets)
    sgf_op_set_payload(comm->op, sgf_op_payload(comm->op), NULL);
}

sg_error_t sgf_comm_wait_for(sgf_comm_t comm, double timeout_s)
{
  __attribute__((cleanup(give_back))) sgf_comm_t held = comm;
  begin(held);
  const sgf_status_t status = sgf_op_wait_for(held->op, timeout_s);
  if (status == SGF_TIMEOUT)
    give_up(held);
  return status == SGF_OK ? SG_OK : status == SGF_TIMEOUT ? SG_ERROR_TIMEOUT : SG_ERROR_NETWORK;
}

void sgf_comm_wait_all(sgf_comm_t* comms, size_t count)
{
  sgf_comm_wait_all_for(comms, count, -1.0);
}

size_t sgf_comm_wait_all_for(sgf_comm_t* comms, size_t count, double timeout_s)
{
  const double deadline = simgrid_get_clock() + timeout_s;
  for (size_t i = 0; i < count; i++)
    begin(comms[i]);
  for (size_t i = 0; i < count; i++) {
    const double left = deadline - simgrid_get_clock();
    const double time = timeout_s < 0 ? timeout_s : left > 0 ? left : 0;
    if (sgf_comm_wait_any_for(&comms[i], 1, time) < 0)
      return i;
  }
  return count;
}

ssize_t sgf_comm_wait_any(sgf_comm_t* comms, size_t count)
{
  return sgf_comm_wait_any_for(comms, count, -1.0);
}

static void free_list(sgf_op_t*** ops)
{
  free(*ops);
}

ssize_t sgf_comm_wait_any_for(sgf_comm_t* comms, size_t count, double timeout_s)
{
  __attribute__((cleanup(free_list))) sgf_op_t** ops = sgf_calloc(count + 1, sizeof *ops);
  for (size_t i = 0; i < count; i++) {
    begin(comms[i]);
    ops[i] = comms[i]->op;
  }
  const ptrdiff_t done = sgf_op_wait_any_for(ops, count, timeout_s);
  if (done < 0)
    return done;
  assert_complete(comms[done]);
  sgf_comm_unref(comms[done]);
  return done;
}
