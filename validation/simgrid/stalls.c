/* Writes that can never proceed: their waiters hear of it, at the same date in both paces. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { PACKET = 4096 };

/* The data pool of every NIC, 90 % of it, never takes a full frame. */
#define STUCK P("nic.EgressBufferManager.TotalBufferSize", "4KB")

/* 32 times the longest retransmission timeout, 150 us x 2^5. */
static const opp_simtime_t patience = 32 * (150 << 5) * OPP_US;

static void write_too_much(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_sleep(3 * OPP_US);
  study_write("h1", PACKET, 1);
  study_write("h1", 100, 2); /* fits, but its NIC looks at messages in turn */
}

static void receive(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_recv(1);
}

static void write_little(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h3", 100, 0);
}

static void stuck(void)
{
  study_actor("writer", "h0", write_too_much);
  study_actor("receiver", "h1", receive);
  study_actor("other", "h2", write_little);
}

SGF_TEST(a_write_that_can_never_proceed_ends_for_its_waiters)
{
  char* rack            = study_rack(4, (study_link_t){NULL, NULL}, STUCK, "");
  study_result_t result = {0};
  CU_ASSERT(study_same(rack, stuck, &result));
  const char* const text      = sgf_status_text(SGF_STALLED);
  const opp_simtime_t gave_up = study_date(&result, "writer", "wrote 4096 B");
  CU_ASSERT(study_has(&result, text));
  CU_ASSERT(study_date(&result, "other", "wrote 100 B to h3 since 0: success") > 0);
  CU_ASSERT_EQUAL(gave_up, 3 * OPP_US + patience); /* the other's write was over by then */
  CU_ASSERT_EQUAL(study_date(&result, "receiver", "received 0 B from nobody"), gave_up);
  CU_ASSERT(study_date(&result, "writer", "wrote 100 B") > gave_up);
  CU_ASSERT(study_has(&result, "end work is outstanding and nothing can move: 2 writes are not complete"));
  study_free(&result);
  free(rack);
}
