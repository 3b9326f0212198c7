/* sgfabric pcie, internal: what its files share. */
#ifndef SGFABRIC_PCIE_INTERNAL_H
#define SGFABRIC_PCIE_INTERNAL_H

#include <sgfabric/pcie.h>

/* Transfers that a payload of n > 0 bytes takes (spec/uet-nic.md 7.2). */
static inline int64_t pcie_transfers(int64_t payload)
{
  return (payload + SGF_PCIE_TRANSFER - 1) / SGF_PCIE_TRANSFER;
}

/* Whether the lanes have a usable rate, and every buffer holds what must enter it as a whole when no read or write is
 * larger than `largest_segment` bytes: SGF_RANGE or SGF_RULE, naming the attribute. */
sgf_status_t pcie_check(const sgf_pcie_config_t* config, int64_t largest_segment, sgf_error_t* error);

#endif
