/* simgrid, inside: the plugin's one instance and the actor seat. */
#ifndef SIMGRID_SEAT_H
#define SIMGRID_SEAT_H

#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <simgrid/actor.h>
#include <simgrid/semaphore.h>

/* An actor that waits for any of some operations (waiting.c). */
typedef struct seat_waiter seat_waiter_t;

/* The plugin's one instance. */
typedef struct seat {
  bool initialised;
  uint64_t seed;
  sgf_assignment_t* assignments; /* strings of their own */
  size_t assignment_count;
  sg_fabric_pace_t pace;
  sgf_build_cb build; /* of the user's own modules; NULL: none */
  void* build_user;
  char* results_folder; /* where CSV records go; NULL: there are none */
  char* results_name;
  sgf_results_t* results; /* NULL: not open */
  char* platform;         /* its file */
  sgf_scenario_t* scenario;
  sgf_fabric_t* fabric;
  sg_actor_t actor; /* the fabric's; NULL: none is running */
  sg_actor_t
      guard; /* on another host: starts the fabric's actor again if that one's host fails; NULL: none is running */
  opp_simtime_t started; /* when an actor's call started it last; -1: not since it ended */
  sg_sem_t wake;         /* what the fabric's actor waits on */
  opp_simtime_t wake_at; /* when it will wake by itself; INT64_MIN: it is awake, or has been woken */
  uint64_t rounds;
  seat_waiter_t* finished_first; /* whom the fabric's actor has to wake, in order of completion */
  seat_waiter_t* finished_last;
  sgf_mailbox_t** mailboxes; /* by the hash of their names; NULL: none yet */
  sgf_error_t refused;       /* the first write or message that came to nothing (seat_note_refusal) */
} seat_t;

extern seat_t seat;

/* SimGrid's clock, exactly. */
opp_simtime_t seat_now(void);

/* Let the engine catch up with SimGrid's clock. Any actor may call it; the fabric's actor then wakes whoever waits for
 * what has completed, at the same instant. The first call starts that actor: a process that never gets so far leaves
 * SimGrid without actors, and exits without its complaints. */
void seat_catch_up(void);

/* An operation was posted or awaited: wake the fabric's actor if it would wake too late. */
void seat_notice(const sgf_op_t* op);

/* What the engine will do next was changed by hand: let the fabric's actor think again when to wake. */
void seat_reconsider(void);

/* A write of an actor function, or a message of a mailbox, has come to nothing: the run is not complete then, and says
 * so at its end. */
void seat_note_refusal(const sgf_error_t* reason);

/* The NIC of a host; NULL: it has none. */
sgf_device_t* seat_nic(sg_host_t host);

/* The place of the calling actor's next post among those of one host at one instant. It is that of the call that sends,
 * also where the message begins later, when somebody receives it. */
int64_t seat_post_order(void);

/* mailbox.c */
void seat_free_mailboxes(void);
const char* seat_mailbox_name(const sgf_mailbox_t* mailbox);
bool seat_mailbox_waits(const sgf_mailbox_t* mailbox);                 /* a put or a get, there */
sgf_status_t seat_mailbox_get(sgf_mailbox_t* mailbox, void** payload); /* as sgf_mailbox_get, and why there is none */

/* Take back a put or get that has not met its other half; false: it has. */
bool seat_mailbox_withdraw(sgf_mailbox_t* mailbox, const sgf_op_t* op);

/* ---- waiting.c ------------------------------------------------------------------------------------------------- */

/* An operation that was awaited has completed: list those who wait for it as finished. */
void seat_finish(sgf_op_t* op);

/* Wake the finished; only the fabric's actor does so. */
void seat_wake_finished(void);

/* Block the calling actor until one of the operations is done, or until `timeout_s` has passed if that is not negative.
 * The index of the one that was done first, of equals the first in the list, and its status; -1 and SGF_TIMEOUT, also
 * where there are none to wait for. */
ptrdiff_t seat_wait(sgf_op_t* const* ops, size_t count, double timeout_s, sgf_status_t* status);

#endif
