/* Only in builds with the sanitizers, where the linker leads every call of simgrid_init here.
 *
 * Actors are threads then. The address sanitizer does not know the stacks that SimGrid makes for them otherwise: what
 * it has marked of the frames of a killed actor stays marked, and later calls in them seem to overflow; and it would
 * look into the page at their end that nobody may read. */
#include <simgrid/engine.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void __real_simgrid_init(int* argc, char** argv);
void __wrap_simgrid_init(int* argc, char** argv);

/* SimGrid takes its own options out of the arguments and leaves the rest. */
void __wrap_simgrid_init(int* argc, char** argv)
{
  static char threads[] = "--cfg=contexts/factory:thread";
  static char silence[] = "--log=xbt_cfg.thres:warning"; /* not a word about it */
  char** arguments      = calloc((size_t)*argc + 3, sizeof *arguments);
  if (arguments == NULL)
    abort();
  int count          = 0;
  arguments[count++] = argv[0];
  arguments[count++] = threads;
  bool has_options   = false;
  for (int i = 1; i < *argc; i++) {
    arguments[count++] = argv[i];
    has_options        = has_options || strncmp(argv[i], "--", 2) == 0;
  }
  if (!has_options) /* who gives options may want to read what SimGrid says of them */
    arguments[count++] = silence;
  __real_simgrid_init(&count, arguments);
  for (int i = 0; i < count; i++)
    argv[i] = arguments[i];
  argv[count] = NULL;
  *argc       = count;
  free(arguments);
}
