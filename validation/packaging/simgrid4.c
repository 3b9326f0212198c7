/* The sources that use SimGrid compile with the declarations of SimGrid 4.x: with a stub, simgrid4/README.md. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packaging/packaging_support.h"

#define STUB SGF_SOURCE_DIR "/validation/packaging/simgrid4"

/* A compiler whose first place to look for headers is the stub. */
#define COMPILER                                                                                                       \
  "cc -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror -I '" STUB "' -I '" SGF_SOURCE_DIR           \
  "/include' -I '" SGF_BINARY_DIR "/include' -I '" SGF_SOURCE_DIR "/plugins' $(pkg-config --cflags jansson) "

/* MPI programs see nothing of SimGrid. */
#define SOURCES                                                                                                        \
  "$(grep -L '<mpi.h>' plugins/simgrid/*.c plugins/runner/*.c examples/*.c examples/outside/*.c)"

SGF_TEST(the_plugin_and_the_examples_compile)
{
  free(shell("cd '" SGF_SOURCE_DIR "' && for source in " SOURCES "; do " COMPILER " -fsyntax-only $source; done"));
}

/* A header of 3.32 would be taken where the stub has none, and nothing be shown. */
SGF_TEST(no_header_of_the_installed_simgrid_is_read)
{
  char* headers = shell("cd '" SGF_SOURCE_DIR "' && for source in " SOURCES "; do " COMPILER " -M $source; done"
                        "| tr -d '\\\\' | tr ' ' '\\n' | grep -E '/(simgrid|xbt)/[a-z0-9_]+\\.hp?p?$' | sort -u");
  char* at      = headers;
  size_t stubs  = 0;
  for (char* header; (header = next_line(&at)) != NULL;) {
    if (strncmp(header, STUB, strlen(STUB)) == 0)
      stubs++;
    else {
      bool own = strstr(header, "plugins/simgrid/") != NULL;
      if (!own)
        printf("\nnot in the stub: %s\n", header);
      CU_ASSERT(own);
    }
  }
  CU_ASSERT(stubs > 0);
  free(headers);
}

SGF_TEST(the_branch_of_4_is_the_one_that_is_compiled)
{
  char* line =
      shell("printf '#include \"simgrid/compat.h\"\\nCOMPAT_PRECISION\\n' | " COMPILER " -E -P -x c - | tail -n 1");
  CU_ASSERT_STRING_EQUAL(line, "\"precision/timing\"\n");
  free(line);
}
