/* nic/mrc: what records want to know beyond the counters (spec/mrc-nic.md 13). Off unless somebody asks: then the
 * transport's state has a recorder, and each place that has something to tell asks for it first. */
#ifndef MRC_RECORD_H
#define MRC_RECORD_H

#include <sgfabric/mrc_stats.h>

#include "nic/nic.h"

typedef struct mrc_recorder {
  sgf_mrc_samples_t run;
  sgf_mrc_samples_t interval;
  sgf_mrc_packet_cb packet; /* NULL: nobody wants to hear of packets */
  void* packet_user;
} mrc_recorder_t;

struct mrc_packet;

/* The recorder of a NIC, made now if it has none: samples are taken from now on. */
mrc_recorder_t* mrc_recorder(nic_t* nic);

/* ---- Of a NIC with a recorder ------------------------------------------------------------------------------------ */

/* A data packet is passed down. */
void mrc_record_sent(nic_t* nic, const struct mrc_packet* packet);

/* A packet beyond a gap: so many are held at its end. */
void mrc_record_held(nic_t* nic, uint32_t held);

/* A frame has left. */
void mrc_record_left(nic_t* nic, const net_frame_t* frame, int64_t bytes);

/* A frame is dealt with. `rtt`: the sample that it gave; -1: none. */
void mrc_record_received(nic_t* nic, const net_frame_t* frame, int64_t bytes, opp_simtime_t rtt);

#endif
