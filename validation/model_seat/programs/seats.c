/* One program for both seats. It knows nothing of sgfabric, but where SEATS_ACTOR is defined: then its mailboxes are
 * those of sgfabric, and all else is the same (../seats.c).
 *
 *   program <platform> incast | permutation
 *   program <platform> instant <ps> <deployment>
 *   program <platform> taken
 *   program <platform> direct                    from host to host: not in the actor seat
 *   program <platform> ready | late <seed>       drawn at random
 *
 * It prints what every actor does and when; of several that do something at one instant, in the order in which SimGrid
 * runs them:
 *
 *   put <message> <ps> <actor> <host> <bytes>    asks for a message to be sent: the pid and host of who does
 *   get <message> <ps> <host>                    is ready to receive it
 *   sent, got <message> <ps>                     it has arrived, as its two ends see it */
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RACK = 9, MAX_MESSAGES = 1024 };

static char payload[] = "payload";
static void* received[MAX_MESSAGES];

/* ---- What differs -------------------------------------------------------------------------------------------------
 */

#ifdef SEATS_ACTOR
#include <sgfabric/simgrid.h>

typedef sgf_mailbox_t* box_t;
typedef sgf_op_t* comm_t;

static box_t box_of(const char* name)
{
  return sgf_mailbox_by_name(name);
}

static comm_t begin_put(box_t box, uint64_t bytes)
{
  return sgf_mailbox_put_async(box, payload, bytes);
}

static comm_t begin_get(box_t box, void** to)
{
  return sgf_mailbox_get_async(box, to);
}

static void wait_for(comm_t comm)
{
  sgf_op_wait(comm);
  sgf_op_unref(comm);
}

static void put_and_wait(box_t box, uint64_t bytes)
{
  sgf_mailbox_put(box, payload, bytes);
}

static void put_and_forget(box_t box, uint64_t bytes)
{
  sgf_op_unref(begin_put(box, bytes));
}

static void* get_and_wait(box_t box)
{
  return sgf_mailbox_get(box);
}
#else
typedef sg_mailbox_t box_t;
typedef sg_comm_t comm_t;

static box_t box_of(const char* name)
{
  return sg_mailbox_by_name(name);
}

static comm_t begin_put(box_t box, uint64_t bytes)
{
  return sg_mailbox_put_async(box, payload, (long)bytes);
}

static comm_t begin_get(box_t box, void** to)
{
  return sg_mailbox_get_async(box, to);
}

static void wait_for(comm_t comm)
{
  sg_comm_wait(comm);
}

static void put_and_wait(box_t box, uint64_t bytes)
{
  sg_mailbox_put(box, payload, (long)bytes);
}

static void put_and_forget(box_t box, uint64_t bytes)
{
  sg_comm_detach(sg_mailbox_put_init(box, payload, (long)bytes), NULL);
}

static void* get_and_wait(box_t box)
{
  return sg_mailbox_get(box);
}
#endif

/* ---- Messages: each has a mailbox of its own -----------------------------------------------------------------------
 */

static long long now(void)
{
  return llround(simgrid_get_clock() * 1e12);
}

static box_t box_of_message(int message)
{
  char name[16];
  snprintf(name, sizeof name, "m%d", message);
  return box_of(name);
}

static void note_put(int message, uint64_t bytes)
{
  printf("put %d %lld %ld %s %llu\n", message, now(), (long)sg_actor_self_get_pid(), sg_host_self_get_name(),
         (unsigned long long)bytes);
}

static void note_get(int message)
{
  printf("get %d %lld %s\n", message, now(), sg_host_self_get_name());
}

static void note_end(const char* what, int message)
{
  printf("%s %d %lld\n", what, message, now());
}

static comm_t start_put(int message, uint64_t bytes)
{
  note_put(message, bytes);
  return begin_put(box_of_message(message), bytes);
}

static comm_t start_get(int message)
{
  note_get(message);
  return begin_get(box_of_message(message), &received[message]);
}

static void finish(const char* what, int message, comm_t comm)
{
  wait_for(comm);
  note_end(what, message);
}

static void put(int message, uint64_t bytes)
{
  note_put(message, bytes);
  put_and_wait(box_of_message(message), bytes);
  note_end("sent", message);
}

static void get(int message)
{
  note_get(message);
  get_and_wait(box_of_message(message));
  note_end("got", message);
}

/* ---- Actors -------------------------------------------------------------------------------------------------------
 */

/* On host gpu<host>, with one number as its argument. */
static sg_actor_t start(const char* name, int host, void (*code)(int, char**), int number)
{
  char of_host[16], text[16];
  snprintf(of_host, sizeof of_host, "gpu%d", host);
  snprintf(text, sizeof text, "%d", number);
  char* args[] = {text, NULL};
  return sg_actor_create(name, sg_host_by_name(of_host), code, 1, args);
}

static int number_of(int argc, char** argv)
{
  return atoi(argv[argc - 1]);
}

/* Receives messages 0 to count - 1, for all of which it is ready from the beginning. */
static void collector(int argc, char** argv)
{
  comm_t comms[MAX_MESSAGES];
  const int count = number_of(argc, argv);
  for (int i = 0; i < count; i++)
    comms[i] = start_get(i);
  for (int i = 0; i < count; i++)
    finish("got", i, comms[i]);
}

/* ---- Incast, permutation ------------------------------------------------------------------------------------------
 */

enum { ROUNDS = 4 };

static void incast_sender(int argc, char** argv)
{
  const int host = number_of(argc, argv);
  for (int i = 0; i < ROUNDS; i++)
    put(ROUNDS * host + i, (uint64_t)(100000 + 7919 * host));
  sg_actor_sleep_for(1e-3); /* the simulation ends later than the last frame */
}

static void incast(void)
{
  for (int host = 0; host < RACK - 1; host++)
    start("sender", host, incast_sender, host);
  start("collector", RACK - 1, collector, ROUNDS * (RACK - 1));
}

static void permuted(int argc, char** argv)
{
  const int host = number_of(argc, argv);
  for (int i = 0; i < ROUNDS; i++) {
    const int out  = RACK * i + host;
    const int in   = RACK * i + (host + RACK - 4) % RACK;
    comm_t getting = start_get(in);
    comm_t putting = start_put(out, (uint64_t)(200000 + 7919 * host));
    finish("sent", out, putting);
    finish("got", in, getting);
  }
}

static void permutation(void)
{
  for (int host = 0; host < RACK; host++)
    start("permuted", host, permuted, host);
}

/* ---- One instant: actors of gpu0 that all send at one date, in an order other than that of their creation -----------
 */

enum { WOKEN, ENDED, JOINED, RESUMED, FROM_VICTIM, TIMED, TIMED_TOO, CHILD, LATE, COMPUTED, AT_THE_INSTANT, TO_GPU0 };
enum { SIZE_TO_GPU0 = 300000 };
static double instant_s;
static sg_sem_t gate;
static sg_actor_t suspended, victim, computing;

static uint64_t size_of(int message)
{
  return (uint64_t)(40000 + 7919 * message);
}

static void woken(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_sem_acquire(gate);
  put(WOKEN, size_of(WOKEN));
}

static void ended(int argc, char** argv)
{
  (void)argc, (void)argv;
  get(TO_GPU0);
  put(ENDED, size_of(ENDED));
}

static void joined(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_ref(computing);
  sg_actor_join(computing, -1.0);
  put(JOINED, size_of(JOINED));
}

static void resumed(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_sleep_until(instant_s / 2.0);
  put(RESUMED, size_of(RESUMED));
}

/* Its message is in the NIC when it is killed. */
static void killed(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_sleep_until(instant_s * 0.75);
  note_put(FROM_VICTIM, size_of(FROM_VICTIM));
  put_and_forget(box_of_message(FROM_VICTIM), size_of(FROM_VICTIM));
  sg_actor_sleep_until(1.0);
  printf("never %lld\n", now());
}

static void child(int argc, char** argv)
{
  put(CHILD, size_of(number_of(argc, argv)));
}

static void timed(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_sleep_until(instant_s / 4.0);
  sg_actor_suspend(suspended);
  sg_actor_sleep_until(instant_s);
  comm_t first = start_put(TIMED, size_of(TIMED));
  start("child", 0, child, CHILD);
  sg_actor_kill(victim);
  sg_actor_resume(suspended);
  sg_sem_release(gate);
  comm_t second = start_put(TIMED_TOO, size_of(TIMED_TOO));
  finish("sent", TIMED, first);
  finish("sent", TIMED_TOO, second);
}

static void computed(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_execute(instant_s * sg_host_get_speed(sg_host_self()));
  comm_t comm = start_put(COMPUTED, size_of(COMPUTED));
  finish("sent", COMPUTED, comm);
}

/* Ends at the instant; who joins it goes on. */
static void short_lived(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_execute(instant_s * sg_host_get_speed(sg_host_self()));
}

static void peer(int argc, char** argv)
{
  (void)argc, (void)argv;
  put(TO_GPU0, SIZE_TO_GPU0);
}

/* Named by the deployment, which starts it later than all the others but the child. */
static void late(int argc, char** argv)
{
  (void)argc, (void)argv;
  sg_actor_sleep_until(instant_s);
  put(LATE, size_of(LATE));
}

static void instant(const char* ps, const char* deployment)
{
  instant_s = strtod(ps, NULL) * 1e-12;
  gate      = sg_sem_init(0);
  start("collector", RACK - 1, collector, AT_THE_INSTANT);
  start("woken", 0, woken, 0);
  start("ended", 0, ended, 0);
  start("joined", 0, joined, 0);
  suspended = start("resumed", 0, resumed, 0);
  victim    = start("victim", 0, killed, 0);
  start("timed", 0, timed, 0);
  computing = start("short-lived", 2, short_lived, 0);
  start("computed", 0, computed, 0);
  start("peer", 1, peer, 0);
  simgrid_register_function("late", late);
  simgrid_load_deployment(deployment);
}

/* ---- Messages that one actor has sent, taken at one instant, the last one first ------------------------------------
 */

enum { TAKEN = 3, DIRECT = 4 };
static sg_sem_t gates[DIRECT];

static void sender(int argc, char** argv)
{
  comm_t comms[TAKEN];
  (void)argc, (void)argv;
  for (int i = 0; i < TAKEN; i++)
    comms[i] = start_put(i, (uint64_t)(40000 + 7919 * i));
  for (int i = 0; i < TAKEN; i++)
    finish("sent", i, comms[i]);
}

static void taker(int argc, char** argv)
{
  const int number = number_of(argc, argv);
  if (number < TAKEN - 1)
    sg_sem_acquire(gates[number]);
  else
    sg_actor_sleep_until(1e-6);
  comm_t comm = start_get(number);
  if (number > 0)
    sg_sem_release(gates[number - 1]);
  finish("got", number, comm);
}

static void taken(void)
{
  for (int i = 0; i < TAKEN; i++) {
    gates[i] = sg_sem_init(0);
    start("taker", 1 + i, taker, i);
  }
  start("sender", 0, sender, 0);
}

/* ---- From host to host, by actors of any host, each of which wakes the one that was created before it
 * ---------------- */

#ifndef SEATS_ACTOR
static void direct_sender(int argc, char** argv)
{
  const int number     = number_of(argc, argv);
  const uint64_t bytes = (uint64_t)(40000 + 7919 * number);
  if (number < DIRECT - 1)
    sg_sem_acquire(gates[number]);
  else
    sg_actor_sleep_until(1e-6);
  if (number > 0)
    sg_sem_release(gates[number - 1]);
  printf("put %d %lld %ld gpu0 %llu\n", number, now(), (long)sg_actor_self_get_pid(), (unsigned long long)bytes);
  printf("get %d %lld gpu8\n", number, now());
  sg_host_sendto(sg_host_by_name("gpu0"), sg_host_by_name("gpu8"), (double)bytes);
  note_end("sent", number);
}

static void direct(void)
{
  for (int i = 0; i < DIRECT; i++) {
    gates[i] = sg_sem_init(0);
    start("direct", i, direct_sender, i);
  }
}
#endif

/* ---- Programs drawn at random --------------------------------------------------------------------------------------
 *
 * What actors do is drawn one step of one or two of them after the other. Nobody waits for what has not been begun
 * before in that order, so that all of them come to their end. Most dates are multiples of 100 ns, or those of
 * arrivals, after which all who were waiting go on: many messages begin at one instant.
 *
 * Either all receivers are ready before the first message is sent, and every message begins when it is sent; or they
 * come when they come, and many begin when they are received. */

enum { ACTORS = 14, HOSTS = 4, MAX_STEPS = 400, DRAWN_MESSAGES = 100 };
typedef enum kind { SLEEP, COMPUTE, PUT, GET, SENT, GOT, SIGNAL, AWAIT } kind_t;
typedef struct step {
  kind_t kind;
  int number;
} step_t;

static step_t steps[ACTORS][MAX_STEPS];
static int step_count[ACTORS];
static sg_sem_t signals[MAX_STEPS];
static int signal_count;
static uint64_t random_state;
static comm_t putting[MAX_MESSAGES], getting[MAX_MESSAGES]; /* NULL: not begun, or waited for */

static int draw(int below)
{
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((random_state >> 33) % (uint64_t)below);
}

static void add(int actor, kind_t kind, int number)
{
  if (step_count[actor] == MAX_STEPS)
    abort();
  steps[actor][step_count[actor]++] = (step_t){kind, number};
}

static void draw_message(int message, int to, int ready)
{
  const int from = draw(ACTORS);
  add(from, PUT, message);
  if (!ready)
    add(to, GET, message);
  if (draw(3) > 0) {
    add(from, SENT, message);
    add(to, GOT, message);
  }
}

static void draw_program(int ready)
{
  int receivers[DRAWN_MESSAGES];
  for (int message = 0; message < DRAWN_MESSAGES; message++) {
    receivers[message] = draw(ACTORS);
    if (ready)
      add(receivers[message], GET, message);
  }
  for (int actor = 0; actor < ACTORS; actor++)
    add(actor, SLEEP, 1);
  for (int message = 0; message < DRAWN_MESSAGES;) {
    const int actor = draw(ACTORS);
    switch (draw(6)) {
      case 0:
        add(actor, SLEEP, 1 + draw(20));
        break;
      case 1:
        add(actor, COMPUTE, 1 + draw(20));
        break;
      case 2:
        add(actor, SIGNAL, signal_count);
        add(draw(ACTORS), AWAIT, signal_count++);
        break;
      default:
        draw_message(message, receivers[message], ready);
        message++;
    }
  }
}

static void finish_put(int message)
{
  if (putting[message] != NULL)
    finish("sent", message, putting[message]);
  putting[message] = NULL;
}

static void finish_get(int message)
{
  if (getting[message] != NULL)
    finish("got", message, getting[message]);
  getting[message] = NULL;
}

static void take_step(step_t step)
{
  switch (step.kind) {
    case SLEEP:
      sg_actor_sleep_for(step.number * 1e-7);
      break;
    case COMPUTE:
      sg_actor_execute(step.number * 1e-7 * sg_host_get_speed(sg_host_self()));
      break;
    case PUT:
      putting[step.number] = start_put(step.number, (uint64_t)(1000 + 7919 * (step.number % 13)));
      break;
    case GET:
      getting[step.number] = start_get(step.number);
      break;
    case SENT:
      finish_put(step.number);
      break;
    case GOT:
      finish_get(step.number);
      break;
    case SIGNAL:
      sg_sem_release(signals[step.number]);
      break;
    case AWAIT:
      sg_sem_acquire(signals[step.number]);
      break;
  }
}

/* At its end, an actor waits for what it has begun. */
static void drawn(int argc, char** argv)
{
  const int actor = number_of(argc, argv);
  for (int i = 0; i < step_count[actor]; i++)
    take_step(steps[actor][i]);
  for (int i = 0; i < step_count[actor]; i++)
    if (steps[actor][i].kind == PUT)
      finish_put(steps[actor][i].number);
    else if (steps[actor][i].kind == GET)
      finish_get(steps[actor][i].number);
}

static void at_random(const char* seed, int ready)
{
  random_state = strtoull(seed, NULL, 10);
  draw_program(ready);
  for (int i = 0; i < signal_count; i++)
    signals[i] = sg_sem_init(0);
  for (int actor = 0; actor < ACTORS; actor++)
    start("drawn", draw(HOSTS), drawn, actor);
}

/* ---- Main ----------------------------------------------------------------------------------------------------------
 */

static void start_workload(char** args)
{
  if (strcmp(args[0], "incast") == 0)
    incast();
  else if (strcmp(args[0], "permutation") == 0)
    permutation();
  else if (strcmp(args[0], "instant") == 0)
    instant(args[1], args[2]);
  else if (strcmp(args[0], "taken") == 0)
    taken();
#ifndef SEATS_ACTOR
  else if (strcmp(args[0], "direct") == 0)
    direct();
#endif
  else
    at_random(args[1], strcmp(args[0], "ready") == 0);
}

static void run_workload(char** args)
{
  start_workload(args);
  simgrid_run();
  printf("end 0 %lld\n", now());
}

#ifndef SEATS_ACTOR
int main(int argc, char** argv)
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  run_workload(argv + 2);
  return 0;
}
#endif
