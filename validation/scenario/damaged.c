/* Damaged files: cut at every byte, and with every byte replaced. Whatever comes out, it is a scenario or an error with
 * a place and a reason, and never a crash. */
#include "harness.h"
#include "scenario_support.h"

#include <stdio.h>
#include <string.h>

/* A platform with something of everything. */
static const char platform[] = SCENARIO_HEAD
    "<platform version=\"4.1\">\n"
    "<config><prop id=\"network/model\" value=\"CM02\"/></config>\n"
    "<zone id=\"dc\" routing=\"Dijkstra\">\n"
    "<prop id=\"nic\" value=\"uet\"/><prop id=\"nic.IngressBufferManager.TotalBufferSize\" value=\"4MB\"/>\n"
    "<prop id=\"switch[t{0..1}].StaticPoolXoffThreshold\" value=\"200KB\"/>\n"
    "<zone id=\"ra\" routing=\"Floyd\">\n"
    "<host id=\"a\" speed=\"1Tf\"><prop id=\"pcie\" value=\"gen5 x13\"/></host><router id=\"t0\"/>\n"
    "<link id=\"c\" bandwidth=\"4e2Gbps\" latency=\"0.1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<route src=\"a\" dst=\"t0\"><link_ctn id=\"c\" direction=\"UP\"/></route>\n"
    "</zone>\n"
    "<zone id=\"rb\" routing=\"None\"><host id=\"b\" speed=\"1Tf\"/></zone>\n"
    "<link id=\"k\" bandwidth=\"400Gbps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<zoneRoute src=\"ra\" dst=\"rb\" gw_src=\"t0\" gw_dst=\"b\"><link_ctn id=\"k\" direction=\"UP\"/></zoneRoute>\n"
    "</zone>\n"
    "</platform>";

/* Whether the file makes a scenario; if not, that the error is complete. */
static bool is_accepted(const char* text, size_t size)
{
  sgf_error_t error        = {0};
  const char* file         = scenario_file(text, size);
  sgf_scenario_t* scenario = sgf_scenario_load(file, NULL, 0, 1, &error);
  bool accepted            = scenario != NULL;
  bool is_complete = error.status != SGF_OK && error.text[0] != '\0' && strcmp(error.file, file) == 0 && error.line > 0;
  if (accepted == is_complete) {
    CU_FAIL("an error without place or reason");
    printf("\n  %zu bytes: status %d, %s:%d: %s\n", size, (int)error.status, error.file, error.line, error.text);
  }
  sgf_scenario_free(scenario);
  return accepted;
}

SGF_TEST(a_file_cut_at_any_byte_is_refused)
{
  size_t size = strlen(platform);
  CU_ASSERT_TRUE_FATAL(is_accepted(platform, size));
  size_t accepted = 0;
  for (size_t cut = 0; cut < size; cut++)
    accepted += is_accepted(platform, cut);
  CU_ASSERT_EQUAL(accepted, 0);
}

SGF_TEST(a_file_with_any_byte_replaced_is_accepted_or_refused)
{
  static const char replacements[] = {'\0', '"', '<', '0', (char)0xff};
  size_t size                      = strlen(platform);
  size_t refused                   = 0;
  char text[sizeof platform];
  for (size_t at = 0; at < size; at++)
    for (size_t i = 0; i < sizeof replacements; i++) {
      memcpy(text, platform, sizeof text);
      text[at] = replacements[i];
      refused += !is_accepted(text, size);
    }
  CU_ASSERT_TRUE(refused > size); /* most replacements break something */
}
