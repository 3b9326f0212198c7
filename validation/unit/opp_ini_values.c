/* One run: predefined variables, replaced values, what was used. */
#include "opp_ini_support.h"

SGF_TEST(predefined_variables_have_the_values_of_the_run)
{
  opp_ini_t* ini     = ini_of("[Config Incast]\nrepeat = 2\n**.x = ${x = 1, 2}\n**.y = ${\"a/b_c d\", e}\n"
                                  "seed-set = ${repetition}+100\nresult-dir = \"out/${configname}/${x}\"\n"
                                  "measurement-label = \"x is ${x}\"\n");
  opp_ini_run_t* run = ini_run_of(ini, "Incast", 5);
  CU_ASSERT_STRING_EQUAL(opp_ini_run_config(run), "Incast");
  CU_ASSERT_EQUAL(opp_ini_run_number(run), 5);
  CU_ASSERT_EQUAL(opp_ini_run_repetition(run), 1);
  CU_ASSERT_EQUAL(opp_ini_run_seed_set(run), 101);
  CU_ASSERT_EQUAL(opp_ini_run_variable_count(run), 2);
  CU_ASSERT_STRING_EQUAL(opp_ini_run_variable_name(run, 0), "x");
  CU_ASSERT_STRING_EQUAL(opp_ini_run_variable_value(run, 0), "2");
  CU_ASSERT_STRING_EQUAL(opp_ini_run_variable_name(run, 1), "0");
  CU_ASSERT_STRING_EQUAL(opp_ini_run_variable_value(run, 1), "\"a/b_c d\"");
  static const struct {
    const char* name;
    const char* value;
  } cases[] = {
      {"configname", "Incast"},
      {"runnumber", "5"},
      {"repetition", "1"},
      {"seedset", "101"},
      {"x", "2"},
      {"0", "\"a/b_c d\""},
      {"resultdir", "out/Incast/2"},
      {"iterationvars", "$x=2, $0=\"a/b_c d\""},
      {"iterationvarsf", "x=2,a#2fb#_c_d-"},
      {"iterationvarsd", "x=2/a#2fb#_c_d"},
      {"experiment", "Incast"},
      {"measurement", "x is 2"},
      {"replication", "#1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char* value = opp_ini_run_value(run, cases[i].name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(value);
    ini_equal(value, cases[i].value);
  }
  ini_equal(opp_ini_run_variables_text(run), "x=2,a#2fb#_c_d-");
  CU_ASSERT_STRING_EQUAL(opp_ini_run_value(run, "inifile"), ini_files[0]);
  CU_ASSERT_PTR_NULL(opp_ini_run_value(run, "y"));
  CU_ASSERT_PTR_NULL(opp_ini_run_value(run, ""));
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

SGF_TEST(defaults_are_those_of_omnetpp)
{
  opp_ini_t* ini     = ini_of("[Config A]\nrepeat = 3\n");
  opp_ini_run_t* run = ini_run_of(ini, "A", 2);
  CU_ASSERT_EQUAL(opp_ini_run_seed_set(run), 2); /* seed-set = ${runnumber} */
  CU_ASSERT_EQUAL(opp_ini_run_variable_count(run), 0);
  ini_equal(opp_ini_run_value(run, "resultdir"), "results");
  ini_equal(opp_ini_run_value(run, "iterationvars"), "");
  ini_equal(opp_ini_run_value(run, "measurement"), "");
  ini_equal(opp_ini_run_variables_text(run), "");
  CU_ASSERT_PTR_NULL(opp_ini_run_option(run, "seed-set"));
  CU_ASSERT_PTR_NULL(opp_ini_run_option(run, "no-such-option"));
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

/* The name of a result file as spec/opp.md section 3 has it. */
SGF_TEST(names_of_files_are_put_together)
{
  static const struct {
    const char* more;
    const char* file;
  } cases[] = {{"**.a = 1\n", "results/Incast-#1.sca"},
               {"**.a = ${load = 0.5}\n**.b = ${n = 8}\n", "results/Incast-load=0.5,n=8-#1.sca"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "[Config Incast]\nrepeat = 2\n"
             "output-scalar-file = ${resultdir}/${configname}-${iterationvarsf}#${repetition}.sca\n%s",
             cases[i].more);
    opp_ini_t* ini     = ini_of(text);
    opp_ini_run_t* run = ini_run_of(ini, "Incast", 1);
    /* '#' begins a comment unless the name is quoted, as in OMNeT++ */
    ini_equal(opp_ini_run_option(run, "output-scalar-file")->value,
              i == 0 ? "results/Incast-" : "results/Incast-load=0.5,n=8-");
    opp_ini_run_free(run);
    opp_ini_free(ini);

    snprintf(text, sizeof text,
             "[Config Incast]\nrepeat = 2\n"
             "output-scalar-file = \"${resultdir}/${configname}-${iterationvarsf}#${repetition}.sca\"\n%s",
             cases[i].more);
    ini = ini_of(text);
    run = ini_run_of(ini, "Incast", 1);
    ini_equal(opp_ini_run_option(run, "output-scalar-file")->text, cases[i].file);
    opp_ini_run_free(run);
    opp_ini_free(ini);
  }
}

SGF_TEST(variables_are_replaced_in_values)
{
  opp_ini_t* ini = ini_of("*.hosts = ${N=1, 2}\n**.interval = exponential( ${mean=0.2, 0.4}s )\n"
                          "**.greeting = \"There are ${N} hosts, not $N\"\n**.twice = ${N}${ N }-${mean}\n"
                          "**.foo = ${i=1s+}001s\n**.plan = ${10, 20 ! N}\n**.seed = ${seedset}\n"
                          "platform = \"rack${N}.xml\"\n");
  static const struct {
    const char* path;
    const char* value;
  } cases[] = {
      {"net.hosts", "2"},
      {"net.h.interval", "exponential( 0.4s )"},
      {"net.greeting", "\"There are 2 hosts, not $N\""},
      {"net.twice", "22-0.4"},
      {"net.foo", "1s+001s"},
      {"net.plan", "20"},
      {"net.seed", "3"},
  };
  opp_ini_run_t* run = ini_run_of(ini, "General", 3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const opp_ini_entry_t* entry = opp_ini_run_parameter(run, cases[i].path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
    ini_equal(entry->value, cases[i].value);
  }
  ini_equal(opp_ini_run_option(run, "platform")->text, "rack2.xml");
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

SGF_TEST(strings_lose_their_quotes_in_text)
{
  static const struct {
    const char* value;
    const char* text;
  } cases[] = {
      {"\"a b\"", "a b"},           {"\"\"", ""},           {"\"a\\\"b\\\\\"", "a\"b\\"},
      {"\"a\\tb\\nc\"", "a\tb\nc"}, {"plain", "plain"},     {"\"a\" + \"b\"", "\"a\" + \"b\""},
      {"400Gbps", "400Gbps"},       {"default", "default"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[64];
    snprintf(text, sizeof text, "**.x = %s\n", cases[i].value);
    opp_ini_t* ini     = ini_of(text);
    opp_ini_run_t* run = ini_run_of(ini, "General", 0);
    ini_equal(opp_ini_run_entry(run, 0)->value, cases[i].value);
    ini_equal(opp_ini_run_entry(run, 0)->text, cases[i].text);
    opp_ini_run_free(run);
    opp_ini_free(ini);
  }
}

SGF_TEST(what_nobody_asked_for_stays_unused)
{
  opp_ini_t* ini     = ini_of("**.a = 1\n**.b = 2\n**.c = 3\n**.d = 4\n");
  opp_ini_run_t* run = ini_run_of(ini, "General", 0);
  CU_ASSERT_EQUAL_FATAL(opp_ini_run_entry_count(run), 4);
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT_FALSE(opp_ini_run_entry(run, i)->used);
  CU_ASSERT_PTR_EQUAL(opp_ini_run_parameter(run, "net.b"), opp_ini_run_entry(run, 1));
  CU_ASSERT_PTR_NULL(opp_ini_run_parameter(run, "net.e"));
  opp_ini_run_mark_used(run, 3);
  CU_ASSERT_FALSE(opp_ini_run_entry(run, 0)->used);
  CU_ASSERT_TRUE(opp_ini_run_entry(run, 1)->used);
  CU_ASSERT_FALSE(opp_ini_run_entry(run, 2)->used);
  CU_ASSERT_TRUE(opp_ini_run_entry(run, 3)->used);
  opp_ini_run_free(run);

  run = ini_run_of(ini, "General", 0); /* another run starts afresh */
  CU_ASSERT_FALSE(opp_ini_run_entry(run, 1)->used);
  opp_ini_run_free(run);
  opp_ini_free(ini);
}

SGF_TEST(values_that_cannot_be_replaced_are_refused)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    int line;
    const char* words;
  } cases[] = {
      {"\nseed-set = many\n", SGF_UNKNOWN, 2, "many"},
      {"seed-set = -1\n", SGF_RANGE, 1, "seed-set = -1"},
      {"seed-set = 1.5\n", SGF_RANGE, 1, "whole number"},
      {"seed-set = ${seedset}\n", SGF_RULE, 1, "${seedset} is not known yet"},
      {"result-dir = ${measurement}\n", SGF_RULE, 1, "${measurement} is not known yet"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    opp_ini_t* ini    = ini_of(cases[i].text);
    CU_ASSERT_PTR_NULL(opp_ini_run_new(ini, "General", 0, &error));
    ini_check_error(&error, cases[i].status, cases[i].line, cases[i].words);
    opp_ini_free(ini);
  }
}
