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

/* A simple module's type: a constant table, as cSimpleModule's virtual functions. Any function but handle_message may
 * be NULL. */
typedef struct opp_module_type {
  const char* name;
  size_t state_size;   /* bytes of zeroed state that the kernel allocates and owns for each module */
  int num_init_stages; /* 0 counts as 1 */
  void (*initialize)(opp_module_t* self, int stage);
  void (*handle_message)(opp_module_t* self, opp_msg_t* msg); /* takes ownership of msg */
  void (*finish)(opp_module_t* self);                         /* at a regular end, to record results */
  void (*destroy)(opp_module_t* self); /* release what the state owns; not messages of the kernel */
} opp_module_type_t;

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

/* Call finish of every module in order of creation. */
SGF_PUBLIC void opp_sim_finish(opp_sim_t* sim);

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

SGF_PUBLIC void* opp_module_state(opp_module_t* self);
SGF_PUBLIC opp_sim_t* opp_module_sim(const opp_module_t* module);
SGF_PUBLIC const char* opp_module_name(const opp_module_t* module);      /* "port" */
SGF_PUBLIC const char* opp_module_full_name(const opp_module_t* module); /* "port[3]" */
SGF_PUBLIC const char* opp_module_full_path(const opp_module_t* module); /* "net.rack0.tor0.port[3]" */
SGF_PUBLIC int opp_module_index(const opp_module_t* module);             /* -1 outside a vector */
SGF_PUBLIC opp_module_t* opp_module_parent(const opp_module_t* module);
SGF_PUBLIC opp_module_t* opp_module_submodule(const opp_module_t* module, const char* name, int index); /* or NULL */
SGF_PUBLIC opp_module_t* opp_module_by_path(opp_sim_t* sim, const char* full_path);                     /* or NULL */

/* simTime() */
SGF_PUBLIC opp_simtime_t opp_sim_time(const opp_module_t* self);

/* End the run after the current event; another opp_sim_run goes on from there. No effect outside of an event. */
SGF_PUBLIC void opp_end_simulation(opp_module_t* self);

/* Record an error of the model itself, as throwing cRuntimeError does. */
SGF_PUBLIC void opp_error(opp_module_t* self, const char* format, ...) SGF_PRINTF(2, 3);

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

/* The packet takes over `inner`, another packet of the same module; its length is added, its arrival gate forgotten. */
SGF_PUBLIC void opp_packet_encapsulate(opp_msg_t* packet, opp_msg_t* inner);
SGF_PUBLIC opp_msg_t* opp_packet_decapsulate(opp_msg_t* packet); /* NULL if there is none; caller owns it */

/* ---- Sending and scheduling -------------------------------------------------------------------------------------- */

/* Each takes over a message that `self` owns and that is not scheduled. Times and delays are in ps; an event at
 * OPP_TIME_MAX or later is an error, and the message stays with `self`, as after every error. */
SGF_PUBLIC void opp_send(opp_module_t* self, opp_msg_t* msg, opp_gate_t* gate);
SGF_PUBLIC void opp_send_delayed(opp_module_t* self, opp_msg_t* msg, opp_simtime_t delay, opp_gate_t* gate);
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

/* ---- Random numbers ---------------------------------------------------------------------------------------------- */

/* Stream `number` (0..3) of a module: xoshiro256**, seeded from the run's seed and the module's full path, so that
 * adding a component does not shift another's draws. */
SGF_PUBLIC opp_rng_t* opp_rng(opp_module_t* self, int number);
SGF_PUBLIC uint64_t opp_rng_uint64(opp_rng_t* rng);
SGF_PUBLIC int64_t opp_rng_intuniform(opp_rng_t* rng, int64_t low, int64_t high); /* low <= result <= high, unbiased */
SGF_PUBLIC double opp_rng_uniform(opp_rng_t* rng, double low, double high);       /* low <= result < high */
SGF_PUBLIC double opp_rng_exponential(opp_rng_t* rng, double mean); /* by inversion, with the C library's log1p */

SGF_END_DECL
#endif
