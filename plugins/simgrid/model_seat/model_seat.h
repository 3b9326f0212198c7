/* simgrid/model_seat, inside: the fabric in the place of SimGrid's network model.
 *
 * This library is built without SimGrid's headers and links no SimGrid: a process that has none, such as the shell of
 * smpirun, may load it. What it needs of SimGrid it finds by name in the library that the program has loaded. */
#ifndef SIMGRID_MODEL_SEAT_H
#define SIMGRID_MODEL_SEAT_H

#include <sgfabric/scenario.h>
#include <sys/types.h>

/* ---- SimGrid (symbols.c) --------------------------------------------------------------------------------------- */

/* SimGrid's objects: the first word of each that has virtual functions is the address of its table. */
typedef struct seat_model seat_model_t;
typedef struct seat_action seat_action_t;
typedef struct seat_host seat_host_t;
typedef struct seat_actor seat_actor_t; /* the kernel's, as the next one is */
typedef struct seat_comm seat_comm_t;

/* std::string: only ever read, so that a text of any length may stand outside of it. */
typedef struct seat_string {
  const char* text;
  size_t length;
  char own[16];
} seat_string_t;

/* Action::State. */
typedef enum seat_state { SEAT_STARTED = 1, SEAT_FAILED = 2, SEAT_FINISHED = 3 } seat_state_t;

/* Addresses in a process are numbers: the words of a table, or functions. */
typedef uintptr_t seat_word_t;

/* Up to 3.32 the last argument does not exist, and who is called does not look at it. */
typedef seat_action_t* (*seat_communicate_t)(seat_model_t*, seat_host_t*, seat_host_t*, double size, double rate,
                                             bool streamed);
typedef double (*seat_next_t)(seat_model_t*, double);
typedef void (*seat_update_t)(seat_model_t*, double now, double delta);

/* What is called in SimGrid; all of it is found, or nothing attaches. */
typedef struct seat_symbols {
  double (*clock)(void);
  void* (*root_zone)(void);
  void* (*network_model)(const void* zone);
  const char* (*host_name)(const seat_host_t*);
  seat_host_t* (*vm_host)(const seat_host_t* vm);
  void (*set_option)(const char* name, double value);
  const seat_string_t* (*option)(const seat_string_t* name);
  void (*version)(int* major, int* minor, int* patch);
  seat_communicate_t bare_communicate;
  void (*finish)(seat_action_t*, int state);
  int (*state_of)(const seat_action_t*);
  void (*set_state)(seat_action_t*, int state);
  bool (*is_initialized)(void);
  const void* (*actor)(long number);       /* SimGrid's public object; NULL: there is none, or no more */
  long (*actor_number)(const void* actor); /* ascending in order of creation */
  const void* (*sender)(const void* comm); /* of a public object of a communication: the public one of its actor */
} seat_symbols_t;

/* Numbers of the virtual functions that are replaced. */
typedef struct seat_slots {
  size_t next, update, idempotent, communicate;                               /* of a network model */
  size_t destroy, set_state, update_remains_lazy, suspend, resume, get_links; /* of an action */
} seat_slots_t;

/* Finds the SimGrid that the process has loaded. False: there is none. */
bool seat_find_simgrid(void);

/* The address of a function or table of that SimGrid; 0: it has none of this name. */
seat_word_t seat_symbol(const char* name);

/* Keep this library in the process: smpirun unloads the programs that it has loaded, with their libraries. */
void seat_stay(void);

/* Check the version, find all symbols and learn the slots, or end the process with a message that says what is wrong.
 */
void seat_learn(seat_symbols_t* symbols, seat_slots_t* slots);

/* The class of an object, mangled. */
const char* seat_class(const void* object);

/* A table with virtual functions of its own, in place of a live object's: a copy to be changed. */
enum { SEAT_TABLE_SIZE = 96 };
typedef struct seat_table {
  seat_word_t words[SEAT_TABLE_SIZE]; /* two words stand before the first function */
} seat_table_t;
void seat_copy_table(seat_table_t* table, const void* object);
seat_word_t* seat_slot(seat_table_t* table, size_t slot);
void seat_use_table(void* object, seat_table_t* table);

/* Print "sgfabric: ..." and end the process. */
void seat_refuse(const char* format, ...) SGF_PRINTF(1, 2) __attribute__((noreturn));

/* ---- The seat -------------------------------------------------------------------------------------------------- */

typedef struct model_seat {
  seat_symbols_t simgrid;
  seat_slots_t slots;
  sgf_scenario_t* scenario;
  sgf_fabric_t* fabric;   /* NULL: not loaded, or the run is over */
  sgf_results_t* results; /* NULL: no records are written */
  bool attached;
  bool came_late;      /* into a simulation that had begun: nothing of SimGrid calls what is here */
  bool sees_profiles;  /* FutureEvtSet::next_date is ours */
  double next_profile; /* what it said last, in s; negative: nothing is to come */
  char* platform;      /* the file */
  uint64_t seed;
  uint64_t rounds;  /* questions of the kernel */
  double started_s; /* wall clock, when the seat was taken */
  pid_t process;    /* that took it: children have copies of no use */
} model_seat_t;

extern model_seat_t model_seat;

/* SimGrid's clock, to the picosecond. */
opp_simtime_t seat_clock(void);

/* setup.c: build the fabric from the platform file that SimGrid is about to load; the environment may change
 * attributes. */
void seat_load(const char* platform);

/* The same fabric once more, with nothing in it; NULL and an error. */
sgf_scenario_t* seat_scenario(const char* platform, sgf_error_t* error);

/* setup.c: the platform is complete: take the network model's seat, once. */
void seat_attach(void);

/* model.c */
void seat_replace_model(seat_model_t* model);

/* report.c: what is in flight ends; say what happened. */
void seat_finish(void);

/* ---- Messages (messages.c): what the actions of SimGrid stand for -------------------------------------------------
 */

/* Post a message of `bytes`; `action` is told when it is delivered. `rate_bps` limits it, 0: not. `order` is its place
 * among those of one host at one instant. */
void seat_message_post(seat_action_t* action, sgf_device_t* src, sgf_device_t* dst, uint64_t bytes, int64_t rate_bps,
                       int64_t order);

/* The action is over for SimGrid; the NIC goes on. Nothing, if it is that of no message. */
void seat_message_forget(seat_action_t* action);

size_t seat_message_count(void); /* under way */

/* Advance the engine to `limit`, or to the first completion. The date of that; OPP_TIME_MAX: there was none. */
opp_simtime_t seat_messages_advance(opp_simtime_t limit);

/* The program is over: nobody waits for messages any more. */
void seat_messages_end(void);

/* Finish the actions of messages that have been delivered up to SimGrid's clock. */
void seat_messages_finish(void);

/* ---- Order (order.c): what hooks.c sees of SimGrid's kernel -------------------------------------------------------
 */

/* The kernel answers a call of this actor from now on; NULL: of none. */
void seat_order_answer(const seat_actor_t* caller);

/* Whether it is a call that sends. */
void seat_order_send(bool sending);

/* A communication begins now, if it has both its ends; it has been tried. */
void seat_order_try(const seat_comm_t* comm);
void seat_order_tried(void);

/* Of the message that begins: first by the creation order of the actor that sends it, or that begins it where nobody
 * does, and then by the order of that actor's calls. Messages that no actor begins come last. Once for each. */
int64_t seat_order_key(void);

#endif
