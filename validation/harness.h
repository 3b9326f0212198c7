/* A test is a function: it registers itself, and the harness runs it through CUnit.
 *
 *   #include "harness.h"
 *
 *   SGF_TEST(a_rate_is_read_in_bits_per_second)
 *   {
 *     CU_ASSERT_EQUAL(...);
 *   }
 *
 * The harness supplies main():
 *   exe           runs every SGF_TEST of the executable, in file order;
 *   exe NAME      runs that one test or scenario;
 *   exe --list    prints the names, one a line.
 * It exits with 0 only when at least one assertion was made and none failed. */
#ifndef SGF_VALIDATION_HARNESS_H
#define SGF_VALIDATION_HARNESS_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct sgf_test {
  const char* name;
  void (*run)(void);
  int line;
  bool alone; /* a scenario: left out of a run of all tests */
  struct sgf_test* next;
} sgf_test_t;

void sgf_test_register(sgf_test_t* test);

#define SGF_DEFINE_TEST(test_name, runs_alone)                                                                         \
  static void test_##test_name(void);                                                                                  \
  __attribute__((constructor)) static void register_##test_name(void)                                                  \
  {                                                                                                                    \
    static sgf_test_t test = {#test_name, test_##test_name, __LINE__, runs_alone, NULL};                               \
    sgf_test_register(&test);                                                                                          \
  }                                                                                                                    \
  static void test_##test_name(void)

/* A test that shares its process with the others of its file. */
#define SGF_TEST(name) SGF_DEFINE_TEST(name, false)

/* A test that needs a process of its own, such as one that starts a SimGrid engine. The build finds scenarios by
 * reading the source, so that the macro must stand at the beginning of its line. */
#define SGF_SCENARIO(name) SGF_DEFINE_TEST(name, true)

/* Runs the program argv[0] (found through PATH unless it has a slash) with empty input and waits for its end. What it
 * prints on both outputs goes to out, cut at out_size - 1 characters and always terminated. Returns its exit status,
 * 128 + the signal that ended it, 127 when there is no such program, or -1 when no process could be started. */
int sgf_test_run(char* const argv[], char* out, size_t out_size);

#endif
