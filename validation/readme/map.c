/* The maps of validation/README.md are true: every number of the specifications has one row, every test that a row
 * names is in the program that it names, and what is covered names a test.
 *
 *   | SW-05 | program: `test`, `test`<br>unit/program: `test` | program: `test` | covered; remark |
 *
 * The state of a row begins with "covered", "later (topic)" or "cannot occur". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { TEXT_SIZE = 1 << 18, CELLS = 4, MOST_GAPS = 2 };

typedef struct map {
  const char* prefix; /* of the numbers */
  unsigned last;      /* they begin with 1 */
  const char* area;   /* of programs that are named without one */
  struct {
    unsigned first;
    unsigned last;
  } gaps[MOST_GAPS]; /* numbers that the specification leaves out; behind them all 0 */
} map_t;

static char* read_file(const char* path)
{
  FILE* file = fopen(path, "r");
  if (file == NULL)
    return NULL;
  char* text        = calloc(1, TEXT_SIZE);
  const size_t size = fread(text, 1, TEXT_SIZE - 1, file);
  fclose(file);
  CU_ASSERT_FATAL(size < TEXT_SIZE - 1);
  return text;
}

/* A row that breaks the rule of the map fails the test and is printed. */
static void check(bool holds, const char* id, const char* rule, const char* what)
{
  if (!holds)
    printf("\n  validation/README.md, %s: %s %s", id, rule, what);
  CU_ASSERT(holds);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static bool defines(const char* source, const char* macro, const char* name)
{
  char line[256];
  snprintf(line, sizeof line, "\n%s(%s)\n", macro, name);
  return strstr(source, line) != NULL;
}

static bool has_test(const char* area, const char* program, const char* name)
{
  char path[1024];
  const bool has_area = strchr(program, '/') != NULL;
  snprintf(path, sizeof path, SGF_SOURCE_DIR "/validation/%s%s%s.c", has_area ? "" : area, has_area ? "" : "/",
           program);
  char* source     = read_file(path);
  const bool found = source != NULL && (defines(source, "SGF_TEST", name) || defines(source, "SGF_SCENARIO", name));
  free(source);
  return found;
}

/* Check the tests of a cell: "program: `test`, `test`<br>program: `test`", or a dash. Returns how many there are. */
static unsigned check_tests(const char* id, const char* area, char* cell)
{
  char program[256] = "";
  unsigned tests    = 0;
  char* state       = NULL;
  for (char* word = strtok_r(cell, " ,<>", &state); word != NULL; word = strtok_r(NULL, " ,<>", &state)) {
    const size_t length = strlen(word);
    if (word[length - 1] == ':') {
      word[length - 1] = '\0';
      snprintf(program, sizeof program, "%s", word);
    } else if (length > 2 && word[0] == '`' && word[length - 1] == '`') {
      word[length - 1] = '\0';
      check(has_test(area, program, word + 1), id, "there is no such test in the program:", word + 1);
      tests++;
    } else
      check(strcmp(word, "br") == 0 || strcmp(word, "–") == 0, id, "neither a program nor a test:", word);
  }
  return tests;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static bool starts_with(const char* text, const char* start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

/* Split "| a | b | c | d |" in place. */
static bool split_row(char* row, char* cells[CELLS])
{
  char* at = row + 2;
  for (unsigned i = 0; i < CELLS; i++) {
    char* end = strstr(at, " |");
    if (end == NULL)
      return false;
    *end     = '\0';
    cells[i] = at;
    at       = end + (i + 1 < CELLS ? 3 : 2);
  }
  return *at == '\0';
}

static bool has_number(const map_t* map, unsigned long n)
{
  for (unsigned i = 0; i < MOST_GAPS; i++)
    if (n >= map->gaps[i].first && n <= map->gaps[i].last)
      return false;
  return n >= 1 && n <= map->last;
}

static void check_row(const map_t* map, char* row, unsigned* rows)
{
  char* cells[CELLS];
  if (!split_row(row, cells)) {
    check(false, row, "the row has not four cells", "");
    return;
  }
  char* end             = NULL;
  const char* digits    = cells[0] + strlen(map->prefix);
  const unsigned long n = strtoul(digits, &end, 10);
  check(end == digits + strlen(digits) && has_number(map, n), cells[0], "there is no such number", "");
  if (has_number(map, n))
    rows[n]++;
  const unsigned tests = check_tests(cells[0], map->area, cells[1]) + check_tests(cells[0], map->area, cells[2]);
  if (starts_with(cells[3], "covered"))
    check(tests > 0, cells[0], "covered, but no test is named", "");
  else {
    check(starts_with(cells[3], "later (") || starts_with(cells[3], "cannot occur"), cells[0],
          "no state of a row:", cells[3]);
    check(tests == 0, cells[0], "tests are named, but the state is", cells[3]);
  }
}

static void check_map(const map_t* map)
{
  char* text = read_file(SGF_SOURCE_DIR "/validation/README.md");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  unsigned* rows = calloc(map->last + 1, sizeof *rows);
  char start[16];
  snprintf(start, sizeof start, "| %s", map->prefix);
  char* state = NULL;
  for (char* line = strtok_r(text, "\n", &state); line != NULL; line = strtok_r(NULL, "\n", &state))
    if (starts_with(line, start))
      check_row(map, line, rows);
  for (unsigned n = 1; n <= map->last; n++) {
    if (!has_number(map, n))
      continue;
    char id[16];
    snprintf(id, sizeof id, "%s%02u", map->prefix, n);
    check(rows[n] == 1, id, rows[n] == 0 ? "has no row" : "has several rows", "");
  }
  free(rows);
  free(text);
}

SGF_TEST(every_assertion_about_the_switch_has_its_row)
{
  check_map(&(map_t){.prefix = "SW-", .last = 114, .area = "switch"});
}

SGF_TEST(every_assertion_about_the_nic_has_its_row)
{
  check_map(&(map_t){.prefix = "UN-", .last = 183, .area = "nic"});
}

SGF_TEST(every_assertion_about_the_roce_nic_has_its_row)
{
  check_map(&(map_t){.prefix = "RO-", .last = 77, .area = "roce"});
}

SGF_TEST(every_assertion_about_the_mrc_nic_has_its_row)
{
  check_map(&(map_t){.prefix = "MR-", .last = 70, .area = "mrc"});
}

SGF_TEST(every_assertion_about_the_records_has_its_row)
{
  check_map(&(map_t){.prefix = "RC-", .last = 19, .area = "records"});
}

SGF_TEST(every_assertion_about_budgets_has_its_row)
{
  check_map(&(map_t){.prefix = "FB-", .last = 99, .area = "budget", .gaps = {{42, 49}, {69, 79}}});
}
