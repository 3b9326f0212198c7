/* Programs that know nothing of sgfabric, run over the fabric, and the engine that says what they
 * must see. */
#ifndef SGF_VALIDATION_MODEL_SEAT_SUPPORT_H
#define SGF_VALIDATION_MODEL_SEAT_SUPPORT_H

#include <jansson.h>
#include <sgfabric/fabric.h>
#include <stddef.h>

#define MODEL_RACK SGF_SOURCE_DIR "/platforms/rack9.xml"
#define MODEL_LIBRARY SGF_BINARY_DIR "/libsgfabric-model.so"
#define MODEL_COMMAND SGF_BINARY_DIR "/sgfabric"

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

/* The folder of the running scenario. The caller frees it. */
char* model_folder(void);

/* The path of a program that was built with the tests (programs.cmake), to be freed: its name is that of its source,
 * with
 * "_linked" behind it if it links the library ahead of SimGrid. */
char* model_program(const char* name);

/* A link to it in the scenario's folder, under a name of its own, which is the name that the program goes by. */
char* model_link(const char* name, const char* as);

/* Run a line of the shell; its exit status. Both outputs go to *out, to be freed. */
int model_shell(char** out, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Run a program with these arguments, over the fabric or with SimGrid's own network, whose precision is
 * then that of the fabric too. It must exit with `status`. Both outputs, to be freed. */
char* model_over(const char* program, const char* arguments, int status);
char* model_alone(const char* program, const char* arguments, int status);

/* The first number behind `word` and a space at the beginning of a line; -1: there is none. */
long long model_number(const char* out, const char* word);

/* Write text as a file of the build folder; its path, to be freed. */
char* model_write(const char* text, const char* name);

/* ---- The engine alone ---------------------------------------------------------------------------------------------
 */

typedef struct model_message {
  const char* src;
  const char* dst;
  uint64_t bytes;
  opp_simtime_t start;
  opp_simtime_t delivered; /* result: the last byte is in memory */
} model_message_t;

/* Post all of them, each at its start, and run the engine until all are delivered. */
void model_engine(const char* platform, model_message_t* messages, size_t count);

/* When the last of `count` messages of one size arrives of which each starts when the one before has arrived; `src` and
 * `dst` change places each time if `back`. */
opp_simtime_t model_engine_chain(const char* platform, const char* src, const char* dst, bool back, uint64_t bytes,
                                 size_t count);

/* The flows of a run, by `sgfabric exec --json`, posted again to an engine alone: each flow of the run must have ended
 * as it does there, and none may have started but when something arrived or at 0. The date of the last arrival. */
opp_simtime_t model_check_flows(const char* platform, const char* json_file);

#endif
