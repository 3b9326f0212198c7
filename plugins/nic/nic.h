/* nic: what every NIC has (spec/uet-nic.md 5 to 7). Pools of both buffers, the port, the receive path, pauses, the PCIe
 * link.
 *
 *   host -- PCIe --> fetch --> egress queue --> port --> cable
 *   host <-- PCIe -- write <-- transport <-- ingress pool <-- cable
 *
 * A transport (nic/uet) decides what is sent and what an arrival means; it is one table of functions. */
#ifndef NIC_H
#define NIC_H

#include <sgfabric/pcie.h>

#include "net/codepoints.h"
#include "pfc/episodes.h"
#include "pfc/pfc.h"

typedef struct nic nic_t;

/* ---- Configuration ----------------------------------------------------------------------------------------------- */

/* Values of QueueSchedulingType. */
enum { NIC_STRICT_PRIORITY, NIC_ROUND_ROBIN, NIC_WEIGHTED_ROUND_ROBIN, NIC_PROBABILISTIC_ROUND_ROBIN };

typedef struct nic_config {
  int64_t uplink_bps;  /* UplinkNetworkInterface.DataRate; 0: the cable's */
  opp_simtime_t delay; /* TransmissionMedium.Delay: of a cable that has none of its own */
  struct {
    int64_t total_bytes;
    int scheduling;
    sgf_decimal_t share[NET_CLASSES];
    int64_t wrr_weights[NET_CLASSES];
    int64_t pfc_enable[NET_CLASSES];
    sgf_decimal_t xoff[NET_CLASSES];
    sgf_decimal_t xon[NET_CLASSES];
    int64_t quanta[NET_CLASSES];
  } ingress;
  struct {
    int64_t total_bytes;
    int scheduling;
    sgf_decimal_t share[NET_CLASSES];
    int64_t wrr_weights[NET_CLASSES];
  } egress;
  bool buffer_stats; /* EnableBufferStats */
} nic_config_t;

/* The first parts of every NIC's configuration block; the transport's own part follows. */
typedef struct nic_block {
  nic_config_t common;
  sgf_pcie_config_t pcie;
} nic_block_t;

/* What a transport may list in its attribute set; all fill a nic_config_t. */
extern const sgf_attr_table_t nic_link_attributes;        /* rate and delay of the link */
extern const sgf_attr_table_t nic_size_attributes;        /* of both buffers, and their record */
extern const sgf_attr_table_t nic_class_attributes;       /* pools, schedulers, thresholds */
extern const sgf_attr_table_t nic_best_effort_attributes; /* the rest of them; no pauses are sent by default (UET) */
extern const sgf_attr_table_t nic_lossless_attributes;    /* the same; they are for classes 0 and 1 (RoCE) */

/* The traffic classes of a connection's packets. */
typedef struct nic_classes {
  uint8_t data;
  uint8_t control;
} nic_classes_t;

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

/* One message to send. The poster owns it and keeps it until `acknowledged` is called. */
typedef struct nic_message {
  uint64_t number; /* unique in the fabric, ascending */
  uint64_t bytes;
  uint64_t tag;
  int64_t rate_bps;    /* payload bits per second at most; 0: no limit of its own */
  uint32_t dst;        /* address */
  uint32_t queue_pair; /* between the two hosts, where the transport has queue pairs */
  bool has_classes;    /* it has classes of its own, where the transport lets a message choose */
  nic_classes_t classes;
  void* sending;            /* the transport's state of it; NULL: not begun */
  struct nic_message* next; /* the transport's: behind it among those that wait to begin */
} nic_message_t;

/* A message that is complete in host memory. */
typedef struct nic_delivery {
  uint64_t number;
  uint64_t bytes;
  uint64_t tag;
  uint32_t src; /* address */
} nic_delivery_t;

/* Where the NIC reports to. */
typedef struct nic_owner {
  void* user;
  void (*sent)(void* user, nic_message_t* message);         /* the fetch of its last segment is issued */
  void (*acknowledged)(void* user, nic_message_t* message); /* every byte of it */
  void (*delivered)(void* user, nic_t* nic, const nic_delivery_t* delivery);
  uint64_t* progress; /* counted up for each packet that is new to a receiver or newly acknowledged */
} nic_owner_t;

/* Arrival dates at a NIC of frames under way on its cable that may complete a message: earliest and latest. Nothing is
 * under way when the latest is not after the clock. */
typedef struct nic_closing {
  opp_simtime_t first;
  opp_simtime_t last;
} nic_closing_t;

/* How far a message is, for a bound of its completion (design.md, the actor seat). */
typedef struct nic_progress {
  int64_t unsent_bytes;     /* on the wire, of packets never yet serialised */
  int64_t unreceived_bytes; /* on the wire, of packets that have not arrived */
  opp_simtime_t
      answered_at; /* when the acknowledgement of the packet that completed it goes to the port; -1: not complete */
  nic_closing_t closing; /* at the awaiting NIC */
  /* Of a message whose own rate paces it. */
  opp_simtime_t resumes_at;     /* until then it waits for that alone; 0: it does not */
  opp_simtime_t last_generated; /* its last packet is not generated before; 0: no limit */
} nic_progress_t;

/* ---- Transports -------------------------------------------------------------------------------------------------- */

/* A number that a configuration comes to. */
typedef enum nic_unit { NIC_COUNT, NIC_BYTES, NIC_TIME } nic_unit_t;
typedef void (*nic_fact_cb)(void* user, const char* name, nic_unit_t unit, int64_t value);

/* How kinds of NIC differ in what they have in common: README.md has the table. */
typedef struct nic_traits {
  bool charges_ethernet;      /* a receive pool counts the Ethernet header and FCS of a frame too */
  int64_t smallest_charge;    /* of a receive pool, bytes */
  bool fixed_pools;           /* data and control, 0.9 and 0.1 of each buffer; else by PoolAllocationVector */
  unsigned least_pools;       /* that PoolAllocationVector must name */
  int64_t least_control_pool; /* bytes of the transmit pool of the control class */
  bool weightless_classes;    /* a weight of 0 is a warning for the two lowest classes too */
  uint32_t pause_bytes;       /* of a pause frame that it sends, on the wire */
  bool ignores_pauses;        /* those that it receives stop nothing */
  bool has_queue_pairs;       /* messages between two hosts may be told apart by queue pair */
  bool has_message_classes;   /* a message may choose its classes */
  bool unacknowledged;        /* a write is complete when its last frame has left, and nothing is sent again */
  int64_t shortest_data;      /* of a data packet that may complete a message, on the wire */
  int64_t shortest_ack;       /* of an answer that may complete a write */
} nic_traits_t;

typedef struct nic_transport {
  const char* name;
  nic_traits_t traits;
  const sgf_attr_set_t* attributes; /* the whole block: nic_block_t, then its own */
  size_t state_size;

  /* Read the rest of the configuration block; pools and PCIe are set up. */
  sgf_status_t (*setup)(nic_t* nic, const void* block, sgf_error_t* error);
  void (*destroy)(nic_t* nic);

  /* The codepoints by which its packets say what they are for (spec/switch.md S-10); NULL: they do not. */
  const net_codepoints_config_t* (*codepoints)(const void* block);

  nic_classes_t (*classes)(const void* block);   /* of its packets, unless a message has its own */
  int64_t (*largest_payload)(const void* block); /* of one packet, bytes */
  int64_t (*largest_frame)(const void* block);   /* on the wire, bytes */

  void (*post)(nic_t* nic, nic_message_t* message);
  void (*fetched)(nic_t* nic, opp_msg_t* msg); /* the payload of a data frame is here, of nic_fetch; takes it */
  unsigned (*receive_class)(const nic_t* nic, const net_frame_t* frame);
  void (*received)(nic_t* nic, opp_msg_t* msg);     /* a charged frame; takes it */
  int64_t (*payload)(const opp_msg_t* msg);         /* bytes of a data frame to write to the host */
  uint64_t (*message_of)(const net_frame_t* frame); /* number of a data frame's message; 0: another frame */
  void (*written)(nic_t* nic, opp_msg_t* msg,
                  opp_simtime_t date); /* its write was accepted and ends at `date`; takes it */
  /* A frame of a class starts on the wire. How long its serialisation takes; 0: as long as the link's rate says. NULL:
   * always so. */
  opp_simtime_t (*starting)(nic_t* nic, opp_msg_t* msg);
  void (*serialised)(nic_t* nic, opp_msg_t* msg); /* a frame has left the port; look, do not keep */
  void (*room)(nic_t* nic, unsigned tc);          /* bytes of an egress pool were released */
  void (*timer)(nic_t* nic, opp_msg_t* msg);      /* a self message of kind NIC_TRANSPORT or above */

  void (*closing)(nic_t* nic, opp_msg_t* msg, opp_simtime_t arrival); /* a frame has started on the cable to this NIC */
  void (*progress_sent)(nic_t* nic, const nic_message_t* message, nic_progress_t* progress);
  void (*progress_received)(nic_t* nic, uint32_t src, const nic_message_t* message, nic_progress_t* progress);
  int64_t (*window)(const nic_t* nic); /* bytes in flight to one destination, at the start */
  opp_simtime_t (*longest_timeout)(const nic_t* nic);
  uint64_t (*retransmissions)(const nic_t* nic);
  /* What it holds back itself, so that the NIC is not empty; NULL: nothing. As a function, NULL: never anything. */
  const char* (*holds)(const nic_t* nic);
  void (*facts)(const nic_t* nic, nic_fact_cb tell, void* user); /* its own, at the start */
  void (*waits)(nic_t* nic, const nic_message_t* message, char* line,
                size_t size); /* what an unfinished message waits for */
} nic_transport_t;

/* Kinds of a NIC's self messages; the transport's own begin at NIC_TRANSPORT. */
enum { NIC_SERIALISED, NIC_HOLD_ENDS, NIC_REFRESH, NIC_FETCHED, NIC_WRITE_ROOM, NIC_LOOPED, NIC_TRANSPORT };

/* ---- State ------------------------------------------------------------------------------------------------------- */

typedef struct nic_egress_pool {
  int64_t size; /* 0: no pool */
  int64_t reserved;
  int64_t peak;
} nic_egress_pool_t;

typedef struct nic_ingress_pool {
  int64_t size; /* 0: no pool */
  int64_t occupancy;
  int64_t peak;
  int64_t xoff;
  int64_t xon;
  bool pfc_enabled;
  bool pause_outstanding;
  uint16_t quanta;
  pfc_refresh_t refresh;
} nic_ingress_pool_t;

/* What went through a pool, for records that want to know. */
typedef struct nic_pool_flow {
  uint64_t in; /* packets */
  uint64_t out;
  uint64_t bytes_in;
  uint64_t bytes_out;
  int64_t most; /* bytes held at once, in the interval */
} nic_pool_flow_t;

typedef struct nic_pool_flows {
  nic_pool_flow_t egress[NET_CLASSES];
  nic_pool_flow_t ingress[NET_CLASSES];
} nic_pool_flows_t;

struct nic {
  opp_module_t* module;
  const nic_transport_t* transport;
  void* state; /* the transport's */
  nic_owner_t owner;
  uint32_t address;
  uint32_t first_host; /* address of host 0 */
  uint32_t host_count;
  net_port_t port;
  net_turns_t turns; /* at the port, where it is not strict */
  pfc_receiver_t peer;
  bool ignores_pauses; /* the trait, or what the transport's set-up makes of it */
  pfc_sender_t pfc;
  nic_egress_pool_t egress[NET_CLASSES];
  nic_ingress_pool_t ingress[NET_CLASSES];
  net_queue_t waiting_control[NET_CLASSES]; /* frames for which the egress pool has no room yet (B12) */
  sgf_pcie_t* pcie;
  opp_line_t* fetches;
  net_queue_t writes;       /* received data that PCIe has not accepted yet, in order of arrival */
  opp_msg_t* write_room;    /* timer: when the first of them may be accepted */
  opp_simtime_t last_write; /* end of the latest that was */
  nic_pool_flows_t* flows;  /* NULL: no record wants to know */
  pfc_episodes_t* episodes; /* of the pauses that it sends; NULL: nobody measures */
  uint64_t rx_drops;
  uint64_t class_drops[NET_CLASSES]; /* of those, by receive class */
  uint64_t rx_frames;                /* from the cable, PFC frames and dropped ones too */
  uint64_t rx_bytes;                 /* the same, on the wire */
};

extern const opp_module_type_t nic_module_type;

/* What a frame of so many bytes on the wire costs a receive pool. */
static inline int64_t nic_charge(const nic_traits_t* traits, int64_t wire)
{
  const int64_t bytes = traits->charges_ethernet ? wire : wire - NET_ETHERNET_BYTES;
  return bytes > traits->smallest_charge ? bytes : traits->smallest_charge;
}

static inline nic_t* nic_of(opp_module_t* module)
{
  return module->state;
}

static inline opp_simtime_t nic_now(const nic_t* nic)
{
  return opp_now(nic->module);
}

/* ---- Set-up (fabric) --------------------------------------------------------------------------------------------- */

typedef void (*nic_warn_cb)(void* user, const char* text);

/* Set up a module of nic_module_type whose gate "port" is connected. `block` is the transport's configuration block.
 * Checks the rules of spec/uet-nic.md 3; `warn` hears of what is accepted but advised against. */
sgf_status_t nic_setup(opp_module_t* module, const nic_transport_t* transport, const void* block, uint32_t address,
                       uint32_t first_host, uint32_t host_count, nic_owner_t owner, nic_warn_cb warn, void* warn_user,
                       sgf_error_t* error);

/* Bytes of every pool from the configuration, before there is a port: pools, thresholds and turns (5.1, 5.4, 6). The
 * transport is known, and its packets are of these classes. */
sgf_status_t nic_pools_setup(nic_t* nic, const nic_config_t* config, nic_classes_t classes, int64_t largest_frame,
                             nic_warn_cb warn, void* warn_user, sgf_error_t* error);

/* Count what goes through the pools from now on. */
void nic_watch_pools(nic_t* nic);

static inline void nic_flow_in(nic_pool_flow_t* flow, int64_t bytes, int64_t held)
{
  flow->in++;
  flow->bytes_in += (uint64_t)bytes;
  if (held > flow->most)
    flow->most = held;
}

static inline void nic_flow_out(nic_pool_flow_t* flow, int64_t bytes)
{
  flow->out++;
  flow->bytes_out += (uint64_t)bytes;
}

/* True when nothing is charged, reserved, queued or waiting; else `what` says what is. */
bool nic_is_empty(const nic_t* nic, char* what, size_t size);

/* ---- Sending (transport) ----------------------------------------------------------------------------------------- */

/* The rate that paces a message, 0: none. One that the link does not exceed is no limit, except for what never sees the
 * link. */
static inline int64_t nic_pacing_bps(const nic_t* nic, const nic_message_t* message)
{
  return message->rate_bps < net_port_bps(&nic->port) || message->dst == nic->address ? message->rate_bps : 0;
}

/* Reserve room in an egress pool. False: there is none. */
bool nic_reserve(nic_t* nic, unsigned tc, int64_t bytes);

/* Read the payload of a data frame over PCIe; the transport is told when it is here, at once if it is empty. */
void nic_fetch(nic_t* nic, opp_msg_t* msg, int64_t payload);

/* Queue a frame that has its reservation. A frame to oneself turns round here: it never sees the cable. */
void nic_queue(nic_t* nic, opp_msg_t* msg);

/* Reserve and queue a control frame; without room it waits its turn, and is never dropped. */
void nic_send_control(nic_t* nic, opp_msg_t* msg);

/* The same, but without room the caller keeps the frame, and false is returned. */
bool nic_try_control(nic_t* nic, opp_msg_t* msg);

/* Queue a frame where pause frames wait: ahead of all classes, never held, without a reservation. One to oneself turns
 * round here. */
void nic_queue_ahead(nic_t* nic, opp_msg_t* msg);

/* A frame that was queued has left the port, or turned round. Its reservation is in its tag; 0: it has none. */
void nic_leave(nic_t* nic, opp_msg_t* msg);

/* ---- Receiving (transport) --------------------------------------------------------------------------------------- */

/* Write the payload of a charged data frame to the host; its charge ends when PCIe accepts it (7.5). The charge of one
 * without payload ends at once, but it is written after what arrived before. */
void nic_write(nic_t* nic, opp_msg_t* msg);

/* End the charge of a frame that needs no write. */
void nic_release(nic_t* nic, const net_frame_t* frame);

/* A frame arrives from the cable, or from oneself. */
void nic_arrive(nic_t* nic, opp_msg_t* msg);

/* The PFC refresh of a class is due (6.1). */
void nic_refresh_due(nic_t* nic, unsigned tc);

/* PCIe may have room for writes that wait. */
void nic_accept_writes(nic_t* nic);

#endif
