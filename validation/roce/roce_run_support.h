/* RoCE NICs in a SimGrid simulation (support/nic_run.h), behind a tap that writes down every frame.
 *
 *   h0 <-- 400 Gb/s, 100 ns --> tap h1          a frame's date is that of its last bit at the host which it goes to
 *
 *   h0 <-- tap --> tor <--> h1, h2, ...         of a rack; the tap is on the cable of h0 */
#ifndef SGF_VALIDATION_ROCE_RUN_SUPPORT_H
#define SGF_VALIDATION_ROCE_RUN_SUPPORT_H

#include "nic/roce/roce.h"
#include "support/nic_run_log.h"

enum {
  RRUN_MSS  = 4096,
  RRUN_FULL = RRUN_MSS + 58, /* a full data packet on the wire */
  RRUN_IP   = RRUN_MSS + 40, /* its charge */
  RRUN_MIB  = 1 << 20,
  RRUN_PFC  = 100, /* a kind, as roce_type_t */
  RRUN_LOG  = 1 << 15,
};

#define RRUN_LINE INT64_C(400000000000)

/* Dates of the default NIC, in ps. */
static const opp_simtime_t rrun_start = 80000;
static const opp_simtime_t rrun_fetch = 70843; /* of a full payload: floor(98 B) + floor(4,368 B) at 504.32 Gb/s */
static const opp_simtime_t rrun_wire  = 83080;
static const opp_simtime_t rrun_ack   = 2520;
static const opp_simtime_t rrun_cnp   = 2440;
static const opp_simtime_t rrun_pfc   = 1680;
static const opp_simtime_t rrun_cable = 100000;
static const opp_simtime_t rrun_hold  = 83984800; /* of 65,535 quanta, and a cable */

/* From the post of a message at date 0 to the arrival of its n-th packet over a cable, all of them full; n from 1. */
static inline opp_simtime_t rrun_arrival(int64_t n)
{
  return rrun_start + rrun_fetch + n * rrun_wire + rrun_cable;
}

/* ---- The log ----------------------------------------------------------------------------------------------------- */

typedef struct rrun_frame {
  opp_simtime_t date;
  bool to_host; /* of the tap: to h1 on a cable, to h0 in a rack */
  uint8_t kind; /* roce_type_t, RRUN_PFC */
  uint8_t ecn;  /* when it came to the tap */
  uint8_t dscp;
  uint8_t pfc_classes;
  uint8_t flags;
  uint16_t quanta;
  uint32_t bytes;
  uint32_t psn;
  uint32_t queue_pair;
  uint64_t message;
} rrun_frame_t;

extern rrun_frame_t rrun_log[RRUN_LOG];
extern size_t rrun_logged;

/* Frames of a kind in one direction; the n-th of them, n from 0; NULL: there is none. */
size_t rrun_count(int kind, bool to_host);
const rrun_frame_t* rrun_nth(int kind, bool to_host, size_t n);
/* The date of it; of one that there is not the test fails. */
opp_simtime_t rrun_date(int kind, bool to_host, size_t n);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* What happens to a frame once it is written down, as a tap says it; NULL: nothing. Set before the platform. */
extern run_tap_t rrun_fate;

void rrun_cable_of(const char* const* settings);
void rrun_rack_of(unsigned hosts, const char* const* settings);

const sgf_roce_counters_t* rrun_counters(unsigned host);
roce_pair_t* rrun_pair(unsigned host, uint32_t number);

/* For taps. The header of a data packet; NULL: something else. */
roce_header_t* rrun_data(opp_msg_t* msg);
/* Mark it if it is a data packet. */
void rrun_mark(opp_msg_t* msg);
/* A tap that marks every data packet to h1. */
opp_simtime_t rrun_mark_all(opp_msg_t* msg, opp_simtime_t now, bool to_host);

/* PFC frames from a host, by hand. */
void rrun_pause(unsigned host, unsigned tc, uint16_t quanta);

/* ---- Rates ------------------------------------------------------------------------------------------------------- */

/* Mark the first data packet that comes to the tap of the cable at `date` or later; in order of date. For rrun_fate =
 * rrun_mark_some. */
void rrun_mark_at(opp_simtime_t date);
opp_simtime_t rrun_mark_some(opp_msg_t* msg, opp_simtime_t now, bool to_host);

/* All data packets that start on the wire of h0 from `begin` to `end` follow each other at `bps`, to the picosecond,
 * what one leaves over counting for the next. There are 10 at least. Over a cable, and h0 sends nothing else. */
void rrun_check_rate(opp_simtime_t begin, opp_simtime_t end, double bps);

#endif
