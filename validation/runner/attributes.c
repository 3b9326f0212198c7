/* `sgfabric attributes`: every row of the tables, and the page of the documentation. */
#include "harness.h"

#include <sgfabric/scenario.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

#define PAGE SGF_SOURCE_DIR "/plugins/ATTRIBUTES.md"

static char* print(const char* const* args)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(args, &out), 0);
  return out;
}

SGF_TEST(the_page_of_the_documentation_is_what_the_command_prints)
{
  char* page = text_read(PAGE);
  char* out  = print(ARGS("attributes", "--markdown"));
  CU_ASSERT_STRING_EQUAL(page, out); /* if not: sgfabric attributes --markdown > plugins/ATTRIBUTES.md */
  free(out);
  free(page);
}

/* Three lines: its path; its type, default and range; its help. */
static void check_row(const char* out, const sgf_attr_t* attr)
{
  char text[512];
  snprintf(text, sizeof text, "\n  %s\n", attr->path);
  const char* line = strstr(out, text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(line);
  line += strlen(text);
  size_t length = strcspn(line, "\n");
  snprintf(text, sizeof text, ", default %s", attr->initial);
  const char* initial = strstr(line, text);
  CU_ASSERT(*attr->initial == '\0' || (initial != NULL && initial < line + length));
  snprintf(text, sizeof text, "\n      %s\n", attr->help);
  CU_ASSERT_EQUAL(strncmp(line + length, text, strlen(text)), 0);
}

static void check_set(const char* prefix, const sgf_attr_set_t* set)
{
  char* out = print(ARGS("attributes", prefix));
  CU_ASSERT_EQUAL(strncmp(out, prefix, strlen(prefix)), 0);
  for (size_t i = 0; i < set->count; i++)
    for (size_t j = 0; j < set->sections[i].table->count; j++)
      check_row(out, &set->sections[i].table->attrs[j]);
  free(out);
}

SGF_TEST(every_attribute_is_printed_with_its_default_and_help)
{
  check_set("nic", sgf_attributes_of("nic", "uet"));
  check_set("pcie", sgf_attributes_of("pcie", "uet"));
  check_set("switch", sgf_attributes_of("switch", NULL));
  check_set("fabric", &sgf_scenario_attributes);
}

SGF_TEST(types_and_ranges_are_printed)
{
  char* out = print(ARGS("attributes", "pcie"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "PhysicalLayer/LaneCount\n      whole number, default 16, 1..16\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "PhysicalLayer/LaneBps\n      data rate, default 31.52Gbps, 1Mbps..\n"));
  CU_ASSERT_PTR_NULL(strstr(out, "SharedBufferManager"));
  free(out);
  out = print(ARGS("attributes"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "one of StrictPriority, RoundRobin, WeightedRoundRobin, "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "SharedBufferManager"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "LaneCount"));
  free(out);
}

SGF_TEST(an_unknown_prefix_is_refused_with_the_nearest)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(ARGS("attributes", "swich"), &out), 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "did you mean switch?"));
  free(out);
}
