/* nic: samples for records, one by one. */
#ifndef NIC_SAMPLES_H
#define NIC_SAMPLES_H

#include <sgfabric/uet_stats.h>

static inline void nic_sample(sgf_samples_t* samples, int64_t value)
{
  if (samples->count == 0 || value < samples->min)
    samples->min = value;
  if (samples->count == 0 || value > samples->max)
    samples->max = value;
  samples->sum += value;
  samples->count++;
}

#endif
