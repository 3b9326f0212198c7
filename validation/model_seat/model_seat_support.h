/* Programs that know nothing of sgfabric, built by a test and run over the fabric, and the engine that says what they
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

/* Compile programs/<source> of this folder: `compiler` is all of its command line but source and output, in which
 * %s stands for "<source> -o <program>". The program's path, to be freed; its name is the test's own. */
char* model_build(const char* source, const char* compiler, const char* name) __attribute__((format_arg(2)));

/* Run a line of the shell; its exit status. Both outputs go to *out, to be freed. */
int model_shell(char** out, const char* format, ...) __attribute__((format(printf, 2, 3)));

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
