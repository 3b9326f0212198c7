#include "packaging/packaging_support.h"

#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_SIZE = 8192, OUTPUT_SIZE = 1 << 20 };

char* shell(const char* script, ...)
{
  char text[SCRIPT_SIZE];
  va_list args;
  va_start(args, script);
  const int length = vsnprintf(text, sizeof text, script, args);
  va_end(args);
  CU_ASSERT_FATAL(length > 0 && (size_t)length < sizeof text);

  char* out = malloc(OUTPUT_SIZE);
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  char* argv[]     = {"sh", "-euc", text, NULL};
  const int status = sgf_test_run(argv, out, OUTPUT_SIZE);
  if (status != 0)
    printf("\nexit status %d of:\n%s\n%s\n", status, text, out);
  CU_ASSERT_EQUAL_FATAL(status, 0);
  return out;
}

char* installed(const char* name)
{
  free(shell("rm -rf packaging_%s && mkdir packaging_%s && cd packaging_%s &&"
             "cmake --install '%s' --prefix \"$PWD/before\" && mv before prefix",
             name, name, name, SGF_BINARY_DIR));
  char* prefix                  = shell("cd packaging_%s/prefix && pwd", name);
  prefix[strcspn(prefix, "\n")] = '\0';
  return prefix;
}

char* next_line(char** text)
{
  if (**text == '\0')
    return NULL;
  char* line        = *text;
  const size_t size = strcspn(line, "\n");
  *text             = line + size + (line[size] == '\n');
  line[size]        = '\0';
  return line;
}
