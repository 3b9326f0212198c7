/* Settings that are accepted against advice: the warning of each in `sgfabric check`, in `sgfabric explain` and in the
 * results of a run. spec/switch.md 4.2 (U-01 to U-08), 4.3, 10.6, O-02, O-05, O-32, O-38. What goes without a warning:
 * simulated_sets, U-08. */
#include "harness.h"
#include "simulation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/command_support.h"

enum { PORTS = 3, TEXT = 512 };
#define SPINES_PLATFORM SGF_SOURCE_DIR "/validation/switch/four_spines.xml"
#define ONE_WRITE                                                                                                      \
  "<actor host=\"h0\" function=\"rdma_write\"><argument value=\"h1\"/><argument value=\"1KB\"/></actor>\n"

/* Three hosts around a switch, with the properties; a file of the test's own. */
static char* star_file(const char* name, const char* const* properties)
{
  char file[64];
  snprintf(file, sizeof file, "accepted_%s.xml", name);
  char* text = sim_star_text(&(star_t){.hosts = PORTS, .properties = properties});
  char* path = text_write(text, file);
  free(text);
  return path;
}

/* The command prints `line` as a line of its own; blanks may stand before it. */
static bool prints_line(const char* const* args, const char* line)
{
  char* out;
  bool found = command_run(args, &out) == 0;
  if (found) {
    const char* at = strstr(out, line);
    found          = at != NULL && at[strlen(line)] == '\n';
  }
  if (!found)
    printf("\n  no line \"%s\" of %s:\n%.3000s\n", line, args[0], out);
  free(out);
  return found;
}

static bool has_warning(const json_t* root, const char* warning)
{
  size_t i;
  json_t* value;
  json_array_foreach(json_object_get(root, "warnings"), i, value)
  {
    if (strcmp(json_string_value(value), warning) == 0)
      return true;
  }
  return false;
}

/* check, explain and run say it, as text and as JSON; the run is complete all the same. */
static void check_platform(const char* platform, const char* set, const char* name, const char* warning)
{
  char line[TEXT];
  char file[64];
  snprintf(line, sizeof line, "warning: %s", warning);
  snprintf(file, sizeof file, "accepted_%s_d.xml", name);
  char* deployment       = deployment_write(ONE_WRITE, file);
  const char* set_option = set != NULL ? "--set" : NULL;
  CU_ASSERT(prints_line(ARGS("check", platform, set_option, set), line));
  CU_ASSERT(prints_line(ARGS("explain", platform, set_option, set), line));
  CU_ASSERT(prints_line(ARGS("run", platform, deployment, set_option, set), line));
  int status;
  json_t* root = command_json(ARGS("explain", platform, set_option, set), &status);
  CU_ASSERT(has_warning(root, warning));
  json_decref(root);
  root = command_json(ARGS("run", platform, deployment, set_option, set), &status);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT(json_is_true(json_object_get(root, "complete")));
  CU_ASSERT(has_warning(root, warning));
  json_decref(root);
  free(deployment);
}

static void check_star(const char* name, const char* const* properties, const char* warning)
{
  char* platform = star_file(name, properties);
  check_platform(platform, NULL, name, warning);
  free(platform);
}

SGF_SCENARIO(the_defaults_draw_no_warning)
{
  char* platform = star_file("defaults", SIM_PROPERTIES("switch.EnableEcn", "true"));
  CU_ASSERT(prints_line(ARGS("explain", platform), "0 warnings"));
  free(platform);
}

SGF_SCENARIO(U_01_shares_that_do_not_sum_to_1)
{
  check_star("u01", SIM_PROPERTIES("switch.PoolAllocationMap", "[0.8, 0.1, 0, 0, 0, 0, 0, 0]"),
             "s0: SharedBufferManager.PoolAllocationMap sums to 0.9, not to 1: the last pool takes the difference, its "
             "ECN band does not");
}

SGF_SCENARIO(U_02_no_band_between_Xoff_and_Xon)
{
  check_star("u02", SIM_PROPERTIES("switch.StaticPoolXonThreshold", "700KB"),
             "s0: SharedBufferManager.StaticPoolXonThreshold is not below StaticPoolXoffThreshold: pauses and resumes "
             "may alternate");
}

/* Three ports leave 255,232,000 B; each may hold 700,000 B and a packet of 4,184 B. */
SGF_SCENARIO(U_03_a_lossless_pool_too_small_for_all_pause_points)
{
  check_star("u03", SIM_PROPERTIES("switch.PoolAllocationMap", "[0.995, 0.005, 0, 0, 0, 0, 0, 0]"),
             "s0: the pool of class 1 holds 1276160 B; all 3 ports at their pause point need 2112552 B: it can drop "
             "before all have paused");
}

SGF_SCENARIO(U_04_fixed_limits_of_all_ports_above_the_pool)
{
  check_star(
      "u04",
      SIM_PROPERTIES("switch.LossyAlpha", "0", "switch.QueueDropThresholdEnable", "true", "switch.PlaneBDP", "10MB"),
      "s0: QueueDropThreshold x PlaneBDP is 50000000 B, for 3 ports more than pool 1, 25523200 B: with many busy "
      "ports the pool binds first");
}

SGF_SCENARIO(U_05_more_ports_than_NumDownLinks)
{
  check_star("u05", SIM_PROPERTIES("switch.NumDownLinks", "2"), "s0: 3 downlinks are more than NumDownLinks, 2");
}

SGF_SCENARIO(U_05_more_ports_than_NumUpLinks)
{
  check_platform(SPINES_PLATFORM, "**.ft.l1.0.switch.NumUpLinks=3", "u05_up",
                 "ft.l1.0: 4 uplinks are more than NumUpLinks, 3");
}

SGF_SCENARIO(U_06_port_speeds_above_SwitchingCapacity)
{
  check_star("u06", SIM_PROPERTIES("switch.SwitchingCapacity", "1199Gbps"),
             "s0: oversubscribed: its ports have 1200 Gbps together, SwitchingCapacity is 1199 Gbps");
}

/* What `explain` says of a class and the condition that no other class is in its pool. */
static const json_t* condition_of(const json_t* root, json_int_t class)
{
  const json_t* conditions = json_object_get(json_array_get(json_object_get(root, "switches"), 0), "conditions");
  size_t i;
  const json_t* value;
  json_array_foreach(conditions, i, value)
  {
    if (json_integer_value(json_object_get(value, "class")) == class &&
        strcmp(json_string_value(json_object_get(value, "name")), "alone") == 0)
      return value;
  }
  return NULL;
}

/* How the defaults are: no warning, but `explain` shows the condition that does not hold. */
SGF_SCENARIO(U_07_lossy_classes_beside_a_lossless_one)
{
  char* platform = star_file("u07", SIM_PROPERTIES("switch.EnableEcn", "true"));
  int status;
  json_t* root = command_json(ARGS("explain", platform), &status);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "warnings")), 0);
  CU_ASSERT(json_is_false(json_object_get(condition_of(root, 0), "holds")));
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(condition_of(root, 0), "given")), 6);
  CU_ASSERT(json_is_true(json_object_get(condition_of(root, 1), "holds")));
  json_decref(root);
  free(platform);
}

SGF_SCENARIO(O_38_parallel_uplinks_other_than_NumUpLinksPerSwitch)
{
  check_platform(SPINES_PLATFORM, "**.ft.l1.*.switch.NumUpLinksPerSwitch=2", "o38",
                 "ft.l1.0 and 1 more: NumUpLinksPerSwitch is 2; the platform has 1, and that is what counts");
}

SGF_SCENARIO(O_32_trimming_statistics_without_trimming)
{
  check_star("o32", SIM_PROPERTIES("switch.PacketTrimmer.TrimmingStatsEnabled", "true"),
             "s0: PacketTrimmer.TrimmingStatsEnabled has no effect: TrimmingEnabled is false");
}

SGF_SCENARIO(O_05_a_class_with_PFC_in_another_pool)
{
  check_star("o05", SIM_PROPERTIES("switch.TrafficClassPoolMapping", "[0, 0, 0, 0, 0, 0, 0, 0]"),
             "s0: SharedBufferManager.TrafficClassPoolMapping puts class 1, which has PFC, in pool 0; PFC presupposes "
             "class n in pool n");
}

SGF_SCENARIO(O_05_another_value_than_0_and_1_in_EnablePFC)
{
  check_star("o05_pfc", SIM_PROPERTIES("switch.EnablePFC", "[1, 1, 2, 0, 0, 0, 0, 0]"),
             "s0: SharedBufferManager.EnablePFC of class 2 is 2, which counts as 0");
}

/* 2 x 400 Gbps x 500 ns / 8 + 2 x 4,202 B. */
SGF_SCENARIO(SW_40_headroom_below_what_a_pause_lets_in)
{
  check_star(
      "headroom", SIM_PROPERTIES("switch.HeadRoomPerPortLimit", "32KB"),
      "s0: SharedBufferManager.HeadRoomPerPortLimit is 32000 B; a pause on the longest cable lets in up to 58404 "
      "B");
}

SGF_SCENARIO(O_21_codepoints_other_than_the_NICs)
{
  check_star("o21", SIM_PROPERTIES("switch.UETPolicyEnabled", "true", "switch.Codepoints.Control", "48"),
             "s0: its Codepoints are not those of host 'h0': what one of them writes the other takes for something "
             "else");
}

SGF_SCENARIO(O_21_codepoints_do_not_matter_without_the_policy)
{
  char* platform = star_file("o21_off", SIM_PROPERTIES("switch.Codepoints.Control", "48"));
  CU_ASSERT(prints_line(ARGS("explain", platform), "0 warnings"));
  free(platform);
}
