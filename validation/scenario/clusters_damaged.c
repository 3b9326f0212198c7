/* Damaged clusters: with every byte replaced. Whatever comes out, it is a scenario or an error with a place and a
 * reason, and never a crash. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

static const char platform[] = SCENARIO_HEAD
    "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Full\">\n<prop id=\"nic\" value=\"uet\"/>\n"
    "<cluster id=\"ft\" prefix=\"h\" suffix=\"x\" radical=\"0-3,7,8\" speed=\"1Tf\" bw=\"4Gbps\" lat=\"1us\" "
    "topology=\"FAT_TREE\" topo_parameters=\"2;3,2;1,2;1,3\" loopback_bw=\"1GBps\" loopback_lat=\"1us\" core=\"2\" "
    "sharing_policy=\"SPLITDUPLEX\"><prop id=\"fabric.host_link_latency\" value=\"1ns\"/></cluster>\n"
    "</zone></platform>";

SGF_TEST(a_cluster_with_any_byte_replaced_is_accepted_or_refused)
{
  static const char replacements[] = {'"', '0', '9', ';', ',', '-', ' '};
  const char* from                 = strstr(platform, "<cluster");
  const char* end                  = strstr(platform, "</cluster");
  size_t refused                   = 0;
  size_t accepted                  = 0;
  char text[sizeof platform];
  for (const char* at = from; at < end; at++)
    for (size_t i = 0; i < sizeof replacements; i++) {
      memcpy(text, platform, sizeof text);
      text[at - platform]      = replacements[i];
      sgf_error_t error        = {0};
      const char* file         = scenario_file(text, strlen(text));
      sgf_scenario_t* scenario = sgf_scenario_load(file, NULL, 0, 1, &error);
      bool is_complete =
          error.status != SGF_OK && error.text[0] != '\0' && strcmp(error.file, file) == 0 && error.line > 0;
      CU_ASSERT_NOT_EQUAL(scenario != NULL, is_complete);
      if (scenario == NULL && !is_complete)
        printf("\n  status %d, %s:%d: %s\n%s\n", (int)error.status, error.file, error.line, error.text, text);
      *(scenario != NULL ? &accepted : &refused) += 1;
      sgf_scenario_free(scenario);
    }
  CU_ASSERT_TRUE(refused > (size_t)(end - from)); /* most replacements break something */
  CU_ASSERT_TRUE(accepted > 0);
}
