#include "scenario_support.h"

#include "fabric/fabric_internal.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[512];

static void remove_file(void)
{
  unlink(file);
}

const char* scenario_file(const char* text, size_t size)
{
  if (file[0] == '\0') {
    snprintf(file, sizeof file, "%s/scenario_XXXXXX", SGF_BINARY_DIR);
    int descriptor = mkstemp(file);
    CU_ASSERT_TRUE_FATAL(descriptor >= 0);
    close(descriptor);
    atexit(remove_file);
  }
  FILE* stream = fopen(file, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
  CU_ASSERT_EQUAL(fwrite(text, 1, size, stream), size);
  CU_ASSERT_EQUAL(fclose(stream), 0);
  return file;
}

sgf_scenario_t* scenario_load(const char* text, const char* const* set, sgf_error_t* error)
{
  sgf_assignment_t assignments[16] = {{0}};
  size_t count                     = 0;
  for (; set != NULL && set[count] != NULL; count++)
    assignments[count].text = set[count];
  return sgf_scenario_load(scenario_file(text, strlen(text)), assignments, count, 1, error);
}

const char* scenario_value(const sgf_scenario_t* scenario, const char* device, const char* suffix)
{
  static char value[128];
  const sgf_device_t* found = sgf_fabric_find(sgf_scenario_fabric(scenario), device);
  sgf_attr_ref_t ref        = {0};
  sgf_error_t error         = {0};
  if (found == NULL)
    return "no such device";
  if (sgf_attr_find(found->attributes, suffix, &ref, &error) != SGF_OK)
    return "no such attribute";
  return sgf_attr_format(ref, found->block, value, sizeof value);
}
