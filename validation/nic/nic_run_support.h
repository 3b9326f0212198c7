/* UET NICs in a SimGrid simulation (support/nic_run.h): the dates of the default NIC. */
#ifndef SGF_VALIDATION_NIC_RUN_SUPPORT_H
#define SGF_VALIDATION_NIC_RUN_SUPPORT_H

#include "nic/uet/uet.h"
#include "support/nic_run.h"

enum {
  RUN_MSS  = 4096,
  RUN_FULL = RUN_MSS + 106, /* a full data packet on the wire */
  RUN_IP   = RUN_MSS + 88,  /* its charge and its nominal size */
};

/* Dates of the default NIC, in ps; see nic_support.h. */
static const opp_simtime_t run_doorbell = 15000;
static const opp_simtime_t run_fetch    = 70843;
static const opp_simtime_t run_wire     = 84040;
static const opp_simtime_t run_delay    = 100000;
static const opp_simtime_t run_hold     = 66370; /* of the acknowledgement of a full packet */
static const opp_simtime_t run_ack      = 1560;
static const opp_simtime_t run_probe    = 1240; /* a base-RTT probe, 62 B */
enum { RUN_PROBE = 62, RUN_ACK = 78 };          /* one of each for every message, besides its data and their answers */

static inline void run_rack(unsigned hosts, const char* latency, const char* const* settings)
{
  run_rack_of("uet", hosts, latency, settings);
}

static inline void run_cable(const char* latency, const char* const* settings)
{
  run_cable_of("uet", latency, settings);
}

/* Start of the n-th full packet on the sender's wire, n from 1, when nothing holds it up. */
static inline opp_simtime_t run_packet_start(int64_t n)
{
  return run_doorbell + run_fetch + (n - 1) * run_wire;
}

/* The same when nothing but the message's base-RTT probe comes between: it goes ahead of the packets that have not
 * started when the acknowledgement of the first is back. */
static inline opp_simtime_t run_probed_start(int64_t n, opp_simtime_t first_back)
{
  return run_packet_start(n) + (run_packet_start(n) >= first_back ? run_probe : 0);
}

/* When the acknowledgement of a packet is back that ends on the sender's wire at `end`. */
static inline opp_simtime_t run_back_on_a_cable(opp_simtime_t end)
{
  return end + run_delay + run_hold + run_ack + run_delay;
}

/* run_probed_start between two hosts on one cable. */
static inline opp_simtime_t run_probed_start_on_a_cable(int64_t n)
{
  return run_probed_start(n, run_back_on_a_cable(run_packet_start(2)));
}

#endif
