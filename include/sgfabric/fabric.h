/* sgfabric fabric: devices and cables, the engine that moves frames between them, and the operations one posts to it.
 *
 * A fabric is built in three steps: add devices and set their attributes, connect them, seal. Sealing checks every rule
 * that stops a run, computes equal-cost next hops and starts the models. From then on operations are posted and the
 * engine is advanced. Nothing here knows of SimGrid or of files.
 *
 * What happens at one instant t (design.md): the models' events at t run before posts at t; posts at t are held until
 * the engine passes t and are then applied in the order (host, actor, sequence). */
#ifndef SGFABRIC_FABRIC_H
#define SGFABRIC_FABRIC_H

#include <sgfabric/attr.h>
#include <sgfabric/opp.h>

SGF_BEGIN_DECL

typedef struct sgf_fabric sgf_fabric_t;
typedef struct sgf_device sgf_device_t; /* a host's NIC, or a switch */
typedef struct sgf_op sgf_op_t;         /* an operation: a write, a message, a receive, or a wait for a queue */

/* ---- Building ---------------------------------------------------------------------------------------------------- */

/* An empty fabric; random streams derive from `seed`. Free with sgf_fabric_free, which frees devices and operations
 * too. */
SGF_PUBLIC sgf_fabric_t* sgf_fabric_new(uint64_t seed);
SGF_PUBLIC void sgf_fabric_free(sgf_fabric_t* fabric);

/* A NIC of `model` ("uet", "udp", ...) on the host `name`. `path` is the host's full path below "net", without "net.":
 * "rack0.gpu0". SGF_UNKNOWN for a model that does not exist, with the nearest one. Addresses are given in order of
 * creation: 10.0.0.1, ... */
SGF_PUBLIC sgf_device_t* sgf_fabric_add_nic(sgf_fabric_t* fabric, const char* name, const char* path, const char* model,
                                            sgf_error_t* error);
SGF_PUBLIC sgf_device_t* sgf_fabric_add_switch(sgf_fabric_t* fabric, const char* name, const char* path,
                                               sgf_error_t* error);

/* Names of the NIC models there are; `count` gets their number. */
SGF_PUBLIC const char* const* sgf_nic_model_names(size_t* count);

/* The attributes that `prefix` answers to on devices of a kind: "nic" and "pcie" for a NIC of `model`, "switch" for a
 * switch (model ignored). NULL if there is no such prefix or model. */
SGF_PUBLIC const sgf_attr_set_t* sgf_attributes_of(const char* prefix, const char* model);

/* Set an attribute of a device that is not sealed: sgf_attr_set_value on its configuration. `suffix` "" with prefix
 * "pcie" is the shorthand of sgf_pcie_set_shorthand. */
SGF_PUBLIC sgf_status_t sgf_device_set(sgf_device_t* device, const char* prefix, const char* suffix, const char* value,
                                       sgf_error_t* error);

/* Of a cable that says nothing itself: the lesser DataRate attribute of its two ends (400 Gb/s where both are 0bps),
 * the Delay attribute of the device at its lower end (spec/switch.md 2.2). */
#define SGF_RATE_OF_DEVICES INT64_C(0)
#define SGF_DELAY_OF_DEVICE INT64_C(-1)

/* Plug `count` parallel cables of `bps` bits per second and `delay` ps between two devices; each cable takes a port of
 * its own at both ends, numbered in order of connection. `name` is copied, for messages. The data rate is capped by the
 * devices' DataRate attributes where these are set. SGF_TOPOLOGY: a NIC takes one cable. */
SGF_PUBLIC sgf_status_t sgf_fabric_connect(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b, const char* name,
                                           int64_t bps, opp_simtime_t delay, unsigned count, sgf_error_t* error);

/* Put a module of the caller's own on the cable at a device's port, before sealing: a tap that counts or delays, a
 * lossy cable. `path` is that of the module below "net", as a device's: "rack0.tap". The module has gates `port$i[0]`,
 * `port$o[0]` towards the device and `port$i[1]`, `port$o[1]` towards its peer. It gets every frame, pause frames too,
 * at the end of its way over the cable, owns it then, and sends it on through the other port, at once or later, where
 * the frame arrives without further delay; one that it deletes is lost. Its `initialize` is called when the fabric is
 * sealed; parameters can be set (opp_par_set) and signals subscribed to before. NULL and an error: sealed already, no
 * cable at that port, a module on the cable or of that path already. */
SGF_PUBLIC opp_module_t* sgf_fabric_insert(sgf_fabric_t* fabric, sgf_device_t* device, unsigned port, const char* path,
                                           const opp_module_type_t* type, sgf_error_t* error);

/* Check, compute routes, start the models. After an error the fabric can only be freed. The message names the device;
 * warnings (accepted, but advised against) are kept for sgf_fabric_warning. */
SGF_PUBLIC sgf_status_t sgf_fabric_seal(sgf_fabric_t* fabric, sgf_error_t* error);

SGF_PUBLIC size_t sgf_fabric_warning_count(const sgf_fabric_t* fabric);
SGF_PUBLIC const char* sgf_fabric_warning(const sgf_fabric_t* fabric, size_t i);

/* ---- Looking around ---------------------------------------------------------------------------------------------- */

SGF_PUBLIC size_t sgf_fabric_device_count(const sgf_fabric_t* fabric);
SGF_PUBLIC sgf_device_t* sgf_fabric_device(const sgf_fabric_t* fabric, size_t i);       /* in order of creation */
SGF_PUBLIC sgf_device_t* sgf_fabric_find(const sgf_fabric_t* fabric, const char* name); /* by name, or NULL */
SGF_PUBLIC size_t sgf_fabric_host_count(const sgf_fabric_t* fabric);                    /* hosts with a NIC */
SGF_PUBLIC sgf_device_t* sgf_fabric_host(const sgf_fabric_t* fabric, size_t i); /* the i-th NIC in order of creation */

SGF_PUBLIC const char* sgf_device_name(const sgf_device_t* device); /* "gpu0", "tor0" */
SGF_PUBLIC const char* sgf_device_path(const sgf_device_t* device); /* "rack0.gpu0" */
SGF_PUBLIC bool sgf_device_is_switch(const sgf_device_t* device);
SGF_PUBLIC const char* sgf_device_model(const sgf_device_t* device); /* "uet", "switch" */
SGF_PUBLIC unsigned sgf_device_port_count(const sgf_device_t* device);
SGF_PUBLIC sgf_device_t* sgf_device_peer(const sgf_device_t* device, unsigned port);
SGF_PUBLIC unsigned sgf_device_peer_port(const sgf_device_t* device, unsigned port);
SGF_PUBLIC int64_t sgf_device_port_bps(const sgf_device_t* device, unsigned port); /* what the cable really runs at */
SGF_PUBLIC opp_simtime_t sgf_device_port_delay(const sgf_device_t* device, unsigned port);
SGF_PUBLIC const char* sgf_device_port_cable(const sgf_device_t* device, unsigned port); /* name given at connection */

/* Equal-cost ports of a sealed fabric's device towards a host; writes at most `size` port numbers, returns their
 * number. */
SGF_PUBLIC size_t sgf_device_next_hops(const sgf_device_t* device, const sgf_device_t* host, unsigned* ports,
                                       size_t size);

/* Frames for `host` leave the switch `device` by `port` alone, in place of the equal-cost ports of the shortest ways: a
 * fault of routing, or its repair, at any time once the fabric is sealed, from the engine's clock on (at a date of a
 * simulation: sgf_script_at). Frames that are queued stay where they are.
 * SGF_STATE: not sealed. SGF_TOPOLOGY: `device` is no switch, or `host` no NIC. SGF_RANGE: there is no such port. */
SGF_PUBLIC sgf_status_t sgf_fabric_set_route(sgf_device_t* device, const sgf_device_t* host, unsigned port,
                                             sgf_error_t* error);

/* The opp simulation of a sealed fabric, for signals and for a user's own modules. */
SGF_PUBLIC opp_sim_t* sgf_fabric_sim(const sgf_fabric_t* fabric);

/* ---- Operations -------------------------------------------------------------------------------------------------- */

/* Whether messages can go from one device to the other. SGF_NO_NIC: one of them is a switch. SGF_FOREIGN_NIC: their
 * NICs are of different kinds, which do not understand each other. */
SGF_PUBLIC sgf_status_t sgf_device_can_write(const sgf_device_t* src, const sgf_device_t* dst, sgf_error_t* error);

/* The most bytes of one write: what the fabric can time. */
#define SGF_LARGEST_WRITE ((uint64_t)(INT64_MAX / 64))

/* Whether a write of `bytes` that begins at `date`, at `bps` bits of its payload per second at most (0: no limit), is
 * through before the end of time; SGF_RANGE. */
SGF_PUBLIC sgf_status_t sgf_write_can_be_timed(uint64_t bytes, int64_t bps, opp_simtime_t date, sgf_error_t* error);

/* Post an RDMA write of `bytes` (0 allowed) from the host of `src` to that of `dst` (the same host allowed), carrying
 * `tag`. `date` is not before the engine's clock; `actor` orders posts of one host at one instant. The write is
 * complete when every byte is acknowledged. The caller holds one reference. */
SGF_PUBLIC sgf_op_t* sgf_op_write(sgf_fabric_t* fabric, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes,
                                  uint64_t tag, opp_simtime_t date, int64_t actor, sgf_error_t* error);

/* An operation that is complete when the NIC has issued the fetch of the last segment of `write`, a write or a message
 * with its ends: its SEND_COMPLETE, which says nothing of what is on the wire or acknowledged (spec/uet-nic.md 8.13).
 * At once, with that date, if it has been. The caller holds one reference. SGF_STALLED if the write is given up before.
 * NULL and an error: a receive, or a message that has no ends yet. */
SGF_PUBLIC sgf_op_t* sgf_op_sent(sgf_op_t* write, sgf_error_t* error);

/* Wait at `host` for the next message with `tag`, from anyone: complete when its last byte is in host memory. Messages
 * that nobody waits for yet are kept in order of completion. The caller holds one reference. */
SGF_PUBLIC sgf_op_t* sgf_op_recv(sgf_fabric_t* fabric, sgf_device_t* host, uint64_t tag, opp_simtime_t date,
                                 int64_t actor);

/* A message whose ends are named later, by sgf_op_post; the caller holds one reference. It is complete when its last
 * byte is in the memory of `dst`, and sgf_op_recv does not see it. A pointer of the poster's travels with it: when the
 * message is complete, it is stored in `*to` (NULL: nowhere). One that cannot be posted is done, with the status that
 * the post returns. */
SGF_PUBLIC sgf_op_t* sgf_op_message(sgf_fabric_t* fabric);
SGF_PUBLIC sgf_status_t sgf_op_post(sgf_op_t* op, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes,
                                    opp_simtime_t date, int64_t actor, sgf_error_t* error);
SGF_PUBLIC void* sgf_op_payload(const sgf_op_t* op);
SGF_PUBLIC void sgf_op_set_payload(sgf_op_t* op, void* payload, void** to);

/* Limit the rate of a write or message to `bps` bits of its payload per second, headers not counted. The source's NIC
 * generates a packet no earlier than the payload of the one before takes at that rate, to the exact remainder, and uses
 * the link for others in between; nothing is saved up when a packet is late, retransmissions are not slowed, and one of
 * a single packet is not either. A rate that the source's link does not exceed is no limit, except to the same host. Of
 * several limits the lowest holds. Until the engine has passed the date of the post; SGF_STATE: it has, or this is a
 * receive. SGF_RANGE: below 1 bps, or the fabric cannot time so long a transfer (the rate stays as it was). */
SGF_PUBLIC sgf_status_t sgf_op_set_rate(sgf_op_t* op, int64_t bps, sgf_error_t* error);

/* The queue pair between its two hosts on which a write or message goes; 0 unless it is set. Messages of one queue pair
 * are sent one after the other (RoCE) or share its sequence numbers (MRC); those of different ones take turns. Until
 * the engine has passed the date of the post; SGF_STATE: it has, or this has no ends yet. SGF_RULE: the NIC of its
 * source has no queue pairs. */
SGF_PUBLIC sgf_status_t sgf_op_set_queue_pair(sgf_op_t* op, uint32_t queue_pair, sgf_error_t* error);

/* The traffic classes, 0 to 7, of its data and of what answers them, in place of the NIC's own (spec/roce-nic.md 10.1).
 * Connections that differ in them are different queue pairs. Errors as above. SGF_RANGE: no such class; or one without
 * a pool in a buffer of either NIC that the packets of the class go through. */
SGF_PUBLIC sgf_status_t sgf_op_set_classes(sgf_op_t* op, unsigned data, unsigned control, sgf_error_t* error);

/* Hold one more reference, such as for an operation that is handed to somebody else. Returns `op`. */
SGF_PUBLIC sgf_op_t* sgf_op_ref(sgf_op_t* op);

/* Drop a reference; `op` may be NULL. Once nobody holds one a write goes on in the NIC, and a receive that is not
 * complete is withdrawn. */
SGF_PUBLIC void sgf_op_unref(sgf_op_t* op);

/* The engine stops at the completion of awaited operations and gives a bound for them; those that nobody awaits cost
 * nothing. */
SGF_PUBLIC void sgf_op_set_awaited(sgf_op_t* op, bool awaited);

SGF_PUBLIC bool sgf_op_done(const sgf_op_t* op);
SGF_PUBLIC sgf_status_t sgf_op_status(const sgf_op_t* op); /* once done: SGF_OK; SGF_STALLED: the engine gave it up */
SGF_PUBLIC opp_simtime_t sgf_op_start(const sgf_op_t* op);
SGF_PUBLIC opp_simtime_t sgf_op_end(const sgf_op_t* op); /* valid once done */
SGF_PUBLIC uint64_t sgf_op_bytes(const sgf_op_t* op);    /* of a receive: once done */
SGF_PUBLIC sgf_device_t* sgf_op_src(const sgf_op_t* op); /* of a receive: once done */
SGF_PUBLIC sgf_device_t* sgf_op_dst(const sgf_op_t* op);
SGF_PUBLIC void* sgf_op_user(const sgf_op_t* op);
SGF_PUBLIC void sgf_op_set_user(sgf_op_t* op, void* user); /* the caller's own pointer */

/* ---- Engine ------------------------------------------------------------------------------------------------------ */

typedef enum sgf_engine_state {
  SGF_ENGINE_HORIZON,    /* every event up to the horizon was executed; posts at the horizon are held */
  SGF_ENGINE_COMPLETION, /* stopped after an event that completed awaited operations: take them */
  SGF_ENGINE_IDLE,       /* no event and no post is left; the clock is at the horizon, or at the last event if that is
                            OPP_TIME_MAX */
  SGF_ENGINE_ERROR,      /* a model broke a rule, or there is a deadlock: see sgf_fabric_error */
} sgf_engine_state_t;

/* Execute events up to and including `horizon` (OPP_TIME_MAX: until idle), stopping at completions. When writes are
 * outstanding and no packet has been received or acknowledged for 32 times the longest retransmission timeout (at least
 * 100 ms of simulated time), they are given up: done, with status SGF_STALLED. */
SGF_PUBLIC sgf_engine_state_t sgf_engine_advance(sgf_fabric_t* fabric, opp_simtime_t horizon);
SGF_PUBLIC opp_simtime_t sgf_engine_clock(const sgf_fabric_t* fabric);

/* The next awaited operation that has completed, in order of completion, or NULL. Each is returned once. */
SGF_PUBLIC sgf_op_t* sgf_engine_completed(sgf_fabric_t* fabric);

/* A date before which no awaited operation completes; OPP_TIME_MAX if nothing awaited can complete at all. After the
 * clock, unless a completion has not been taken yet. Exact once the frame that completes the operation is on its last
 * link. Holds until something is posted or awaited. */
SGF_PUBLIC opp_simtime_t sgf_engine_bound(sgf_fabric_t* fabric);

/* The bound after `op` was posted or awaited, given that it was `bound` before: what sgf_engine_bound would say, or
 * earlier, without looking at every operation. */
SGF_PUBLIC opp_simtime_t sgf_engine_bound_with(sgf_fabric_t* fabric, const sgf_op_t* op, opp_simtime_t bound);

/* Date of the engine's next event or held post; OPP_TIME_MAX if there is none. */
SGF_PUBLIC opp_simtime_t sgf_engine_next_event(sgf_fabric_t* fabric);
SGF_PUBLIC const sgf_error_t* sgf_fabric_error(const sgf_fabric_t* fabric);

/* A deadlock: a cycle of paused queues of switches that wait for one another and can never move again
 * (spec/feedback-budget.md 9.1). One whose queues no watchdog watches stops the engine when its last pause arrives, or,
 * where it closes later, with the next refresh of one of its pauses: SGF_ENGINE_ERROR, status SGF_DEADLOCK, a text that
 * names ports and classes. `stops` false: it goes on all the same. */
SGF_PUBLIC void sgf_fabric_stop_on_deadlock(sgf_fabric_t* fabric, bool stops);

/* The first deadlock so far, also one that a watchdog watches, in the same words; NULL: there was none. */
SGF_PUBLIC const char* sgf_fabric_deadlock(const sgf_fabric_t* fabric);

/* Call `progress` between events, after every `events` of them, to show that a run goes on; it must not change the
 * fabric. NULL: none (default). */
typedef void (*sgf_progress_cb)(void* user, opp_simtime_t clock, uint64_t packet_hops);
SGF_PUBLIC void sgf_fabric_set_progress(sgf_fabric_t* fabric, uint64_t events, sgf_progress_cb progress, void* user);

/* Frames serialised through links so far, and events executed. */
SGF_PUBLIC uint64_t sgf_fabric_packet_hops(const sgf_fabric_t* fabric);
SGF_PUBLIC uint64_t sgf_fabric_event_count(const sgf_fabric_t* fabric);

/* Run on until every write is complete or given up and no frame is left anywhere, taking no notice of who awaits what;
 * at most for the time after which writes are given up. SGF_ENGINE_IDLE, or SGF_ENGINE_ERROR. */
SGF_PUBLIC sgf_engine_state_t sgf_engine_drain(sgf_fabric_t* fabric);

/* The same, but no event after `limit` is executed: SGF_ENGINE_HORIZON if there are some left to execute. The clock is
 * that of the last event. */
SGF_PUBLIC sgf_engine_state_t sgf_engine_drain_until(sgf_fabric_t* fabric, opp_simtime_t limit);

/* ---- The end of a run -------------------------------------------------------------------------------------------- */

/* SGF_OK when every write has completed and all pools, queues and headroom are empty. SGF_STALLED: the engine is idle
 * or at its horizon with work outstanding; the text says how much, and `waits` (may be NULL) is called once for each
 * thing that waits, with a line that says what for. SGF_CONSERVATION: nothing is outstanding and yet bytes are charged;
 * names the counter. SGF_DEADLOCK, SGF_MODEL: the engine has stopped for that (sgf_fabric_error). */
SGF_PUBLIC sgf_status_t sgf_fabric_check_end(sgf_fabric_t* fabric, void (*waits)(void* user, const char* line),
                                             void* user, sgf_error_t* error);

/* What happened. Read-only; strings live as long as the fabric. */
typedef struct sgf_flow {
  const char* src;
  const char* dst;
  uint64_t bytes;
  opp_simtime_t start; /* date of the post */
  opp_simtime_t end;   /* last byte acknowledged (of a udp NIC: last frame has left the port); -1: never */
  int64_t rate_bps;    /* its limit (sgf_op_set_rate); 0: none */
  uint32_t queue_pair; /* sgf_op_set_queue_pair */
  bool has_classes;    /* sgf_op_set_classes has been called for it, with these */
  uint8_t data_class;
  uint8_t control_class;
} sgf_flow_t;

typedef struct sgf_drop_count {
  const char* cause; /* "switch_headroom", "switch_ingress_pool", "switch_egress_queue", "switch_egress_pool",
                        "switch_no_route", "switch_watchdog", "nic_ingress_pool" */
  uint64_t count;
} sgf_drop_count_t;

typedef struct sgf_pause_count {
  const char* device;
  unsigned port;
  const char* peer; /* device at the other end of the port's cable */
  unsigned tc;      /* class named in the frames */
  uint64_t sent;    /* pause frames (quanta > 0) sent, refreshes included */
  uint64_t resumes_sent;
  uint64_t received;
  uint64_t resumes_received;
  opp_simtime_t paused; /* time for which the peer held this port's class */
} sgf_pause_count_t;

typedef struct sgf_pool_peak {
  const char* owner; /* "tor0", "tor0 port 3", "gpu0" */
  char pool[24];     /* "pool0", "pool0 ingress", "pool0 headroom", "rx0", "tx0" */
  int64_t size;      /* bytes; a port's ingress occupancy: Xoff; a port's headroom: its limit */
  int64_t peak;
  int64_t xoff; /* 0: no pause threshold applies */
} sgf_pool_peak_t;

/* What a lossless class that has asked for pauses let in above Xoff, against what there is for that
 * (spec/feedback-budget.md 5). */
typedef struct sgf_headroom_use {
  const char* device;
  unsigned tc;      /* classes of one pool share it */
  unsigned ports;   /* that have asked for pauses */
  unsigned port;    /* the first of those that needed most */
  int64_t needed;   /* bytes: peak of a switch's headroom at that port, of a NIC's pool above Xoff */
  int64_t headroom; /* that the port has */
} sgf_headroom_use_t;

typedef struct sgf_link_use {
  const char* from;
  unsigned port;
  const char* to;
  uint64_t frames;
  uint64_t bytes;     /* on the wire */
  opp_simtime_t busy; /* time spent serialising */
} sgf_link_use_t;

typedef struct sgf_report {
  opp_simtime_t clock;
  uint64_t packet_hops; /* frames serialised through links, pause frames included */
  uint64_t events;
  uint64_t retransmissions;
  uint64_t trimmed;      /* frames that switches cut to their headers instead of dropping them */
  uint64_t marked;       /* frames that switches marked CE */
  uint64_t lost;         /* messages of NICs that send nothing again, sent and not arrived whole */
  int64_t longest_queue; /* most bytes, as they are charged, in one egress queue of a switch, of one pool */
  size_t flow_count;
  const sgf_flow_t* flows; /* in order of posting */
  size_t drop_count;
  const sgf_drop_count_t* drops; /* every cause, also with count 0 */
  size_t pause_count;
  const sgf_pause_count_t* pauses; /* those with any counter above 0 */
  size_t pool_count;
  const sgf_pool_peak_t* pools;
  size_t headroom_count;
  const sgf_headroom_use_t* headrooms; /* by device, class */
  size_t link_count;
  const sgf_link_use_t* links; /* each direction of each cable */
} sgf_report_t;

/* Free with sgf_report_free, before the fabric. */
SGF_PUBLIC sgf_report_t* sgf_report_new(const sgf_fabric_t* fabric);
SGF_PUBLIC void sgf_report_free(sgf_report_t* report);

SGF_END_DECL
#endif
