/* What an operation may choose of the connection that it goes on. */
#include "fabric/fabric_internal.h"

/* A choice can be made while it has its ends, and no NIC has it. */
static sgf_status_t check_open(const sgf_op_t* op, bool nic_has_it, const char* what, sgf_error_t* error)
{
  if (fabric_op_has_begun(op) || op->src == NULL)
    return sgf_error_set(error, SGF_STATE,
                         "the %s of a write or message can be set from its post until the engine passes that", what);
  if (!nic_has_it)
    return sgf_error_set(error, SGF_RULE, "the messages of a %s NIC have no %s of their own", op->src->transport->name,
                         what);
  return SGF_OK;
}

sgf_status_t sgf_op_set_queue_pair(sgf_op_t* op, uint32_t queue_pair, sgf_error_t* error)
{
  const bool nic_has_it     = op->src != NULL && op->src->transport->traits.has_queue_pairs;
  const sgf_status_t status = check_open(op, nic_has_it, "queue pair", error);
  if (status == SGF_OK)
    op->message.queue_pair = queue_pair;
  return status;
}

/* Packets of a class leave one host and arrive at another: both need a pool for them. */
static sgf_status_t check_pools(const sgf_device_t* from, const sgf_device_t* to, unsigned tc, sgf_error_t* error)
{
  if (tc >= NET_CLASSES)
    return sgf_error_set(error, SGF_RANGE, "there is no traffic class %u; they are 0 to %d", tc, NET_CLASSES - 1);
  if (fabric_nic(from)->egress[tc].size == 0)
    return sgf_error_set(error, SGF_RANGE, "class %u has no transmit pool at '%s'", tc, from->name);
  if (fabric_nic(to)->ingress[tc].size == 0)
    return sgf_error_set(error, SGF_RANGE, "class %u has no receive pool at '%s'", tc, to->name);
  return SGF_OK;
}

sgf_status_t sgf_op_set_classes(sgf_op_t* op, unsigned data, unsigned control, sgf_error_t* error)
{
  const bool nic_has_it = op->src != NULL && op->src->transport->traits.has_message_classes;
  sgf_status_t status   = check_open(op, nic_has_it, "traffic classes", error);
  if (status == SGF_OK)
    status = check_pools(op->src, op->dst, data, error);
  if (status == SGF_OK)
    status = check_pools(op->dst, op->src, control, error);
  if (status != SGF_OK)
    return status;
  op->message.has_classes = true;
  op->message.classes     = (nic_classes_t){.data = (uint8_t)data, .control = (uint8_t)control};
  return SGF_OK;
}
