/* The entropy values of one group: see spraying_support.h. */
#include "spraying_support.h"

#include "opp/kernel.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

static const sgf_attr_section_t sections[] = {{&spray_attributes, 0}};

const sgf_attr_set_t spraying_set = {"nic", sections, 1, sizeof(spray_config_t)};

void spraying_configure(spray_config_t* config, const char* const* settings)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&spraying_set, config, &error), SGF_OK);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    sgf_attr_set_value(&spraying_set, config, settings[0], settings[1], &error);
  CU_ASSERT_STRING_EQUAL_FATAL(error.text, "");
}

spraying_t spraying_new(const char* const* settings)
{
  spraying_t spraying = {.rng = opp_rng_new(1, 0, 0)};
  spraying_configure(&spraying.config, settings);
  return spraying;
}

void spraying_begin(spraying_t* spraying)
{
  spray_begin(&spraying->spray, &spraying->config, SPRAYING_ONLY_PORT, SPRAYING_EXPLORATION);
}

void spraying_end(spraying_t* spraying)
{
  spray_free(&spraying->spray);
  free(spraying->rng);
}

uint16_t spraying_next(spraying_t* spraying)
{
  return spray_next(&spraying->spray, spraying->rng);
}
