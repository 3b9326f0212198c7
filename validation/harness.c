#include "harness.h"

#include <CUnit/Basic.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sgf_test_t* first_test;

/* Constructors of one file may run in any order: its lines say which test comes first. */
void sgf_test_register(sgf_test_t* test)
{
  sgf_test_t** place = &first_test;
  while (*place && (*place)->line < test->line)
    place = &(*place)->next;
  test->next = *place;
  *place     = test;
}

static void list_tests(void)
{
  for (const sgf_test_t* test = first_test; test; test = test->next)
    puts(test->name);
}

/* Hands the tests to run to CUnit: all that share a process, or the one of the given name. */
static bool fill_suite(CU_pSuite suite, const char* only)
{
  for (const sgf_test_t* test = first_test; test; test = test->next) {
    bool wanted = only ? strcmp(test->name, only) == 0 : !test->alone;
    if (wanted && !CU_add_test(suite, test->name, test->run))
      return false;
  }
  return true;
}

static int run_tests(const char* suite_name, const char* only)
{
  CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
  if (!suite || !fill_suite(suite, only)) {
    fprintf(stderr, "%s: %s\n", suite_name, CU_get_error_msg());
    return 1;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  if (CU_basic_run_tests() != CUE_SUCCESS)
    return 1;
  if (CU_get_number_of_tests_run() == 0 || CU_get_number_of_asserts() == 0) {
    fprintf(stderr, "%s: nothing was tested%s%s\n", suite_name, only ? " by " : "", only ? only : "");
    return 1;
  }
  return CU_get_number_of_failures() + CU_get_number_of_suites_failed() > 0;
}

int main(int argc, char** argv)
{
  const char* slash      = strrchr(argv[0], '/');
  const char* suite_name = slash ? slash + 1 : argv[0];
  if (argc > 2) {
    fprintf(stderr, "usage: %s [NAME | --list]\n", suite_name);
    return 2;
  }
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    list_tests();
    return 0;
  }
  if (CU_initialize_registry() != CUE_SUCCESS) {
    fprintf(stderr, "%s: %s\n", suite_name, CU_get_error_msg());
    return 1;
  }
  int status = run_tests(suite_name, argc == 2 ? argv[1] : NULL);
  CU_cleanup_registry();
  return status;
}

/* Becomes the program to test; returns only by _exit, so that buffers of the parent are not written twice. */
static void become(char* const argv[], int output)
{
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0)
    execvp(argv[0], argv);
  _exit(127);
}

/* Reads to the end even when out is full: a program must not block, or be killed, because it talks too much. */
static void read_all(int input, char* out, size_t out_size)
{
  size_t used = 0;
  for (;;) {
    char chunk[4096];
    ssize_t got = read(input, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    size_t room = out_size - 1 - used;
    size_t kept = (size_t)got < room ? (size_t)got : room;
    memcpy(out + used, chunk, kept);
    used += kept;
  }
  out[used] = '\0';
}

int sgf_test_run(char* const argv[], char* out, size_t out_size)
{
  int ends[2];
  if (out_size == 0 || pipe(ends) != 0)
    return -1;
  out[0]      = '\0';
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become(argv, ends[1]);
  }
  close(ends[1]);
  if (child > 0)
    read_all(ends[0], out, out_size);
  close(ends[0]);

  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  if (child < 0)
    return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
