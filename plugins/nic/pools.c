/* The pools of a NIC's two buffers at start, the turns at its port, and the rules they must keep (spec/uet-nic.md 3,
 * 5.1, 5.4, 6). */
#include <inttypes.h>
#include <stdio.h>

#include "attr/alloc.h"
#include "nic/nic.h"

enum { FIXED_POOLS = 2 }; /* of NICs whose pools no attribute divides: data, control (spec/mrc-nic.md 5.1) */

static bool is_zero(sgf_decimal_t share)
{
  return share.digits == 0;
}

/* Non-zero entries lead, without a gap, and there are enough (S1, B20). */
static sgf_status_t check_shares(const char* manager, const sgf_decimal_t* share, unsigned least, sgf_error_t* error)
{
  unsigned pools = 0;
  unsigned last  = 0;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    if (!is_zero(share[tc])) {
      pools++;
      last = tc;
    }
  if (pools < least)
    return sgf_error_set(error, SGF_RULE, "%s.PoolAllocationVector has %u non-zero %s; this NIC needs %s", manager,
                         pools, pools == 1 ? "entry" : "entries",
                         least == 1 ? "at least one pool" : "at least two pools, data and control");
  if (last + 1 != pools)
    return sgf_error_set(error, SGF_RULE,
                         "%s.PoolAllocationVector: entry %u is not zero but one before it is; non-zero entries come "
                         "first, without a gap",
                         manager, last);
  return SGF_OK;
}

static sgf_status_t check_scheduling(const char* manager, int scheduling, sgf_error_t* error)
{
  if (scheduling != NIC_PROBABILISTIC_ROUND_ROBIN)
    return SGF_OK;
  return sgf_error_set(
      error, SGF_RULE,
      "%s.QueueSchedulingType is ProbabilisticWeightedRoundRobin, which a NIC does not have (rule S3); "
      "StrictPriority, RoundRobin and WeightedRoundRobin it has",
      manager);
}

static void warn_of_class(nic_warn_cb warn, void* user, const char* format, unsigned tc)
{
  char text[256];
  snprintf(text, sizeof text, format, tc);
  warn(user, text);
}

/* Quanta and thresholds of a class that sends pauses (B33). */
static sgf_status_t check_pause(const nic_config_t* config, unsigned tc, sgf_error_t* error)
{
  const sgf_decimal_t zero = {0, 1};
  const sgf_decimal_t one  = {1, 1};
  if (config->ingress.quanta[tc] < 1 || config->ingress.quanta[tc] > PFC_MAX_QUANTA)
    return sgf_error_set(error, SGF_RULE,
                         "IngressBufferManager.QuantaValue: PFC is on for class %u, whose entry is %" PRId64
                         "; it must be 1 to 65535",
                         tc, config->ingress.quanta[tc]);
  if (sgf_decimal_compare(config->ingress.xoff[tc], zero) <= 0 ||
      sgf_decimal_compare(config->ingress.xoff[tc], one) > 0)
    return sgf_error_set(error, SGF_RULE,
                         "IngressBufferManager.PfcStaticXoffThreshold: PFC is on for class %u, whose entry must be "
                         "above 0 and at most 1",
                         tc);
  if (sgf_decimal_compare(config->ingress.xon[tc], zero) < 0 || sgf_decimal_compare(config->ingress.xon[tc], one) > 0)
    return sgf_error_set(
        error, SGF_RULE,
        "IngressBufferManager.PfcXonResumeThreshold: PFC is on for class %u, whose entry must be between 0 and 1", tc);
  return SGF_OK;
}

/* Bytes of a class's pool: its share, in whole bytes. What is fixed leaves nothing over. */
static int64_t pool_size(const nic_traits_t* traits, int64_t total, const sgf_decimal_t* share, unsigned tc)
{
  if (!traits->fixed_pools)
    return sgf_decimal_of(share[tc], total);
  const int64_t data = sgf_decimal_of((sgf_decimal_t){9, 10}, total);
  return tc == 0 ? data : tc < FIXED_POOLS ? total - data : 0;
}

/* A class that sends pauses. */
static sgf_status_t setup_pauses(nic_ingress_pool_t* pool, const nic_config_t* config, unsigned tc, nic_warn_cb warn,
                                 void* warn_user, sgf_error_t* error)
{
  if (pool->size == 0) {
    warn_of_class(warn, warn_user,
                  "IngressBufferManager.PFCEnableVector is on for class %u, which has no receive pool: ignored", tc);
    return SGF_OK;
  }
  if (check_pause(config, tc, error) != SGF_OK)
    return SGF_RULE;
  pool->pfc_enabled = true;
  pool->quanta      = (uint16_t)config->ingress.quanta[tc];
  if (pool->xon >= pool->xoff)
    warn_of_class(warn, warn_user,
                  "IngressBufferManager.PfcXonResumeThreshold of class %u is not below its Xoff: pauses and resumes "
                  "may alternate",
                  tc);
  return SGF_OK;
}

static sgf_status_t setup_ingress(nic_t* nic, const nic_config_t* config, nic_warn_cb warn, void* warn_user,
                                  sgf_error_t* error)
{
  const nic_traits_t* traits = &nic->transport->traits;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++) {
    nic_ingress_pool_t* pool = &nic->ingress[tc];
    pool->size               = pool_size(traits, config->ingress.total_bytes, config->ingress.share, tc);
    if (traits->fixed_pools) /* and no thresholds */
      continue;
    pool->xoff = sgf_decimal_of(config->ingress.xoff[tc], pool->size);
    pool->xon  = sgf_decimal_of(config->ingress.xon[tc], pool->size);
    if (config->ingress.pfc_enable[tc] == 1 && setup_pauses(pool, config, tc, warn, warn_user, error) != SGF_OK)
      return SGF_RULE;
  }
  return SGF_OK;
}

static sgf_status_t setup_egress(nic_t* nic, const nic_config_t* config, nic_classes_t classes, int64_t largest_frame,
                                 nic_warn_cb warn, void* warn_user, sgf_error_t* error)
{
  const nic_traits_t* traits = &nic->transport->traits;
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    nic->egress[tc].size = pool_size(traits, config->egress.total_bytes, config->egress.share, tc);
  const int64_t control = nic->egress[classes.control].size;
  if (control > 0 && control < traits->least_control_pool) /* one without a pool is the transport's to refuse */
    return sgf_error_set(error, SGF_RULE,
                         "EgressBufferManager.PoolAllocationVector gives the control class %" PRId64
                         " B; it needs %" PRId64 " B for one acknowledgement",
                         control, traits->least_control_pool);
  if (control < traits->shortest_ack && traits->least_control_pool == 0 && !traits->unacknowledged) {
    char text[256];
    snprintf(text, sizeof text,
             "EgressBufferManager.PoolAllocationVector gives the control class %" PRId64
             " B, less than one acknowledgement (%" PRId64 " B): nothing that is received is ever acknowledged",
             control, traits->shortest_ack);
    warn(warn_user, text);
  }
  if (nic->egress[classes.data].size < largest_frame && !traits->fixed_pools) { /* whose transport refuses it */
    char text[256];
    snprintf(text, sizeof text,
             "EgressBufferManager.PoolAllocationVector gives the data class %" PRId64
             " B, less than one full packet (%" PRId64 " B): the first full packet blocks all data for good",
             nic->egress[classes.data].size, largest_frame);
    warn(warn_user, text);
  }
  return SGF_OK;
}

/* Where a transport refuses it itself, nobody is warned. */
static void warn_of_deafness(const nic_t* nic, nic_classes_t classes, nic_warn_cb warn, void* warn_user)
{
  const nic_traits_t* traits = &nic->transport->traits;
  if (traits->fixed_pools || traits->unacknowledged)
    return;
  if (nic->ingress[classes.data].size == 0)
    warn_of_class(warn, warn_user,
                  "IngressBufferManager.PoolAllocationVector gives class %u, that of data, no pool: all data that "
                  "arrives in it is dropped",
                  classes.data);
  if (nic->ingress[classes.control].size == 0 && classes.control != classes.data)
    warn_of_class(warn, warn_user,
                  "IngressBufferManager.PoolAllocationVector gives class %u, that of control packets, no pool: every "
                  "acknowledgement that arrives in it is dropped",
                  classes.control);
}

/* Weights of the classes that have a pool. 0 is no turn at all (B13), which the two lowest classes of most NICs cannot
 * be without. */
static sgf_status_t check_weights(const nic_config_t* config, const nic_traits_t* traits, unsigned classes,
                                  nic_warn_cb warn, void* warn_user, sgf_error_t* error)
{
  for (unsigned tc = 0; tc < classes; tc++) {
    const int64_t weight = config->egress.wrr_weights[tc];
    if (weight < (tc < 2 && !traits->weightless_classes))
      return sgf_error_set(error, SGF_RULE,
                           "EgressBufferManager.WRRQueueWeights gives class %u %" PRId64
                           " packets per turn; classes 0 and 1 need 1 at least, no class may have less than 0",
                           tc, weight);
    if (weight == 0)
      warn_of_class(warn, warn_user,
                    "EgressBufferManager.WRRQueueWeights gives class %u no turns: what is sent in it never leaves", tc);
  }
  return SGF_OK;
}

static sgf_status_t setup_turns(nic_t* nic, const nic_config_t* config, nic_warn_cb warn, void* warn_user,
                                sgf_error_t* error)
{
  unsigned classes = 0;
  while (classes < NET_CLASSES && !is_zero(config->egress.share[classes]))
    classes++;
  if (config->egress.scheduling == NIC_ROUND_ROBIN)
    net_turns_round_robin(&nic->turns, classes);
  if (config->egress.scheduling != NIC_WEIGHTED_ROUND_ROBIN)
    return SGF_OK;
  net_turns_weighted(&nic->turns, classes, config->egress.wrr_weights);
  return check_weights(config, &nic->transport->traits, classes, warn, warn_user, error);
}

void nic_watch_pools(nic_t* nic)
{
  if (nic->flows == NULL)
    nic->flows = sgf_calloc(1, sizeof *nic->flows);
}

/* The rules of what attributes say of classes, where they do. */
static sgf_status_t check_vectors(const nic_config_t* config, const nic_traits_t* traits, sgf_error_t* error)
{
  if (traits->fixed_pools)
    return SGF_OK;
  if (check_scheduling("IngressBufferManager", config->ingress.scheduling, error) != SGF_OK ||
      check_scheduling("EgressBufferManager", config->egress.scheduling, error) != SGF_OK ||
      check_shares("IngressBufferManager", config->ingress.share, traits->least_pools, error) != SGF_OK ||
      check_shares("EgressBufferManager", config->egress.share, traits->least_pools, error) != SGF_OK)
    return SGF_RULE;
  return SGF_OK;
}

sgf_status_t nic_pools_setup(nic_t* nic, const nic_config_t* config, nic_classes_t classes, int64_t largest_frame,
                             nic_warn_cb warn, void* warn_user, sgf_error_t* error)
{
  if (check_vectors(config, &nic->transport->traits, error) != SGF_OK ||
      setup_ingress(nic, config, warn, warn_user, error) != SGF_OK ||
      setup_egress(nic, config, classes, largest_frame, warn, warn_user, error) != SGF_OK ||
      setup_turns(nic, config, warn, warn_user, error) != SGF_OK)
    return SGF_RULE;
  warn_of_deafness(nic, classes, warn, warn_user);
  return SGF_OK;
}
