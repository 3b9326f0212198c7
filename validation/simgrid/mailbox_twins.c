/* Who gets what from whom: the same calls on mailboxes of the fabric and on SimGrid's own, drawn at random. Every call
 * is made twice, by twin actors at one date; calls are so far apart that what has met is complete before the next. */
#include "harness.h"

#include "study_support.h"

#include <simgrid/comm.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 150, BOXES = 4, HOSTS = 4, TIME_APART_US = 10000, PROGRAMS = 6 };

static const char fabrics = 'f', simgrids = 's'; /* first letters of the twins' names */

/* SimGrid knows no get that is left alone. */
typedef enum way { BLOCKS, WAITS, LEFT_ALONE, WAYS } way_t;

typedef struct call {
  bool puts;
  way_t way;
  unsigned box;
  uint64_t bytes;
  unsigned killed_after; /* further calls, if it blocks and has not been met; 0: never */
} call_t;

static call_t calls[CALLS];
static uint64_t met; /* gets that got something, in all */

static void draw_calls(uint64_t seed)
{
  study_random_t random = {seed};
  for (unsigned i = 0; i < CALLS; i++) {
    calls[i].puts  = study_random(&random, 2) == 0;
    calls[i].way   = (way_t)study_random(&random, calls[i].puts ? WAYS : LEFT_ALONE);
    calls[i].box   = (unsigned)study_random(&random, BOXES);
    calls[i].bytes = study_random(&random, 2) == 0 ? 0 : study_random(&random, 100000);
    calls[i].killed_after =
        calls[i].way == BLOCKS && study_random(&random, 2) == 0 ? 1 + (unsigned)study_random(&random, 20) : 0;
  }
}

/* ---- Twins ------------------------------------------------------------------------------------------------------- */

static void note_got(unsigned number, const void* payload)
{
  study_note("call %u got %llu", number, (unsigned long long)(uintptr_t)payload);
}

static void by_the_fabric(unsigned number, const call_t* call, const char* box_name, void* payload)
{
  sgf_mailbox_t* box = sgf_mailbox_by_name(box_name);
  if (call->way == BLOCKS && call->puts) {
    sgf_mailbox_put(box, payload, call->bytes);
    study_note("put");
  } else if (call->way == BLOCKS)
    note_got(number, sgf_mailbox_get(box));
  else {
    void* place  = NULL;
    sgf_op_t* op = call->puts ? sgf_mailbox_put_async(box, payload, call->bytes) : sgf_mailbox_get_async(box, &place);
    if (call->way == WAITS) {
      sgf_op_wait(op);
      if (call->puts)
        study_note("put");
      else
        note_got(number, place);
    }
    sgf_op_unref(op);
  }
}

static void by_simgrid(unsigned number, const call_t* call, const char* box_name, void* payload)
{
  sg_mailbox_t box = sg_mailbox_by_name(box_name);
  if (call->way == BLOCKS && call->puts) {
    sg_mailbox_put(box, payload, (long)call->bytes);
    study_note("put");
  } else if (call->way == BLOCKS)
    note_got(number, sg_mailbox_get(box));
  else if (call->puts && call->way == LEFT_ALONE)
    sg_comm_detach(sg_mailbox_put_init(box, payload, (long)call->bytes), NULL);
  else {
    void* place = NULL;
    sg_comm_t comm =
        call->puts ? sg_mailbox_put_async(box, payload, (long)call->bytes) : sg_mailbox_get_async(box, &place);
    sg_comm_wait(comm);
    if (call->puts)
      study_note("put");
    else
      note_got(number, place);
  }
}

static void twin(int argc, char** argv)
{
  (void)argc;
  const unsigned number = (unsigned)strtoul(argv[0], NULL, 10);
  const call_t* call    = &calls[number];
  char box[16];
  snprintf(box, sizeof box, "box%u", call->box);
  void* payload = (void*)(uintptr_t)(1000 + number);
  if (sg_actor_self_get_name()[0] == fabrics)
    by_the_fabric(number, call, box, payload);
  else
    by_simgrid(number, call, box, payload);
}

static sg_actor_t start_twin(char letter, unsigned number)
{
  char name[16], argument[16];
  snprintf(name, sizeof name, "%c%03u", letter, number);
  snprintf(argument, sizeof argument, "%u", number);
  char host[16];
  snprintf(host, sizeof host, "h%u", number % HOSTS);
  const char* arguments[] = {argument};
  sg_actor_t actor        = sg_actor_create_(name, sg_host_by_name(host), twin, 1, arguments);
  sg_actor_ref(actor);
  return actor;
}

/* Starts the twins, kills them when it is time, and all that wait still in the end. */
static void director(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  sg_actor_t actors[2][CALLS];
  for (unsigned i = 0; i < CALLS; i++) {
    actors[0][i] = start_twin(fabrics, i);
    actors[1][i] = start_twin(simgrids, i);
    study_sleep(TIME_APART_US * OPP_US / 2);
    for (unsigned k = 0; k <= i; k++)
      if (calls[k].killed_after == i - k && calls[k].killed_after > 0) {
        sg_actor_kill(actors[0][k]);
        sg_actor_kill(actors[1][k]);
      }
    study_sleep(TIME_APART_US * OPP_US / 2);
  }
  for (unsigned i = 0; i < CALLS; i++)
    for (unsigned k = 0; k < 2; k++) {
      sg_actor_kill(actors[k][i]);
      sg_actor_unref(actors[k][i]);
    }
}

static void program(void)
{
  study_actor("director", "h0", director);
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

/* What the twins of one letter noted, without their letter and the dates. */
static char* notes_of(const char* record, char letter)
{
  char* notes = calloc(strlen(record) + 1, 1);
  if (notes == NULL)
    abort();
  for (const char* line = record; *line != '\0';) {
    const size_t length = strcspn(line, "\n") + 1;
    const char* text    = strstr(line, " ps: ");
    if (line[0] == letter && text != NULL && text < line + length) {
      strncat(notes, line + 1, 4);
      strncat(notes, text + 5, (size_t)(line + length - text - 5));
    }
    line += length;
  }
  return notes;
}

static void compare(uint64_t seed)
{
  draw_calls(seed);
  char* rack            = study_rack(HOSTS, (study_link_t){NULL, NULL}, "", "");
  study_result_t result = study_run(rack, program, SG_FABRIC_LAZY);
  char* ours            = notes_of(result.record, fabrics);
  char* theirs          = notes_of(result.record, simgrids);
  CU_ASSERT_EQUAL(result.status, 0);
  CU_ASSERT_STRING_EQUAL(ours, theirs);
  for (const char* got = strstr(ours, " got "); got != NULL; got = strstr(got + 1, " got "))
    met += strtoull(got + 5, NULL, 10) >= 1000;
  free(ours);
  free(theirs);
  study_free(&result);
  free(rack);
}

SGF_TEST(the_same_calls_meet_as_on_simgrids_mailboxes)
{
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
    compare(seed);
  CU_ASSERT(met > PROGRAMS * CALLS / 5);
}
