/* One NSCC window: see congestion_support.h. */
#include "congestion_support.h"

#include <CUnit/CUnit.h>
#include <math.h>

static const sgf_attr_section_t sections[] = {{&nscc_attributes, 0}};

const sgf_attr_set_t cc_set = {"nic", sections, 1, sizeof(nscc_config_t)};

void cc_configure(nscc_config_t* config, const char* const* settings)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&cc_set, config, &error), SGF_OK);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    sgf_attr_set_value(&cc_set, config, settings[0], settings[1], &error);
  CU_ASSERT_STRING_EQUAL_FATAL(error.text, "");
}

void cc_begin(cc_t* cc, bool trimming, const char* const* settings)
{
  sgf_error_t error = {0};
  cc_configure(&cc->config, settings);
  CU_ASSERT_EQUAL_FATAL(nscc_prepare(&cc->params, &cc->config, CC_BPS, CC_M, trimming, &error), SGF_OK);
  nscc_init(&cc->window, &cc->params, 0);
}

void cc_acknowledge(nscc_t* window, int64_t bytes, opp_simtime_t delay, bool marked, opp_simtime_t now)
{
  const nscc_ack_t ack = {
      .acknowledged = bytes, .in_flight = CC_IN_FLIGHT, .rtt = window->reference + delay, .ecn_echo = marked};
  nscc_acknowledged(window, &ack, now);
}

void cc_acknowledge_without_sample(nscc_t* window, int64_t bytes, opp_simtime_t now)
{
  nscc_acknowledged(window, &(nscc_ack_t){.acknowledged = bytes, .in_flight = CC_IN_FLIGHT, .rtt = -1}, now);
}

void cc_trim(nscc_t* window, opp_simtime_t now)
{
  nscc_trimmed(window, CC_M, CC_IN_FLIGHT, -1, now);
}

bool cc_is_close(double value, double expected)
{
  return fabs(value - expected) <= 1e-9 * fabs(expected);
}
