/* A udp NIC on the bench of support/nic_bench.h (plugins/nic/udp/README.md). */
#ifndef SGF_VALIDATION_UDP_SUPPORT_H
#define SGF_VALIDATION_UDP_SUPPORT_H

#include "nic/udp/udp.h"
#include "support/nic_bench.h"

enum {
  UDP_MSS  = 4096,
  UDP_FULL = UDP_MSS + UDP_LEAST_HEADERS, /* a full datagram on the wire */
};

/* Dates of the default NIC, in ps. A doorbell, then a read request and its answer over PCIe, then the wire. */
static const opp_simtime_t bench_doorbell = 15000;
static const opp_simtime_t bench_fetch    = 70843; /* of a full payload, as of UET's (nic/nic_support.h) */
static const opp_simtime_t bench_wire     = 82840; /* of a full datagram at 400 Gb/s */

bench_t* udp_bench(const char* const* settings);

/* The reason for which such a NIC does not start; SGF_OK: it does. */
sgf_status_t udp_refusal(const char* const* settings, sgf_error_t* error);

/* A datagram of a message of host 1 for the NIC, which has dealt with it when the call returns. */
void udp_datagram(bench_t* bench, uint64_t message, uint64_t bytes, uint32_t payload);

/* The header of the n-th frame that has reached the peer. */
const udp_header_t* udp_nth(const bench_t* bench, size_t n);

#endif
