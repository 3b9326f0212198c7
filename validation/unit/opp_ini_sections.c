/* What a configuration falls back to, and which line wins. */
#include "opp_ini_support.h"

/* The sections that give **.a, **.b, ... their values: each section sets all to its own name, in its own order. */
static const char* chain(const char* text, const char* config)
{
  static char names[256];
  opp_ini_t* ini     = ini_of(text);
  opp_ini_run_t* run = ini_run_of(ini, config, 0);
  size_t used        = 0;
  names[0]           = '\0';
  for (size_t i = 0; i < opp_ini_run_entry_count(run); i++)
    used +=
        (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? " " : "", opp_ini_run_entry(run, i)->value);
  opp_ini_run_free(run);
  opp_ini_free(ini);
  return names;
}

SGF_TEST(sections_fall_back_in_the_order_of_the_manual)
{
  static const char aloha[] = "[General]\n**.x = General\n"
                              "[Config SlottedAlohaBase]\n**.x = SlottedAlohaBase\n"
                              "[Config LowTrafficSettings]\n**.x = LowTrafficSettings\n"
                              "[Config HighTrafficSettings]\n**.x = HighTrafficSettings\n"
                              "[Config SlottedAloha1]\nextends = SlottedAlohaBase, LowTrafficSettings\n"
                              "**.x = SlottedAloha1\n"
                              "[Config SlottedAloha2]\nextends = SlottedAlohaBase, HighTrafficSettings\n"
                              "**.x = SlottedAloha2\n"
                              "[Config SlottedAloha2a]\nextends = SlottedAloha2\n**.x = SlottedAloha2a\n"
                              "[Config SlottedAloha2b]\nextends = SlottedAloha2\n**.x = SlottedAloha2b\n";
  ini_equal(chain(aloha, "SlottedAloha2b"),
            "SlottedAloha2b SlottedAloha2 SlottedAlohaBase HighTrafficSettings General");
  ini_equal(chain(aloha, "SlottedAloha1"), "SlottedAloha1 SlottedAlohaBase LowTrafficSettings General");
  ini_equal(chain(aloha, "SlottedAlohaBase"), "SlottedAlohaBase General");
  ini_equal(chain(aloha, "General"), "General");
}

/* The base of both comes behind both, where a walk in depth would have it behind the first. */
SGF_TEST(a_shared_base_comes_behind_all_that_extend_it)
{
  ini_equal(chain("[Config D]\nextends = B, C\n**.x = D\n[Config B]\nextends = A\n**.x = B\n"
                  "[Config C]\nextends = A\n**.x = C\n[Config A]\n**.x = A\n[General]\n**.x = General\n",
                  "D"),
            "D B C A General");
  ini_equal(chain("[Config Z]\nextends = K1, K2, K3\n**.x = Z\n[Config K1]\nextends = A, B, C\n**.x = K1\n"
                  "[Config K2]\nextends = D, B, E\n**.x = K2\n[Config K3]\nextends = D, A\n**.x = K3\n"
                  "[Config A]\n**.x = A\n[Config B]\n**.x = B\n[Config C]\n**.x = C\n[Config D]\n**.x = D\n"
                  "[Config E]\n**.x = E\n",
                  "Z"),
            "Z K1 K2 K3 D A B C E"); /* the textbook example of C3 */
  ini_equal(chain("[Config A]\nextends = B, General\n**.x = A\n[Config B]\n**.x = B\n[General]\n**.x = General\n", "A"),
            "A B General");
}

SGF_TEST(the_first_match_wins)
{
  opp_ini_t* ini = ini_of("[General]\n*.host[0].wait = 5ms\n*.host[3].wait = 6ms\n*.host[*].wait = 10ms\n"
                          "*.host[0].wait = 7ms\nsim-time-limit = 1s\nsim-time-limit = 2s\n"
                          "*.*.queue[3..5].size = 10\n*.*.queue[12..].size = 18\n*.*.queue[*].size = 6\n"
                          "[Config A]\n*.host[3].wait = 1ms\nsim-time-limit = 3s\n");
  static const struct {
    const char* config;
    const char* path;
    const char* value;
  } cases[] = {
      {"General", "net.host[0].wait", "5ms"},   {"General", "net.host[3].wait", "6ms"},
      {"General", "net.host[9].wait", "10ms"},  {"A", "net.host[3].wait", "1ms"},
      {"A", "net.host[0].wait", "5ms"},         {"General", "net.a.queue[3].size", "10"},
      {"General", "net.a.queue[11].size", "6"}, {"General", "net.a.queue[12].size", "18"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    opp_ini_run_t* run           = ini_run_of(ini, cases[i].config, 0);
    const opp_ini_entry_t* entry = opp_ini_run_parameter(run, cases[i].path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
    ini_equal(entry->value, cases[i].value);
    CU_ASSERT_PTR_NULL(opp_ini_run_parameter(run, "net.dc.host[0].wait"));
    ini_equal(opp_ini_run_option(run, "sim-time-limit")->value, strcmp(cases[i].config, "A") == 0 ? "3s" : "1s");
    opp_ini_run_free(run);
  }
  opp_ini_free(ini);
}

/* `**` sets parameters, and no option of objects. */
SGF_TEST(options_of_objects_and_parameters_do_not_mix)
{
  opp_ini_t* ini     = ini_of("**.tor0.**.scalar-recording = false\n** = 5\n**.scalar-recording = true\n");
  opp_ini_run_t* run = ini_run_of(ini, "General", 0);
  ini_equal(opp_ini_run_parameter(run, "net.tor0.switch.x.scalar-recording")->value, "false");
  ini_equal(opp_ini_run_parameter(run, "net.tor1.switch.x.scalar-recording")->value, "true");
  ini_equal(opp_ini_run_parameter(run, "net.tor0.switch.x")->value, "5");
  CU_ASSERT_PTR_NULL(opp_ini_run_parameter(run, "net.tor0.switch.x.vector-recording"));
  opp_ini_run_free(run);
  opp_ini_free(ini);

  ini = ini_of("**.x{a-c} = 1\n"); /* a hyphen in a set is none */
  run = ini_run_of(ini, "General", 0);
  ini_equal(opp_ini_run_parameter(run, "net.my-host.xb")->value, "1");
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

/* Names of records have hyphens too. */
SGF_TEST(a_record_is_no_option_of_objects)
{
  opp_ini_t* ini     = ini_of("record.nd-stats = false\nnet.record.topology-report = true\n**.record.ecn-* = 1\n");
  opp_ini_run_t* run = ini_run_of(ini, "General", 0);
  ini_equal(opp_ini_run_parameter(run, "record.nd-stats")->value, "false");
  ini_equal(opp_ini_run_parameter(run, "net.record.topology-report")->value, "true");
  ini_equal(opp_ini_run_parameter(run, "net.record.ecn-pfc-stats")->value, "1");
  opp_ini_run_free(run);
  opp_ini_free(ini);
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(ini_read("my_record.nd-stats = false\n", &error));
  CU_ASSERT_EQUAL(error.status, SGF_UNKNOWN);
}

SGF_TEST(faults_of_extends_are_refused_with_their_place)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    int line;
    const char* words;
  } cases[] = {
      {"[Config Incast]\n[Config B]\nextends = Incas\n", SGF_UNKNOWN, 3, "\"Incas\"; did you mean Incast?"},
      {"[Config A]\nextends = B,\n[Config B]\n", SGF_UNKNOWN, 2, "no configuration \"\""},
      {"[Config A]\nextends = A\n", SGF_RULE, 2, "A extends itself"},
      {"[Config A]\nextends = B\n[Config B]\nextends = C\n[Config C]\nextends = A\n", SGF_RULE, 6, "extends itself"},
      {"[Config B]\n[General]\nextends = B\n", SGF_RULE, 3, "General cannot"},
      {"[Config A]\nextends = B, B\n[Config B]\n", SGF_RULE, 2, "B twice"},
      {"[Config A]\nextends = General, B\n[Config B]\n", SGF_RULE, 2, "no order"},
      {"[Config A]\nextends = X, Y\n[Config X]\nextends = B, C\n[Config Y]\nextends = C, B\n[Config B]\n[Config C]\n",
       SGF_RULE, 2, "configuration A: no order"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_PTR_NULL(ini_read(cases[i].text, &error));
    ini_check_error(&error, cases[i].status, cases[i].line, cases[i].words);
  }
}

SGF_TEST(a_long_line_of_extensions_is_refused)
{
  enum { SECTIONS = 300, ROOM = 40 };
  static char text[SECTIONS * ROOM];
  size_t used = 0;
  for (int i = 0; i < SECTIONS; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "[C%d]\nextends = C%d\n", i, i + 1);
  snprintf(text + used, sizeof text - used, "[C%d]\n", SECTIONS);
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(ini_read(text, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "100 sections"));
}
