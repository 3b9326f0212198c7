/* UET NICs in a SimGrid simulation, for scenarios: a platform, actors that write and receive, looks at the state on the
 * way.
 *
 * Hosts are h0, h1, ...; cables run at 400 Gb/s. One run per process. */
#ifndef SGF_VALIDATION_NIC_RUN_SUPPORT_H
#define SGF_VALIDATION_NIC_RUN_SUPPORT_H

#include "nic/uet/uet.h"

#include <sgfabric/simgrid.h>

enum {
  RUN_MSS     = 4096,
  RUN_FULL    = RUN_MSS + 106, /* a full data packet on the wire */
  RUN_IP      = RUN_MSS + 88,  /* its charge and its nominal size */
  RUN_MAX     = 32,            /* writes, receives, looks */
  RUN_STALLED = 32,            /* lines that say what waits */
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

#define RUN_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

/* Hosts around the switch `tor`, or two hosts on one cable. Settings are as for --set: "pattern=value". */
void run_rack(unsigned hosts, const char* latency, const char* const* settings);
void run_cable(const char* latency, const char* const* settings);

/* An actor on host `src` that writes `bytes` to host `dst` at `start_s`. Returns the number of the write. */
size_t run_write(unsigned src, unsigned dst, uint64_t bytes, double start_s);
/* An actor on `host` that receives one message with the tag of a write. Returns the number of the receive. */
size_t run_receive(unsigned host, size_t write);
/* An actor that calls `look` at `date`, when the engine has caught up with it. */
void run_look(opp_simtime_t date, void (*look)(void));
/* Called after every event of the engine. */
void run_watch(void (*watch)(opp_simtime_t now));

/* Run, drain, check the end. SGF_STALLED: run_waits has the lines that say what waits. The second form stops at `date`
 * whatever is outstanding. */
sgf_status_t run_all(void);
void run_until(opp_simtime_t date);
extern char run_waits[RUN_STALLED][512];
extern size_t run_wait_count;

/* The dates at which the actors went on; -1: never. */
opp_simtime_t run_written(size_t write);
opp_simtime_t run_received(size_t receive);

nic_t* run_nic(unsigned host);
const sgf_report_t* run_report(void); /* once; freed at exit */

/* Bytes on the wire from one device to another, "h0" to "tor". */
uint64_t run_link_bytes(const char* from, const char* to);
uint64_t run_drops(const char* cause);
int64_t run_peak(const char* owner, const char* pool);

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
