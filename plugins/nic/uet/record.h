/* nic/uet: what records want to know beyond the counters (spec/records.md 8, 9). Off unless somebody asks: then the
 * transport's state has a recorder, and each place that has something to tell asks for it first. */
#ifndef UET_RECORD_H
#define UET_RECORD_H

#include <sgfabric/uet_stats.h>

#include "nic/nic.h"
#include "nscc/nscc.h"

typedef struct uet_recorder {
  sgf_uet_samples_t run;
  sgf_uet_samples_t interval;
  sgf_pdc_event_cb event; /* NULL: nobody wants to hear of events */
  void* event_user;
  sgf_uet_packet_cb packet; /* the same of packets */
  void* packet_user;
} uet_recorder_t;

/* The recorder of a NIC, made now if it has none: samples are taken from now on. */
uet_recorder_t* uet_recorder(nic_t* nic);

/* The counters, with what the windows that are open have counted themselves. */
sgf_uet_counters_t uet_counters(const nic_t* nic);

/* ---- Of a NIC with a recorder ------------------------------------------------------------------------------------ */

/* A data frame is passed down. */
void uet_record_sent(nic_t* nic, const net_frame_t* frame);

/* A data acknowledgement has come, and its window has heard of it. */
void uet_record_ack(nic_t* nic, const net_frame_t* frame, const nscc_t* congestion, const nscc_ack_t* ack);

/* A packet beyond a gap: so many are held at its end. */
void uet_record_held(nic_t* nic, uint32_t held);

struct uet_pdc;
struct uet_end;
void uet_record_sender_event(nic_t* nic, sgf_pdc_event_kind_t kind, const struct uet_pdc* pdc);
void uet_record_receiver_event(nic_t* nic, sgf_pdc_event_kind_t kind, const struct uet_end* end);

/* ---- monitor.c: packets, of a NIC with a recorder (10) ----------------------------------------------------------- */

extern const sgf_attr_table_t uet_monitor_attributes;

/* Filters are words that no shell would touch (spec/uet-nic.md 3.1). */
sgf_status_t uet_monitor_check(const sgf_uet_monitor_config_t* config, sgf_error_t* error);

/* A frame has left, or a NACK has been made. */
void uet_monitor_sent(nic_t* nic, const net_frame_t* frame, int64_t bytes);

/* A frame is dealt with. `rtt`: the sample that it gave; -1: none. */
void uet_monitor_received(nic_t* nic, const net_frame_t* frame, int64_t bytes, opp_simtime_t rtt);

#endif
