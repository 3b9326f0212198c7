/* sgfabric opp: a discrete-event kernel with an OMNeT++-compatible API in C (spec/opp.md section 1).
 *
 * A model is written as an OMNeT++ simple module is: a constant table of functions, gates joined by channels, messages
 * sent through gates or scheduled to oneself, signals emitted. Names are OMNeT++'s in snake case behind opp_.
 *
 * Errors. A call that breaks a rule (scheduling into the past, sending what one does not own, sending on a busy
 * channel) records an error with module path and message name in the simulation and does nothing else; opp_sim_run then
 * returns OPP_RUN_ERROR. No call exits the process.
 *
 * Order of events: arrival time, then scheduling priority (lower first), then order of insertion. */
#ifndef SGFABRIC_OPP_H
#define SGFABRIC_OPP_H

#include <sgfabric/error.h>
#include <sgfabric/opp_ini.h>

SGF_BEGIN_DECL

/* Simulation time: signed 64-bit picoseconds, as OMNeT++'s default resolution. */
typedef int64_t opp_simtime_t;
#define OPP_TIME_MAX INT64_MAX
#define OPP_NS ((opp_simtime_t)1000)
#define OPP_US ((opp_simtime_t)1000000)
#define OPP_MS ((opp_simtime_t)1000000000)
#define OPP_S ((opp_simtime_t)1000000000000)

typedef struct opp_sim opp_sim_t;         /* one simulation: modules, events, random streams */
typedef struct opp_module opp_module_t;   /* cModule and cSimpleModule */
typedef struct opp_gate opp_gate_t;       /* cGate: one direction; an inout gate is a pair */
typedef struct opp_channel opp_channel_t; /* cIdealChannel, cDelayChannel, cDatarateChannel */
typedef struct opp_msg opp_msg_t;         /* cMessage; a cPacket when it has a length */
typedef struct opp_queue opp_queue_t;     /* cQueue, cPacketQueue */
typedef struct opp_rng opp_rng_t;         /* a random stream */

/* ---- Rates ------------------------------------------------------------------------------------------------------- */

/* An exact data rate. A bit takes ps_num / ps_den picoseconds, in lowest terms. */
typedef struct opp_rate {
  int64_t bps;
  int64_t ps_num;
  int64_t ps_den;
} opp_rate_t;

/* The rate of `bps` bits per second, at least 1. */
SGF_PUBLIC opp_rate_t opp_rate(int64_t bps);

/* Whole picoseconds that `bits` (not negative) take at `rate`, rounded down; OPP_TIME_MAX when that is more than time
 * has. */
SGF_PUBLIC opp_simtime_t opp_rate_duration(opp_rate_t rate, int64_t bits);

/* A transmitter at a fixed rate. The part of a picosecond that one transmission leaves over is carried to the next one
 * while the transmitter stays busy, and dropped when it falls idle: the long-run rate is exact (design.md, Time). */
typedef struct opp_transmitter {
  opp_rate_t rate;
  opp_simtime_t free_at; /* end of the last transmission accepted */
  int64_t carry;         /* remainder of that transmission in units of 1 / ps_den ps */
} opp_transmitter_t;

/* Append a transmission of `bits` (not negative) that may start at `now`: it starts at the later of `now` and free_at,
 * and the transmitter has been idle if `now` is the later one. Returns its end, which is also the new free_at. */
SGF_PUBLIC opp_simtime_t opp_transmit(opp_transmitter_t* transmitter, opp_simtime_t now, int64_t bits);

/* ---- Module types ------------------------------------------------------------------------------------------------ */

typedef enum opp_par_type {
  OPP_PAR_BOOL,   /* true, false */
  OPP_PAR_INT,    /* int64_t; with a unit a whole number of it */
  OPP_PAR_DOUBLE, /* with a unit the number of it, perhaps a fraction */
  OPP_PAR_STRING,
  OPP_PAR_TIME, /* exact, in ps: "100ns"; units ps, ns, us, ms, s */
  OPP_PAR_SIZE, /* exact, in bytes, below 4 GiB: "256KB"; units B, KB, MB, GB (powers of 1,000), KiB, MiB, GiB */
  OPP_PAR_RATE, /* exact, in bits per second: "400Gbps"; units bps, Kbps, Mbps, Gbps, Tbps */
} opp_par_type_t;

/* A parameter of a module type. */
typedef struct opp_parameter {
  const char* name;
  opp_par_type_t type;
  const char* unit; /* of OPP_PAR_INT and OPP_PAR_DOUBLE: what values are converted to, as "us"; NULL: plain numbers */
  const char* initial; /* default, in the syntax of opp_par_set; NULL: there is none, it has to be assigned */
} opp_parameter_t;

/* What result files say of the values of a result; every text may be NULL. They are not copied. */
typedef struct opp_result_info {
  const char* title;
  const char* unit;
  const char* type;          /* "int", "double" */
  const char* interpolation; /* "none", "sample-hold", "backward-sample-hold", "linear" */
  const char* min;           /* bounds of what can come, as numbers */
  const char* max;
} opp_result_info_t;

/* A statistic of a module type, as @statistic in NED: the values of a signal, emitted by the module or below it, and
 * how they are recorded (opp_result.h). */
typedef struct opp_statistic {
  const char* signal; /* NULL: the same as `name` */
  const char* name;   /* results are called name:mode */
  const char* modes;  /* commas between them; of vector, count, last, sum, mean, min, max, timeavg, stats, histogram; a
                         mode with ? is recorded only where result-recording-modes asks for it */
  opp_result_info_t info;
} opp_statistic_t;

/* A simple module's type: a constant table, as cSimpleModule's virtual functions. Anything but handle_message may be
 * NULL. */
typedef struct opp_module_type {
  const char* name;
  size_t state_size;   /* bytes of zeroed state that the kernel allocates and owns for each module */
  int num_init_stages; /* 0 counts as 1 */
  void (*initialize)(opp_module_t* self, int stage);
  void (*handle_message)(opp_module_t* self, opp_msg_t* msg); /* takes ownership of msg */
  void (*finish)(opp_module_t* self);                         /* at a regular end, to record results */
  void (*destroy)(opp_module_t* self); /* release what the state owns; not messages of the kernel */
  const opp_parameter_t* parameters;   /* ends with an entry without a name */
  const opp_statistic_t* statistics;   /* likewise */
} opp_module_type_t;

/* Register the module type `type`, a constant of that name, as Define_Module does: opp_module_create then finds it by
 * its `name`. At file scope, with a semicolon. The registry is filled before main() (or while dlopen() loads the
 * library, which then has to stay) and only read afterwards. */
#define opp_define_module(type)                                                                                        \
  __attribute__((constructor)) static void opp_register_##type(void)                                                   \
  {                                                                                                                    \
    static opp_registration_t registration = {&(type), NULL};                                                          \
    opp_module_type_register(&registration);                                                                           \
  }                                                                                                                    \
  extern const char opp_takes_a_semicolon[]

/* An entry of the registry; for opp_define_module alone. */
typedef struct opp_registration {
  const opp_module_type_t* type;
  struct opp_registration* next;
} opp_registration_t;
SGF_PUBLIC void opp_module_type_register(opp_registration_t* registration);

SGF_PUBLIC const opp_module_type_t* opp_module_type_find(const char* name); /* or NULL */

/* ---- Simulation -------------------------------------------------------------------------------------------------- */

typedef enum opp_run_status {
  OPP_RUN_LIMIT, /* every event up to the limit was executed */
  OPP_RUN_IDLE,  /* no event is left */
  OPP_RUN_ENDED, /* a module called opp_end_simulation */
  OPP_RUN_ERROR, /* a module broke a rule; see opp_sim_error */
} opp_run_status_t;

/* A new simulation; random streams derive from `seed`. Free with opp_sim_free, which deletes modules and messages. */
SGF_PUBLIC opp_sim_t* opp_sim_new(uint64_t seed);
SGF_PUBLIC void opp_sim_free(opp_sim_t* sim);

/* Call initialize of every module, stage by stage, in order of creation. Modules are created before. */
SGF_PUBLIC sgf_status_t opp_sim_initialize(opp_sim_t* sim);

/* Execute events in order while their time is at most `limit`. Afterwards the clock is at `limit` for OPP_RUN_LIMIT
 * (and for OPP_RUN_IDLE unless the limit is OPP_TIME_MAX), else at the last event executed. */
SGF_PUBLIC opp_run_status_t opp_sim_run(opp_sim_t* sim, opp_simtime_t limit);

/* Call finish of every module in order of creation; the module's statistics are recorded after its own call. */
SGF_PUBLIC void opp_sim_finish(opp_sim_t* sim);

/* Give the parameters of all modules the values that `run` has for them, or their defaults. After the modules are
 * created, before opp_sim_initialize; seed the simulation with opp_ini_run_seed_set(run). The run also says what is
 * recorded, and has to live as long as the simulation. Errors are the simulation's too, with file and line: a value of
 * another type, unit or range; a parameter without a default that no line assigns. */
SGF_PUBLIC sgf_status_t opp_sim_configure(opp_sim_t* sim, opp_ini_run_t* run);

/* A whole run: opp_sim_initialize, opp_sim_run up to the `sim-time-limit` of the run that was configured (OPP_TIME_MAX
 * without one), opp_sim_finish unless there was an error. */
SGF_PUBLIC opp_run_status_t opp_sim_run_configured(opp_sim_t* sim);

SGF_PUBLIC const sgf_error_t* opp_sim_error(const opp_sim_t* sim); /* the first rule broken, or status SGF_OK */
SGF_PUBLIC opp_simtime_t opp_sim_clock(const opp_sim_t* sim);      /* simTime() from outside a module */
SGF_PUBLIC opp_simtime_t opp_sim_next_event_time(opp_sim_t* sim);  /* OPP_TIME_MAX when there is none */
SGF_PUBLIC uint64_t opp_sim_event_count(const opp_sim_t* sim);     /* events executed */

/* ---- Modules ----------------------------------------------------------------------------------------------------- */

/* Create a simple module of `type`, or a compound one where type is NULL, below `parent` (NULL: a top-level module).
 * `index` is its place in a vector of submodules, -1 outside one. The name is copied. Error if `parent` has one of this
 * name and index already; a module is returned all the same. */
SGF_PUBLIC opp_module_t* opp_module_new(opp_sim_t* sim, opp_module_t* parent, const char* name, int index,
                                        const opp_module_type_t* type);

/* The same for a type by its registered name. Error (nearest name) if there is none, or if two types share the name;
 * a compound module is returned then. */
SGF_PUBLIC opp_module_t* opp_module_create(opp_sim_t* sim, opp_module_t* parent, const char* name, int index,
                                           const char* type_name);

SGF_PUBLIC void* opp_module_state(opp_module_t* self);
SGF_PUBLIC opp_sim_t* opp_module_sim(const opp_module_t* module);
SGF_PUBLIC const char* opp_module_name(const opp_module_t* module);      /* "port" */
SGF_PUBLIC const char* opp_module_full_name(const opp_module_t* module); /* "port[3]" */
SGF_PUBLIC const char* opp_module_full_path(const opp_module_t* module); /* "net.rack0.tor0.port[3]" */
SGF_PUBLIC int opp_module_index(const opp_module_t* module);             /* -1 outside a vector */
SGF_PUBLIC opp_module_t* opp_module_parent(const opp_module_t* module);
SGF_PUBLIC opp_module_t* opp_module_submodule(const opp_module_t* module, const char* name, int index); /* or NULL */
SGF_PUBLIC opp_module_t* opp_sim_top_module(const opp_sim_t* sim); /* the first that was created, or NULL */
SGF_PUBLIC opp_module_t* opp_module_by_path(opp_sim_t* sim, const char* full_path); /* or NULL */

/* simTime() */
SGF_PUBLIC opp_simtime_t opp_sim_time(const opp_module_t* self);

/* End the run after the current event; another opp_sim_run goes on from there. No effect outside of an event. */
SGF_PUBLIC void opp_end_simulation(opp_module_t* self);

/* Record an error of the model itself, as throwing cRuntimeError does. */
SGF_PUBLIC void opp_error(opp_module_t* self, const char* format, ...) SGF_PRINTF(2, 3);

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

SGF_PUBLIC bool opp_has_par(const opp_module_t* module, const char* name);

/* The value of a parameter. An unknown name (nearest one), another type than the call's and a parameter without a value
 * are errors; 0, false or "" is returned then. opp_par_double reads integers as well. */
SGF_PUBLIC int64_t opp_par_int(opp_module_t* module, const char* name);
SGF_PUBLIC double opp_par_double(opp_module_t* module, const char* name);
SGF_PUBLIC bool opp_par_bool(opp_module_t* module, const char* name);
SGF_PUBLIC const char* opp_par_string(opp_module_t* module, const char* name); /* until it is set again */
SGF_PUBLIC opp_simtime_t opp_par_time(opp_module_t* module, const char* name); /* ps */
SGF_PUBLIC int64_t opp_par_size(opp_module_t* module, const char* name);       /* bytes */
SGF_PUBLIC int64_t opp_par_rate(opp_module_t* module, const char* name);       /* bits per second */

/* Set a parameter to a value as an ini file writes it, but for strings, which have no quotes here. On an error, which
 * is not the simulation's, it keeps its value. */
SGF_PUBLIC sgf_status_t opp_par_set(opp_module_t* module, const char* name, const char* value, sgf_error_t* error);

/* ---- Gates and channels ------------------------------------------------------------------------------------------ */

typedef enum opp_gate_kind { OPP_GATE_INPUT, OPP_GATE_OUTPUT, OPP_GATE_INOUT } opp_gate_kind_t;

/* Declare a gate vector of `size` gates, at least 1, on `module`; size 1 with `vector` false is a scalar gate. An inout
 * gate is addressed by its halves "name$i" and "name$o". A module has fewer than 65,535 gates. */
SGF_PUBLIC void opp_gate_add(opp_module_t* module, const char* name, opp_gate_kind_t kind, bool vector, int size);

/* Error and NULL if there is none; the index of a scalar gate is 0. */
SGF_PUBLIC opp_gate_t* opp_gate(opp_module_t* module, const char* name, int index);
SGF_PUBLIC bool opp_has_gate(const opp_module_t* module, const char* name);
SGF_PUBLIC int opp_gate_size(const opp_module_t* module, const char* name); /* 0 if there is none */

/* Join an output to an input gate (or through the gates of a compound module), with a channel or NULL for none
 * (cIdealChannel). A channel serves one connection; the simulation owns it. Error if either side is connected already,
 * a simple module would be connected from its inside, the path would be a circle, or it would have two channels with a
 * data rate. Nothing happens when a gate is NULL: opp_gate has recorded why. */
SGF_PUBLIC void opp_gate_connect(opp_gate_t* from, opp_gate_t* to, opp_channel_t* channel);

SGF_PUBLIC opp_gate_t* opp_gate_next(const opp_gate_t* gate);
SGF_PUBLIC opp_gate_t* opp_gate_previous(const opp_gate_t* gate);
SGF_PUBLIC opp_gate_t* opp_gate_path_end(opp_gate_t* gate);
SGF_PUBLIC bool opp_gate_connected(const opp_gate_t* gate);
SGF_PUBLIC opp_module_t* opp_gate_owner(const opp_gate_t* gate);
SGF_PUBLIC int opp_gate_index(const opp_gate_t* gate);

/* The channel of this gate's own connection; the one with a data rate on its whole path. NULL if there is none. */
SGF_PUBLIC opp_channel_t* opp_gate_channel(const opp_gate_t* gate);
SGF_PUBLIC opp_channel_t* opp_gate_transmission_channel(opp_gate_t* gate);

/* Whether packets arrive at the start of their reception instead of its end (input gate at the end of a path). Holds
 * for what is sent from now on. */
SGF_PUBLIC void opp_gate_set_deliver_immediately(opp_gate_t* gate, bool immediately);

/* `delay` is in ps and not negative; `bps` 0 means no data rate. */
SGF_PUBLIC opp_channel_t* opp_channel_delay(opp_sim_t* sim, opp_simtime_t delay);                 /* cDelayChannel */
SGF_PUBLIC opp_channel_t* opp_channel_datarate(opp_sim_t* sim, int64_t bps, opp_simtime_t delay); /* cDatarateChannel */

/* What is sent on a disabled channel is deleted; what is under way arrives. */
SGF_PUBLIC void opp_channel_set_disabled(opp_channel_t* channel, bool disabled);
SGF_PUBLIC bool opp_channel_busy(const opp_channel_t* channel);
SGF_PUBLIC opp_simtime_t opp_channel_finish_time(const opp_channel_t* channel); /* getTransmissionFinishTime() */
/* calculateDuration(): ps, 0 without a data rate and for a message that is no packet */
SGF_PUBLIC opp_simtime_t opp_channel_duration(const opp_channel_t* channel, const opp_msg_t* packet);
SGF_PUBLIC opp_simtime_t opp_channel_get_delay(const opp_channel_t* channel);
SGF_PUBLIC int64_t opp_channel_get_datarate(const opp_channel_t* channel); /* 0: none */

/* The probability that a bit, or a packet, is damaged on a channel with a data rate: 0 (default) to 1. Each packet
 * draws from the channel's own random stream; one that is damaged arrives with its bit error set. */
SGF_PUBLIC void opp_channel_set_ber(opp_channel_t* channel, double bit_error_rate);
SGF_PUBLIC void opp_channel_set_per(opp_channel_t* channel, double packet_error_rate);

/* Signals of channels, emitted by the module that sends, for those who register and listen to these names:
 *   channelBusy       1 when a transmission begins, and at the same time, stamped with its end (opp_signal_time), 0
 *   messageSent       byte length (0: no packet) of what is put on a path
 *   messageDiscarded  byte length of what is deleted, since a channel is disabled */

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

/* A message belongs to the module that created it or that it arrived at last. Scheduling and sending pass it to the
 * kernel, and encapsulation to the packet around it: until it comes back it can be neither scheduled nor sent, deleted,
 * encapsulated or given another length or priority; each is an error. Who deletes a message must own it, which is not
 * checked: deleting has no `self`. */

/* The name is not copied: it outlives the message, as a literal does. `self` owns the new message. */
SGF_PUBLIC opp_msg_t* opp_msg_new(opp_module_t* self, const char* name, int kind);
SGF_PUBLIC opp_msg_t* opp_packet_new(opp_module_t* self, const char* name, int kind, int64_t byte_length);
SGF_PUBLIC void opp_msg_delete(opp_msg_t* msg); /* also what is encapsulated in it; NULL is allowed */

SGF_PUBLIC const char* opp_msg_name(const opp_msg_t* msg);
SGF_PUBLIC int opp_msg_kind(const opp_msg_t* msg);
SGF_PUBLIC void opp_msg_set_kind(opp_msg_t* msg, int kind); /* -32768..32767, as OMNeT++'s short */
SGF_PUBLIC int opp_msg_priority(const opp_msg_t* msg);
SGF_PUBLIC void opp_msg_set_priority(opp_msg_t* msg, int priority); /* -32768..32767; lower runs first */
SGF_PUBLIC bool opp_msg_is_packet(const opp_msg_t* msg);
SGF_PUBLIC bool opp_msg_is_self(const opp_msg_t* msg);      /* no gate: scheduled by its own module, or never sent */
SGF_PUBLIC bool opp_msg_is_scheduled(const opp_msg_t* msg); /* among the future events, or on a channel */
SGF_PUBLIC opp_simtime_t opp_msg_arrival_time(const opp_msg_t* msg);
SGF_PUBLIC opp_simtime_t opp_msg_sending_time(const opp_msg_t* msg);
SGF_PUBLIC opp_simtime_t opp_msg_creation_time(const opp_msg_t* msg);
SGF_PUBLIC opp_gate_t* opp_msg_arrival_gate(const opp_msg_t* msg); /* NULL for a self message */
SGF_PUBLIC opp_module_t* opp_msg_sender_module(const opp_msg_t* msg);
SGF_PUBLIC void* opp_msg_context(const opp_msg_t* msg);
SGF_PUBLIC void opp_msg_set_context(opp_msg_t* msg, void* context);

/* Room for 64 bytes of the model's own fields in each packet; zero in a new one. */
SGF_PUBLIC void* opp_packet_body(opp_msg_t* packet);
enum { OPP_PACKET_BODY = 64 };

SGF_PUBLIC int64_t opp_packet_byte_length(const opp_msg_t* packet);
SGF_PUBLIC int64_t opp_packet_bit_length(const opp_msg_t* packet);
SGF_PUBLIC void opp_packet_set_byte_length(opp_msg_t* packet, int64_t bytes);

/* Time in ps that its last transmission took, 0 if it was on no channel with a data rate; whether that damaged it. */
SGF_PUBLIC opp_simtime_t opp_packet_duration(const opp_msg_t* packet);
SGF_PUBLIC bool opp_packet_has_bit_error(const opp_msg_t* packet);
SGF_PUBLIC void opp_packet_set_bit_error(opp_msg_t* packet, bool damaged);

/* The packet takes over `inner`, another packet of the same module; its length is added, its arrival gate forgotten. */
SGF_PUBLIC void opp_packet_encapsulate(opp_msg_t* packet, opp_msg_t* inner);
SGF_PUBLIC opp_msg_t* opp_packet_decapsulate(opp_msg_t* packet); /* NULL if there is none; caller owns it */

/* ---- Sending and scheduling -------------------------------------------------------------------------------------- */

/* Each takes over a message that `self` owns and that is not scheduled. Times and delays are in ps; an event at
 * OPP_TIME_MAX or later is an error, and the message stays with `self`, as after every error. */
SGF_PUBLIC void opp_send(opp_module_t* self, opp_msg_t* msg, opp_gate_t* gate);
SGF_PUBLIC void opp_send_delayed(opp_module_t* self, opp_msg_t* msg, opp_simtime_t delay, opp_gate_t* gate);
/* With a duration of its own in ps, as SendOptions::duration of OMNeT++: the channel is busy for that time whatever its
 * data rate. 0: as the rate says. */
SGF_PUBLIC void opp_send_lasting(opp_module_t* self, opp_msg_t* msg, opp_simtime_t duration, opp_gate_t* gate);
SGF_PUBLIC void opp_send_direct(opp_module_t* self, opp_msg_t* msg, opp_gate_t* input_gate);
SGF_PUBLIC void opp_schedule_at(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg);
SGF_PUBLIC void opp_schedule_after(opp_module_t* self, opp_simtime_t delay, opp_msg_t* msg);

/* As above, for a message that may be scheduled already. */
SGF_PUBLIC void opp_reschedule_at(opp_module_t* self, opp_simtime_t time, opp_msg_t* msg);
SGF_PUBLIC void opp_reschedule_after(opp_module_t* self, opp_simtime_t delay, opp_msg_t* msg);

/* Take back one's own scheduled message; does nothing if it is not scheduled. Ownership stays with `self`. What was
 * sent cannot be cancelled. */
SGF_PUBLIC opp_msg_t* opp_cancel_event(opp_module_t* self, opp_msg_t* msg);
SGF_PUBLIC void opp_cancel_and_delete(opp_module_t* self, opp_msg_t* msg); /* NULL is allowed */

/* ---- Queues ------------------------------------------------------------------------------------------------------ */

/* Whether `a` goes before `b` (negative), behind it (positive), or in order of insertion (0). */
typedef int (*opp_queue_compare_cb)(const opp_msg_t* a, const opp_msg_t* b);

/* A queue of messages of `self`, or of packets alone. With a compare function it is a priority queue, else first in,
 * first out. The simulation owns it; what is in it at the end is deleted with it. A message in a queue belongs to the
 * queue: it can be neither sent, scheduled, deleted nor changed before it is taken out. */
SGF_PUBLIC opp_queue_t* opp_queue_new(opp_module_t* self, const char* name, opp_queue_compare_cb compare);
SGF_PUBLIC opp_queue_t* opp_packet_queue_new(opp_module_t* self, const char* name, opp_queue_compare_cb compare);

/* The queue takes over a message that its module owns. */
SGF_PUBLIC void opp_queue_insert(opp_queue_t* queue, opp_msg_t* msg);
/* The same ahead of, or behind, one that is in the queue. */
SGF_PUBLIC void opp_queue_insert_before(opp_queue_t* queue, opp_msg_t* where, opp_msg_t* msg);
SGF_PUBLIC void opp_queue_insert_after(opp_queue_t* queue, opp_msg_t* where, opp_msg_t* msg);

/* Take out the front message (error and NULL if there is none), or this one (NULL if it is not in the queue): it
 * belongs to the module again. */
SGF_PUBLIC opp_msg_t* opp_queue_pop(opp_queue_t* queue);
SGF_PUBLIC opp_msg_t* opp_queue_remove(opp_queue_t* queue, opp_msg_t* msg);
SGF_PUBLIC void opp_queue_clear(opp_queue_t* queue); /* deletes what is in it */

/* for (msg = opp_queue_front(queue); msg != NULL; msg = opp_queue_next(queue, msg)) */
SGF_PUBLIC opp_msg_t* opp_queue_front(const opp_queue_t* queue); /* NULL: it is empty */
SGF_PUBLIC opp_msg_t* opp_queue_back(const opp_queue_t* queue);
SGF_PUBLIC opp_msg_t* opp_queue_next(const opp_queue_t* queue, const opp_msg_t* msg); /* towards the back */
SGF_PUBLIC opp_msg_t* opp_queue_previous(const opp_queue_t* queue, const opp_msg_t* msg);
SGF_PUBLIC bool opp_queue_contains(const opp_queue_t* queue, const opp_msg_t* msg);

SGF_PUBLIC const char* opp_queue_name(const opp_queue_t* queue);
SGF_PUBLIC bool opp_queue_is_empty(const opp_queue_t* queue);
SGF_PUBLIC size_t opp_queue_length(const opp_queue_t* queue);       /* messages */
SGF_PUBLIC int64_t opp_queue_byte_length(const opp_queue_t* queue); /* of all packets in it */
SGF_PUBLIC int64_t opp_queue_bit_length(const opp_queue_t* queue);

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

typedef int opp_signal_t;
enum { OPP_SIGNALS = 64 };

/* A listener on a module hears the signals of that module and of everything below it, the nearest first, in order of
 * subscription at each module. It may emit, subscribe and unsubscribe, itself or others: who has unsubscribed is not
 * called any more. Integers are exact up to 2^53. */
typedef void (*opp_listener_cb)(void* user, opp_module_t* source, opp_signal_t signal, double value);

/* registerSignal(): the number of a signal name, the same for the same name in one simulation; at most OPP_SIGNALS
 * names (-1 and an error beyond). To be called at initialisation, so that emitting needs no look-up. */
SGF_PUBLIC opp_signal_t opp_signal_register(opp_sim_t* sim, const char* name);
SGF_PUBLIC void opp_signal_subscribe(opp_module_t* module, opp_signal_t signal, opp_listener_cb callback, void* user);
SGF_PUBLIC void opp_signal_unsubscribe(opp_module_t* module, opp_signal_t signal, opp_listener_cb callback, void* user);
SGF_PUBLIC bool opp_signal_has_listeners(const opp_module_t* self, opp_signal_t signal); /* mayHaveListeners() */

/* Free when nobody listens anywhere. */
SGF_PUBLIC void opp_emit_int(opp_module_t* self, opp_signal_t signal, int64_t value);
SGF_PUBLIC void opp_emit_double(opp_module_t* self, opp_signal_t signal, double value);

/* The same with a date that is not simTime(), as emitting a cTimestampedValue. In a listener opp_signal_time is the
 * date of the value that it is called with. */
SGF_PUBLIC void opp_emit_at(opp_module_t* self, opp_signal_t signal, opp_simtime_t time, double value);
SGF_PUBLIC opp_simtime_t opp_signal_time(const opp_sim_t* sim);

/* ---- Random numbers ---------------------------------------------------------------------------------------------- */

/* Stream `number` (0..3) of a module: xoshiro256**, seeded from the run's seed and the module's full path, so that
 * adding a component does not shift another's draws. */
SGF_PUBLIC opp_rng_t* opp_rng(opp_module_t* self, int number);
SGF_PUBLIC uint64_t opp_rng_uint64(opp_rng_t* rng);

/* Distributions, as OMNeT++ defines them. Those with real values use the C library's functions, whose last bit differs
 * between machines. Parameters outside of what a distribution has give NaN, or 0 where the result is an integer. */
SGF_PUBLIC int64_t opp_rng_intuniform(opp_rng_t* rng, int64_t low, int64_t high); /* low <= result <= high, unbiased */
SGF_PUBLIC double opp_rng_uniform(opp_rng_t* rng, double low, double high);       /* low <= result < high */
SGF_PUBLIC double opp_rng_exponential(opp_rng_t* rng, double mean);               /* by inversion */
SGF_PUBLIC double opp_rng_normal(opp_rng_t* rng, double mean, double stddev);
SGF_PUBLIC double opp_rng_truncnormal(opp_rng_t* rng, double mean, double stddev); /* drawn again while negative */
SGF_PUBLIC double opp_rng_lognormal(opp_rng_t* rng, double mean, double stddev);   /* of the logarithm */
SGF_PUBLIC double opp_rng_gamma(opp_rng_t* rng, double shape, double scale);       /* mean shape x scale */
SGF_PUBLIC double opp_rng_erlang(opp_rng_t* rng, unsigned k, double mean);
SGF_PUBLIC double opp_rng_beta(opp_rng_t* rng, double alpha1, double alpha2);
SGF_PUBLIC double opp_rng_chi_square(opp_rng_t* rng, unsigned degrees);
SGF_PUBLIC double opp_rng_student_t(opp_rng_t* rng, unsigned degrees);
SGF_PUBLIC double opp_rng_cauchy(opp_rng_t* rng, double location, double scale);
SGF_PUBLIC double opp_rng_triang(opp_rng_t* rng, double low, double mode, double high);
SGF_PUBLIC double opp_rng_weibull(opp_rng_t* rng, double scale, double shape);
SGF_PUBLIC double opp_rng_pareto_shifted(opp_rng_t* rng, double shape, double scale, double shift);
SGF_PUBLIC bool opp_rng_bernoulli(opp_rng_t* rng, double p);
SGF_PUBLIC int64_t opp_rng_binomial(opp_rng_t* rng, int64_t trials, double p);
SGF_PUBLIC int64_t opp_rng_geometric(opp_rng_t* rng, double p); /* failures before the first success */
SGF_PUBLIC int64_t opp_rng_negbinomial(opp_rng_t* rng, int64_t successes, double p); /* failures before them */
SGF_PUBLIC int64_t opp_rng_poisson(opp_rng_t* rng, double mean);

SGF_END_DECL
#endif
