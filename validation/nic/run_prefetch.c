/* spec/uet-nic.md 8.12 in a simulation: who fetches when the prefetch buffer is full. */
#include "harness.h"
#include "nic_run_support.h"

#define PREFETCH "**.nic.PrefetchBufferEnable=true", "**.nic.PassThrough=true"

enum { LONG = 400 };

/* Which data packets of h0, counted from 1, were the first and the last to h2. */
static size_t data_count;
static size_t first_to_h2;
static size_t last_to_h2;

static void watch(opp_simtime_t now)
{
  (void)now;
  static uint64_t frames;
  const nic_t* nic  = run_nic(0);
  const bool starts = nic->port.frames != frames;
  frames            = nic->port.frames;
  if (!starts || nic->port.departure.tc != 0)
    return;
  data_count++;
  if (net_frame(nic->port.on_wire)->dst != run_nic(2)->address)
    return;
  last_to_h2 = data_count;
  if (first_to_h2 == 0)
    first_to_h2 = data_count;
}

/* h0 writes to h2 when its long message to h1 has just filled the buffer. */
static void run_beside_a_long_message(int64_t packets)
{
  run_rack(3, "100ns", RUN_SETTINGS(PREFETCH));
  run_write(0, 1, LONG * RUN_MSS, 0);
  run_write(0, 2, (uint64_t)packets * RUN_MSS, 20e-9); /* the doorbell takes 15 ns */
  run_watch(watch);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(data_count, (size_t)(LONG + packets));
}

/* 62 packets fill the buffer, and one more takes the first place that is free; then the other message has waited
 * longest. */
SGF_SCENARIO(UN_95_a_short_message_does_not_wait_for_the_end_of_a_long_one)
{
  run_beside_a_long_message(1);
  CU_ASSERT_EQUAL(first_to_h2, 64);
}

/* From then on both have half of the buffer, so that twice as many go until the shorter one ends; the other fetches one
 * more where it finds room alone. */
SGF_SCENARIO(UN_95_two_long_messages_share_the_buffer)
{
  run_beside_a_long_message(100);
  CU_ASSERT_EQUAL(first_to_h2, 64);
  CU_ASSERT(last_to_h2 - first_to_h2 >= 2 * 99 && last_to_h2 - first_to_h2 <= 2 * 99 + 1);
}
