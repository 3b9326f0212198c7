/* Properties and assignments under `record`: those of the outermost zone are about the CSV records of the run. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>\n"

/* A rack in a zone of its own; properties of the outermost zone begin in line 5, those of the inner one in line 7, of
 * the host in line 9 if each has one. */
static char* platform_text(const char* outer, const char* inner, const char* host)
{
  char* text = calloc(4096, 1);
  snprintf(
      text, 4096,
      SCENARIO_HEAD
      "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Dijkstra\">\n%s"
      "<zone id=\"rack0\" routing=\"Dijkstra\">\n%s" PROP(
          "nic", "uet") "<host id=\"h0\" speed=\"1Gf\">%s"
                        "</host>\n<host id=\"h1\" speed=\"1Gf\"/>\n<router id=\"tor0\"/>\n"
                        "<link id=\"c0\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                        "<link id=\"c1\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                        "<route src=\"h0\" dst=\"tor0\"><link_ctn id=\"c0\" direction=\"UP\"/></route>\n"
                        "<route src=\"h1\" dst=\"tor0\"><link_ctn id=\"c1\" direction=\"UP\"/></route>\n"
                        "</zone>\n</zone>\n</platform>\n",
      outer, inner, host);
  return text;
}

static sgf_results_config_t config_of(const char* outer, const char* const* set)
{
  sgf_error_t error           = {0};
  char* text                  = platform_text(outer, "", "");
  sgf_scenario_t* scenario    = scenario_load(text, set, &error);
  sgf_results_config_t config = {0};
  if (scenario == NULL)
    printf("\n  %s", error.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(scenario);
  config = *sgf_scenario_record_config(scenario);
  sgf_scenario_free(scenario);
  free(text);
  return config;
}

SGF_TEST(without_properties_records_have_the_documented_defaults)
{
  const sgf_results_config_t config = config_of("", NULL);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.start_time, (sgf_decimal_t){1, 1000}), 0);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.client_start_offset, (sgf_decimal_t){1, 1000}), 0);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.nd_stats_interval, (sgf_decimal_t){1, 1000}), 0);
  CU_ASSERT(config.net_device_stats && config.pfc_ecn_stats && config.nd_stats && config.ecn_pfc_stats);
  CU_ASSERT(config.switch_agg_buffer_stats && config.switch_buffer_stats && config.load_balancing_stats);
  CU_ASSERT(config.topology_report && !config.zero_rows);
  CU_ASSERT_STRING_EQUAL(config.time_utc, "");
  CU_ASSERT_STRING_EQUAL(config.job_id, "");
}

SGF_TEST(assignments_come_over_properties_and_the_last_wins)
{
  static const char outer[] =
      PROP("record.NDStatsReportInterval", "0.002") PROP("record.nd-stats", "false") PROP("record.job_id", "night");
  static const char* const set[] = {
      "record.NDStatsReportInterval=0.003",          "net.record.NDStatsReportInterval=0.004",
      "**.record.time_utc=\"2026-01-13T19:11:38Z\"", "record.scala-*=false",
      "record.scala-switch-buff-stats=default",      NULL};
  sgf_results_config_t config = config_of(outer, NULL);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.nd_stats_interval, (sgf_decimal_t){2, 1000}), 0);
  CU_ASSERT(!config.nd_stats && config.net_device_stats);
  CU_ASSERT_STRING_EQUAL(config.job_id, "night");
  config = config_of(outer, set);
  CU_ASSERT_EQUAL(sgf_decimal_compare(config.nd_stats_interval, (sgf_decimal_t){4, 1000}), 0);
  CU_ASSERT_STRING_EQUAL(config.time_utc, "2026-01-13T19:11:38Z");
  CU_ASSERT(!config.nd_stats && !config.switch_agg_buffer_stats && !config.load_balancing_stats);
  CU_ASSERT(config.switch_buffer_stats && config.topology_report);
}

static void check_refused(const char* outer, const char* inner, const char* host, const char* set, int line,
                          const char* words)
{
  const char* const sets[] = {set, NULL};
  sgf_error_t error        = {0};
  char* text               = platform_text(outer, inner, host);
  CU_ASSERT_PTR_NULL(scenario_load(text, sets, &error));
  if (error.line != line || strstr(error.text, words) == NULL)
    printf("\n  line %d: %s", error.line, error.text);
  CU_ASSERT_EQUAL(error.line, line);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
  free(text);
}

SGF_TEST(what_is_no_record_is_refused_with_its_place_and_the_nearest_name)
{
  check_refused(PROP("record.nd-stat", "true"), "", "", NULL, 5, "did you mean nd-stats?");
  check_refused(PROP("recrd.nd-stats", "true"), "", "", NULL, 5, "did you mean record.nd-stats?");
  check_refused(PROP("record", "true"), "", "", NULL, 5, "names no attribute; write record.<attribute>");
  check_refused(PROP("record.nd-stats", "maybe"), "", "", NULL, 5, "must be true or false");
  check_refused(PROP("record.nd-stats", "true") PROP("record.nd-stats", "true"), "", "", NULL, 6, "in line 5 already");
  check_refused(PROP("record[tor0].nd-stats", "true"), "", "", NULL, 5, "only switches are chosen in brackets");
  check_refused("", PROP("record.nd-stats", "true"), "", NULL, 6, "it belongs into the outermost zone");
  check_refused("", "", PROP("record.nd-stats", "true"), NULL, 7, "no effect in a host");
  check_refused("", "", "", "record.nd-stat=true", 0, "did you mean nd-stats?");
  check_refused("", "", "", "net.dc.record.nd-stats=true", 0, "write record.nd-stats");
}
