/* Recorders of declared statistics, recording by hand, and the options that choose among them. */
#include <math.h>

#include "unit/opp_ini_support.h"
#include "unit/opp_probe.h"

/* A source emits queue lengths: 3 at 1 us, 5 at 2 us, 1 at 4 us; the run ends at 10 us. */
static const struct {
  opp_simtime_t time;
  int value;
} script[] = {{OPP_US, 3}, {2 * OPP_US, 5}, {4 * OPP_US, 1}};

static bool silent; /* nothing is emitted */

static void initialize(opp_module_t* self, int stage)
{
  (void)stage;
  for (size_t i = 0; !silent && i < sizeof script / sizeof *script; i++)
    opp_schedule_at(self, script[i].time, opp_msg_new(self, "emit", script[i].value));
}

static void emit(opp_module_t* self, opp_msg_t* msg)
{
  opp_emit_int(self, opp_signal_register(self->sim, "length"), opp_msg_kind(msg));
  opp_msg_delete(msg);
}

static void finish(opp_module_t* self)
{
  opp_record_scalar(self, "answer", 42.0, "packets");
}

static const opp_statistic_t statistics[] = {
    {"length",
     "queueLength",
     "count,last,sum,mean,min,max,timeavg,stats,histogram?,vector",
     {.title = "queue length", .unit = "packets", .interpolation = "sample-hold"}},
    {0},
};
static const opp_module_type_t source_type = {
    .name = "source", .initialize = initialize, .handle_message = emit, .finish = finish, .statistics = statistics};

static char seen[2048];

static void see(void* user, const opp_result_t* result)
{
  (void)user;
  const size_t used = strlen(seen);
  if (result->kind == OPP_RESULT_SCALAR)
    snprintf(seen + used, sizeof seen - used, "%s=%g ", result->name, result->value);
  else
    snprintf(seen + used, sizeof seen - used, "%s(%s) ", result->name, result->has_bins ? "bins" : "no bins");
}

static void see_value(void* user, const opp_result_t* vector, opp_simtime_t time, uint64_t event, double value)
{
  (void)user;
  (void)event;
  const size_t used = strlen(seen);
  snprintf(seen + used, sizeof seen - used, "%s@%d=%g ", vector->name, (int)(time / OPP_US), value);
}

/* Run net.source with an ini file (NULL: none): vectors' values as they come, then what was recorded. */
static sgf_error_t run_with(const char* text, bool with_vectors)
{
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  opp_module_new(sim, net, "source", -1, &source_type);
  opp_ini_t* ini     = text != NULL ? ini_of(text) : NULL;
  opp_ini_run_t* run = ini != NULL ? ini_run_of(ini, "General", 0) : NULL;
  seen[0]            = '\0';
  if (run != NULL)
    opp_sim_configure(sim, run);
  if (with_vectors)
    opp_sim_set_vector_sink(sim, see_value, NULL);
  if (opp_sim_initialize(sim) == SGF_OK && opp_sim_run(sim, 10 * OPP_US) != OPP_RUN_ERROR)
    opp_sim_finish(sim);
  opp_sim_visit_results(sim, see, NULL);
  const sgf_error_t error = *opp_sim_error(sim);
  opp_sim_free(sim);
  opp_ini_run_free(run);
  opp_ini_free(ini);
  return error;
}

static void check(const char* text, bool with_vectors, const char* expected)
{
  const sgf_error_t error = run_with(text, with_vectors);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  ini_equal(seen, expected);
}

#define VALUES "queueLength:vector@1=3 queueLength:vector@2=5 queueLength:vector@4=1 "
#define SCALARS                                                                                                        \
  "queueLength:count=3 queueLength:last=1 queueLength:sum=9 queueLength:mean=3 queueLength:min=1 "                     \
  "queueLength:max=5 "
#define TIMEAVG "queueLength:timeavg=2.11111 " /* (3 x 1 us + 5 x 2 us + 1 x 6 us) / 9 us */
#define STATS "queueLength:stats(no bins) "

SGF_TEST(every_mode_is_recorded_as_declared)
{
  silent = false;
  check(NULL, true, VALUES "answer=42 " SCALARS TIMEAVG STATS);
  check(NULL, false, "answer=42 " SCALARS TIMEAVG STATS); /* nobody wants vectors */
}

SGF_TEST(a_signal_that_was_never_emitted)
{
  silent = true;
  check("**.result-recording-modes = count,last,sum,mean,min,max,timeavg,vector\n", true,
        "answer=42 queueLength:count=0 queueLength:last=nan queueLength:sum=0 queueLength:mean=nan queueLength:min=nan "
        "queueLength:max=nan queueLength:timeavg=nan ");
  silent = false;
}

SGF_TEST(modes_are_chosen_by_the_ini_file)
{
  check("**.queueLength.result-recording-modes = count,histogram\n", true,
        "answer=42 queueLength:count=3 queueLength:histogram(bins) ");
  check("**.result-recording-modes = -stats,-vector,-timeavg\n", true, "answer=42 " SCALARS);
  check("**.result-recording-modes = default,-vector\n", true, "answer=42 " SCALARS TIMEAVG STATS);
  check("**.result-recording-modes = none,+vector\n", true, VALUES "answer=42 ");
  check("**.result-recording-modes = all\n", true,
        VALUES "answer=42 " SCALARS TIMEAVG STATS "queueLength:histogram(bins) ");
  check("**.result-recording-modes = all,-\n", true, "answer=42 ");
  check("**.other.result-recording-modes = none\n", true, VALUES "answer=42 " SCALARS TIMEAVG STATS);
}

SGF_TEST(recording_is_turned_off_by_object)
{
  check("**.statistic-recording = false\n", true, "answer=42 ");
  check("**.queueLength:stats.statistic-recording = false\n", true, VALUES "answer=42 " SCALARS TIMEAVG);
  check("**.vector-recording = false\n", true, "answer=42 " SCALARS TIMEAVG STATS);
  check("**.scalar-recording = false\n", true, VALUES STATS);
  check("**.answer.scalar-recording = false\n**.queueLength:timeavg.scalar-recording = true\n"
        "**.queueLength:*.scalar-recording = false\n",
        true, VALUES TIMEAVG STATS);
}

SGF_TEST(vectors_are_recorded_in_intervals)
{
  static const char rest[] = "**.statistic-recording = true\n**.result-recording-modes = vector\n";
  char text[256];
  static const char* const cases[][2] = {
      {"2us..3us", "queueLength:vector@2=5 "},
      {"..1us, 4us..", "queueLength:vector@1=3 queueLength:vector@4=1 "},
      {" 0ps .. 1999ns ", "queueLength:vector@1=3 "},
      {"5us..", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char expected[256];
    snprintf(text, sizeof text, "**.vector-recording-intervals = %s\n%s", cases[i][0], rest);
    snprintf(expected, sizeof expected, "%sanswer=42 ", cases[i][1]);
    check(text, true, expected);
  }
}

SGF_TEST(options_that_cannot_be_read_are_errors_with_file_and_line)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    int line;
    const char* words;
  } bad[] = {
      {"**.result-recording-modes = count,maen\n", SGF_UNKNOWN, 1, "'maen'; did you mean mean?"},
      {"\n**.statistic-recording = yes\n", SGF_SYNTAX, 2, "yes"},
      {"**.scalar-recording = 1\n", SGF_SYNTAX, 1, "not true or false"},
      {"**.vector-recording = off\n", SGF_SYNTAX, 1, "off"},
      {"**.vector-recording-intervals = 1us\n", SGF_SYNTAX, 1, "no interval"},
      {"**.vector-recording-intervals = 1us..soon\n", SGF_SYNTAX, 1, "soon"},
      {"**.vector-recording-intervals = 1..2\n", SGF_UNIT, 1, "begin of an interval"},
      {"**.vector-recording-intervals = 3us..2us\n", SGF_RANGE, 1, "ends before it begins"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const sgf_error_t error = run_with(bad[i].text, true);
    ini_check_error(&error, bad[i].status, bad[i].line, bad[i].words);
  }
}

SGF_TEST(a_declared_mode_that_does_not_exist_is_an_error)
{
  static const opp_statistic_t wrong[]      = {{.name = "length", .modes = "timeaverage"}, {0}};
  static const opp_module_type_t wrong_type = {.name = "wrong", .handle_message = emit, .statistics = wrong};
  opp_sim_t* sim                            = opp_sim_new(1);
  opp_module_new(sim, NULL, "a", -1, &wrong_type);
  CU_ASSERT_EQUAL(opp_sim_initialize(sim), SGF_MODEL);
  CU_ASSERT(mentions(opp_sim_error(sim)->text, "statistic 'length'"));
  CU_ASSERT(mentions(opp_sim_error(sim)->text, "'timeaverage'"));
  opp_sim_free(sim);
}

/* ---- Costs nothing ----------------------------------------------------------------------------------------------- */

SGF_TEST(nothing_listens_where_nothing_is_recorded)
{
  opp_sim_t* sim           = opp_sim_new(1);
  opp_module_t* source     = opp_module_new(sim, NULL, "source", -1, &source_type);
  opp_ini_t* ini           = ini_of("**.result-recording-modes = vector\n");
  opp_ini_run_t* run       = ini_run_of(ini, "General", 0);
  const opp_signal_t count = opp_signal_register(sim, "length");
  opp_sim_configure(sim, run);
  opp_sim_initialize(sim); /* and nobody wants vectors */
  CU_ASSERT(!opp_signal_has_listeners(source, count));
  CU_ASSERT_EQUAL(sim->listeners[count], 0);
  opp_sim_free(sim);
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

/* ---- By hand ----------------------------------------------------------------------------------------------------- */

SGF_TEST(vectors_and_histograms_of_a_models_own)
{
  const opp_result_info_t info = {.unit = "us"};
  opp_sim_t* sim               = opp_sim_new(1);
  opp_module_t* module         = probe_new(sim, NULL, "a");
  opp_outvector_t* vector      = opp_outvector_new(module, "delay", &info);
  opp_histogram_t* histogram   = opp_histogram_new(module, "delays", &info);
  seen[0]                      = '\0';
  opp_outvector_record(vector, 1.0); /* lost: nobody wants it yet */
  opp_sim_set_vector_sink(sim, see_value, NULL);
  opp_outvector_record(vector, 2.0);
  opp_outvector_record_at(vector, 3 * OPP_US, 4.0);
  opp_histogram_collect(histogram, 2.0);
  opp_histogram_record(histogram);
  opp_sim_visit_results(sim, see, NULL);
  ini_equal(seen, "delay@0=2 delay@3=4 delays(bins) ");
  CU_ASSERT_EQUAL(opp_sim_error(sim)->status, SGF_OK);
  opp_outvector_record_at(vector, 2 * OPP_US, 4.0);
  CU_ASSERT(mentions(opp_sim_error(sim)->text, "vector 'delay'"));
  opp_sim_free(sim);
}

/* The share of the time for which a channel is busy, when a packet takes 1 us and the run `length`. */
static void check_busy(opp_simtime_t length, const char* expected)
{
  static const opp_statistic_t busy[]      = {{"channelBusy", "busy", "timeavg,sum", {0}}, {0}};
  static const opp_module_type_t busy_type = {.name = "busy", .handle_message = emit, .statistics = busy};
  opp_sim_t* sim                           = opp_sim_new(1);
  opp_module_t* left                       = opp_module_new(sim, NULL, "left", -1, &busy_type);
  opp_module_t* right                      = probe_new(sim, NULL, "right");
  opp_gate_add(left, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(right, "in", OPP_GATE_INPUT, false, 1);
  opp_gate_connect(opp_gate(left, "out", 0), opp_gate(right, "in", 0), opp_channel_datarate(sim, 8000000000, 0));
  opp_sim_initialize(sim);
  opp_send(left, opp_packet_new(left, "packet", 0, 1000), opp_gate(left, "out", 0));
  opp_sim_run(sim, length);
  opp_sim_finish(sim);
  seen[0] = '\0';
  opp_sim_visit_results(sim, see, NULL);
  ini_equal(seen, expected);
  opp_sim_free(sim);
}

SGF_TEST(busy_time_is_a_time_average_of_channel_busy)
{
  check_busy(4 * OPP_US, "busy:sum=1 busy:timeavg=0.25 ");
  check_busy(OPP_US / 4, "busy:sum=1 busy:timeavg=1 "); /* all the time, up to an end that is known already */
}
