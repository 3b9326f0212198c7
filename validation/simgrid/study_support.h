/* Study programs on the actor seat. A program runs in a process of its own and leaves a record: what every actor saw
 * and when, in ps, and what the fabric reports at the end. Run once with the lazy bound and once by the slow reference,
 * which takes a kernel round for each event, the two records must be the same byte for byte.
 *
 *   static void program(void) { study_actor("writer", "h0", writer); ... }
 *   SGF_TEST(...) { STUDY_SAME(platform, program); }
 */
#ifndef SGF_VALIDATION_STUDY_SUPPORT_H
#define SGF_VALIDATION_STUDY_SUPPORT_H

#include <sgfabric/simgrid.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Platforms: text of a SimGrid file, to be freed -------------------------------------------------------------- */

/* Lines of properties of a zone: P("nic.X", "1"). */
#define P(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"

typedef struct study_link {
  const char* bandwidth; /* NULL: 400Gbps */
  const char* latency;   /* NULL: 100ns */
} study_link_t;

/* Hosts h0, h1, ... of 1 Gf around the switch tor; a further host `bare` without a NIC. Elements may stand in h0:
 * host_props. */
char* study_rack(unsigned hosts, study_link_t link, const char* props, const char* host_props);

/* Hosts h0, h1, ... in equal numbers behind leaf0, leaf1, ...; every leaf is joined to every spine. */
char* study_leaf_spine(unsigned leaves, unsigned hosts_of_leaf, unsigned spines, study_link_t link, const char* props);

/* ---- Running ----------------------------------------------------------------------------------------------------- */

typedef struct study_result {
  char* record;    /* to be freed with study_free */
  uint64_t rounds; /* kernel rounds that the fabric took */
  int status;      /* of the process: 0, or what ended it */
} study_result_t;

typedef void (*study_program_t)(void);

/* Run a program: it creates its actors, and may run the simulation itself; what is left of it is run afterwards. */
study_result_t study_run(const char* platform, study_program_t program, sg_fabric_pace_t pace);
void study_free(study_result_t* result);

/* Run it lazily and by the reference, compare, say where they differ. The lazy result stays for further looks. */
bool study_same(const char* platform, study_program_t program, study_result_t* lazy);

#define STUDY_SAME(platform, program)                                                                                  \
  do {                                                                                                                 \
    study_result_t lazy_result = {0};                                                                                  \
    CU_ASSERT(study_same(platform, program, &lazy_result));                                                            \
    study_free(&lazy_result);                                                                                          \
  } while (0)

/* The date, in ps, of the first note of an actor that begins with `text`; -1: there is none. */
opp_simtime_t study_date(const study_result_t* result, const char* actor, const char* text);

/* Whether the record has this text anywhere. */
bool study_has(const study_result_t* result, const char* text);

/* ---- In a program ------------------------------------------------------------------------------------------------ */

/* An actor whose function needs no arguments. Names are unique: notes are kept by name. */
sg_actor_t study_actor(const char* name, const char* host, void (*code)(int, char**));

/* A line in the record of the calling actor, with its date. */
void study_note(const char* format, ...) __attribute__((format(printf, 1, 2)));

opp_simtime_t study_now(void);
void study_sleep(opp_simtime_t duration); /* ps */
void study_sleep_until(opp_simtime_t date);

/* Calls that leave a note of what came back. */
sgf_status_t study_write(const char* dst, uint64_t bytes, uint64_t tag);
sgf_op_t* study_write_async(const char* dst, uint64_t bytes, uint64_t tag); /* no note */
sgf_status_t study_wait(sgf_op_t* op);
sgf_status_t study_wait_for(sgf_op_t* op, opp_simtime_t timeout);
sgf_status_t study_recv(uint64_t tag);

/* Mailboxes by name; payloads are numbers. */
sgf_status_t study_put(const char* box, uint64_t payload, uint64_t bytes);
uint64_t study_get(const char* box);
sgf_op_t* study_put_async(const char* box, uint64_t payload, uint64_t bytes); /* no note */
sgf_op_t* study_get_async(const char* box);                                   /* no note; see study_payload */
uint64_t study_payload(const sgf_op_t* op);

/* Numbers from a seed, the same everywhere. */
typedef struct study_random {
  uint64_t state;
} study_random_t;

uint64_t study_random(study_random_t* random, uint64_t below);

#endif
