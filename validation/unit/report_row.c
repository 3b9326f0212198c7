/* A run as a row of a table of runs, of a report made by hand: which figure stands where, and of what. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* Three short flows of 10, 20 and 30 us, a long one of 80 us, and one that has not ended. The first begins at 5 us. */
static const sgf_flow_t flows[] = {
    {.bytes = 100, .start = 5 * OPP_US, .end = 15 * OPP_US},
    {.bytes = 1000000, .start = 5 * OPP_US, .end = 85 * OPP_US},
    {.bytes = 100, .start = 10 * OPP_US, .end = 30 * OPP_US},
    {.bytes = 100, .start = 10 * OPP_US, .end = 40 * OPP_US},
    {.bytes = 100, .start = 10 * OPP_US, .end = -1},
};
static const sgf_drop_count_t drops[] = {{"nic_ingress_pool", 3}, {"switch_headroom", 1}};
/* A part that a port has of a pool, and a NIC's, are larger than what a whole pool of a switch has held. */
static const sgf_pool_peak_t pools[] = {{"s", "pool0", 4000000, 1000, 0},
                                        {"t", "pool1", 4000000, 2000, 0},
                                        {"s port 0", "pool0 ingress", 9000, 5000, 9000},
                                        {"a", "rx0", 9000, 7000, 0}};

static const sgf_pause_count_t pauses[] = {{.device = "s", .sent = 7},
                                           {.device = "a", .received = 7, .paused = 3 * OPP_US},
                                           {.device = "t", .sent = 2, .paused = 1 * OPP_US}};

static sgf_report_t ended_report(void)
{
  return (sgf_report_t){.clock           = 90 * OPP_US,
                        .flow_count      = sizeof flows / sizeof *flows,
                        .flows           = flows,
                        .drop_count      = sizeof drops / sizeof *drops,
                        .drops           = drops,
                        .pause_count     = sizeof pauses / sizeof *pauses,
                        .pauses          = pauses,
                        .pool_count      = sizeof pools / sizeof *pools,
                        .pools           = pools,
                        .retransmissions = 17,
                        .marked          = 1234,
                        .longest_queue   = 1500};
}

/* Its cells, with blanks for tabs; to be freed. */
static char* row_of(const sgf_report_t* report, sgf_status_t end)
{
  char* text                   = NULL;
  size_t size                  = 0;
  FILE* out                    = open_memstream(&text, &size);
  const report_result_t result = {.report = report, .end = end};
  report_print_row(&result, out);
  fclose(out);
  return text;
}

static void expect(const sgf_report_t* report, sgf_status_t end, const char* expected)
{
  char* text = row_of(report, end);
  CU_ASSERT_STRING_EQUAL(text, expected);
  if (strcmp(text, expected) != 0)
    printf("\nprinted:\n%s\n", text);
  free(text);
}

/* Goodputs are 80, 40, 26.666.. Mb/s of the short ones and 100 Gb/s of the long one: Jain's index is close to 1 / 4. */
SGF_TEST(figures_of_a_run_stand_in_their_places)
{
  const sgf_report_t report = ended_report();
  expect(&report, SGF_OK,
         "5\t80 us\t20 us\t80 us\t80 us\t30 us\t0.251\t17\t1,234\t9\t4 us\t4\t1.500 KB\t2 KB\tcomplete\n");
}

SGF_TEST(there_is_a_cell_for_each_title)
{
  const sgf_report_t report = ended_report();
  char* text                = row_of(&report, SGF_STALLED);
  size_t titles = 0, tabs = 0;
  while (report_row_titles[titles] != NULL)
    titles++;
  for (const char* at = text; (at = strchr(at, '\t')) != NULL; at++)
    tabs++;
  CU_ASSERT_EQUAL(tabs, titles - 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, sgf_status_text(SGF_STALLED)));
  free(text);
}

/* Nothing has ended, or all flows have as many bytes: what there is none of is a dash. */
SGF_TEST(what_there_is_none_of_is_a_dash)
{
  sgf_report_t report = ended_report();
  report.flows        = flows + 4;
  report.flow_count   = 1;
  expect(&report, SGF_OK, "1\t-\t-\t-\t-\t-\t0.000\t17\t1,234\t9\t4 us\t4\t1.500 KB\t2 KB\tcomplete\n");
  report.flows      = flows + 2;
  report.flow_count = 2;
  expect(&report, SGF_OK, "2\t30 us\t20 us\t30 us\t30 us\t-\t0.962\t17\t1,234\t9\t4 us\t4\t1.500 KB\t2 KB\tcomplete\n");
}
