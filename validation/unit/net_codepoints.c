/* Codepoints of packet roles: the attribute table and its look-ups (spec/switch.md O-21). */
#include "harness.h"

#include <string.h>

#include "net/codepoints.h"

static const sgf_attr_section_t sections[] = {{&net_codepoints_attributes, 0}};
static const sgf_attr_set_t set            = {"test", sections, 1, sizeof(net_codepoints_config_t)};

static net_codepoints_config_t defaults(void)
{
  net_codepoints_config_t config;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&set, &config, &error), SGF_OK);
  return config;
}

static sgf_status_t assign(net_codepoints_config_t* config, const char* suffix, const char* value)
{
  sgf_error_t error = {0};
  return sgf_attr_set_value(&set, config, suffix, value, &error);
}

SGF_TEST(by_default_roles_have_the_codepoints_that_the_functions_say)
{
  const net_codepoints_config_t config = defaults();
  net_codepoints_t codepoints;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(net_codepoints_init(&codepoints, &config, &error), SGF_OK);
  for (unsigned role = 0; role < NET_ROLES; role++)
    CU_ASSERT_EQUAL(codepoints.dscp_of_role[role], net_role_dscp((net_role_t)role));
  for (unsigned dscp = 0; dscp < NET_DSCP_VALUES; dscp++)
    CU_ASSERT_EQUAL(codepoints.role_of_dscp[dscp], net_role_of_dscp((uint8_t)dscp));
}

/* Values are looked up both ways, and only the six of them have a role. */
SGF_TEST(each_attribute_is_the_codepoint_of_its_role)
{
  static const struct {
    const char* name;
    const char* value;
    net_role_t role;
    uint8_t dscp;
  } cases[] = {
      {"NoTrim", "63", NET_ROLE_NO_TRIM, 63},
      {"Trimmable", "62", NET_ROLE_TRIMMABLE, 62},
      {"Codepoints.TrimmableRtx", "61", NET_ROLE_TRIMMABLE_RTX, 61},
      {"Trimmed", "0", NET_ROLE_TRIMMED, 0},
      {"TrimmedLastHop", "1", NET_ROLE_TRIMMED_LAST_HOP, 1},
      {"Control", "2", NET_ROLE_CONTROL, 2},
  };
  net_codepoints_config_t config = defaults();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(assign(&config, cases[i].name, cases[i].value), SGF_OK);
  net_codepoints_t codepoints;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(net_codepoints_init(&codepoints, &config, &error), SGF_OK);
  unsigned known = 0;
  for (unsigned dscp = 0; dscp < NET_DSCP_VALUES; dscp++)
    known += codepoints.role_of_dscp[dscp] != NET_ROLE_UNRECOGNIZED;
  CU_ASSERT_EQUAL(known, NET_ROLES);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CU_ASSERT_EQUAL(codepoints.role_of_dscp[cases[i].dscp], cases[i].role);
    CU_ASSERT_EQUAL(codepoints.dscp_of_role[cases[i].role], cases[i].dscp);
  }
}

SGF_TEST(a_codepoint_has_six_bits)
{
  net_codepoints_config_t config = defaults();
  CU_ASSERT_EQUAL(assign(&config, "NoTrim", "64"), SGF_RANGE);
  CU_ASSERT_EQUAL(assign(&config, "NoTrim", "-1"), SGF_RANGE);
  CU_ASSERT_EQUAL(config.dscp[NET_ROLE_NO_TRIM], 0);
}

SGF_TEST(two_roles_with_one_codepoint_are_refused_by_name)
{
  net_codepoints_config_t config = defaults();
  CU_ASSERT_EQUAL(assign(&config, "Control", "1"), SGF_OK);
  net_codepoints_t codepoints;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(net_codepoints_init(&codepoints, &config, &error), SGF_RULE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "Codepoints/Trimmable and Codepoints/Control are both 1"));
}

SGF_TEST(packets_of_two_roles_may_be_trimmed)
{
  for (net_role_t role = 0; role <= NET_ROLE_UNRECOGNIZED; role++)
    CU_ASSERT_EQUAL(net_role_is_trimmable(role), role == NET_ROLE_TRIMMABLE || role == NET_ROLE_TRIMMABLE_RTX);
}
