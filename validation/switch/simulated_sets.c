/* Equal-cost sets with and without flow slots in a SimGrid simulation: more of them than have slots.
 * spec/switch.md 8.4, SW-76 and U-08. */
#include "harness.h"
#include "simulation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario_support.h"

enum { SPINES = 8, LEAVES = 1 + SWITCH_SETS_WITH_SLOTS + 1 };

/* The spines of a leaf, bit by bit: all for the first one, another choice of two and more for each of the others. */
static unsigned spines_of(unsigned leaf)
{
  unsigned spines = (1 << SPINES) - 1;
  for (;; spines--)
    if ((spines & (spines - 1)) != 0 && leaf-- == 0)
      return spines;
}

/* Each cable of the leaves, which has the name of its ends. */
static void put_cables(FILE* out, void (*put)(FILE* out, const char* leaf, const char* to))
{
  char from[16];
  char to[16];
  for (unsigned leaf = 0; leaf < LEAVES; leaf++) {
    snprintf(from, sizeof from, "l%u", leaf);
    snprintf(to, sizeof to, "h%u", leaf);
    put(out, from, to);
    for (unsigned spine = 0; spine < SPINES; spine++) {
      snprintf(to, sizeof to, "s%u", spine);
      if (spines_of(leaf) >> spine & 1)
        put(out, from, to);
    }
  }
}

static void put_link(FILE* out, const char* leaf, const char* to)
{
  fprintf(out, "<link id=\"%s-%s\" bandwidth=\"400Gbps\" latency=\"500ns\" sharing_policy=\"SPLITDUPLEX\"/>\n", leaf,
          to);
}

static void put_route(FILE* out, const char* leaf, const char* to)
{
  fprintf(out, "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"%s-%s\" direction=\"UP\"/></route>\n", leaf, to, leaf, to);
}

/* One host behind each leaf; the way to each is another equal-cost set of the first leaf. */
static char* text_of_sets(void)
{
  char* text;
  size_t size;
  FILE* out = open_memstream(&text, &size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  fputs(SCENARIO_HEAD
        "<platform version=\"4.1\">\n<zone id=\"dc\" routing=\"Dijkstra\">\n<prop id=\"nic\" value=\"uet\"/>\n",
        out);
  for (unsigned leaf = 0; leaf < LEAVES; leaf++)
    fprintf(out, "<host id=\"h%u\" speed=\"1Tf\"/>\n<router id=\"l%u\"/>\n", leaf, leaf);
  for (unsigned spine = 0; spine < SPINES; spine++)
    fprintf(out, "<router id=\"s%u\"/>\n", spine);
  put_cables(out, put_link);
  put_cables(out, put_route);
  fputs("</zone>\n</platform>\n", out);
  CU_ASSERT_EQUAL_FATAL(fclose(out), 0);
  return text;
}

static void meet_sets(const char* method)
{
  char assignment[64];
  char* text = text_of_sets();
  snprintf(assignment, sizeof assignment, "**.switch.LoadBalancingMethod=%s", method);
  sim_set((const char* const[]){SIM_ASSIGNED_PACKETS("60us"), assignment, NULL});
  sim_platform(scenario_file(text, strlen(text)), "l0");
  free(text);
  for (unsigned leaf = 1; leaf < LEAVES; leaf++)
    sim_write_packets(0, leaf, 1, 1e-6 * leaf);
  sim_run();
  CU_ASSERT_EQUAL(switch_balance_group_count(sim_switch()->balance), SWITCH_SETS_WITH_SLOTS + 1);
  CU_ASSERT_EQUAL(sim_drops(), 0);
}

SGF_SCENARIO(SW_76_and_U_08_the_first_128_sets_have_512_slots_and_the_next_has_none_silently)
{
  meet_sets("flowlet");
  for (uint32_t set = 0; set <= SWITCH_SETS_WITH_SLOTS; set++)
    CU_ASSERT_EQUAL(switch_balance_group(sim_switch()->balance, set).slots, set < SWITCH_SETS_WITH_SLOTS ? 512 : 0);
  for (size_t i = 0; i < sgf_fabric_warning_count(sim_fabric()); i++) /* those about the spines' many ports */
    CU_ASSERT_EQUAL(sgf_fabric_warning(sim_fabric(), i)[0], 's');
}

SGF_SCENARIO(SW_76_without_flowlets_no_set_has_slots)
{
  meet_sets("none");
  for (uint32_t set = 0; set <= SWITCH_SETS_WITH_SLOTS; set++)
    CU_ASSERT_EQUAL(switch_balance_group(sim_switch()->balance, set).slots, 0);
}
