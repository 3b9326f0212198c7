/* The same program in both seats leaves the same CSV records (design.md, "Inside a SimGrid simulation"). */
#include "harness.h"

#include <sys/wait.h>
#include <unistd.h>

#include "model_seat/model_seat_support.h"
#include "records/csv_support.h"
#define SEATS_ACTOR
#include "model_seat/programs/seats.c"

/* A pair of what is set in each seat: rows every 10 us from the start, with everything that a rack has. */
static const char* const settings[] = {
    ("record.time_utc=" NOW_STAMP),
    "record.job_id=seats",
    "record.StartTime=0",
    "record.ClientStartOffset=0",
    "record.NDStatsReportInterval=0.00001",
    "record.zero_rows=true",
    "**.switch.BufferStatsReportInterval=10us",
    "**.switch.ReportPerPortBufferStats=true",
    "record.EnableNetworkBufferStatsReporting=true",
    "record.NetworkBufferStatsReportingInterval=0.00001",
    "record.EnablePCIeStatsLogging=true",
    "record.EnableFeedbackStats=true",
    "**.switch.StaticPoolXoffThreshold=50KB",
    "**.switch.StaticPoolXonThreshold=20KB",
    "**.nic.EnableBufferStats=true",
    "**.nic.EnableEventLogging=true",
    "**.nic.EnableUETMonitor=true",
};
enum { SETTINGS_COUNT = sizeof settings / sizeof *settings };

static void in_model_seat(const char* workload, const char* simulation)
{
  char* program = model_link("seats", simulation);
  char* out     = NULL;
  char options[2048];
  size_t used = 0;
  for (size_t i = 0; i < SETTINGS_COUNT; i++)
    used += (size_t)snprintf(options + used, sizeof options - used, "--set '%s' ", settings[i]);
  CU_ASSERT_EQUAL_FATAL(model_shell(&out, "%s exec --results %s %s -- %s %s %s", MODEL_COMMAND, CSV_FOLDER, options,
                                    program, MODEL_RACK, workload),
                        0);
  free(out);
  free(program);
}

static _Noreturn void actor_process(const char* workload, const char* simulation)
{
  char name[]     = "seats";
  char word[32]   = "";
  char* argv[]    = {name, NULL};
  char* words[]   = {word, NULL, NULL, NULL};
  int argc        = 1;
  FILE* unwatched = freopen("/dev/null", "w", stdout);
  if (unwatched == NULL)
    abort();
  snprintf(word, sizeof word, "%s", workload);
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  for (size_t i = 0; i < SETTINGS_COUNT; i++)
    sg_fabric_set(settings[i]);
  sg_fabric_set_results(CSV_FOLDER, simulation);
  sg_fabric_load_platform(MODEL_RACK);
  run_workload(words);
  exit(sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void in_actor_seat(const char* workload, const char* simulation)
{
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0)
    actor_process(workload, simulation);
  int status = -1;
  CU_ASSERT_EQUAL(waitpid(process, &status, 0), process);
  CU_ASSERT_EQUAL_FATAL(status, 0);
}

static void check(const char* workload, const char* model, const char* actor, bool pauses)
{
  in_model_seat(workload, model);
  in_actor_seat(workload, actor);
  csv_table_t nd = csv_read_table(CSV_FOLDER, model, CSV_ND_STATS);
  CU_ASSERT(nd.row_count > 18); /* more than one date */
  CU_ASSERT(csv_integer_at(&nd, nd.row_count - 1, "total_packets_tx") > 0);
  csv_free_table(&nd);
  csv_table_t feedback = csv_read_table(CSV_FOLDER, model, CSV_FEEDBACK_EVENTS);
  CU_ASSERT((feedback.row_count > 0) == pauses);
  csv_free_table(&feedback);
  CU_ASSERT(csv_same_runs(CSV_FOLDER, model, CSV_FOLDER, actor));
}

SGF_SCENARIO(an_incast_leaves_the_same_records_in_both_seats)
{
  check("incast", "seats_incast_model", "seats_incast_actor", true);
}

SGF_SCENARIO(a_permutation_leaves_the_same_records_in_both_seats)
{
  check("permutation", "seats_permutation_model", "seats_permutation_actor", false);
}
