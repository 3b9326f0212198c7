/* opp, inside: the structs behind the opaque types, and what the fabric's own models use beyond the public API. */
#ifndef OPP_KERNEL_H
#define OPP_KERNEL_H

#include <sgfabric/opp.h>

#include "opp/event_queue.h"
#include "opp/result.h"

/* Where a message is. Only one that is nowhere in the kernel can be used: its `module` owns it. */
typedef enum opp_place {
  OPP_OWNED,      /* by a module */
  OPP_IN_BUCKET,  /* event queue: a bucket of the wheel */
  OPP_IN_CURRENT, /* event queue: the heap of the bucket that is being emptied */
  OPP_IN_FAR,     /* event queue: the heap of what lies beyond the wheel */
  OPP_IN_LINE,    /* behind the head of a line */
  OPP_IN_PACKET,  /* encapsulated */
  OPP_IN_QUEUE,   /* a module's queue, whose number is in `line` */
  OPP_DELETED,    /* in the free list */
} opp_place_t;

enum { OPP_IS_PACKET = 1, OPP_HAS_BIT_ERROR = 2 }; /* opp_msg.flags */

/* Signals of channels, see opp.h. */
enum { OPP_CHANNEL_BUSY, OPP_MESSAGE_SENT, OPP_MESSAGE_DISCARDED, OPP_CHANNEL_SIGNALS };

/* What few messages need; the models' frames do without. From a free list, too. */
typedef struct opp_cold {
  const char* name;
  opp_simtime_t creation_time;
  opp_simtime_t sending_time;
  opp_simtime_t duration; /* of the last transmission */
  opp_module_t* sender;
  void* context;
  opp_msg_t* encapsulated;
} opp_cold_t;

/* One cache line; a packet's 64-byte body follows in the next. */
struct opp_msg {
  opp_simtime_t time; /* of arrival */
  uint64_t order;     /* priority (biased, upper 16 bits), then insertion number */
  opp_msg_t* next;    /* in a bucket, a line or a queue */
  union {
    opp_msg_t* prev; /* in a bucket or a queue */
    size_t slot;     /* in a heap */
  };
  opp_module_t* module; /* owner; destination while the kernel has the message */
  opp_cold_t* cold;     /* NULL: none */
  uint32_t line;        /* number of the line it is the head of, or waits in; 0: none */
  uint32_t bytes;       /* length of a packet; free for the owner's use in a message that is none */
  int16_t kind;
  uint16_t gate; /* arrival gate: 1 + its number in the module; 0: self message */
  uint8_t place; /* opp_place_t */
  uint8_t flags;
  uint16_t unused;
};

_Static_assert(sizeof(opp_msg_t) == 64, "a message is one cache line");

/* A line delivers messages in the order in which they were put on it: frames in flight on a link, held
 * acknowledgements. Only its head is among the events, yet the order of events is as if all were: the order number is
 * taken when a message is put on, and one that would run before the last of the line gets an event of its own. */
typedef struct opp_line {
  opp_msg_t* first; /* waiting behind the head */
  opp_msg_t* last;
  opp_simtime_t last_time; /* time and order of the last message put on */
  uint64_t last_order;
  uint32_t number;
  bool head_pending;
} opp_line_t;

enum { OPP_LINE_BLOCK = 64 };

typedef struct opp_listener {
  struct opp_listener* next;
  struct opp_listener* next_retired; /* unsubscribed while signals were being emitted */
  opp_listener_cb callback;
  void* user;
  opp_signal_t signal; /* -1: retired */
} opp_listener_t;

struct opp_gate {
  opp_module_t* module;
  /* The path from this gate, resolved at its first use. Sending reads nothing else of it. */
  opp_module_t* end;           /* receiver; NULL: not resolved */
  opp_line_t* line;            /* messages under way */
  opp_channel_t* transmission; /* its datarate channel */
  opp_simtime_t delay_before;  /* of the channels that come before that one */
  opp_simtime_t delay;         /* of all its channels */
  uint16_t end_number;         /* of its last gate */
  bool end_immediate;          /* its last gate delivers immediately */
  bool disabled;
  bool output;
  bool deliver_immediately;
  uint16_t number; /* in module->gates */
  int index;       /* in its vector; 0 for a scalar gate */
  int vector_size; /* -1: scalar */
  char* name;      /* "port$o", shared by its vector */
  opp_gate_t* next;
  opp_gate_t* previous;
  opp_channel_t* channel; /* of the connection to `next` */
};

struct opp_channel {
  opp_sim_t* sim;
  opp_gate_t* from;              /* the gate whose connection it is; NULL: not in use yet */
  opp_transmitter_t transmitter; /* rate.bps 0: no datarate */
  bool may_damage;
  bool disabled;
  opp_simtime_t delay;
  double ber; /* probability of damage of a bit, of a packet */
  double per;
  opp_rng_t* rng; /* for damage; NULL: none was possible so far */
};

struct opp_queue {
  opp_module_t* module;
  char* name;
  opp_queue_compare_cb compare; /* NULL: first in, first out */
  opp_msg_t* first;
  opp_msg_t* last;
  size_t length;
  int64_t bytes;
  uint32_t number; /* from 1 on */
  bool packets_only;
};

/* The value of a parameter. */
typedef struct opp_value {
  int64_t integer; /* also bool, ps, bytes and bits per second */
  double real;
  char* text;
  bool is_set;
} opp_value_t;

struct opp_module {
  void (*handle_message)(opp_module_t* self, opp_msg_t* msg);
  void* state;
  opp_sim_t* sim;
  const opp_module_type_t* type;
  opp_module_t* parent;
  opp_module_t* next;         /* in order of creation */
  opp_module_t* next_in_slot; /* of the simulation's table of paths */
  uint64_t path_hash;
  char* name;
  char* full_name;
  char* full_path;
  int index;
  opp_gate_t** gates;
  size_t gate_count;
  opp_listener_t* listeners;
  opp_rng_t* rng[4];
  opp_value_t* parameters;   /* as many as its type has */
  opp_recorder_t* recorders; /* of its statistics, in their order; ends with one without */
};

/* Recycled memory of one size. */
typedef struct opp_pool {
  size_t size;
  void* free; /* items begin with the pointer to the next one */
  void** slabs;
  size_t slab_count;
  size_t in_use;
} opp_pool_t;

struct opp_sim {
  opp_event_queue_t events;
  opp_simtime_t now;
  uint64_t next_insertion;
  uint64_t event_count;
  uint64_t seed;
  bool stop;
  void (*look)(void* user); /* called between events, after every `look_period` of them; NULL: never */
  void* look_user;
  uint64_t look_period;
  uint64_t next_look;
  opp_module_t* first_module;
  opp_module_t* last_module;
  opp_module_t** paths; /* modules by hash of their path; path_slots is a power of two */
  size_t path_slots;
  size_t module_count;
  opp_line_t** lines; /* blocks of OPP_LINE_BLOCK, by number; number 0 is not used */
  uint32_t line_count;
  opp_pool_t messages;
  opp_pool_t packets;
  opp_pool_t cold;
  opp_channel_t** channels;
  size_t channel_count;
  opp_queue_t** queues;
  size_t queue_count;
  opp_ini_run_t* run; /* NULL: not configured */
  opp_results_t results;
  char* signal_names[OPP_SIGNALS];
  int signal_count;
  size_t listeners[OPP_SIGNALS];                     /* to each signal, anywhere */
  opp_signal_t channel_signals[OPP_CHANNEL_SIGNALS]; /* -1: nobody has asked for it */
  size_t channel_listeners;                          /* to any of these */
  opp_simtime_t emission_time;                       /* of the value that listeners are called with */
  unsigned emitting;                                 /* depth of emissions under way */
  opp_listener_t* retired;                           /* to be freed when none is */
  sgf_error_t error;
};

static inline opp_simtime_t opp_now(const opp_module_t* self)
{
  return self->sim->now;
}

/* A timer or packet without a cold block: no name, no context, no times but its arrival. The models' own. */
opp_msg_t* opp_timer_new(opp_module_t* self, int kind, int priority);
opp_msg_t* opp_frame_new(opp_module_t* self, int kind, uint32_t bytes);

static inline void* opp_frame_body(opp_msg_t* frame)
{
  return frame + 1;
}

/* A line, for self messages or for a path between gates. The simulation owns it. */
opp_line_t* opp_line_new(opp_sim_t* sim);

/* Schedule `msg` to oneself at `time` on `line`. Meant for times that do not decrease; any are right. It cannot be
 * cancelled. */
void opp_schedule_on_line(opp_module_t* self, opp_line_t* line, opp_simtime_t time, opp_msg_t* msg);

/* Why the message can be neither changed nor handed to the kernel; NULL: it can. */
const char* opp_msg_unusable(const opp_msg_t* msg);

/* Record an error about `msg` (may be NULL) in `self` and stop the run. */
void opp_rule_broken(opp_module_t* self, const opp_msg_t* msg, const char* rule);

/* Resolve the path that begins at an output gate: its end, channels and delay. False: it does not end at a simple
 * module. */
bool opp_gate_resolve(opp_gate_t* gate);
/* Forget what was resolved of the paths that lead through `gate`. */
void opp_gate_unresolve(opp_gate_t* gate);

/* Draw whether a packet is damaged on the channel: it has a probability of damage. */
bool opp_channel_damages(opp_channel_t* channel, const opp_msg_t* packet);

/* A stream seeded from the run's seed, a hash and a number. */
opp_rng_t* opp_rng_new(uint64_t seed, uint64_t hash, uint64_t number);

/* The values of the module's parameters: their defaults; from the ini file. */
void opp_parameters_init(opp_module_t* module);
void opp_parameters_configure(opp_module_t* module, opp_ini_run_t* run);
void opp_parameters_free(opp_module_t* module);

/* Record an error that has been found already. */
void opp_pass_error(opp_module_t* self, const sgf_error_t* error);

/* opp_sim_run, but the clock stays at the last event executed. */
opp_run_status_t opp_sim_run_events(opp_sim_t* sim, opp_simtime_t limit);

void opp_pool_free(opp_pool_t* pool);
void opp_module_free(opp_module_t* module);
void opp_queue_free(opp_queue_t* queue);
void opp_rng_free_all(opp_module_t* module);
void opp_signals_init(opp_sim_t* sim);
void opp_signals_free(opp_sim_t* sim);

#endif
