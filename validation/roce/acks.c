/* The receiving end of a queue pair, replayed call by call (spec/roce-nic.md 10.4, 10.5; RO-15 to RO-18, RO-50). */
#include "harness.h"

#include "nic/roce/acks.h"

static const roce_acks_config_t by_default = {.coalesces = true, .threshold = 16};

/* ACKs that `packets` packets in order draw, the last one with the SE flag; `after`: the packet that drew each. */
static unsigned acks_of(const roce_acks_config_t* config, uint32_t packets, uint32_t after[])
{
  roce_acks_t acks;
  unsigned count = 0;
  roce_acks_init(&acks, config);
  for (uint32_t psn = 0; psn < packets; psn++) {
    CU_ASSERT_EQUAL(roce_acks_arrival(&acks, psn), ROCE_IN_ORDER);
    if (roce_acks_count(&acks, psn + 1 == packets) == ROCE_SEND_ACK)
      after[count++] = psn + 1;
  }
  CU_ASSERT_EQUAL(acks.held, 0);
  roce_acks_free(&acks);
  return count;
}

SGF_TEST(RO_15_a_MiB_draws_ACKs_with_every_17th_packet_and_the_last)
{
  uint32_t after[256];
  CU_ASSERT_EQUAL_FATAL(acks_of(&by_default, 256, after), 16);
  for (unsigned i = 0; i < 15; i++)
    CU_ASSERT_EQUAL(after[i], 17 * (i + 1));
  CU_ASSERT_EQUAL(after[15], 256);
}

SGF_TEST(RO_16_without_coalescing_every_packet_draws_an_ACK)
{
  const roce_acks_config_t config = {.coalesces = false, .threshold = 16};
  uint32_t after[256];
  CU_ASSERT_EQUAL(acks_of(&config, 256, after), 256);
}

SGF_TEST(RO_17_a_message_of_1_to_17_packets_draws_one_ACK)
{
  uint32_t after[256];
  for (uint32_t packets = 1; packets <= 17; packets++) {
    CU_ASSERT_EQUAL(acks_of(&by_default, packets, after), 1);
    CU_ASSERT_EQUAL(after[0], packets);
  }
  CU_ASSERT_EQUAL(acks_of(&by_default, 18, after), 2);
}

SGF_TEST(RO_18_with_a_threshold_of_0_every_packet_draws_an_ACK)
{
  const roce_acks_config_t config = {.coalesces = true, .threshold = 0};
  uint32_t after[256];
  CU_ASSERT_EQUAL(acks_of(&config, 100, after), 100);
}

SGF_TEST(a_gap_draws_one_NAK_until_the_expected_packet_comes)
{
  roce_acks_t acks;
  roce_acks_init(&acks, &by_default);
  roce_acks_arrival(&acks, 0);
  CU_ASSERT_EQUAL(roce_acks_count(&acks, false), ROCE_HOLD);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 2), ROCE_GAP);
  CU_ASSERT_EQUAL(roce_acks_refuse(&acks, ROCE_GAP), ROCE_SEND_NAK);
  CU_ASSERT_EQUAL(acks.held, 0); /* the NAK says what was held */
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 3), ROCE_BEHIND_GAP);
  CU_ASSERT_EQUAL(roce_acks_refuse(&acks, ROCE_BEHIND_GAP), ROCE_NO_ANSWER);
  CU_ASSERT_EQUAL(roce_acks_expire(&acks), ROCE_NO_ANSWER); /* the timer finds nothing held */
  CU_ASSERT_EQUAL(acks.arrivals.expected, 1);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 1), ROCE_IN_ORDER);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 3), ROCE_GAP); /* what came behind the gap was not kept */
  roce_acks_free(&acks);
}

SGF_TEST(RO_54_a_duplicate_may_draw_an_ACK)
{
  roce_acks_t acks;
  roce_acks_init(&acks, &by_default);
  roce_acks_arrival(&acks, 0);
  roce_acks_count(&acks, false);
  for (unsigned i = 0; i < 15; i++) {
    CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 0), ROCE_DUPLICATE);
    CU_ASSERT_EQUAL(roce_acks_count(&acks, false), ROCE_HOLD);
  }
  CU_ASSERT_EQUAL(roce_acks_count(&acks, false), ROCE_SEND_ACK);
  roce_acks_free(&acks);
}

SGF_TEST(the_timer_acknowledges_what_is_held_once)
{
  roce_acks_t acks;
  roce_acks_init(&acks, &by_default);
  roce_acks_arrival(&acks, 0);
  roce_acks_count(&acks, false);
  CU_ASSERT_EQUAL(roce_acks_expire(&acks), ROCE_SEND_ACK);
  CU_ASSERT_EQUAL(roce_acks_expire(&acks), ROCE_NO_ANSWER);
  roce_acks_free(&acks);
}

/* With SelectiveRepeat each packet beyond a gap draws a NAK, is kept, and comes into order with what it waited for. */
SGF_TEST(a_receiver_that_keeps_later_packets_takes_them_when_the_gap_is_filled)
{
  const roce_acks_config_t config = {.coalesces = true, .threshold = 16, .selective = true};
  roce_acks_t acks;
  roce_acks_init(&acks, &config);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 1), ROCE_GAP);
  CU_ASSERT_EQUAL(roce_acks_refuse(&acks, ROCE_GAP), ROCE_SEND_NAK);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 3), ROCE_BEHIND_GAP);
  CU_ASSERT_EQUAL(roce_acks_refuse(&acks, ROCE_BEHIND_GAP), ROCE_SEND_NAK);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 3), ROCE_KEPT_ALREADY);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 0), ROCE_IN_ORDER);
  CU_ASSERT_EQUAL(acks.arrivals.expected, 2);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 1), ROCE_DUPLICATE);
  CU_ASSERT_EQUAL(roce_acks_arrival(&acks, 2), ROCE_IN_ORDER);
  CU_ASSERT_EQUAL(acks.arrivals.expected, 4);
  roce_acks_free(&acks);
}
