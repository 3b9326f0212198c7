/* What actors do to a run for experiments of their own (include/sgfabric/script.h), at their own instant. Built with
 * -fexceptions: a killed actor unwinds through these frames, and their cleanups run. */
#include <sgfabric/script.h>

#include "simgrid/seat.h"

/* The device of this name, with the engine at the actor's instant; NULL: there is none. */
static sgf_device_t* device_now(const char* name)
{
  sgf_device_t* device = seat.fabric == NULL ? NULL : sgf_fabric_find(seat.fabric, name);
  if (device != NULL)
    seat_catch_up();
  return device;
}

sgf_status_t sg_fabric_pause(const char* device, unsigned port, unsigned tc, unsigned quanta)
{
  sgf_device_t* from = device_now(device);
  if (from == NULL)
    return SGF_UNKNOWN;
  const sgf_status_t status = sgf_script_pause(from, port, tc, quanta, NULL);
  seat_reconsider();
  return status;
}

sgf_status_t sg_fabric_set_send_rate(const char* host, int64_t bps)
{
  sgf_device_t* of = device_now(host);
  if (of == NULL)
    return SGF_UNKNOWN;
  return sgf_script_set_rate(of, bps, NULL);
}

static sgf_status_t queue_async(const char* device, unsigned port, unsigned tc, int64_t level, sgf_op_t** op)
{
  sgf_device_t* of = device_now(device);
  if (of == NULL)
    return SGF_UNKNOWN;
  sgf_error_t error = {0};
  *op               = sgf_op_queue(of, port, tc, level, &error);
  return error.status;
}

sgf_op_t* sg_fabric_queue_async(const char* device, unsigned port, unsigned tc, int64_t level)
{
  sgf_op_t* op = NULL;
  queue_async(device, port, tc, level, &op);
  return op;
}

static void drop(sgf_op_t** op)
{
  sgf_op_unref(*op);
}

sgf_status_t sg_fabric_wait_queue(const char* device, unsigned port, unsigned tc, int64_t level)
{
  __attribute__((cleanup(drop))) sgf_op_t* op = NULL;
  const sgf_status_t status                   = queue_async(device, port, tc, level, &op);
  return status == SGF_OK ? sgf_op_wait(op) : status;
}
