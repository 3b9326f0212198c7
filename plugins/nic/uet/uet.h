/* nic/uet: the Ultra Ethernet transport (spec/uet-nic.md 4, 8 to 10). Messages on packet delivery contexts (PDCs),
 * acknowledgements on request, retransmission by timer and by NACK, one congestion window and one load balancer for
 * each destination.
 *
 *   post --> doorbell --> transmit pass --> gates, fetch --> port --> timer --> acknowledgement retires
 *                                                 data --> write to the host, held acknowledgement */
#ifndef UET_H
#define UET_H

#include "nic/arrivals.h"
#include "nic/pace.h"
#include "nic/segments.h"
#include "nic/slabs.h"
#include "nic/timeouts.h"
#include "nic/uet/record.h"
#include "nic/uet/spray.h"
#include "nic/uet/wire.h"
#include "nscc/nscc.h"

/* ---- Constants --------------------------------------------------------------------------------------------------- */

enum {
  UET_FIRST_LOCAL_PORT   = 49152,
  UET_LOCAL_PORTS        = 16384,
  UET_MAX_SENDER_PDCS    = 32767, /* ids 1..32767 (8.1) */
  UET_FIRST_RECEIVER_PDC = 32769,
  UET_MAX_RECEIVER_PDCS  = 65535 - 32769 + 1,
};
#define UET_DOORBELL_DELAY (15 * OPP_NS) /* from the doorbell to the transmit process (8.1) */

/* Kinds of self messages. */
enum { UET_DOORBELL = NIC_TRANSPORT, UET_HELD_ACK, UET_TIMEOUT, UET_DELIVERED, UET_PACED, UET_WATCH };

/* Random streams. */
enum { UET_RNG_ENTROPY };

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

typedef struct uet_config {
  int64_t initial_rto;
  uint64_t max_backoff;
  bool fixed_rto_enable;
  int64_t fixed_rto;
  bool trimming_enabled;
  bool distinct_dscp_for_retransmits;
  bool groups;
  bool prefetch;
  uint64_t prefetch_bytes;
  int delivery_method;
  bool ack_first;
  bool ack_last;
  uint64_t ack_every;
  uint64_t mss;
  uint64_t data_class;
  uint64_t control_class;
  uint64_t down_links;
  bool transport_stats;
  bool event_logging;
} uet_config_t;

typedef struct uet_block {
  nic_block_t nic;
  net_codepoints_config_t codepoints;
  uet_config_t own;
  nscc_config_t congestion;
  spray_config_t spray;
  sgf_uet_monitor_config_t monitor;
} uet_block_t;

extern const sgf_attr_set_t uet_attributes;
extern const nic_transport_t uet_transport;

/* ---- Sending ends ------------------------------------------------------------------------------------------------ */

typedef struct uet_pdc uet_pdc_t;
typedef struct uet_group uet_group_t;

typedef enum uet_packet_state {
  UET_FETCHED,       /* on its way into the prefetch buffer, or waiting there; not in flight */
  UET_COMMITTED,     /* reserved: being fetched or waiting at the port; in flight */
  UET_SENT,          /* serialised, timer running; in flight */
  UET_TO_RETRANSMIT, /* timed out or trimmed, not in flight */
} uet_packet_state_t;

/* A packet that is not acknowledged. In the list of its timer while sent, in that of its PDC's retransmissions while it
 * waits. */
typedef struct uet_packet {
  nic_timed_t timed; /* first */
  uet_pdc_t* pdc;
  opp_simtime_t sent_at; /* end of the serialisation of its latest transmission */
  uint32_t psn;
  uint16_t retransmissions; /* saturating */
  uint16_t entropy;         /* of its latest transmission */
  uint8_t state;
} uet_packet_t;

static inline uet_packet_t* uet_packet_of(nic_timed_t* timed)
{
  return (uet_packet_t*)timed;
}

/* The sending end of a PDC: one message. Kept and used again, with its id and its ring. */
struct uet_pdc {
  nic_message_t* message; /* NULL: free */
  uet_group_t* group;
  uet_pdc_t* next; /* in the group's rotation, or among the free */
  uet_pdc_t* previous;
  bool in_rotation;
  uint16_t id;
  uint16_t peer;         /* the receiving end's id; 0: not known yet */
  uint32_t packet_count; /* of the message */
  uint32_t next_psn;     /* first packet never committed */
  uint32_t base;         /* first packet not acknowledged */
  uint32_t acknowledged;
  uint64_t transmissions; /* of data, retransmissions included: what the every-Nth rule counts (8.6) */
  uint64_t retransmissions;
  uet_packet_t** ring; /* by PSN; NULL: acknowledged */
  uint32_t ring_size;  /* a power of two */
  nic_timed_list_t retransmit;
  net_queue_t prefetched;      /* frames whose payload waits in the prefetch buffer */
  uint8_t penalty;             /* of the receiver, as the last acknowledgement had it */
  bool probed;                 /* its base-RTT probe is under way or back */
  opp_simtime_t probe_sent_at; /* -1: not yet */
  int64_t unsent_bytes;        /* on the wire, of packets never serialised */
  nic_closing_t closing;
  nic_pace_t pace; /* the message's own rate */
};

/* All PDCs to one destination: one window, one load balancer, one turn (8.11). Lives as long as it has members. */
struct uet_group {
  uint32_t address;
  uint32_t members; /* sending ends, and receiving ends that wait for packets */
  bool ready;       /* in the ready queue */
  bool starved;     /* waits for room in the prefetch buffer */
  uet_group_t* next;
  uet_group_t* previous;
  uet_group_t* next_starved;
  uet_pdc_t* turn;   /* the PDC whose turn it is, of the ring of those with something to send; NULL: none */
  int64_t in_flight; /* nominal bytes */
  int64_t fetched;   /* nominal bytes fetched and not acknowledged */
  nscc_t congestion;
  spray_t spray;
};

/* ---- Receiving ends ---------------------------------------------------------------------------------------------- */

/* The receiving end of a PDC, known by the sender's address and id. Used again for the sender's next message on that
 * PDC. */
typedef struct uet_end {
  uet_group_t* group; /* while the message is not complete; NULL: none */
  uint32_t src;
  uint16_t peer; /* the sender's id */
  uint16_t id;
  uint64_t message;
  uint64_t received_payload;
  uint32_t packet_count;     /* 0: the end of the message has not arrived */
  uint32_t next_block;       /* of the selective bitmap, see 8.8 */
  nic_arrivals_t arrivals;   /* by PSN */
  opp_simtime_t answered_at; /* see nic_progress_t */
  nic_closing_t closing;
} uet_end_t;

/* ---- State of the transport -------------------------------------------------------------------------------------- */

typedef struct uet_state {
  uet_config_t config;
  nscc_config_t congestion_config;
  spray_config_t spray_config;
  net_codepoints_t codepoints;
  nscc_params_t congestion;
  uint32_t exploration; /* packets of REPS's exploration window (10.5) */
  unsigned data_class;
  unsigned control_class;
  opp_rate_t lanes; /* raw NIC-to-host rate, for the ACK hold (8.7) */
  opp_line_t* doorbells;
  opp_line_t* held_acks;
  opp_line_t* deliveries;
  opp_simtime_t last_ack_release;

  uet_group_t** groups; /* by host, with PDCGroupsEnabled; NULL: no member */
  uet_group_t** all_groups;
  size_t group_count;
  uet_group_t* free_groups; /* by `next` */
  uet_group_t* ready_first;
  uet_group_t* ready_last;
  uet_group_t* starved_first; /* those that wait for room in the prefetch buffer */
  uet_group_t* starved_last;
  int64_t prefetched;      /* wire bytes reserved in the prefetch buffer */
  bool generation_stopped; /* a packet did not fit the egress pool (5.3) */

  uet_pdc_t** pdcs; /* by id - 1 */
  uint32_t pdc_count;
  uet_pdc_t* free_pdcs;
  uint32_t pacing;              /* PDCs that wait for their next packet to become eligible */
  nic_message_t* waiting_first; /* posts that found no free PDC */
  nic_message_t* waiting_last;

  nic_slabs_t packets;

  nic_timeouts_t timeouts;
  struct uet_watch* watch; /* early failure detection; NULL: off */
  sgf_uet_counters_t counters;
  uet_recorder_t* recorder; /* NULL: no record wants to know more than the counters */

  uet_end_t** ends; /* by id - UET_FIRST_RECEIVER_PDC */
  uint32_t end_count;
  uet_end_t** end_table;   /* open addressing over (src, peer) */
  uint32_t end_table_size; /* a power of two, or 0 */
  opp_simtime_t
      unmatched_closing; /* latest arrival of a data packet that started on the cable before its end was there */
} uet_state_t;

static inline uet_state_t* uet_state(const nic_t* nic)
{
  return nic->state;
}

static inline net_role_t uet_role(const nic_t* nic, const net_frame_t* frame)
{
  return (net_role_t)uet_state(nic)->codepoints.role_of_dscp[frame->dscp];
}

static inline uint8_t uet_dscp(const nic_t* nic, net_role_t role)
{
  return uet_state(nic)->codepoints.dscp_of_role[role];
}

/* Nominal size of an outstanding packet. */
int64_t uet_nominal(const nic_t* nic, const uet_packet_t* packet);

/* ---- groups.c: life of a group, ready groups, rotation of its PDCs ----------------------------------------------- */

uet_group_t* uet_group_join(nic_t* nic, uint32_t address, uint16_t local_port);
void uet_group_leave(nic_t* nic, uet_group_t* group);
uet_group_t* uet_ready_pop(uet_state_t* state);
void uet_ready_push(uet_state_t* state, uet_group_t* group, bool at_head);
/* A PDC may have something to send: put it into its group's rotation, and the group into the ready queue. */
void uet_make_ready(nic_t* nic, uet_pdc_t* pdc, bool at_head);
void uet_rotation_remove(uet_group_t* group, uet_pdc_t* pdc);
bool uet_has_something_to_send(const uet_pdc_t* pdc);

/* ---- messages.c: messages become PDCs ---------------------------------------------------------------------------- */

void uet_post(nic_t* nic, nic_message_t* message);
void uet_close(nic_t* nic, uet_pdc_t* pdc);                                  /* every packet is acknowledged */
uet_pdc_t* uet_sending_pdc(const nic_t* nic, uint16_t id, uint64_t message); /* NULL: closed since */

/* ---- send.c: the transmit pass ----------------------------------------------------------------------------------- */

void uet_transmit(nic_t* nic);                  /* the transmit pass (8.11) */
void uet_room(nic_t* nic, unsigned tc);         /* the egress pool has shrunk: restart at half (5.3) */
void uet_fetched(nic_t* nic, opp_msg_t* frame); /* its payload is here */

/* ---- packets.c: records of what is not acknowledged, frames ------------------------------------------------------ */

uet_packet_t* uet_packet_new(uet_state_t* state);
void uet_packet_free(uet_state_t* state, uet_packet_t* packet);
/* Record of a packet that is not acknowledged, or NULL if it is, or was not sent yet. */
uet_packet_t* uet_outstanding(const uet_pdc_t* pdc, uint32_t psn);
opp_msg_t* uet_data_frame(nic_t* nic, const uet_packet_t* packet, int64_t payload);
/* The packet is committed to the wire: its entropy value and its AR flag are settled, it is in flight. */
void uet_commit(nic_t* nic, uet_packet_t* packet, net_frame_t* frame);
/* A control frame to the other end; the caller fills in what depends on the type. */
opp_msg_t* uet_control_frame(nic_t* nic, uint32_t dst, uet_type_t type, uint32_t bytes);
/* Give a frame to the port. */
void uet_hand_down(nic_t* nic, opp_msg_t* frame);

/* ---- pace.c: messages with a rate of their own ------------------------------------------------------------------- */

/* All eligible packets of the PDC are fetched, the last with this payload: when does the next become eligible? */
void uet_pace(nic_t* nic, uet_pdc_t* pdc, int64_t payload);
void uet_paced(nic_t* nic, opp_msg_t* msg); /* a packet has become eligible */
/* The two dates of nic_progress_t. */
void uet_pace_progress(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);

/* ---- reliability.c: timers, and what answers say ----------------------------------------------------------------- */

void uet_serialised(nic_t* nic, opp_msg_t* msg);
void uet_timeout(nic_t* nic, unsigned level);
void uet_acknowledged(nic_t* nic, const net_frame_t* frame);
void uet_trimmed(nic_t* nic, const net_frame_t* frame);    /* a NACK has come */
void uet_probe_back(nic_t* nic, const net_frame_t* frame); /* the ACK of a probe */
opp_simtime_t uet_rto(const uet_config_t* config, unsigned retransmissions, unsigned* level);

/* ---- watch.c: early failure detection (10.6) --------------------------------------------------------------------- */

void uet_watch_setup(nic_t* nic);
void uet_watch_packet(nic_t* nic, const uet_packet_t* packet); /* it has been sent */
void uet_watch_due(nic_t* nic);
void uet_watch_free(uet_state_t* state);

/* ---- receive.c: data to the host, deliveries --------------------------------------------------------------------- */

void uet_received(nic_t* nic, opp_msg_t* msg);
void uet_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date);
void uet_delivered(nic_t* nic, opp_msg_t* msg);

/* ---- answers.c: acknowledgements and NACKs ----------------------------------------------------------------------- */

void uet_acknowledge(nic_t* nic, uet_end_t* end, const net_frame_t* data, opp_simtime_t hold);
void uet_refuse_trimmed(nic_t* nic, const net_frame_t* trimmed);
void uet_answer_probe(nic_t* nic, const net_frame_t* probe);
void uet_release_ack(nic_t* nic, opp_msg_t* ack);

/* ---- ends.c: receiving ends and what has arrived at them --------------------------------------------------------- */

/* The end that a data packet belongs to, made if there is none; NULL: there is no id left. */
uet_end_t* uet_end_for(nic_t* nic, const net_frame_t* frame, const uet_header_t* header);
uet_end_t* uet_end_find(const uet_state_t* state, uint32_t src, uint16_t peer);
bool uet_end_is_complete(const uet_end_t* end);
/* The next block of the selective bitmap: its first PSN; the bits go to `bitmap`. */
uint32_t uet_end_bitmap(uet_end_t* end, uint64_t* bitmap);

/* ---- facts.c: what the attributes come to ------------------------------------------------------------------------ */

void uet_facts(const nic_t* nic, nic_fact_cb tell, void* user);

/* ---- progress.c: how far a message is ---------------------------------------------------------------------------- */

void uet_closing(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival);
void uet_progress_sent(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);
void uet_progress_received(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress);
void uet_waits(nic_t* nic, const nic_message_t* message, char* line, size_t size);

#endif
