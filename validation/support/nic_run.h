/* NICs of any transport in a SimGrid simulation, for scenarios: a platform, actors that write and receive, looks at the
 * state on the way.
 *
 * Hosts are h0, h1, ...; cables run at 400 Gb/s. One run per process. What is special to a transport is in the support
 * of its own area (nic/nic_run_support.h for UET). */
#ifndef SGF_VALIDATION_NIC_RUN_H
#define SGF_VALIDATION_NIC_RUN_H

#include "nic/nic.h"

#include <sgfabric/simgrid.h>

enum {
  RUN_MAX     = 32, /* writes, receives, looks */
  RUN_STALLED = 32, /* lines that say what waits */
};

#define RUN_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

/* A PCIe link of h1 so slow that nothing crosses it within a test. Its transmit buffer takes RUN_STUCK_WRITES full
 * payloads; what comes behind them stays in the receive pool. */
#define RUN_STUCK                                                                                                      \
  "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneBps=1Mbps", "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=1"
enum { RUN_STUCK_WRITES = 58 };

/* Hosts around the switch `tor`, or two hosts on one cable, with NICs of a model ("uet"). Settings are as for --set:
 * "pattern=value". */
void run_rack_of(const char* model, unsigned hosts, const char* latency, const char* const* settings);
void run_cable_of(const char* model, const char* latency, const char* const* settings);
void run_cable_at(const char* model, const char* bandwidth, const char* latency, const char* const* settings);

/* An actor on host `src` that writes `bytes` to host `dst` at `start_s`. Returns the number of the write. */
size_t run_write(unsigned src, unsigned dst, uint64_t bytes, double start_s);
/* The same; `prepare` says at its start what else there is to say of it: rate, queue pair, classes. */
size_t run_write_as(unsigned src, unsigned dst, uint64_t bytes, double start_s, void (*prepare)(sgf_op_t* write));
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

/* What h0 tells of its transport before a run (sgf_explain_transport), by name. */
typedef struct run_fact {
  const char* name;
  int64_t value;
} run_fact_t;
void run_check_facts(const run_fact_t* facts, size_t count);

/* Bytes on the wire from one device to another, "h0" to "tor". */
uint64_t run_link_bytes(const char* from, const char* to);
uint64_t run_drops(const char* cause);
int64_t run_peak(const char* owner, const char* pool);

#endif
