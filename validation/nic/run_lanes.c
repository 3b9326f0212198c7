/* spec/uet-nic.md 7.6 and UN-61 to UN-66 as examples/lanes shows them: every row of its CSV against what follows from
 * the rates, to the byte.
 *
 * Four senders of 100 Gb/s keep the receiver's cable busy from the first packet on, and react to nothing. */
#include "harness.h"
#include "nic_run_support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SENDERS     = 4,
  PACKETS     = SENDERS * 17500,
  MOST_ROWS   = 1000,
  OUTPUT_SIZE = 1 << 17,
  POOL        = 3600000,
  LOW         = 900000,  /* the penalty begins (25 %) */
  BAND        = 1800000, /* and is 127 this much higher (75 %) */
  XOFF        = 2880000, /* 80 % */
};
static const opp_simtime_t refresh = 41992400;

/* ---- The table --------------------------------------------------------------------------------------------------- */

typedef struct row {
  opp_simtime_t date;
  opp_simtime_t hold;
  int64_t pool;
  double percent;
  unsigned penalty;
  uint64_t pauses;
  uint64_t drops;
} row_t;

static row_t rows[MOST_ROWS];
static size_t row_count;

static void parse(const char* line)
{
  double time_us, hold_ns;
  row_t* row = &rows[row_count++];
  CU_ASSERT_FATAL(row_count < MOST_ROWS);
  CU_ASSERT_EQUAL_FATAL(sscanf(line, "%lf,%" SCNd64 ",%lf,%lf,%u,%" SCNu64 ",%" SCNu64, &time_us, &row->pool,
                               &row->percent, &hold_ns, &row->penalty, &row->pauses, &row->drops),
                        7);
  row->date = llround(time_us * 1e6);
  row->hold = llround(hold_ns * 1e3);
}

static void run_example(const char* setting)
{
  static char output[OUTPUT_SIZE];
  char program[]    = SGF_BINARY_DIR "/examples/lanes";
  char platform[]   = SGF_SOURCE_DIR "/examples/lanes.xml";
  char deployment[] = SGF_SOURCE_DIR "/examples/lanes_d.xml";
  char* argv[]      = {program, platform, deployment, (char*)setting, NULL};
  CU_ASSERT_EQUAL_FATAL(sgf_test_run(argv, output, sizeof output), 0);
  static const char header[] = "time_us,pool_B,pool_percent,ack_hold_ns,penalty,pauses,drops";
  const char* line           = strstr(output, header);
  CU_ASSERT_PTR_NOT_NULL_FATAL(line);
  row_count = 0;
  for (line = strchr(line, '\n'); line != NULL && line[1] >= '0' && line[1] <= '9'; line = strchr(line + 1, '\n'))
    parse(line + 1);
  CU_ASSERT_FATAL(row_count > 500);
}

/* ---- What is to be expected -------------------------------------------------------------------------------------- */

/* The n-th packet at the receiver, n from 1: fetched, over the sender's slower cable, over the receiver's. The senders'
 * probes go ahead of it, unless it is one of the first. */
static opp_simtime_t arrival_of(int64_t n)
{
  const opp_simtime_t first = run_doorbell + run_fetch + 4 * run_wire + run_delay + run_wire + run_delay;
  return first + (n - 1) * run_wire + SENDERS * run_probe;
}

/* Writes of 8 transfers of 546 B that 13 lanes, 409.76 Gb/s, have made room for by `now`: the transmit buffer has 470
 * headers, each free again when its transfer has left. */
static int64_t accepted_by(opp_simtime_t now)
{
  const int64_t mbps = 409760, transfer = 8 * 546;
  const opp_simtime_t first = arrival_of(1) - SENDERS * run_probe;
  return (((now - first + 1) * mbps - 1) / (transfer * OPP_US) + 470) / 8;
}

/* What the pool holds, as long as it drops nothing and all senders send. */
static int64_t expected_pool(opp_simtime_t now)
{
  const int64_t arrived  = (now - arrival_of(1)) / run_wire + 1;
  const int64_t accepted = accepted_by(now);
  return accepted < arrived ? (arrived - accepted) * RUN_IP : 0;
}

/* The arrival that takes the pool to `level`. */
static opp_simtime_t reaches(int64_t level)
{
  int64_t n = 1;
  while (expected_pool(arrival_of(n)) < level)
    n++;
  CU_ASSERT_FATAL(n < PACKETS);
  return arrival_of(n);
}

/* What an acknowledgement of the row's instant says follows from the pool. */
static void check_answers(const row_t* row, int64_t mbps)
{
  const unsigned penalty = row->pool <= LOW          ? 0
                           : row->pool >= LOW + BAND ? 127
                                                     : (unsigned)(127 * (row->pool - LOW) / BAND);
  CU_ASSERT_EQUAL(row->hold, 8 * (row->pool + RUN_IP) * OPP_US / mbps);
  CU_ASSERT_EQUAL(row->penalty, penalty);
  CU_ASSERT(fabs(row->percent - 100.0 * (double)row->pool / POOL) <= 0.0005); /* three places are printed */
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

SGF_TEST(UN_63_and_UN_64_with_13_lanes_hold_penalty_pause_and_drops_in_this_order)
{
  run_example(NULL);
  const opp_simtime_t pause = reaches(XOFF), drop = reaches(POOL + 1);
  const opp_simtime_t end = arrival_of(PACKETS);
  uint64_t drops          = 0;
  for (const row_t* row = rows; row < rows + row_count; row++) {
    check_answers(row, 409760);
    if (row->date >= end)
      break;
    if (row->date < drop) {
      CU_ASSERT_EQUAL(row->pool, expected_pool(row->date));
      CU_ASSERT_EQUAL(row->drops, 0);
    } else {
      CU_ASSERT(row->drops > 0 && row->drops >= drops);
      CU_ASSERT(row->pool <= POOL && row->pool > POOL - 2 * RUN_IP); /* full, one write more or less */
    }
    CU_ASSERT_EQUAL(row->pauses, row->date < pause ? 0 : 1 + (uint64_t)((row->date - pause) / refresh));
    drops = row->drops;
  }
  CU_ASSERT(drops > 0);
}

static const row_t* first_row(bool (*holds)(const row_t* row))
{
  for (const row_t* row = rows; row < rows + row_count; row++)
    if (holds(row))
      return row;
  CU_FAIL_FATAL("no row shows the effect");
  return NULL;
}

static bool is_held_longer(const row_t* row)
{
  return row->hold > 8 * RUN_IP * OPP_US / 409760;
}

static bool is_penalised(const row_t* row)
{
  return row->penalty > 0;
}

static bool is_paused(const row_t* row)
{
  return row->pauses > 0;
}

static bool is_dropped(const row_t* row)
{
  return row->drops > 0;
}

/* The dates of UN-63, which it gives to three digits, and the rows in which a reader sees them. */
SGF_TEST(UN_63_the_dates_of_the_four_effects)
{
  run_example(NULL);
  const row_t* held      = first_row(is_held_longer);
  const row_t* penalised = first_row(is_penalised);
  const row_t* paused    = first_row(is_paused);
  const row_t* dropped   = first_row(is_dropped);
  CU_ASSERT(held < penalised && penalised < paused && paused < dropped);
  CU_ASSERT(held->date > 330 * OPP_US && held->date <= 340 * OPP_US);
  CU_ASSERT(llabs(reaches(LOW) - 1580 * OPP_US) <= 10 * OPP_US);
  CU_ASSERT(llabs(reaches(XOFF) - 4320 * OPP_US) <= 10 * OPP_US);
  CU_ASSERT(llabs(reaches(POOL + 1) - 5310 * OPP_US) <= 10 * OPP_US);
  /* Each is in the first row after it: the penalty when its first step is full, 1/127 of the band above 25 %. */
  CU_ASSERT_EQUAL(penalised->date, (reaches(LOW + BAND / 127 + 1) / (10 * OPP_US) + 1) * 10 * OPP_US);
  CU_ASSERT_EQUAL(paused->date, (reaches(XOFF) / (10 * OPP_US) + 1) * 10 * OPP_US);
  CU_ASSERT_EQUAL(dropped->date, (reaches(POOL + 1) / (10 * OPP_US) + 1) * 10 * OPP_US);
  CU_ASSERT(penalised->percent > 25 && penalised->percent < 26);
  CU_ASSERT(paused->percent >= 80 && paused->percent < 80.5);
  CU_ASSERT(dropped->percent > 99.8);
}

static void stays_empty(const char* setting, int64_t mbps)
{
  run_example(setting);
  for (const row_t* row = rows; row < rows + row_count; row++) {
    check_answers(row, mbps);
    CU_ASSERT_EQUAL(row->pool, 0);
    CU_ASSERT_EQUAL(row->pauses, 0);
    CU_ASSERT_EQUAL(row->drops, 0);
  }
}

SGF_TEST(UN_61_with_14_lanes_the_pool_stays_empty)
{
  stays_empty("**.receiver.pcie=gen5 x14", 441280);
}

SGF_TEST(UN_65_with_16_lanes_the_pool_stays_empty)
{
  stays_empty("**.receiver.pcie=gen5 x16", 504320);
}
