/* The sending end of a queue pair, replayed call by call (spec/roce-nic.md 10.6; RO-49, RO-50, RO-55, RO-74), and
 * LossRecovery SelectiveRepeat, which is ours. */
#include "harness.h"

#include "nic/roce/window.h"

static void open_window(roce_window_t* window, bool selective, uint32_t packets)
{
  roce_window_init(window, selective);
  roce_window_open(window, packets);
}

static uint32_t take(roce_window_t* window)
{
  CU_ASSERT_TRUE_FATAL(roce_window_has_more(window, UINT32_MAX));
  const uint32_t psn = roce_window_psn(window);
  roce_window_take(window);
  return psn;
}

/* Fetch the next packet and give it its PSN. */
static uint32_t send_next(roce_window_t* window)
{
  const uint32_t psn = take(window);
  CU_ASSERT_TRUE(roce_window_give(window, psn, window->epoch));
  return psn;
}

static void send_many(roce_window_t* window, uint32_t first, uint32_t end)
{
  for (uint32_t psn = first; psn < end; psn++)
    CU_ASSERT_EQUAL(send_next(window), psn);
}

/* ---- Go-back-N --------------------------------------------------------------------------------------------------- */

SGF_TEST(an_ACK_retires_everything_up_to_its_PSN)
{
  roce_window_t window;
  open_window(&window, false, 10);
  send_many(&window, 0, 10);
  CU_ASSERT_FALSE(roce_window_has_more(&window, UINT32_MAX));
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 4), ROCE_RETIRES);
  CU_ASSERT_EQUAL(window.base, 5);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 4), ROCE_OLD);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 9), ROCE_RETIRES);
  CU_ASSERT_TRUE(roce_window_is_empty(&window));
  roce_window_free(&window);
}

/* The 100th packet has PSN 99. */
SGF_TEST(RO_49_a_NAK_rewinds_to_the_PSN_that_it_names_with_the_same_PSNs)
{
  roce_window_t window;
  open_window(&window, false, 256);
  send_many(&window, 0, 120);
  CU_ASSERT_EQUAL(roce_window_refuse(&window, 99), ROCE_RESTARTS);
  CU_ASSERT_EQUAL(window.base, 99);
  CU_ASSERT_TRUE(roce_window_is_empty(&window));
  send_many(&window, 99, 256);
  CU_ASSERT_EQUAL(window.used, 256);
  roce_window_free(&window);
}

SGF_TEST(what_was_fetched_before_a_rewind_is_of_no_use_after_it)
{
  roce_window_t window;
  open_window(&window, false, 10);
  send_many(&window, 0, 4);
  take(&window);
  const uint32_t epoch = window.epoch;
  CU_ASSERT_EQUAL(roce_window_refuse(&window, 2), ROCE_RESTARTS);
  CU_ASSERT_FALSE(roce_window_give(&window, 4, epoch));
  send_many(&window, 2, 10);
  roce_window_free(&window);
}

SGF_TEST(RO_50_an_expiry_rewinds_to_the_oldest_outstanding_packet)
{
  roce_window_t window;
  open_window(&window, false, 256);
  send_many(&window, 0, 256);
  roce_window_acknowledge(&window, 84);
  roce_window_expire(&window);
  CU_ASSERT_TRUE(roce_window_is_empty(&window));
  send_many(&window, 85, 256);
  roce_window_free(&window);
}

SGF_TEST(RO_55_an_answer_about_a_PSN_that_was_never_used_is_a_ghost)
{
  roce_window_t window;
  open_window(&window, false, 10);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 0), ROCE_GHOST);
  send_many(&window, 0, 3);
  take(&window); /* fetched, but without a PSN yet */
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 3), ROCE_GHOST);
  CU_ASSERT_EQUAL(roce_window_refuse(&window, 3), ROCE_GHOST);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 2), ROCE_RETIRES);
  roce_window_free(&window);
}

SGF_TEST(RO_74_a_late_ACK_for_what_a_rewind_took_back_is_accepted)
{
  roce_window_t window;
  open_window(&window, false, 10);
  send_many(&window, 0, 10);
  roce_window_expire(&window);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 9), ROCE_RETIRES);
  CU_ASSERT_EQUAL(window.base, 10);
  CU_ASSERT_FALSE(roce_window_has_more(&window, UINT32_MAX));
  roce_window_free(&window);
}

SGF_TEST(sending_goes_on_behind_what_a_late_ACK_retires)
{
  roce_window_t window;
  open_window(&window, false, 10);
  send_many(&window, 0, 8);
  roce_window_expire(&window);
  take(&window);
  take(&window);
  take(&window); /* 0, 1, 2 are on their way again */
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 1), ROCE_RETIRES);
  CU_ASSERT_FALSE(roce_window_give(&window, 0, window.epoch));
  CU_ASSERT_FALSE(roce_window_give(&window, 1, window.epoch));
  CU_ASSERT_TRUE(roce_window_give(&window, 2, window.epoch));
  send_many(&window, 3, 10);
  roce_window_free(&window);
}

SGF_TEST(a_NAK_below_the_oldest_outstanding_packet_is_ignored)
{
  roce_window_t window;
  open_window(&window, false, 10);
  send_many(&window, 0, 8);
  roce_window_acknowledge(&window, 5);
  CU_ASSERT_EQUAL(roce_window_refuse(&window, 5), ROCE_OLD);
  CU_ASSERT_EQUAL(window.next, 8);
  roce_window_free(&window);
}

SGF_TEST(a_limit_holds_new_packets_alone)
{
  roce_window_t window;
  open_window(&window, false, 10);
  send_many(&window, 0, 4);
  CU_ASSERT_FALSE(roce_window_has_more(&window, 4));
  CU_ASSERT_TRUE(roce_window_has_more(&window, 5));
  roce_window_free(&window);
}

/* ---- SelectiveRepeat --------------------------------------------------------------------------------------------- */

/* 2 and 5 are lost: the NAKs that 3, 4 and 6 draw have those two sent again, then new ones. */
SGF_TEST(only_what_later_packets_have_overtaken_is_sent_again)
{
  roce_window_t window;
  open_window(&window, true, 20);
  send_many(&window, 0, 8);
  CU_ASSERT_EQUAL(roce_window_refuse_selectively(&window, 2, 3), ROCE_RESTARTS);
  CU_ASSERT_EQUAL(window.base, 2);
  CU_ASSERT_EQUAL(send_next(&window), 2);
  CU_ASSERT_EQUAL(roce_window_refuse_selectively(&window, 2, 4), ROCE_OLD);
  CU_ASSERT_EQUAL(send_next(&window), 8);
  CU_ASSERT_EQUAL(roce_window_refuse_selectively(&window, 2, 6), ROCE_OLD);
  CU_ASSERT_EQUAL(send_next(&window), 5);
  CU_ASSERT_EQUAL(send_next(&window), 9);
  roce_window_free(&window);
}

SGF_TEST(recovery_ends_when_what_was_sent_before_it_is_retired)
{
  roce_window_t window;
  open_window(&window, true, 20);
  send_many(&window, 0, 8);
  roce_window_refuse_selectively(&window, 2, 3);
  CU_ASSERT_EQUAL(send_next(&window), 2);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 6), ROCE_RETIRES);
  CU_ASSERT_TRUE(window.recovers);
  CU_ASSERT_EQUAL(roce_window_acknowledge(&window, 7), ROCE_RETIRES);
  CU_ASSERT_FALSE(window.recovers);
  roce_window_free(&window);
}

SGF_TEST(a_lost_packet_is_sent_again_once_in_a_recovery_and_once_more_when_the_timer_expires)
{
  roce_window_t window;
  open_window(&window, true, 6);
  send_many(&window, 0, 6);
  roce_window_refuse_selectively(&window, 0, 2); /* 0 and 1 are lost */
  CU_ASSERT_EQUAL(send_next(&window), 0);
  CU_ASSERT_EQUAL(send_next(&window), 1);
  roce_window_refuse_selectively(&window, 0, 3);
  CU_ASSERT_FALSE(roce_window_has_more(&window, UINT32_MAX));
  roce_window_expire(&window);
  CU_ASSERT_EQUAL(send_next(&window), 0);
  CU_ASSERT_EQUAL(send_next(&window), 1);
  CU_ASSERT_FALSE(roce_window_has_more(&window, UINT32_MAX));
  CU_ASSERT_FALSE(roce_window_is_empty(&window));
  roce_window_free(&window);
}

/* The last packet is lost: nothing overtakes it, the timer alone helps. */
SGF_TEST(the_timer_sends_the_oldest_packet_again)
{
  roce_window_t window;
  open_window(&window, true, 4);
  send_many(&window, 0, 4);
  roce_window_acknowledge(&window, 2);
  CU_ASSERT_FALSE(roce_window_has_more(&window, UINT32_MAX));
  roce_window_expire(&window);
  CU_ASSERT_EQUAL(send_next(&window), 3);
  CU_ASSERT_FALSE(roce_window_has_more(&window, UINT32_MAX));
  roce_window_free(&window);
}

SGF_TEST(payload_of_a_packet_that_has_arrived_meanwhile_is_not_sent_again)
{
  roce_window_t window;
  open_window(&window, true, 6);
  send_many(&window, 0, 6);
  roce_window_refuse_selectively(&window, 0, 2);
  CU_ASSERT_EQUAL(take(&window), 0);
  CU_ASSERT_EQUAL(take(&window), 1);
  roce_window_refuse_selectively(&window, 0, 1); /* late, not lost */
  CU_ASSERT_TRUE(roce_window_give(&window, 0, window.epoch));
  CU_ASSERT_FALSE(roce_window_give(&window, 1, window.epoch));
  roce_window_free(&window);
}
