/* Assignments that come from a file, and those that ask for the default. */
#include "harness.h"

#include <sgfabric/scenario.h>
#include <string.h>

#include "scenario/scenario_support.h"

#define RACK SGF_SOURCE_DIR "/platforms/rack9.xml"
#define BUFFER "IngressBufferManager.TotalBufferSize"

static sgf_scenario_t* load(sgf_assignment_t assignment, sgf_error_t* error)
{
  return sgf_scenario_load(RACK, &assignment, 1, 1, error);
}

SGF_TEST(an_error_has_the_place_of_its_assignment)
{
  static const char* const bad[] = {"**.nic.TotalBuferSize = 4MB", "**.nic." BUFFER " = 4Gbps", "**.Foo = 1"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_PTR_NULL(load((sgf_assignment_t){bad[i], "study.ini", 7}, &error));
    CU_ASSERT_STRING_EQUAL(error.file, "study.ini");
    CU_ASSERT_EQUAL(error.line, 7);
    sgf_error_clear(&error);
    CU_ASSERT_PTR_NULL(load((sgf_assignment_t){bad[i], NULL, 0}, &error));
    CU_ASSERT_STRING_EQUAL(error.file, "--set");
    CU_ASSERT_EQUAL(error.line, 0);
  }
}

SGF_TEST(what_no_device_takes_is_a_warning_if_it_is_from_a_file)
{
  static const char untaken[] = "**.gpu9.nic." BUFFER " = 1MB";
  sgf_error_t error           = {0};
  sgf_scenario_t* scenario    = load((sgf_assignment_t){untaken, "study.ini", 7}, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_warning_count(fabric), 1);
  CU_ASSERT_STRING_EQUAL(sgf_fabric_warning(fabric, 0),
                         "study.ini:7: no device took **.gpu9.nic." BUFFER ": matches no host; did you mean gpu0?");
  sgf_scenario_free(scenario);

  CU_ASSERT_PTR_NULL(load((sgf_assignment_t){untaken, NULL, 0}, &error));
  CU_ASSERT_EQUAL(error.status, SGF_UNKNOWN);
}

SGF_TEST(the_word_default_is_what_the_attribute_declares)
{
  /* rack9.xml sets Xoff to 200 KB; 700 KB is declared. */
  sgf_scenario_t* scenario = load((sgf_assignment_t){"**.switch.StaticPoolXoffThreshold = default", NULL, 0}, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "tor0", "StaticPoolXoffThreshold"), "700KB");
  sgf_scenario_free(scenario);

  /* With a pattern of attributes each takes its own. */
  scenario = load((sgf_assignment_t){"**.switch.**.StaticPoolXo*Threshold = default", NULL, 0}, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "tor0", "StaticPoolXoffThreshold"), "700KB");
  CU_ASSERT_STRING_EQUAL(scenario_value(scenario, "tor0", "StaticPoolXonThreshold"), "300KB");
  sgf_scenario_free(scenario);

  sgf_error_t error = {0};
  CU_ASSERT_PTR_NULL(load((sgf_assignment_t){"**.switch.StaticPoolXoffThreshold = \"default\"", NULL, 0}, &error));
  CU_ASSERT_EQUAL(error.status, SGF_SYNTAX);
}
