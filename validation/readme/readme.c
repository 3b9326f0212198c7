/* README.md is true: what it shows is run, and prints what it shows.
 *
 * A block ```console holds commands after "$ " and, below each, what it prints; a line "..." stands for any number of
 * lines. All blocks go through one shell, in order, in a copy of the folders that they use. An ```xml block is a zone
 * that `sgfabric check` accepts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { TEXT_SIZE = 1 << 17 };

static char* read_file(const char* path)
{
  char* text = calloc(1, TEXT_SIZE);
  FILE* file = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  const size_t size = fread(text, 1, TEXT_SIZE - 1, file);
  fclose(file);
  CU_ASSERT_FATAL(size > 0 && size < TEXT_SIZE - 1);
  return text;
}

/* The text of the next block of a kind, in place; `*at` moves behind it. NULL: there is none. */
static char* next_block(char** at, const char* kind)
{
  char* begin = strstr(*at, kind);
  if (begin == NULL)
    return NULL;
  begin += strlen(kind);
  char* end = strstr(begin, "\n```");
  CU_ASSERT_PTR_NOT_NULL_FATAL(end);
  end[1] = '\0';
  *at    = end + 2;
  return begin;
}

/* Run a script in the folder of the test; what it prints, in order. */
static void run_script(const char* script, char* output)
{
  char* argv[] = {"sh", "-c", (char*)script, NULL};
  CU_ASSERT_EQUAL(sgf_test_run(argv, output, TEXT_SIZE), 0);
}

/* What a program needs to be linked with the library under test, which may have been built with the sanitizers. */
#ifdef __SANITIZE_ADDRESS__
#define COMPILER_FLAGS "-fsanitize=address,undefined"
#else
#define COMPILER_FLAGS ""
#endif

static bool begins_with(const char* command, const char* text)
{
  return strncmp(command, text, strlen(text)) == 0;
}

/* A library that is loaded ahead of others cannot be one with the address sanitizer, which wants to be the first
 * itself; tesh compares what that sanitizer says, too. A Python program needs SimGrid's module. */
static bool can_run(const char* command)
{
  if (COMPILER_FLAGS[0] != '\0' && (begins_with(command, "sgfabric exec") || begins_with(command, "tesh ") ||
                                    strstr(command, "sh examples/collectives.sh") != NULL))
    return false;
  return strstr(command, "/usr/bin/python3") == NULL || system("/usr/bin/python3 -c 'import simgrid' 2>/dev/null") == 0;
}

/* A folder for a test, with links to what README's commands name, and a compiler that links with the library under
 * test. */
static void set_up_folder(const char* work_folder)
{
  char output[1024];
  char script[2048];
  snprintf(script, sizeof script,
           "rm -rf %s && mkdir %s && cd %s && for d in platforms deployments examples include; do ln -s %s/$d $d || "
           "exit 1; done && "
           "mkdir bin && printf '#!/bin/sh\\nexec gcc " COMPILER_FLAGS " \"$@\"\\n' >bin/cc && "
           "printf '#!/bin/sh\\nexec g++ " COMPILER_FLAGS " \"$@\"\\n' >bin/c++ && chmod +x bin/*",
           work_folder, work_folder, work_folder, SGF_SOURCE_DIR);
  char* argv[] = {"sh", "-c", script, NULL};
  CU_ASSERT_EQUAL_FATAL(sgf_test_run(argv, output, sizeof output), 0);
}

static char* next_line(char** at)
{
  char* line = *at;
  char* end  = strchr(line, '\n');
  if (end != NULL) {
    *end = '\0';
    *at  = end + 1;
  } else
    *at = line + strlen(line);
  return line;
}

/* The next line printed, past what the address sanitizer says of SimGrid's way to switch stacks. */
static char* next_printed(char** at)
{
  static const char* const notices[] = {"==", "False positive error reports may follow",
                                        "For details see https://github.com/google"};
  for (;;) {
    char* line     = next_line(at);
    bool is_notice = false;
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++)
      is_notice = is_notice || strncmp(line, notices[i], strlen(notices[i])) == 0;
    if (!is_notice || **at == '\0')
      return line;
  }
}

/* Whether the lines printed are those shown, "..." standing for any. Reports the first line that is missing. */
static void compare(char* shown, char* printed)
{
  bool anything = false;
  while (*shown != '\0') {
    const char* want = next_line(&shown);
    if (strcmp(want, "...") == 0) {
      anything = true;
      continue;
    }
    bool found = false;
    while (*printed != '\0' && !found) {
      found = strcmp(next_printed(&printed), want) == 0;
      if (!anything)
        break;
    }
    if (!found)
      fprintf(stderr, "the page shows a line that is not printed: %s\n", want);
    CU_ASSERT_FATAL(found);
    anything = false;
  }
  CU_ASSERT(anything || *printed == '\0');
}

/* Run the commands of a block one by one, each with all those before it, of all blocks, so that variables last. */
static void run_block(const char* work_folder, char* block, char* before)
{
  static char script[2 * TEXT_SIZE], printed[TEXT_SIZE], shown[TEXT_SIZE];
  while (*block != '\0') {
    CU_ASSERT_EQUAL_FATAL(strncmp(block, "$ ", 2), 0);
    const char* command = next_line(&block) + 2;
    shown[0]            = '\0';
    while (*block != '\0' && strncmp(block, "$ ", 2) != 0) {
      strcat(shown, next_line(&block));
      strcat(shown, "\n");
    }
    if (!can_run(command))
      continue;
    snprintf(script, sizeof script, "cd %s && { %s:; } >/dev/null 2>&1 && %s", work_folder, before, command);
    run_script(script, printed);
    compare(shown, printed);
    if (strchr(command, '=') != NULL && strchr(command, ' ') == NULL)
      sprintf(before + strlen(before), "%s; ", command);
  }
}

/* Run every command that a page shows. */
static unsigned run_page(const char* page, const char* work_folder)
{
  set_up_folder(work_folder);
  char* text = read_file(page);
  char* at   = text;
  static char before[TEXT_SIZE];
  snprintf(before, sizeof before, "BUILD=%s; PATH=$PWD/bin:%s:$PATH; ", SGF_BINARY_DIR, SGF_BINARY_DIR);
  unsigned blocks = 0;
  for (char* block; (block = next_block(&at, "```console\n")) != NULL; blocks++)
    run_block(work_folder, block, before);
  free(text);
  return blocks;
}

SGF_SCENARIO(the_commands_of_the_readme_print_what_it_shows)
{
  CU_ASSERT(run_page(SGF_SOURCE_DIR "/README.md", "readme_commands") >= 6);
}

SGF_SCENARIO(the_commands_of_the_examples_print_what_their_page_shows)
{
  CU_ASSERT(run_page(SGF_SOURCE_DIR "/examples/README.md", "readme_examples") >= 6);
}

SGF_SCENARIO(the_platform_of_the_readme_is_valid)
{
  set_up_folder("readme_platform");
  char* text = read_file(SGF_SOURCE_DIR "/README.md");
  char* at   = text;
  char* zone = next_block(&at, "```xml\n");
  CU_ASSERT_PTR_NOT_NULL_FATAL(zone);
  FILE* file = fopen("readme_platform/platform.xml", "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fprintf(file,
          "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
          "version=\"4.1\">\n%s</platform>\n",
          zone);
  fclose(file);
  static char printed[TEXT_SIZE];
  run_script(SGF_BINARY_DIR "/sgfabric check readme_platform/platform.xml", printed);
  CU_ASSERT_PTR_NOT_NULL(strstr(printed, "valid: 2 hosts with a NIC, 1 switch, 2 cables"));
  free(text);
}
