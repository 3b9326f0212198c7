/* Result files of a run, written and read again by the strict parser. */
#include "harness.h"

#include <math.h>
#include <sgfabric/records.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opp/result_file_support.h"

enum { PATH = 1024 };

/* ---- A model ----------------------------------------------------------------------------------------------------- */

static const opp_parameter_t parameters[] = {{"gap", OPP_PAR_TIME, NULL, "1.5us"}, {0}};
static const opp_statistic_t statistics[] = {{"length",
                                              "queueLength",
                                              "vector,count,timeavg,stats,histogram,last",
                                              {"queue \"length\"", "packets", "int", "sample-hold", "0", "100"}},
                                             {0}};

static void start(opp_module_t* self, int stage)
{
  (void)stage;
  opp_schedule_after(self, opp_par_time(self, "gap"), opp_msg_new(self, "tick", 0));
}

static void tick(opp_module_t* self, opp_msg_t* msg)
{
  opp_emit_int(self, opp_signal_register(opp_module_sim(self), "length"), opp_rng_intuniform(opp_rng(self, 0), 0, 9));
  opp_schedule_after(self, opp_par_time(self, "gap"), msg);
}

static void finish(opp_module_t* self)
{
  opp_record_scalar(self, "odd name\t\"\\\x01", 1.0 / 3.0, NULL);
  opp_record_scalar(self, "never", -NAN, "s");
  opp_record_scalar(self, "infinite", -INFINITY, NULL);
}

static const opp_module_type_t clock_type = {.name           = "clock",
                                             .initialize     = start,
                                             .handle_message = tick,
                                             .finish         = finish,
                                             .parameters     = parameters,
                                             .statistics     = statistics};

/* ---- Running it -------------------------------------------------------------------------------------------------- */

static char folder[PATH - 512];
static char scalar_file[PATH];
static char vector_file[PATH];

static void make_folder(void)
{
  snprintf(folder, sizeof folder, "%s/results-%ld", SGF_BINARY_DIR, (long)getpid());
  CU_ASSERT_FATAL(mkdir(folder, 0777) == 0);
}

static void remove_folder(void)
{
  char command[PATH];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  char* argv[] = {"sh", "-c", command, NULL};
  char output[256];
  CU_ASSERT_EQUAL(sgf_test_run(argv, output, sizeof output), 0);
}

static opp_ini_t* ini_of(const char* text)
{
  sgf_error_t error = {0};
  char path[PATH];
  snprintf(path, sizeof path, "%s/omnetpp.ini", folder);
  FILE* file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fprintf(file, text, folder);
  fclose(file);
  opp_ini_t* ini = opp_ini_read(path, &error);
  if (ini == NULL)
    printf("\n  %s\n", error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ini);
  return ini;
}

/* Run a configuration of net.clock and write its files; their names are kept. */
static sgf_status_t run(const opp_ini_t* ini, const char* config, size_t number, const sgf_records_stamp_t* stamp,
                        sgf_error_t* error)
{
  opp_ini_run_t* ini_run = opp_ini_run_new(ini, config, number, error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(ini_run);
  opp_sim_t* sim    = opp_sim_new(opp_ini_run_seed_set(ini_run));
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  opp_module_new(sim, net, "clock", 2, &clock_type);
  CU_ASSERT_EQUAL(opp_sim_configure(sim, ini_run), SGF_OK);
  sgf_records_t* records = sgf_records_new(sim, ini_run, stamp, error);
  if (records != NULL) {
    snprintf(scalar_file, sizeof scalar_file, "%s", sgf_records_scalar_file(records));
    snprintf(vector_file, sizeof vector_file, "%s", sgf_records_vector_file(records));
    CU_ASSERT_EQUAL(opp_sim_run_configured(sim), OPP_RUN_LIMIT);
    sgf_records_close(records, error);
  }
  opp_sim_free(sim);
  opp_ini_run_free(ini_run);
  return error->status;
}

/* The text of a file that the parser accepts. */
static char* checked(const char* path, result_file_kind_t kind, result_file_t* file)
{
  char* text = result_file_text(path);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  *file = result_file_parse(text, kind);
  if (file->fault != NULL)
    printf("\n  %s:%zu: %s\n", path, file->line, file->fault);
  CU_ASSERT_PTR_NULL(file->fault);
  return text;
}

static void check_has(const char* text, const char* line)
{
  if (strstr(text, line) == NULL)
    printf("\n  missing: %s\n  in: %.2000s\n", line, text);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, line));
}

static const char study[] = "[General]\n"
                            "result-dir = \"%s/out\"\n"
                            "sim-time-limit = 20us\n"
                            "repeat = 2\n"
                            "[Config Study]\n"
                            "description = \"a study\"\n"
                            "**.gap = ${gap=1.5us, 2us}\n"
                            "**.queueLength.result-recording-modes = default\n";

/* ---- Files ------------------------------------------------------------------------------------------------------- */

SGF_TEST(a_scalar_file_has_its_run_scalars_and_statistics)
{
  make_folder();
  sgf_error_t error  = {0};
  result_file_t file = {0};
  opp_ini_t* ini     = ini_of(study);
  CU_ASSERT_EQUAL(run(ini, "Study", 3, NULL, &error), SGF_OK);
  char expected[PATH];
  snprintf(expected, sizeof expected, "%s/out/Study-gap=2us-#1.sca", folder);
  CU_ASSERT_STRING_EQUAL(scalar_file, expected);
  char* text = checked(scalar_file, RESULT_FILE_SCA, &file);
  CU_ASSERT_EQUAL(file.runs, 1);
  CU_ASSERT_EQUAL(file.itervars, 1);
  CU_ASSERT_EQUAL(file.configs, 6);
  CU_ASSERT_EQUAL(file.scalars, 6); /* three of the model, count, last, timeavg */
  CU_ASSERT_EQUAL(file.statistics, 2);
  CU_ASSERT(file.bins > 3);
  check_has(text, "version 3\nrun Study-3-19700101-00:00:00-0\n");
  check_has(text, "\nattr configname Study\n");
  check_has(text, "\nattr datetime 19700101-00:00:00\n");
  check_has(text, "\nattr experiment Study\n");
  check_has(text, "\nattr inifile ");
  check_has(text, "\nattr iterationvars $gap=2us\n");
  check_has(text, "\nattr iterationvarsf gap=2us-\n");
  check_has(text, "\nattr measurement $gap=2us\n");
  check_has(text, "\nattr network net\n");
  check_has(text, "\nattr processid 0\n");
  check_has(text, "\nattr repetition 1\n");
  check_has(text, "\nattr replication #1\n");
  check_has(text, "\nattr resultdir ");
  check_has(text, "\nattr runnumber 3\n");
  check_has(text, "\nattr seedset 3\n");
  check_has(text, "\nitervar gap 2us\n");
  check_has(text, "\nconfig description \"\\\"a study\\\"\"\nconfig result-dir ");
  check_has(text, "\nconfig **.gap 2us\nconfig **.queueLength.result-recording-modes default\n\n");
  check_has(text, "\nscalar net.clock[2] \"odd name\\t\\\"\\\\\\x01\" 0.33333333333333\n");
  check_has(text, "\nscalar net.clock[2] never nan\nattr unit s\n");
  check_has(text, "\nscalar net.clock[2] infinite -inf\n");
  check_has(text, "\nscalar net.clock[2] queueLength:count 10\nattr title \"queue \\\"length\\\", count\"\nscalar");
  check_has(text, "\nattr title \"queue \\\"length\\\", timeavg\"\nattr unit packets\n");
  check_has(text, "\nstatistic net.clock[2] queueLength:stats\nfield count 10\nfield mean ");
  check_has(text, "\nstatistic net.clock[2] queueLength:histogram\nfield count 10\n");
  check_has(text, "\nbin\t-inf\t0\n");
  free(text);
  opp_ini_free(ini);
  remove_folder();
}

SGF_TEST(a_vector_file_has_every_value_with_event_and_time)
{
  make_folder();
  sgf_error_t error  = {0};
  result_file_t file = {0};
  opp_ini_t* ini     = ini_of(study);
  CU_ASSERT_EQUAL(run(ini, "Study", 0, NULL, &error), SGF_OK);
  char* text = checked(vector_file, RESULT_FILE_VEC, &file);
  CU_ASSERT_EQUAL(file.vectors, 1);
  CU_ASSERT_EQUAL(file.values, 13); /* every 1.5 us up to 20 us */
  check_has(text,
            "\n\nvector 0 net.clock[2] queueLength:vector ETV\nattr title \"queue \\\"length\\\"\"\nattr unit packets\n"
            "attr type int\nattr interpolationmode sample-hold\nattr min 0\nattr max 100\n0\t1\t0.0000015\t");
  check_has(text, "\n0\t2\t0.000003\t");
  check_has(text, "\n0\t13\t0.0000195\t");
  free(text);
  opp_ini_free(ini);
  remove_folder();
}

SGF_TEST(equal_runs_write_equal_bytes_and_stamps_tell_executions_apart)
{
  make_folder();
  const sgf_records_stamp_t stamp = {"20260102-03:04:05", 77};
  sgf_error_t error               = {0};
  result_file_t file              = {0};
  opp_ini_t* ini                  = ini_of(study);
  char* texts[2][2];
  for (int i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(run(ini, "Study", 1, NULL, &error), SGF_OK);
    texts[i][0] = checked(scalar_file, RESULT_FILE_SCA, &file);
    texts[i][1] = checked(vector_file, RESULT_FILE_VEC, &file);
  }
  CU_ASSERT_STRING_EQUAL(texts[0][0], texts[1][0]);
  CU_ASSERT_STRING_EQUAL(texts[0][1], texts[1][1]);
  CU_ASSERT_EQUAL(run(ini, "Study", 1, &stamp, &error), SGF_OK);
  char* stamped = checked(scalar_file, RESULT_FILE_SCA, &file);
  check_has(stamped, "run Study-1-20260102-03:04:05-77\n");
  check_has(stamped, "\nattr datetime 20260102-03:04:05\nattr processid 77\n");
  for (int i = 0; i < 2; i++) {
    free(texts[i][0]);
    free(texts[i][1]);
  }
  free(stamped);
  opp_ini_free(ini);
  remove_folder();
}

SGF_TEST(files_of_an_earlier_execution_are_removed)
{
  make_folder();
  sgf_error_t error  = {0};
  result_file_t file = {0};
  char index[PATH];
  opp_ini_t* ini = ini_of("result-dir = \"%s\"\nsim-time-limit = 9us\n");
  CU_ASSERT_EQUAL(run(ini, "General", 0, NULL, &error), SGF_OK);
  CU_ASSERT_EQUAL(access(vector_file, F_OK), 0);
  snprintf(index, sizeof index, "%.*svci", (int)strlen(vector_file) - 3, vector_file);
  FILE* stale = fopen(index, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stale);
  fclose(stale);
  opp_ini_free(ini);
  ini = ini_of("result-dir = \"%s\"\nsim-time-limit = 9us\n**.vector-recording = false\n");
  CU_ASSERT_EQUAL(run(ini, "General", 0, NULL, &error), SGF_OK);
  CU_ASSERT_NOT_EQUAL(access(vector_file, F_OK), 0);
  CU_ASSERT_NOT_EQUAL(access(index, F_OK), 0);
  free(checked(scalar_file, RESULT_FILE_SCA, &file));
  opp_ini_free(ini);
  remove_folder();
}

SGF_TEST(options_name_the_files)
{
  make_folder();
  sgf_error_t error  = {0};
  result_file_t file = {0};
  char expected[PATH];
  opp_ini_t* ini = ini_of("result-dir = \"%s\"\nsim-time-limit = 9us\n"
                          "output-scalar-file = ${resultdir}/deep/er/${configname}.sca\n"
                          "output-vector-file = \"${resultdir}/v/${runnumber}.vec\"\n");
  CU_ASSERT_EQUAL(run(ini, "General", 0, NULL, &error), SGF_OK);
  snprintf(expected, sizeof expected, "%s/deep/er/General.sca", folder);
  CU_ASSERT_STRING_EQUAL(scalar_file, expected);
  snprintf(expected, sizeof expected, "%s/v/0.vec", folder);
  CU_ASSERT_STRING_EQUAL(vector_file, expected);
  free(checked(scalar_file, RESULT_FILE_SCA, &file));
  free(checked(vector_file, RESULT_FILE_VEC, &file));
  opp_ini_free(ini);
  remove_folder();
}

SGF_TEST(what_cannot_be_written_is_an_error)
{
  make_folder();
  sgf_error_t error = {0};
  opp_ini_t* ini    = ini_of("sim-time-limit = 9us\nresult-dir = \"%s/omnetpp.ini/x\"\n"); /* that is a file */
  CU_ASSERT_EQUAL(run(ini, "General", 0, NULL, &error), SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "omnetpp.ini/x"));
  opp_ini_free(ini);
  error = (sgf_error_t){0};
  ini   = ini_of("sim-time-limit = 9us\noutput-scalar-file = \"%s\"\n"); /* that is a folder */
  CU_ASSERT_EQUAL(run(ini, "General", 0, NULL, &error), SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "cannot be written"));
  opp_ini_free(ini);
  error = (sgf_error_t){0};
  ini   = ini_of("sim-time-limit = 9us\nresult-dir = \"%s\"\noutput-scalar-file = /dev/full\n");
  CU_ASSERT_EQUAL(run(ini, "General", 0, NULL, &error), SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "to its end"));
  opp_ini_free(ini);
  remove_folder();
}
