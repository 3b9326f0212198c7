/* fabric, inside: devices with their configuration and module, operations and where they are. */
#ifndef FABRIC_INTERNAL_H
#define FABRIC_INTERNAL_H

#include <sgfabric/fabric.h>

#include "nic/nic.h"
#include "switch/switch.h"

#define FABRIC_FIRST_HOST UINT32_C(0x0a000001) /* 10.0.0.1 */

/* Somebody who waits for the queue of a port to reach a level, and the gauge of that port; see script.c. */
typedef struct fabric_wait fabric_wait_t;
typedef struct fabric_gauge fabric_gauge_t;

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/* One end of a cable. */
typedef struct fabric_port {
  sgf_device_t* peer;
  unsigned peer_port;
  int64_t bps; /* of the cable; once sealed, what it runs at */
  opp_simtime_t delay;
  char* cable; /* owned by the end that was connected first */
  bool owns_cable;
  opp_module_t* inserted; /* on the cable; NULL: none */
  int inserted_side;      /* its gate that leads to this end */
  fabric_gauge_t* gauge;  /* NULL: nobody has waited for its queues */
} fabric_port_t;

struct sgf_device {
  sgf_fabric_t* fabric;
  char* name;
  char* path;
  const nic_transport_t* transport; /* NULL: a switch */
  const sgf_attr_set_t* attributes;
  void* block; /* configuration */
  fabric_port_t* ports;
  unsigned port_count;
  uint32_t index; /* among the hosts, or among the switches */
  unsigned tier;  /* switch: least number of switches between it and a host */
  uint32_t leaf;  /* switch of tier 0: its number among them */
  opp_module_t* module;

  /* A host's operations. */
  sgf_op_t* incoming;               /* writes to it that are not both acknowledged and delivered */
  sgf_op_t* receives;               /* awaited */
  unsigned awaited_deliveries;      /* receives, and messages to it */
  opp_simtime_t closing_known_from; /* frames that started earlier on its cable were not watched */
  int64_t largest_frame;            /* bytes on the wire */
};

/* ---- Operations -------------------------------------------------------------------------------------------------- */

/* A message is a write that is complete when it has been delivered; its ends may be named later. */
typedef enum fabric_op_kind {
  FABRIC_WRITE,
  FABRIC_RECEIVE,
  FABRIC_MESSAGE,
  FABRIC_SENT,
  FABRIC_LEVEL
} fabric_op_kind_t;

struct sgf_op {
  nic_message_t message; /* of a write; first, so that the NIC's pointer is the operation's */
  fabric_op_kind_t kind;
  sgf_fabric_t* fabric;
  sgf_device_t* src;
  sgf_device_t* dst;
  uint64_t bytes;
  uint64_t tag;
  opp_simtime_t date;
  opp_simtime_t end;
  int64_t actor;
  size_t flow;         /* index of its record, of a write */
  unsigned holders;    /* references that callers hold */
  unsigned references; /* those, and the fabric's own */
  bool held;           /* posted, not yet applied */
  bool done;
  bool awaited;
  bool acknowledged; /* every byte of a write is */
  bool given_up;     /* a write's acknowledgement is: nothing moves */
  bool delivered;    /* a write's message is in the memory of dst */
  sgf_status_t status;
  opp_simtime_t sent; /* of a write: when its last fetch was issued; -1: not yet */
  sgf_op_t* senders;  /* of a write: the operations that wait for that */
  sgf_op_t* of;       /* of one of these: the write, of which it holds a reference */
  sgf_op_t* next_sender;
  fabric_wait_t* wait; /* of one that is complete when a queue reaches a level */
  void* user;
  void* payload;      /* of a message: the poster's pointer */
  void** payload_to;  /* where it goes when the message is complete; NULL: nowhere */
  opp_simtime_t firm; /* of an awaited operation: a date before which it does not complete, as it was known last */
  size_t slot;        /* in the heap of the awaited */
  /* Doubly linked: every operation of the fabric; the awaited receives of one host; the writes to one host. Singly:
   * completions. */
  sgf_op_t *next, *previous;
  sgf_op_t *next_awaited, *previous_awaited;
  sgf_op_t *next_incoming, *previous_incoming;
  sgf_op_t* next_completed;
};

/* The operations that are awaited and not done. */
typedef struct fabric_awaited {
  sgf_op_t** heap; /* by `firm` */
  size_t count;
  size_t capacity;
  sgf_op_t** taken; /* as much room, for those that are looked at */
} fabric_awaited_t;

/* Messages and receives of one tag at one host. */
typedef struct fabric_mailbox fabric_mailbox_t;

typedef struct fabric_mailboxes {
  fabric_mailbox_t** table; /* open addressing by (host, tag) */
  size_t size;              /* a power of two, or 0 */
  size_t count;
} fabric_mailboxes_t;

/* A warning and the devices it holds for. */
typedef struct fabric_warning {
  char* text;
  const char* first; /* device */
  const char* last;  /* device that it was said of last */
  size_t devices;
  char* line; /* as it is shown, written when the fabric is sealed */
} fabric_warning_t;

/* Who looks for queues that wait for one another; see deadlock.c. */
typedef struct fabric_deadlock fabric_deadlock_t;

/* Who measures how fast feedback works; see feedback.c. */
typedef struct fabric_feedback fabric_feedback_t;

/* Who looks for flows that wait for others' pauses; see victims.h. */
typedef struct fabric_victims fabric_victims_t;

/* Somebody who is called at dates of their own; see engine.c. */
typedef struct fabric_clock fabric_clock_t;

/* What a script has asked for; see script.c. */
typedef struct fabric_scripts fabric_scripts_t;

/* Messages to the top module: the stall timer; a script's date; some queue may have reached a level in this instant. */
enum { FABRIC_STALL, FABRIC_SCRIPT, FABRIC_GAUGE };

/* ---- Fabric ------------------------------------------------------------------------------------------------------ */

struct sgf_fabric {
  opp_sim_t* sim;
  opp_module_t* net; /* the top module */
  opp_msg_t* stall_timer;
  bool sealed;
  sgf_device_t** devices;
  size_t device_count;
  sgf_device_t** hosts;
  uint32_t host_count;
  uint32_t switch_count;
  sgf_device_t** by_name; /* open addressing; see devices.c */
  size_t by_name_size;
  fabric_warning_t* warnings;
  size_t warning_count;

  sgf_op_t* ops;
  fabric_awaited_t awaited;
  sgf_op_t** table;  /* writes in the NICs, by number; see ops.c */
  size_t table_size; /* a power of two, or 0 */
  sgf_op_t** posts;  /* held, in order of (date, host, actor, sequence) */
  size_t post_count;
  size_t post_capacity;
  sgf_op_t* completed_first;
  sgf_op_t* completed_last;
  uint64_t last_number;
  uint64_t outstanding;            /* writes applied and not acknowledged */
  bool draining;                   /* stop when every write is complete or given up */
  uint64_t given_up;               /* those of them that the stall timer has given up */
  opp_simtime_t firm;              /* earliest firm bound of an awaited operation, see bound.c */
  opp_simtime_t shortest_crossing; /* least time in which a frame crosses a host's cable */
  opp_rate_t hop_rate;             /* of the fastest cable between switches; 0 bps: there is none */
  opp_simtime_t hop_delay;         /* the least delay of one */
  uint16_t* distances;             /* in such cables, between the switches that have hosts; see fabric_distance */
  uint32_t leaf_count;
  int64_t largest_frame; /* of all hosts, bytes on the wire */
  uint64_t progress;
  uint64_t progress_at_check;
  opp_simtime_t stall_period;
  fabric_deadlock_t* deadlock;
  fabric_mailboxes_t mailboxes;

  sgf_flow_t* flows;
  size_t flow_count;
  size_t flow_capacity;

  fabric_clock_t* clocks;
  size_t clock_count;
  opp_simtime_t next_tick;   /* of them all */
  fabric_scripts_t* scripts; /* NULL: there are none */

  fabric_feedback_t* feedback; /* NULL: nobody measures */
  fabric_victims_t* victims;   /* NULL: nobody watches */

  sgf_progress_cb progress_callback;
  void* progress_user;
};

/* advice.c */
void fabric_warn(sgf_fabric_t* fabric, const char* device, const char* text);
void fabric_advise(sgf_fabric_t* fabric);
void fabric_write_warnings(sgf_fabric_t* fabric);
void fabric_free_warnings(sgf_fabric_t* fabric);

/* rules.c */
sgf_status_t fabric_check_rules(const sgf_fabric_t* fabric, sgf_error_t* error);

/* cables.c */
/* Whether a port leads away from the hosts; tiers are known. */
bool fabric_is_uplink(const sgf_device_t* device, const fabric_port_t* port);
/* Give every cable the rate and delay that it really has. */
void fabric_settle_cables(sgf_fabric_t* fabric);
void fabric_connect_modules(sgf_fabric_t* fabric);

/* build.c */
/* The module that a device's path leads to; zones on the way become compound modules. */
opp_module_t* fabric_module_for(sgf_fabric_t* fabric, const char* path, const opp_module_type_t* type);
static inline nic_t* fabric_nic(const sgf_device_t* host)
{
  return nic_of(host->module);
}
/* The port whose cable ends at a host. */
net_port_t* fabric_port_into(const sgf_device_t* host);
/* The sending side of a device's port, and what sends its pause frames. */
static inline net_port_t* fabric_port_of(const sgf_device_t* device, unsigned port)
{
  return sgf_device_is_switch(device) ? &switch_state(device->module)->ports[port].out : &fabric_nic(device)->port;
}
static inline pfc_sender_t* fabric_pfc_sender(const sgf_device_t* device, unsigned port)
{
  return sgf_device_is_switch(device) ? &switch_state(device->module)->ports[port].pfc : &fabric_nic(device)->pfc;
}
/* Whether frames reach the host through a module that may keep them. */
static inline bool fabric_host_is_tapped(const sgf_device_t* host)
{
  return host->ports[0].inserted != NULL;
}

/* routes.c */
sgf_status_t fabric_compute_routes(sgf_fabric_t* fabric, sgf_error_t* error);
sgf_status_t fabric_compute_tiers(sgf_fabric_t* fabric, sgf_error_t* error);
/* Cables between switches on the shortest way between two hosts that are joined by switches. */
static inline unsigned fabric_distance(const sgf_device_t* from, const sgf_device_t* to)
{
  const sgf_fabric_t* fabric = from->fabric;
  return fabric->distances[from->ports[0].peer->leaf * fabric->leaf_count + to->ports[0].peer->leaf];
}

/* ops.c */
sgf_op_t* fabric_op_new(sgf_fabric_t* fabric, fabric_op_kind_t kind, opp_simtime_t date, int64_t actor);
/* Of the first post that is held; OPP_TIME_MAX: there is none. */
static inline opp_simtime_t fabric_next_post(const sgf_fabric_t* fabric)
{
  return fabric->post_count > 0 ? fabric->posts[0]->date : OPP_TIME_MAX;
}
void fabric_apply_posts(sgf_fabric_t* fabric, opp_simtime_t date);
/* Stop a drain once every write is complete or given up. */
void fabric_stop_draining(sgf_fabric_t* fabric);
/* The last segment of a write is being fetched, or the write was given up before. */
void fabric_sent(void* fabric, nic_message_t* message);
void fabric_never_sent(sgf_op_t* write);
void fabric_acknowledged(void* fabric, nic_message_t* message);
void fabric_delivered(void* fabric, nic_t* nic, const nic_delivery_t* delivery);
void fabric_complete(sgf_op_t* op, sgf_status_t status);
/* It is done, or a NIC has it: what its post said cannot be changed. */
bool fabric_op_has_begun(const sgf_op_t* op);
void fabric_free_ops(sgf_fabric_t* fabric);

/* awaited.c */
void fabric_awaited_push(fabric_awaited_t* awaited, sgf_op_t* op);
void fabric_awaited_remove(fabric_awaited_t* awaited, const sgf_op_t* op);
/* What was known of an operation holds no longer. */
void fabric_awaited_look_again(sgf_op_t* op);
/* A write was posted: the receives that it may complete are to be looked at. */
void fabric_awaited_post(const sgf_op_t* write);
/* An awaited operation will complete by a delivery at this host. */
void fabric_await_delivery(sgf_device_t* host);
void fabric_awaited_free(fabric_awaited_t* awaited);

/* bound.c */
opp_simtime_t fabric_shortest_crossing(const sgf_fabric_t* fabric);
void fabric_note_hops(sgf_fabric_t* fabric);

/* mailbox.c: what is delivered and what waits for it */
void fabric_mailbox_deliver(sgf_device_t* host, sgf_device_t* src, uint64_t bytes, uint64_t tag);
/* Match a receive with a message that is there, or let it wait. */
void fabric_mailbox_receive(sgf_op_t* op);
void fabric_mailbox_withdraw(sgf_op_t* op);
void fabric_mailboxes_free(fabric_mailboxes_t* mailboxes);

/* feedback.c */
void fabric_feedback_attach(fabric_feedback_t* feedback); /* the devices are set up */
void fabric_feedback_free(fabric_feedback_t* feedback);

/* victims.c */
void fabric_victims_free(fabric_victims_t* victims);

/* stall.c */
/* A stall takes as long as 32 timeouts of this host at least. */
void fabric_be_patient(sgf_fabric_t* fabric, const sgf_device_t* host);
void fabric_stall_timer(sgf_fabric_t* fabric);
void fabric_watch_progress(sgf_fabric_t* fabric);
void fabric_watch_post(sgf_fabric_t* fabric); /* a write begins */

/* script.c */
void fabric_script_due(sgf_fabric_t* fabric, opp_msg_t* msg);
void fabric_gauge_due(sgf_fabric_t* fabric, const opp_msg_t* msg);
void fabric_forget_wait(fabric_wait_t* wait);
/* A queue does not reach the level of an operation before. */
opp_simtime_t fabric_level_bound(const sgf_op_t* op, opp_simtime_t now);
void fabric_free_scripts(sgf_fabric_t* fabric);

/* deadlock.c */
fabric_deadlock_t* fabric_deadlock_new(void);
void fabric_deadlock_free(fabric_deadlock_t* deadlock);
void fabric_watch_deadlocks(sgf_fabric_t* fabric); /* the devices are set up */

#endif
