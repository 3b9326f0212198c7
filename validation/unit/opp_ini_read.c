/* Files of ini lines: comments, continuation, sections, inclusion, keys. */
#include "opp_ini_support.h"

static opp_ini_run_t* run;

/* What the parameter of this path is set to in the run, or "none". */
static const char* parameter(const char* path)
{
  const opp_ini_entry_t* entry = opp_ini_run_parameter(run, path);
  return entry != NULL ? entry->value : "none";
}

SGF_TEST(a_line_is_read_as_omnetpp_reads_it)
{
  opp_ini_t* ini = ini_of("# a comment with \" and [ and ${\n"
                          "[General]             # section heading\n"
                          "\n"
                          "  sim-time-limit=10ms\r\n"
                          "**.comment = 3s  # parameter value\n"
                          "**.string = \"a # in quotes\" # and one behind\n"
                          "**.escaped = \"a \\\" # b\"\n"
                          "**.equal = a = b\n"
                          "**.url = \"http://long\\\n"
                          "-name?q=1\"\n"
                          "**.list = 1, \\  \n"
                          "  2, \\\n"
                          "  3\n"
                          "**.literal = \"$\\{x}\"\n"
                          "# continued \\\n"
                          "**.hidden = 1\n"
                          "**.last = end");
  run            = ini_run_of(ini, "General", 0);
  ini_equal(opp_ini_run_option(run, "sim-time-limit")->value, "10ms");
  ini_equal(parameter("n.comment"), "3s");
  ini_equal(parameter("n.string"), "\"a # in quotes\"");
  ini_equal(parameter("n.escaped"), "\"a \\\" # b\"");
  ini_equal(opp_ini_run_parameter(run, "n.escaped")->text, "a \" # b");
  ini_equal(parameter("n.equal"), "a = b");
  ini_equal(parameter("n.url"), "\"http://long-name?q=1\"");
  ini_equal(parameter("n.list"), "1,   2,   3");
  ini_equal(parameter("n.literal"), "\"$\\{x}\"");
  ini_equal(opp_ini_run_parameter(run, "n.literal")->text, "${x}");
  ini_equal(parameter("n.hidden"), "none");
  ini_equal(parameter("n.last"), "end");
  CU_ASSERT_EQUAL(opp_ini_run_parameter(run, "n.url")->line, 9); /* the first of two */
  CU_ASSERT_EQUAL(opp_ini_run_parameter(run, "n.last")->line, 17);
  CU_ASSERT_STRING_EQUAL(opp_ini_run_parameter(run, "n.last")->file, ini_files[0]);
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

SGF_TEST(configurations_are_in_order_of_the_file_behind_general)
{
  opp_ini_t* ini =
      ini_of("\xef\xbb\xbf[Config Incast]\ndescription = \"many to one\"\n[All-To_All@2]\nextends = Incast\n"
             "[ Config  Idle ]\n[General]\nrepeat = 2\n");
  CU_ASSERT_EQUAL_FATAL(opp_ini_config_count(ini), 4);
  CU_ASSERT_STRING_EQUAL(opp_ini_config_name(ini, 0), "General");
  CU_ASSERT_STRING_EQUAL(opp_ini_config_name(ini, 1), "Incast");
  CU_ASSERT_STRING_EQUAL(opp_ini_config_name(ini, 2), "All-To_All@2");
  CU_ASSERT_STRING_EQUAL(opp_ini_config_name(ini, 3), "Idle");
  CU_ASSERT_STRING_EQUAL(opp_ini_config_description(ini, 0), "");
  CU_ASSERT_STRING_EQUAL(opp_ini_config_description(ini, 1), "many to one");
  CU_ASSERT_STRING_EQUAL(opp_ini_config_description(ini, 2), "many to one"); /* as all lines that it falls back to */
  opp_ini_free(ini);

  ini = ini_of("");
  CU_ASSERT_EQUAL(opp_ini_config_count(ini), 1);
  CU_ASSERT_EQUAL(opp_ini_run_count(ini, "General", NULL), 1);
  opp_ini_free(ini);
}

SGF_TEST(inclusion_is_relative_and_keeps_the_section)
{
  static const char inner[] = "**.foo1 = 1\n**.foo2 = 2\n[Config Bar]\n**.bar = 3\n[General]\n**.g = 7\n";
  ini_write("incl.ini", inner, sizeof inner - 1);
  opp_ini_t* ini = ini_of("[Config A]\ninclude incl.ini  # adds foo1 and foo2 to A, and defines Bar\n**.baz = 4\n"
                          "[Config Bar]\n**.bar = 5\n**.rest = 6\n");
  CU_ASSERT_EQUAL(opp_ini_config_count(ini), 3);
  run = ini_run_of(ini, "A", 0);
  ini_equal(parameter("n.foo2"), "2");
  ini_equal(parameter("n.baz"), "4");
  ini_equal(parameter("n.bar"), "none");
  ini_equal(parameter("n.g"), "7");
  CU_ASSERT_EQUAL(opp_ini_run_parameter(run, "n.foo2")->line, 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(opp_ini_run_parameter(run, "n.foo2")->file, "incl.ini"));
  opp_ini_run_free(run);
  run = ini_run_of(ini, "Bar", 0);
  ini_equal(parameter("n.bar"), "3"); /* what comes first wins */
  ini_equal(parameter("n.rest"), "6");
  ini_equal(parameter("n.foo1"), "none");
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

SGF_TEST(an_error_in_an_included_file_has_its_place_there)
{
  static const char wrong[] = "\nseed-sett = 1\n";
  ini_write("wrong.ini", wrong, sizeof wrong - 1);
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(ini_read("[General]\ninclude \"wrong.ini\"\n", &error));
  ini_check_error(&error, SGF_UNKNOWN, 2, "did you mean seed-set?");
  CU_ASSERT_PTR_NOT_NULL(strstr(error.file, "wrong.ini"));
}

SGF_TEST(files_that_include_each_other_are_refused)
{
  static const char other[] = "# other\ninclude omnetpp.ini\n";
  ini_write("other.ini", other, sizeof other - 1);
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(ini_read("include other.ini\n", &error));
  ini_check_error(&error, SGF_RULE, 2, "includes itself");
  CU_ASSERT_PTR_NOT_NULL(strstr(error.file, "other.ini"));
  sgf_error_clear(&error);
  CU_ASSERT_PTR_NULL(ini_read("[General]\n\ninclude ./omnetpp.ini\n", &error));
  ini_check_error(&error, SGF_RULE, 3, "includes itself");
}

/* Each file includes the next one twice. */
SGF_TEST(inclusion_does_not_explode)
{
  char name[32];
  char text[64];
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "twice%d.ini", i);
    int length = snprintf(text, sizeof text, "include twice%d.ini\ninclude twice%d.ini\n", i + 1, i + 1);
    ini_write(name, i < 11 ? text : "", i < 11 ? (size_t)length : 0);
  }
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(ini_read("include twice0.ini\n", &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "1000 files"));
}

SGF_TEST(faults_of_lines_are_refused_with_their_place)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    int line;
    const char* words;
  } cases[] = {
      {"[General\n", SGF_SYNTAX, 1, "expected ]"},
      {"[General] x = 1\n", SGF_SYNTAX, 1, "expected ]"},
      {"[]\n", SGF_SYNTAX, 1, "\"[]\""},
      {"[Config]\n", SGF_SYNTAX, 1, "\"[Config]\""},
      {"[Config two words]\n", SGF_SYNTAX, 1, "two words"},
      {"[Config 1st]\n", SGF_SYNTAX, 1, "1st"},
      {"[General]\n[Config A]\n[Config A]\n", SGF_RULE, 3, "\"[Config A]\" twice"},
      {"[General]\n[Config A]\n[General]\n", SGF_RULE, 3, "twice"},
      {"just words\n", SGF_SYNTAX, 1, "expected key = value"},
      {"[General]\n**.x\n", SGF_SYNTAX, 2, "expected key = value"},
      {"= 5\n", SGF_SYNTAX, 1, "no key"},
      {"**.x =\n", SGF_SYNTAX, 1, "**.x has no value"},
      {"**.x = # nothing\n", SGF_SYNTAX, 1, "**.x has no value"},
      {"\n**.x = \"open\n", SGF_SYNTAX, 2, "closing quote"},
      {"**.x = \"open\\\"\n", SGF_SYNTAX, 1, "closing quote"},
      {"; old comment\n", SGF_SYNTAX, 1, "#"},
      {"**.x = 1, \\", SGF_SYNTAX, 1, "continues"},
      {"\n**.x = 1, \\\n", SGF_SYNTAX, 2, "continues"},
      {"**.x{a = 1\n", SGF_SYNTAX, 1, "a { without }"},
      {"include nowhere.ini\n", SGF_IO, 1, "nowhere.ini"},
      {"include .\n", SGF_IO, 1, "cannot read"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_PTR_NULL(ini_read(cases[i].text, &error));
    ini_check_error(&error, cases[i].status, cases[i].line, cases[i].words);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.file, "omnetpp.ini"));
  }
}

SGF_TEST(a_missing_or_binary_file_is_refused)
{
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(opp_ini_read("/nonexistent/omnetpp.ini", &error));
  ini_check_error(&error, SGF_IO, 0, "cannot open");
  CU_ASSERT_STRING_EQUAL(error.file, "/nonexistent/omnetpp.ini");
  sgf_error_clear(&error);
  CU_ASSERT_PTR_NULL(opp_ini_read(ini_write("binary.ini", "\n\0\n", 3), &error));
  ini_check_error(&error, SGF_SYNTAX, 2, "text file");
}

SGF_TEST(unknown_and_foreign_options_are_refused)
{
  static const struct {
    const char* key;
    sgf_status_t status;
    const char* words;
  } cases[] = {
      {"sim-time-limt", SGF_UNKNOWN, "did you mean sim-time-limit?"},
      {"Repeat", SGF_UNKNOWN, "did you mean repeat?"},
      {"seedset", SGF_UNKNOWN, "did you mean seed-set?"},
      {"TotalBufferSize", SGF_UNKNOWN, "**.TotalBufferSize"},
      {"network", SGF_RULE, "platform"},
      {"sim-time-resolution", SGF_RULE, "picoseconds"},
      {"cpu-time-limit", SGF_RULE, "not honoured"},
      {"cmdenv-express-mode", SGF_RULE, "not honoured"},
      {"debug-on-errors", SGF_RULE, "debug-on-errors is not honoured"},
      {"debugger-attach-on-error", SGF_RULE, "not honoured"},
      {"seed-0-mt", SGF_RULE, "seed-set"},
      {"num-rngs", SGF_RULE, "seed-set"},
      {"warmup-period", SGF_RULE, "not honoured"},
      {"output-vector-precision", SGF_RULE, "not honoured"},
      {"scalar-recording", SGF_RULE, "**.scalar-recording"},
      {"**.scalar-recordin", SGF_UNKNOWN, "did you mean scalar-recording?"},
      {"**.queue.vector-*", SGF_UNKNOWN, "vector-*"},
      {"**.rng-0", SGF_RULE, "not honoured"},
      {"**.app.typename", SGF_RULE, "not honoured"},
      {"**.seed-set", SGF_RULE, "without \"**.\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128];
    sgf_error_t error = {0};
    snprintf(text, sizeof text, "[General]\n\n%s = 1\n", cases[i].key);
    CU_ASSERT_PTR_NULL(ini_read(text, &error));
    ini_check_error(&error, cases[i].status, 3, cases[i].words);
  }
}

SGF_TEST(all_options_of_the_project_are_known)
{
  opp_ini_t* ini = ini_of("[General]\nsim-time-limit = 1s\nseed-set = 1\nrepeat = 1\nconstraint = 1 < 2\n"
                          "description = \"d\"\nresult-dir = \"r\"\noutput-scalar-file = \"a.sca\"\n"
                          "output-vector-file = \"a.vec\"\nexperiment-label = \"e\"\nmeasurement-label = \"m\"\n"
                          "replication-label = \"l\"\nplatform = \"p.xml\"\ndeployment = \"d.xml\"\n"
                          "iteration-nesting-order = *\n**.scalar-recording = true\n**.vector-recording = true\n"
                          "**.statistic-recording = true\n**.vector-recording-intervals = 1s..2s\n"
                          "**.result-recording-modes = default\n[Config A]\nextends = General\n");
  run            = ini_run_of(ini, "A", 0);
  CU_ASSERT_EQUAL(opp_ini_run_entry_count(run), 5);
  CU_ASSERT_STRING_EQUAL(opp_ini_run_option(run, "platform")->value, "\"p.xml\"");
  CU_ASSERT_STRING_EQUAL(opp_ini_run_option(run, "platform")->text, "p.xml");
  CU_ASSERT_STRING_EQUAL(opp_ini_run_option(run, "constraint")->value, "1 < 2");
  opp_ini_run_free(run);
  opp_ini_free(ini);
}
