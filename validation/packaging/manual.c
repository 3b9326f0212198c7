/* The manual page, plugins/runner/sgfabric.1, says what the command says of itself, and its examples run.
 *
 * In the page a command is a line ".SS name", and what it takes follows a line ".TP": ".BI \-\-seed " N"". In the help
 * they are indented by two blanks: "  --seed N   seed of ...". Both come down to lists "run --seed", one a line,
 * sorted. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packaging/packaging_support.h"

#define COMMAND SGF_BINARY_DIR "/sgfabric"
#define PAGE SGF_SOURCE_DIR "/plugins/runner/sgfabric.1"

/* A hyphen is written \- in the page, a quotation mark \(aq. */
#define PAGE_AS_TEXT "sed -e 's/\\\\-/-/g' -e \"s/\\\\\\\\(aq/'/g\" '" PAGE "'"

SGF_TEST(commands_and_options_are_those_of_the_help)
{
  char* page = shell(PAGE_AS_TEXT " | awk '"
                                  "  /^\\.SH/ { command = \"\"; listed = $2 == \"OPTIONS\" }"
                                  "  /^\\.SS/ { command = $2; listed = 1; print command }"
                                  "  item && listed { print command, $2 }"
                                  "  { item = /^\\.TP/ }' | sort");
  char* help = shell("list() { '" COMMAND "' $1 --help | awk -v command=$1 '/^  -/ { print command, $1 }'; }\n"
                     "commands=$('" COMMAND "' --help | awk '/^  [a-z]/ { print $1 }')\n"
                     "{ list ''; for command in $commands; do echo $command; list $command; done; } | sort");
  if (strcmp(page, help) != 0)
    printf("\nthe page has:\n%s\nthe help has:\n%s\n", page, help);
  CU_ASSERT_STRING_EQUAL(page, help);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "run --seed\n"));
  free(page);
  free(help);
}

/* What `print`, a statement of awk's, makes of the items of a section, sorted. */
static char* items_of(const char* section, const char* print)
{
  return shell(PAGE_AS_TEXT " | awk '"
                            "  /^\\.SH/ { listed = $2 == \"%s\" }"
                            "  item && listed { %s }"
                            "  { item = /^\\.TP/ }' | sort",
               section, print);
}

SGF_TEST(actor_functions_are_those_of_the_help)
{
  char* page = items_of("DEPLOYMENTS", "print $2");
  char* help =
      shell("'" COMMAND "' run --help | awk '/^Functions/ { listed = 1 } listed && /^  [a-z]/ { print $1 }' | sort");
  CU_ASSERT_STRING_EQUAL(page, help);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "incast\n"));
  free(page);
  free(help);
}

SGF_TEST(keys_of_the_json_object_are_those_that_are_printed)
{
  char* page    = items_of("JSON", "gsub(/\\.BR?|[\",]/, \"\"); for (i = 1; i <= NF; i++) print $i");
  char* printed = shell("cd '" SGF_SOURCE_DIR "' &&"
                        "'" COMMAND "' run platforms/rack9.xml deployments/incast8_d.xml --json 2>/dev/null |"
                        "sed -n 's/^  \"\\([a-z_]*\\)\": .*/\\1/p' | sort");
  CU_ASSERT_STRING_EQUAL(page, printed);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "flows\n"));
  free(page);
  free(printed);
}

/* A slip in the option gets the option as the nearest one that there is. */
static bool is_ini_option(const char* option)
{
  char* said =
      shell("printf '[General]\\n%sx = 1\\n' >manual.ini && '" COMMAND "' check -f manual.ini 2>&1 || true", option);
  char hint[64];
  snprintf(hint, sizeof hint, "did you mean %s", option);
  const bool known = strstr(said, hint) != NULL;
  if (!known)
    printf("\n%s: %s\n", option, said);
  free(said);
  return known;
}

SGF_TEST(options_of_ini_files_are_those_that_are_read)
{
  char* page   = items_of("\\\"INI", "gsub(/\\.BR?|[\",]/, \"\"); for (i = 1; i <= NF && $1 != \".I\"; i++) print $i");
  char* at     = page;
  size_t count = 0;
  for (char* option; (option = next_line(&at)) != NULL; count++)
    CU_ASSERT(is_ini_option(option));
  CU_ASSERT_EQUAL(count, 9);
  free(page);
}

SGF_TEST(examples_run_where_the_page_says)
{
  char* examples = shell(PAGE_AS_TEXT " | awk '/^\\.EX/ { shown = 1; next } /^\\.EE/ { shown = 0 } shown'");
  char* at       = examples;
  size_t count   = 0;
  for (char* example; (example = next_line(&at)) != NULL; count++)
    free(shell("PATH='%s':$PATH; cd '%s' && { %s; }", SGF_BINARY_DIR, SGF_SOURCE_DIR, example));
  CU_ASSERT(count > 0);
  free(examples);
}
