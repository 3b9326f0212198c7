/* Deployment files: what the reader hands on, and what it refuses. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

#define PLATFORM SGF_SOURCE_DIR "/platforms/rack9.xml"
#define BEGIN SCENARIO_HEAD "<platform version=\"4.1\">\n" /* what follows starts in line 4 */
#define END "</platform>\n"

/* What the reader called, as text. */
typedef struct journal {
  char text[1024];
  sgf_status_t answer;
} journal_t;

static sgf_status_t note(void* user, const char* host, int argc, const char* const* argv, double start_time_s, int line,
                         sgf_error_t* error)
{
  journal_t* journal = user;
  size_t used        = strlen(journal->text);
  used += (size_t)snprintf(journal->text + used, sizeof journal->text - used, "%d %s@%g", line, host, start_time_s);
  for (int i = 0; i < argc; i++)
    used += (size_t)snprintf(journal->text + used, sizeof journal->text - used, " %s", argv[i]);
  snprintf(journal->text + used, sizeof journal->text - used, ";");
  return journal->answer == SGF_OK ? SGF_OK : sgf_error_set(error, journal->answer, "%s is not welcome", host);
}

static sgf_status_t read_text(const char* text, journal_t* journal, sgf_error_t* error)
{
  sgf_scenario_t* scenario = sgf_scenario_load(PLATFORM, NULL, 0, 1, error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  sgf_status_t status = sgf_deployment_read(scenario, scenario_file(text, strlen(text)), note, journal, error);
  sgf_scenario_free(scenario);
  return status;
}

SGF_TEST(actors_are_handed_on_in_order)
{
  journal_t journal = {"", SGF_OK};
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(
      read_text(BEGIN "<actor host=\"gpu1\" function=\"rdma_write\" start_time=\"1e-6\" kill_time=\"2\">\n"
                      "<argument value=\"gpu8\"/><prop id=\"mine\" value=\"1\"/><argument value=\"2MB\"/></actor>\n"
                      "<process host=\"gpu8\" function=\"sink\" start_time=\"-1\" on_failure=\"RESTART\"/>\n" END,
                &journal, &error),
      SGF_OK);
  CU_ASSERT_STRING_EQUAL(journal.text, "4 gpu1@1e-06 rdma_write gpu8 2MB;6 gpu8@0 sink;");
}

SGF_TEST(the_reader_stops_at_the_first_refusal)
{
  journal_t journal = {"", SGF_NO_NIC};
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(read_text(BEGIN "<actor host=\"gpu1\" function=\"f\"/>\n<actor host=\"gpu2\" function=\"f\"/>\n" END,
                            &journal, &error),
                  SGF_NO_NIC);
  CU_ASSERT_STRING_EQUAL(journal.text, "4 gpu1@0 f;");
  CU_ASSERT_EQUAL(error.line, 4);
  CU_ASSERT_STRING_EQUAL(error.text, "gpu1 is not welcome");
  CU_ASSERT_NOT_EQUAL(error.file[0], '\0');
}

SGF_TEST(malformed_deployments_are_refused)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    int line;
    const char* says[2];
  } cases[] = {
      {"", SGF_SYNTAX, 1, {"empty", "XML"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\"/>\n", SGF_SYNTAX, 5, {"XML", "platform"}},
      {"<platform version=\"4.1\"/>", SGF_SYNTAX, 1, {"<!DOCTYPE", "SimGrid"}},
      {BEGIN "<actor host=\"gpu9\" function=\"f\"/>\n" END, SGF_UNKNOWN, 4, {"no host \"gpu9\"", "did you mean gpu"}},
      {BEGIN "<actor host=\"tor0\" function=\"f\"/>\n" END, SGF_UNKNOWN, 4, {"no host \"tor0\"", "platform"}},
      {BEGIN "<actor function=\"f\"/>\n" END, SGF_SYNTAX, 4, {"<actor>", "without host"}},
      {BEGIN "<actor host=\"gpu0\"/>\n" END, SGF_SYNTAX, 4, {"<actor>", "without function"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\" at=\"3\"/>\n" END, SGF_UNKNOWN, 4, {"<actor>", "\"at\""}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\" start_time=\"10ms\"/>\n" END, SGF_SYNTAX, 4, {"start_time", "10ms"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\" start_time=\"\"/>\n" END, SGF_SYNTAX, 4, {"start_time", "number"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\" kill_time=\"nan\"/>\n" END, SGF_SYNTAX, 4, {"kill_time", "nan"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\" on_failure=\"RESTRT\"/>\n" END,
       SGF_UNKNOWN,
       4,
       {"RESTRT", "did you mean RESTART?"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\">\n<prop id=\"nic.x\" value=\"1\"/></actor>\n" END,
       SGF_RULE,
       4,
       {"nic.x", "no effect"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\">\n<arg value=\"1\"/></actor>\n" END,
       SGF_UNKNOWN,
       5,
       {"<arg>", "no tag"}},
      {BEGIN "<actor host=\"gpu0\" function=\"f\">\n<argument/></actor>\n" END,
       SGF_SYNTAX,
       5,
       {"<argument>", "without value"}},
      {BEGIN "<zone id=\"z\" routing=\"None\"/>\n" END, SGF_SYNTAX, 4, {"<zone>", "deployment"}},
      {BEGIN "<cluster/>\n" END, SGF_SYNTAX, 4, {"<cluster>", "deployment"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    journal_t journal = {"", SGF_OK};
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(read_text(cases[i].text, &journal, &error), cases[i].status);
    CU_ASSERT_EQUAL(error.line, cases[i].line);
    bool says_both = strstr(error.text, cases[i].says[0]) != NULL && strstr(error.text, cases[i].says[1]) != NULL;
    CU_ASSERT_TRUE(says_both);
    if (!says_both)
      printf("\n  case %zu: %s:%d: %s\n", i, error.file, error.line, error.text);
  }
}

SGF_TEST(files_that_are_not_there_are_named)
{
  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(sgf_scenario_load("/there/is/no/platform.xml", NULL, 0, 1, &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_STRING_EQUAL(error.file, "/there/is/no/platform.xml");
  sgf_error_clear(&error);
  CU_ASSERT_PTR_NULL(sgf_scenario_load("/there/is/no/platform.xml", NULL, 0, 1, NULL)); /* nobody asks why */
  CU_ASSERT_PTR_NULL(sgf_scenario_load(SGF_SOURCE_DIR, NULL, 0, 1, &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  sgf_error_clear(&error);
  sgf_scenario_t* scenario = sgf_scenario_load(PLATFORM, NULL, 0, 1, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  CU_ASSERT_EQUAL(sgf_deployment_read(scenario, "/there/is/no/deployment.xml", note, NULL, &error), SGF_IO);
  CU_ASSERT_STRING_EQUAL(error.file, "/there/is/no/deployment.xml");
  sgf_scenario_free(scenario);
}

SGF_TEST(the_shipped_deployments_fit_their_platforms)
{
  static const struct {
    const char* platform;
    const char* deployment;
    const char* last;
  } shipped[] = {{PLATFORM, SGF_SOURCE_DIR "/deployments/incast8_d.xml", "13 gpu8@0 sink;"},
                 {SGF_SOURCE_DIR "/platforms/leaf_spine_32.xml",
                  SGF_SOURCE_DIR "/deployments/permutation_leaf_spine_d.xml", "5 gpu0@0 permutation 2MB 1;"}};
  for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
    journal_t journal        = {"", SGF_OK};
    sgf_error_t error        = {0};
    sgf_scenario_t* scenario = sgf_scenario_load(shipped[i].platform, NULL, 0, 1, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
    CU_ASSERT_EQUAL(sgf_deployment_read(scenario, shipped[i].deployment, note, &journal, &error), SGF_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(journal.text, shipped[i].last));
    sgf_scenario_free(scenario);
  }
}
