/* MRC NICs in a SimGrid simulation (support/nic_run.h), behind a tap that writes down every frame.
 *
 *   h0 <-- 400 Gb/s, 100 ns --> tap h1          a frame's date is that of its last bit at the host which it goes to
 *
 *   h0 <-- tap --> tor <--> h1, h2, ...         of a rack; the tap is on the cable of h0 */
#ifndef SGF_VALIDATION_MRC_RUN_SUPPORT_H
#define SGF_VALIDATION_MRC_RUN_SUPPORT_H

#include "nic/mrc/mrc.h"
#include "support/nic_run_log.h"

enum {
  MRUN_MSS  = 4096,
  MRUN_FULL = MRUN_MSS + 78, /* a full data packet on the wire, and its charge */
  MRUN_IP   = MRUN_MSS + 60, /* what the window counts of it */
  MRUN_MIB  = 1 << 20,
  MRUN_PFC  = 100, /* a kind, as mrc_type_t */
  MRUN_LOG  = 1 << 16,
};

#define MRUN_LINE INT64_C(400000000000)

/* Dates of the default NIC, in ps: from a post to its fetch, a fetch, frames on the wire, the cable. */
static const opp_simtime_t mrun_start = 15000;
static const opp_simtime_t mrun_fetch = 70843; /* of a full payload: floor(98 B) + floor(4,368 B) at 504.32 Gb/s */
static const opp_simtime_t mrun_wire  = 83480;
static const opp_simtime_t mrun_ack   = 1240;
static const opp_simtime_t mrun_sack  = 1880;
static const opp_simtime_t mrun_nack  = 1560;
static const opp_simtime_t mrun_probe = 1480;
static const opp_simtime_t mrun_empty = 1560; /* a data packet without payload */
static const opp_simtime_t mrun_cable = 100000;

/* Senders that no window holds. */
#define MRUN_STUBBORN "**.nic.PassThrough=true"

/* From the post of a message at date 0 to the end of its n-th packet on the wire, and to its arrival over a cable, all
 * of them full and nothing else to send; n from 1. */
static inline opp_simtime_t mrun_end(int64_t n)
{
  return mrun_start + mrun_fetch + n * mrun_wire;
}

static inline opp_simtime_t mrun_arrival(int64_t n)
{
  return mrun_end(n) + mrun_cable;
}

/* To the arrival of the SACK that the n-th packet draws. */
static inline opp_simtime_t mrun_answer(int64_t n)
{
  return mrun_arrival(n) + mrun_sack + mrun_cable;
}

/* ---- The log ----------------------------------------------------------------------------------------------------- */

typedef struct mrun_frame {
  opp_simtime_t date;
  bool to_host; /* of the tap: to h1 on a cable, to h0 in a rack */
  uint8_t kind; /* mrc_type_t, MRUN_PFC */
  uint8_t dscp; /* this and what follows: as it came to the tap */
  uint16_t entropy;
  uint32_t bytes;
  mrc_header_t header;
} mrun_frame_t;

extern mrun_frame_t mrun_log[MRUN_LOG];
extern size_t mrun_logged;

/* Frames of a kind in one direction; the n-th of them, n from 0, which has to be there. */
size_t mrun_count(int kind, bool to_host);
const mrun_frame_t* mrun_nth(int kind, bool to_host, size_t n);

static inline opp_simtime_t mrun_date(int kind, bool to_host, size_t n)
{
  return mrun_nth(kind, to_host, n)->date;
}

static inline const mrc_header_t* mrun_header(int kind, bool to_host, size_t n)
{
  return &mrun_nth(kind, to_host, n)->header;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* What happens to a frame once it is written down, as a tap says it; NULL: nothing. Set before the platform. */
extern run_tap_t mrun_fate;

void mrun_cable_of(const char* const* settings);
void mrun_rack_of(unsigned hosts, const char* const* settings);

const sgf_mrc_counters_t* mrun_counters(unsigned host);
/* The sending end of queue pair `number` from a host to another, which has to be there. */
mrc_pair_t* mrun_pair(unsigned host, unsigned to, uint32_t number);
double mrun_window(unsigned host, unsigned to);
static inline int64_t mrun_reserved(unsigned host) /* in the transmit pool of data */
{
  return run_nic(host)->egress[MRC_DATA_CLASS].reserved;
}
/* Packets of pair 0 from h0 to h1 that have been generated. */
uint32_t mrun_generated(void);

/* Bytes on the link that one end of a host's PCIe link has sent. */
int64_t mrun_to_host_bytes(unsigned host);
int64_t mrun_to_nic_bytes(unsigned host);

/* ---- Taps -------------------------------------------------------------------------------------------------------- */

/* The header of a data packet that no switch has cut; NULL: something else. */
mrc_header_t* mrun_data(opp_msg_t* msg);
bool mrun_is_answer(opp_msg_t* msg); /* an ACK, a SACK or a NACK */
/* Cut a data packet as a switch does. */
void mrun_trim(opp_msg_t* msg, net_role_t role);
/* A tap that loses every answer. */
opp_simtime_t mrun_lose_answers(opp_msg_t* msg, opp_simtime_t now, bool to_host);
/* A tap that holds up all data to h1 until mrun_release: it arrives there at that instant, in the order in which it was
 * sent. What comes later passes. */
extern opp_simtime_t mrun_release;
opp_simtime_t mrun_hold_data(opp_msg_t* msg, opp_simtime_t now, bool to_host);

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

/* From a look, which is on h0: post `count` messages of `bytes` to h1 on one queue pair, and do not wait for them. */
void mrun_post(unsigned count, uint64_t bytes, uint32_t queue_pair);

#endif
