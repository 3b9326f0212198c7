/* Module types by name, and parameters: declared, set, read, configured from an ini file. */
#include "unit/opp_ini_support.h"
#include "unit/opp_probe.h"

static void ignore(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  opp_msg_delete(msg);
}

static const opp_parameter_t parameters[] = {
    {"enabled", OPP_PAR_BOOL, NULL, "true"},    {"window", OPP_PAR_INT, NULL, "-3"},
    {"timeoutUs", OPP_PAR_INT, "us", "20us"},   {"load", OPP_PAR_DOUBLE, NULL, "0.25"},
    {"gapUs", OPP_PAR_DOUBLE, "us", "250ns"},   {"label", OPP_PAR_STRING, NULL, "plain text"},
    {"delay", OPP_PAR_TIME, NULL, "1.5ns"},     {"buffer", OPP_PAR_SIZE, NULL, "256KB"},
    {"rate", OPP_PAR_RATE, NULL, "504.32Gbps"}, {"seat", OPP_PAR_INT, NULL, NULL},
    {NULL, OPP_PAR_BOOL, NULL, NULL},
};
static const opp_module_type_t station = {.name = "station", .handle_message = ignore, .parameters = parameters};
opp_define_module(station);

static const opp_module_type_t twin_a = {.name = "twin", .handle_message = ignore};
static const opp_module_type_t twin_b = {.name = "twin", .handle_message = ignore};
opp_define_module(twin_a);
opp_define_module(twin_b);

typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* module; /* net.a */
} scene_t;

static scene_t scene_new(void)
{
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  return (scene_t){sim, opp_module_create(sim, net, "a", -1, "station")};
}

/* The simulation's error says all of these. */
static void check_error(const opp_sim_t* sim, const char* path, const char* what)
{
  const char* text = opp_sim_error(sim)->text;
  if (!mentions(text, path) || !mentions(text, what))
    printf("\n  is: %s\n  expected: %s, %s\n", text, path, what);
  CU_ASSERT(mentions(text, path));
  CU_ASSERT(mentions(text, what));
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

SGF_TEST(a_type_is_found_by_its_registered_name)
{
  scene_t scene = scene_new();
  CU_ASSERT_PTR_EQUAL(opp_module_type_find("station"), &station);
  CU_ASSERT_PTR_NULL(opp_module_type_find("statio"));
  CU_ASSERT_STRING_EQUAL(opp_module_full_path(scene.module), "net.a");
  CU_ASSERT(opp_has_par(scene.module, "window"));
  CU_ASSERT_EQUAL(opp_sim_error(scene.sim)->status, SGF_OK);
  opp_sim_free(scene.sim);
}

SGF_TEST(an_unknown_type_is_an_error_with_the_nearest)
{
  opp_sim_t* sim = opp_sim_new(1);
  CU_ASSERT_PTR_NOT_NULL(opp_module_create(sim, NULL, "a", -1, "Station"));
  check_error(sim, "a at", "no module type 'Station'; the nearest is 'station'");
  opp_sim_free(sim);
}

SGF_TEST(a_name_that_two_types_have_is_an_error)
{
  opp_sim_t* sim = opp_sim_new(1);
  opp_module_create(sim, NULL, "a", -1, "twin");
  check_error(sim, "a at", "there are 2 module types 'twin'");
  opp_sim_free(sim);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

SGF_TEST(defaults_are_read_and_converted_to_the_declared_unit)
{
  scene_t scene   = scene_new();
  opp_module_t* a = scene.module;
  CU_ASSERT(opp_par_bool(a, "enabled"));
  CU_ASSERT_EQUAL(opp_par_int(a, "window"), -3);
  CU_ASSERT_EQUAL(opp_par_int(a, "timeoutUs"), 20);
  CU_ASSERT_EQUAL(opp_par_double(a, "load"), 0.25);
  CU_ASSERT_EQUAL(opp_par_double(a, "gapUs"), 0.25);
  CU_ASSERT_STRING_EQUAL(opp_par_string(a, "label"), "plain text");
  CU_ASSERT_EQUAL(opp_par_time(a, "delay"), 1500);
  CU_ASSERT_EQUAL(opp_par_size(a, "buffer"), 256000);
  CU_ASSERT_EQUAL(opp_par_rate(a, "rate"), INT64_C(504320000000));
  CU_ASSERT_EQUAL(opp_par_double(a, "window"), -3.0); /* an integer is read as a double, too */
  CU_ASSERT_STRING_EQUAL(opp_sim_error(scene.sim)->text, "");
  opp_sim_free(scene.sim);
}

SGF_TEST(a_value_of_another_type_unit_or_range_is_refused)
{
  static const struct {
    const char* name;
    const char* value;
    sgf_status_t status;
  } bad[] = {
      {"enabled", "yes", SGF_SYNTAX}, {"window", "1.5", SGF_SYNTAX},  {"window", "", SGF_SYNTAX},
      {"window", "1us", SGF_SYNTAX},  {"window", "-", SGF_SYNTAX},    {"window", "9223372036854775808", SGF_RANGE},
      {"timeoutUs", "20", SGF_UNIT},  {"timeoutUs", "2KB", SGF_UNIT}, {"timeoutUs", "1500ns", SGF_RANGE},
      {"load", "half", SGF_SYNTAX},   {"load", "1e999", SGF_RANGE},   {"load", "0x10", SGF_SYNTAX},
      {"load", "nan", SGF_SYNTAX},    {"delay", "4Gbps", SGF_UNIT},   {"delay", "0.5ps", SGF_RANGE},
      {"buffer", "5GB", SGF_RANGE},   {"rate", "400", SGF_UNIT},      {"seats", "1", SGF_UNKNOWN},
  };
  scene_t scene = scene_new();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sgf_error_t error = {0};
    if (opp_par_set(scene.module, bad[i].name, bad[i].value, &error) != bad[i].status)
      printf("\n  %s = %s: %s\n", bad[i].name, bad[i].value, error.text);
    CU_ASSERT_EQUAL(error.status, bad[i].status);
    CU_ASSERT(mentions(error.text, bad[i].name));
  }
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "timeoutUs"), 20); /* they keep their values */
  CU_ASSERT_EQUAL(opp_sim_error(scene.sim)->status, SGF_OK);
  sgf_error_t error = {0};
  opp_par_set(scene.module, "seats", "1", &error);
  CU_ASSERT(mentions(error.text, "'seats'; the nearest is 'seat'"));
  opp_sim_free(scene.sim);
}

SGF_TEST(reading_an_unknown_name_is_an_error)
{
  scene_t scene = scene_new();
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "windw"), 0);
  check_error(scene.sim, "net.a", "no parameter 'windw'; the nearest is 'window'");
  opp_sim_free(scene.sim);
}

SGF_TEST(reading_as_another_type_is_an_error)
{
  scene_t scene = scene_new();
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "load"), 0);
  check_error(scene.sim, "net.a", "'load' is of type double, and read as int");
  opp_sim_free(scene.sim);
  scene = scene_new();
  CU_ASSERT_STRING_EQUAL(opp_par_string(scene.module, "delay"), "");
  check_error(scene.sim, "net.a", "'delay' is of type time, and read as string");
  CU_ASSERT_EQUAL(opp_sim_run(scene.sim, 1), OPP_RUN_ERROR);
  opp_sim_free(scene.sim);
}

SGF_TEST(reading_what_has_no_value_is_an_error)
{
  scene_t scene = scene_new();
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "seat"), 0);
  check_error(scene.sim, "net.a", "parameter 'seat' has no value");
  opp_sim_free(scene.sim);
}

SGF_TEST(a_default_that_is_no_value_is_an_error)
{
  static const opp_parameter_t wrong[]     = {{"delay", OPP_PAR_TIME, NULL, "soon"}, {NULL, OPP_PAR_BOOL, NULL, NULL}};
  static const opp_module_type_t wrongType = {.name = "wrong", .handle_message = ignore, .parameters = wrong};
  opp_sim_t* sim                           = opp_sim_new(1);
  opp_module_new(sim, NULL, "a", -1, &wrongType);
  check_error(sim, "a at", "a.delay");
  opp_sim_free(sim);
}

/* ---- From an ini file -------------------------------------------------------------------------------------------- */

static const char good[] = "[General]\n"
                           "*.a.timeoutUs = 3ms\n"
                           "*.a.label = \"two words\"\n"
                           "*.a.delay = default\n"
                           "**.seat = ${n=7,8}\n"
                           "**.enabled = false\n"
                           "sim-time-limit = 2us\n";

SGF_TEST(a_run_assigns_parameters)
{
  scene_t scene      = scene_new();
  opp_ini_t* ini     = ini_of(good);
  opp_ini_run_t* run = ini_run_of(ini, "General", 1);
  opp_par_set(scene.module, "delay", "5ns", NULL);
  opp_par_set(scene.module, "window", "9", NULL); /* no line assigns it: it stays */
  CU_ASSERT_EQUAL(opp_sim_configure(scene.sim, run), SGF_OK);
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "timeoutUs"), 3000);
  CU_ASSERT_STRING_EQUAL(opp_par_string(scene.module, "label"), "two words");
  CU_ASSERT_EQUAL(opp_par_time(scene.module, "delay"), 1500);
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "seat"), 8);
  CU_ASSERT_EQUAL(opp_par_int(scene.module, "window"), 9);
  CU_ASSERT(!opp_par_bool(scene.module, "enabled"));
  for (size_t i = 0; i < opp_ini_run_entry_count(run); i++)
    CU_ASSERT(opp_ini_run_entry(run, i)->used);
  opp_ini_run_free(run);
  opp_ini_free(ini);
  opp_sim_free(scene.sim);
}

static void check_refused(const char* text, sgf_status_t status, int line, const char* words)
{
  scene_t scene      = scene_new();
  opp_ini_t* ini     = ini_of(text);
  opp_ini_run_t* run = ini_run_of(ini, "General", 0);
  CU_ASSERT_EQUAL(opp_sim_configure(scene.sim, run), status);
  ini_check_error(opp_sim_error(scene.sim), status, line, words);
  CU_ASSERT_EQUAL(opp_sim_run_configured(scene.sim), OPP_RUN_ERROR);
  opp_ini_run_free(run);
  opp_ini_free(ini);
  opp_sim_free(scene.sim);
}

SGF_TEST(wrong_lines_are_errors_with_file_and_line)
{
  check_refused("**.seat = 1\n**.load = heavy\n", SGF_SYNTAX, 2, "net.a.load = heavy");
  check_refused("**.seat = 1\n\n**.delay = 4KB\n", SGF_UNIT, 3, "net.a.delay");
  check_refused("**.seat = 1\n**.label = bare\n", SGF_SYNTAX, 2, "not a string in quotes");
  check_refused("**.seat = \"1\"\n", SGF_SYNTAX, 1, "net.a.seat");
  check_refused("**.seat = default\n", SGF_RULE, 1, "'seat' of net.a has no default");
  check_refused("**.load = 1\n", SGF_RULE, 0, "'net.a.seat' has no default, and no line assigns it");
}

/* A module that wakes every microsecond. */
static void tick(opp_module_t* self, opp_msg_t* msg)
{
  if (++*(int*)opp_module_state(self) == 100)
    opp_error(self, "too many ticks");
  opp_schedule_after(self, OPP_US, msg);
}

static void start(opp_module_t* self, int stage)
{
  (void)stage;
  opp_schedule_at(self, OPP_US, opp_msg_new(self, "tick", 0));
}

static int finished;

static void count_finish(opp_module_t* self)
{
  (void)self;
  finished++;
}

static const opp_module_type_t clock_type = {
    .name = "clock", .state_size = sizeof(int), .initialize = start, .handle_message = tick, .finish = count_finish};

static opp_run_status_t run_clock(const char* text, int* ticks, sgf_error_t* error)
{
  opp_sim_t* sim      = opp_sim_new(1);
  opp_module_t* clock = opp_module_new(sim, NULL, "clock", -1, &clock_type);
  opp_ini_t* ini      = ini_of(text);
  opp_ini_run_t* run  = ini_run_of(ini, "General", 0);
  opp_sim_configure(sim, run);
  finished                      = 0;
  const opp_run_status_t status = opp_sim_run_configured(sim);
  *ticks                        = *(int*)opp_module_state(clock);
  *error                        = *opp_sim_error(sim);
  opp_ini_run_free(run);
  opp_ini_free(ini);
  opp_sim_free(sim);
  return status;
}

SGF_TEST(sim_time_limit_ends_the_run_and_finish_is_called)
{
  int ticks         = 0;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(run_clock("sim-time-limit = 5.5us\n", &ticks, &error), OPP_RUN_LIMIT);
  CU_ASSERT_EQUAL(ticks, 5);
  CU_ASSERT_EQUAL(finished, 1);
  CU_ASSERT_EQUAL(run_clock("sim-time-limit = 5us\n", &ticks, &error), OPP_RUN_LIMIT);
  CU_ASSERT_EQUAL(ticks, 5); /* what is at the limit is executed */
  CU_ASSERT_EQUAL(run_clock("sim-time-limit = 5KB\n", &ticks, &error), OPP_RUN_ERROR);
  CU_ASSERT_EQUAL(ticks, 0);
  CU_ASSERT_EQUAL(finished, 0);
  ini_check_error(&error, SGF_UNIT, 1, "sim-time-limit");
}

SGF_TEST(finish_is_not_called_after_an_error)
{
  int ticks         = 0;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(run_clock("sim-time-limit = 1s\n", &ticks, &error), OPP_RUN_ERROR);
  CU_ASSERT_EQUAL(ticks, 100);
  CU_ASSERT_EQUAL(finished, 0);
  ini_check_error(&error, SGF_MODEL, 0, "too many ticks");
}
