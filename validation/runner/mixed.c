/* NICs of several kinds in one fabric: they share switches, and do not talk to each other. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "runner/command_support.h"

#define WRITE(from, to)                                                                                                \
  "<actor host=\"" from "\" function=\"rdma_write\"><argument value=\"" to "\"/><argument value=\"1MB\"/></actor>\n"

/* gpu0 and gpu1 have UET NICs, gpu2 and gpu3 RoCE, gpu4 and gpu5 MRC. */
#define SET_KINDS "--set", "**.gpu{2..3}.nic=roce", "--set", "**.gpu{4..5}.nic=mrc"

SGF_SCENARIO(NICs_of_each_kind_share_a_switch)
{
  char* deployment = deployment_write(
      WRITE("gpu0", "gpu1") WRITE("gpu2", "gpu3") WRITE("gpu5", "gpu4") WRITE("gpu3", "gpu2"), "mixed_d.xml");
  command_expect(ARGS("run", MAIN_PLATFORM, deployment, SET_KINDS), 0, "\ncomplete: 4 flows, lossless\n");
  free(deployment);
}

SGF_SCENARIO(a_write_between_two_kinds_is_refused_at_its_line_before_any_traffic)
{
  char* deployment = deployment_write(WRITE("gpu0", "gpu1") "\n" WRITE("gpu1", "gpu2"), "mixed_pair_d.xml");
  command_expect(ARGS("run", MAIN_PLATFORM, deployment, SET_KINDS), 1,
                 "mixed_pair_d.xml:6: 'gpu1' has a uet NIC and 'gpu2' a roce NIC: they do not understand each other\n");
  free(deployment);
}

SGF_SCENARIO(a_pattern_among_all_hosts_needs_one_kind)
{
  char* deployment = deployment_write("<actor host=\"gpu0\" function=\"permutation\"><argument value=\"1MB\"/></actor>",
                                      "mixed_pattern_d.xml");
  command_expect(ARGS("run", MAIN_PLATFORM, deployment, "--set", "**.gpu3.nic=mrc"), 1,
                 "'gpu3' has a mrc NIC and 'gpu0' a uet NIC: they do not understand each other\n");
  free(deployment);
}

SGF_SCENARIO(a_connection_between_two_kinds_is_refused_at_its_line)
{
  char* matrix = text_write("Nodes 9\nConnections 2\n0->1 start 0 size 1000\n0->2 start 0 size 1000\n", "mixed.cm");
  command_expect(ARGS("cm", matrix, MAIN_PLATFORM, SET_KINDS), 1,
                 "mixed.cm:4: 'gpu0' has a uet NIC and 'gpu2' a roce NIC: they do not understand each other\n");
  free(matrix);
}

/* S-10: codepoints are what the UET policy goes by. */
SGF_SCENARIO(RO_73_MR_68_the_UET_policy_takes_NICs_that_send_codepoints)
{
  char* deployment = deployment_write(WRITE("gpu0", "gpu1"), "mixed_policy_d.xml");
  command_expect(
      ARGS("run", MAIN_PLATFORM, deployment, "--set", "**.gpu4.nic=mrc", "--set", "**.switch.UETPolicyEnabled=true"), 0,
      "complete: 1 flow");
  command_expect(
      ARGS("run", MAIN_PLATFORM, deployment, "--set", "**.gpu4.nic=roce", "--set", "**.switch.UETPolicyEnabled=true"),
      1, "the NIC 'roce' of host 'gpu4' does not send the DSCP codepoints that it goes by");
  command_expect(
      ARGS("run", MAIN_PLATFORM, deployment, "--set", "**.gpu4.nic=udp", "--set", "**.switch.UETPolicyEnabled=true"), 1,
      "the NIC 'udp' of host 'gpu4' does not send the DSCP codepoints that it goes by");
  free(deployment);
}

/* ---- Attributes of some kinds ------------------------------------------------------------------------------------ */

#define RTT "**.nic.InitialBaseRTT=9us"

SGF_SCENARIO(an_attribute_of_some_kinds_holds_for_those_and_is_a_warning_for_the_others)
{
  command_expect(
      ARGS("check", MAIN_PLATFORM, SET_KINDS, "--set", RTT), 0,
      "warning: gpu2 and 1 more: **.nic.InitialBaseRTT has no effect: NICs of the kind roce have no attribute "
      "\"InitialBaseRTT\"; those of uet and mrc have\n");
}

SGF_SCENARIO(an_attribute_of_another_kind_alone_is_refused)
{
  command_expect(ARGS("check", MAIN_PLATFORM, "--set", "**.nic=roce", "--set", RTT), 1,
                 "sgfabric: --set: **.nic.InitialBaseRTT: NICs of the kind roce have no attribute \"InitialBaseRTT\"; "
                 "those of uet and mrc have\n");
  command_expect(ARGS("check", MAIN_PLATFORM, "--set", "**.nic=roce", "--set", "**.nic.InitialBaseRTTs=9us"), 1,
                 "nic has no attribute \"InitialBaseRTTs\"");
}

/* As in a study of kinds: each run takes what its kind has. */
SGF_SCENARIO(lines_of_an_ini_file_may_be_about_one_kind_of_a_study)
{
  char text[512];
  snprintf(text, sizeof text,
           "[General]\nplatform = \"%s\"\ndeployment = \"%s\"\n**.nic = \"${nic = uet, roce}\"\n%s\n", MAIN_PLATFORM,
           MAIN_DEPLOYMENT, "**.nic.InitialBaseRTT = 9us");
  char* ini = text_write(text, "mixed_study.ini");
  command_expect(ARGS("run", "-f", ini), 0, "\n2 runs: 2 complete, 0 failed\n");
  command_expect(ARGS("run", "-f", ini, "-r", "1"), 0, "warning: gpu0 and 8 more: **.nic.InitialBaseRTT has no effect");
  free(ini);
}

/* ---- Datagrams --------------------------------------------------------------------------------------------------- */

#define UDP "--set", "**.nic=udp"
#define NO_PFC                                                                                                         \
  "--set", "**.switch.EnablePFC=\"[0, 0, 0, 0, 0, 0, 0, 0]\"", "--set", "**.switch.TotalSharedBufferSize=4MB"

SGF_SCENARIO(what_nobody_sends_again_is_not_called_recovered)
{
  command_expect(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, UDP), 0, "\ncomplete: 8 flows, lossless\n");
  command_expect(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, UDP, NO_PFC), 0,
                 "\ncomplete: 8 flows, of which 8 did not arrive, ");
  command_expect(ARGS("run", MAIN_PLATFORM, MAIN_DEPLOYMENT, UDP, NO_PFC, "--json"), 0, "\"lost\": 8,");
}
