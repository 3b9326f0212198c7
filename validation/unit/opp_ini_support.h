/* What the tests of ini files share. */
#ifndef SGF_VALIDATION_OPP_INI_SUPPORT_H
#define SGF_VALIDATION_OPP_INI_SUPPORT_H

#include "harness.h"

#include <sgfabric/opp_ini.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INI_UNUSED __attribute__((unused))

enum { INI_PATH = 512, INI_RUNS = 4096 };

/* A folder of this process, removed at its end with the files that ini_write put there. */
static char ini_folder[INI_PATH - 64];
static char ini_files[32][INI_PATH];
static size_t ini_file_count;

static void ini_remove(void)
{
  for (size_t i = 0; i < ini_file_count; i++)
    unlink(ini_files[i]);
  rmdir(ini_folder);
}

/* Write a file of this name into the folder; returns its path. */
static const char* ini_write(const char* name, const char* text, size_t size)
{
  if (ini_folder[0] == '\0') {
    snprintf(ini_folder, sizeof ini_folder, "%s/ini_XXXXXX", SGF_BINARY_DIR);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(ini_folder));
    atexit(ini_remove);
  }
  size_t at = 0;
  char path[INI_PATH];
  snprintf(path, sizeof path, "%s/%s", ini_folder, name);
  while (at < ini_file_count && strcmp(ini_files[at], path) != 0)
    at++;
  CU_ASSERT_FATAL(at < sizeof ini_files / sizeof *ini_files);
  if (at == ini_file_count)
    memcpy(ini_files[ini_file_count++], path, sizeof path);
  FILE* stream = fopen(path, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
  CU_ASSERT_EQUAL(fwrite(text, 1, size, stream), size);
  CU_ASSERT_EQUAL(fclose(stream), 0);
  return ini_files[at];
}

INI_UNUSED static opp_ini_t* ini_read(const char* text, sgf_error_t* error)
{
  return opp_ini_read(ini_write("omnetpp.ini", text, strlen(text)), error);
}

/* The file must be good. */
INI_UNUSED static opp_ini_t* ini_of(const char* text)
{
  sgf_error_t error = {0};
  opp_ini_t* ini    = ini_read(text, &error);
  if (ini == NULL)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ini);
  return ini;
}

INI_UNUSED static opp_ini_run_t* ini_run_of(const opp_ini_t* ini, const char* config, size_t number)
{
  sgf_error_t error  = {0};
  opp_ini_run_t* run = opp_ini_run_new(ini, config, number, &error);
  if (run == NULL)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  return run;
}

/* Texts must be equal; shows both if they are not. */
INI_UNUSED static void ini_equal(const char* text, const char* expected)
{
  if (strcmp(text, expected) != 0)
    printf("\n  is:       %s\n  expected: %s\n", text, expected);
  CU_ASSERT_STRING_EQUAL(text, expected);
}

/* The error must be at this line, of this status, and hold the words. */
INI_UNUSED static void ini_check_error(const sgf_error_t* error, sgf_status_t status, int line, const char* words)
{
  if (error->status != status || error->line != line || strstr(error->text, words) == NULL)
    printf("\n  is:       status %d, line %d: %s\n  expected: status %d, line %d: %s\n", (int)error->status,
           error->line, error->text, (int)status, line, words);
  CU_ASSERT_EQUAL(error->status, status);
  CU_ASSERT_EQUAL(error->line, line);
  CU_ASSERT_PTR_NOT_NULL(strstr(error->text, words));
}

/* The values of the iteration variables of all runs: "1 a|1 b|2 a|2 b"; of a run with repetitions, "1 a #0". */
INI_UNUSED static const char* ini_runs(const opp_ini_t* ini, const char* config, bool with_repetition)
{
  static char runs[INI_RUNS];
  sgf_error_t error = {0};
  size_t count      = opp_ini_run_count(ini, config, &error);
  size_t used       = 0;
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  if (error.status != SGF_OK)
    printf("\n  %s:%d: %s\n", error.file, error.line, error.text);
  runs[0] = '\0';
  for (size_t i = 0; i < count && used + 64 < sizeof runs; i++) {
    opp_ini_run_t* run = ini_run_of(ini, config, i);
    used += (size_t)snprintf(runs + used, sizeof runs - used, "%s", i > 0 ? "|" : "");
    for (size_t j = 0; j < opp_ini_run_variable_count(run) && used < sizeof runs; j++)
      used += (size_t)snprintf(runs + used, sizeof runs - used, "%s%s", j > 0 ? " " : "",
                               opp_ini_run_variable_value(run, j));
    if (with_repetition && used < sizeof runs)
      used += (size_t)snprintf(runs + used, sizeof runs - used, " #%zu", opp_ini_run_repetition(run));
    opp_ini_run_free(run);
  }
  return runs;
}

#endif
