/* The MRC transport's parts: loss by gaps, entropy values, messages at their receiver, the table of ends. */
#include "harness.h"

#include "attr/alloc.h"
#include "nic/mrc/mrc.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 33) % limit);
}

/* ---- Loss by gaps (10.5) ----------------------------------------------------------------------------------------- */

static uint32_t taken(mrc_loss_t* loss)
{
  uint32_t psn;
  return mrc_loss_take(loss, &psn) ? psn : UINT32_MAX;
}

SGF_TEST(a_packet_is_lost_when_64_later_ones_are_reported)
{
  mrc_loss_t loss;
  mrc_loss_init(&loss, 64);
  for (uint32_t psn = 0; psn <= 64; psn++)
    mrc_loss_sent(&loss, psn);
  for (uint32_t psn = 1; psn < 64; psn++)
    mrc_loss_acknowledged(&loss, psn);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX);
  mrc_loss_acknowledged(&loss, 64);
  CU_ASSERT_EQUAL(taken(&loss), 0);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX); /* never twice for one transmission */
  mrc_loss_free(&loss);
}

SGF_TEST(several_that_one_report_declares_come_by_PSN)
{
  mrc_loss_t loss;
  mrc_loss_init(&loss, 2);
  for (uint32_t psn = 0; psn < 8; psn++)
    mrc_loss_sent(&loss, psn);
  mrc_loss_acknowledged(&loss, 3);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX);
  mrc_loss_acknowledged(&loss, 5);
  mrc_loss_acknowledged(&loss, 6);
  CU_ASSERT_EQUAL(taken(&loss), 0);
  CU_ASSERT_EQUAL(taken(&loss), 1);
  CU_ASSERT_EQUAL(taken(&loss), 2);
  CU_ASSERT_EQUAL(taken(&loss), 4);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX); /* 7 has none beyond it */
  mrc_loss_free(&loss);
}

SGF_TEST(a_retransmission_counts_what_was_sent_after_it)
{
  mrc_loss_t loss;
  mrc_loss_init(&loss, 2);
  for (uint32_t psn = 0; psn < 6; psn++)
    mrc_loss_sent(&loss, psn);
  mrc_loss_acknowledged(&loss, 1);
  mrc_loss_acknowledged(&loss, 2);
  CU_ASSERT_EQUAL(taken(&loss), 0);
  mrc_loss_sent_again(&loss, 0);
  mrc_loss_left(&loss, 0);
  mrc_loss_sent(&loss, 6);
  mrc_loss_sent(&loss, 7);
  mrc_loss_acknowledged(&loss, 3); /* these were sent before it */
  mrc_loss_acknowledged(&loss, 4);
  mrc_loss_acknowledged(&loss, 5);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX);
  mrc_loss_acknowledged(&loss, 6);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX);
  mrc_loss_acknowledged(&loss, 7);
  CU_ASSERT_EQUAL(taken(&loss), 0);
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX);
  mrc_loss_free(&loss);
}

SGF_TEST(a_retransmission_that_waits_at_the_port_is_not_lost)
{
  mrc_loss_t loss;
  mrc_loss_init(&loss, 1);
  for (uint32_t psn = 0; psn < 3; psn++)
    mrc_loss_sent(&loss, psn);
  mrc_loss_acknowledged(&loss, 2);
  CU_ASSERT_EQUAL(taken(&loss), 0);
  CU_ASSERT_EQUAL(taken(&loss), 1);
  mrc_loss_sent_again(&loss, 0);
  mrc_loss_sent_again(&loss, 1);
  mrc_loss_acknowledged(&loss, 1); /* its first transmission was late */
  CU_ASSERT_EQUAL(taken(&loss), UINT32_MAX);
  mrc_loss_free(&loss);
}

/* The same from the definition: a record of each PSN's latest transmission, searched. */
enum { SPAN = 4000 };

typedef struct naive_loss {
  uint32_t threshold;
  uint32_t next;
  uint32_t transmissions; /* so far */
  uint32_t first[SPAN];   /* order of the first transmission, and of the latest */
  uint32_t latest[SPAN];
  bool acknowledged[SPAN], under_way[SPAN];
  uint32_t seen[SPAN];
} naive_loss_t;

static void naive_send(naive_loss_t* naive, uint32_t psn)
{
  if (psn == naive->next) {
    naive->first[psn] = naive->transmissions;
    naive->next++;
  }
  naive->latest[psn]    = naive->transmissions++;
  naive->under_way[psn] = true;
  naive->seen[psn]      = 0;
}

/* Of what was lost and is reported all the same, the first transmission is known to have been sent. */
static void naive_acknowledge(naive_loss_t* naive, uint32_t psn)
{
  const uint32_t order = naive->under_way[psn] ? naive->latest[psn] : naive->first[psn];
  for (uint32_t p = 0; p < psn; p++)
    if (naive->under_way[p] && order > naive->latest[p])
      naive->seen[p]++;
  naive->under_way[psn]    = false;
  naive->acknowledged[psn] = true;
}

static uint32_t naive_take(naive_loss_t* naive)
{
  for (uint32_t p = 0; p < naive->next; p++)
    if (naive->under_way[p] && naive->seen[p] >= naive->threshold) {
      naive->under_way[p] = false;
      return p;
    }
  return UINT32_MAX;
}

/* Packets are sent, reported, lost and sent again at random, all in the order of one port. */
static void compare_losses(uint32_t threshold, uint32_t window, unsigned steps)
{
  mrc_loss_t loss;
  naive_loss_t* naive  = sgf_calloc(1, sizeof *naive);
  unsigned differences = 0, losses = 0, again = 0;
  naive->threshold = threshold;
  mrc_loss_init(&loss, threshold);
  for (unsigned i = 0; i < steps && naive->next < SPAN - 1; i++) {
    const uint32_t psn = loss.base + random_below(loss.next - loss.base + 1);
    const bool is_open = psn < naive->next && !naive->acknowledged[psn];
    if (loss.next - loss.base < window && random_below(2) == 0) {
      naive_send(naive, naive->next);
      mrc_loss_sent(&loss, loss.next);
    } else if (is_open && !naive->under_way[psn] && random_below(4) > 0) {
      naive_send(naive, psn);
      mrc_loss_sent_again(&loss, psn);
      mrc_loss_left(&loss, psn);
      again++;
    } else if (is_open && naive->under_way[psn] && random_below(8) == 0) {
      naive->under_way[psn] = false;
      mrc_loss_withdrawn(&loss, psn);
    } else if (is_open && random_below(3) > 0) {
      naive_acknowledge(naive, psn);
      mrc_loss_acknowledged(&loss, psn);
    }
    uint32_t lost;
    do {
      lost = naive_take(naive);
      differences += taken(&loss) != lost;
      losses += lost != UINT32_MAX;
    } while (lost != UINT32_MAX);
  }
  CU_ASSERT_EQUAL(differences, 0);
  CU_ASSERT(losses > 20);
  CU_ASSERT(again > losses / 2); /* some are reported before they are sent again */
  mrc_loss_free(&loss);
  free(naive);
}

SGF_TEST(losses_agree_with_a_search_by_definition)
{
  compare_losses(1, 16, 6000);
  compare_losses(3, 40, 8000);
  compare_losses(8, 100, 8000);
  compare_losses(16, 300, 8000); /* the ring grows */
}

/* ---- Entropy values (10.8) --------------------------------------------------------------------------------------- */

/* Paths whose random draws are a NIC's own. */
typedef struct draws {
  opp_sim_t* sim;
  opp_rng_t* rng;
} draws_t;

static void ignore(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  opp_msg_delete(msg);
}

static const opp_module_type_t owner_type = {.name = "owner", .handle_message = ignore};

static draws_t draws_new(uint64_t seed)
{
  draws_t draws = {.sim = opp_sim_new(seed)};
  draws.rng     = opp_rng(opp_module_new(draws.sim, NULL, "owner", -1, &owner_type), MRC_RNG_ENTROPY);
  return draws;
}

SGF_TEST(each_rotation_uses_every_good_value_once)
{
  draws_t draws = draws_new(1);
  mrc_paths_t paths;
  mrc_paths_init(&paths, 256, 128);
  uint16_t first[128];
  unsigned same = 0;
  for (unsigned rotation = 0; rotation < 3; rotation++) {
    bool used[128] = {false};
    for (unsigned i = 0; i < 128; i++) {
      const uint16_t value = mrc_paths_next(&paths, draws.rng);
      CU_ASSERT(value >= 256 && value <= 383 && !used[value - 256]);
      used[value - 256] = true;
      same += rotation > 0 && first[i] == value;
      first[i] = value;
    }
  }
  CU_ASSERT(same < 20); /* in another order each time: 2 of 256 places are expected to be the same */
  mrc_paths_free(&paths);
  opp_sim_free(draws.sim);
}

SGF_TEST(MR_60_the_same_seed_draws_the_same_values)
{
  draws_t a = draws_new(7), b = draws_new(7), c = draws_new(8);
  mrc_paths_t of_a, of_b, of_c;
  mrc_paths_init(&of_a, 256, 128);
  mrc_paths_init(&of_b, 256, 128);
  mrc_paths_init(&of_c, 256, 128);
  unsigned equal = 0, different = 0;
  for (unsigned i = 0; i < 1000; i++) {
    const uint16_t value = mrc_paths_next(&of_a, a.rng);
    equal += value == mrc_paths_next(&of_b, b.rng);
    different += value != mrc_paths_next(&of_c, c.rng);
  }
  CU_ASSERT_EQUAL(equal, 1000);
  CU_ASSERT(different > 900);
  mrc_paths_free(&of_a);
  mrc_paths_free(&of_b);
  mrc_paths_free(&of_c);
  opp_sim_free(a.sim);
  opp_sim_free(b.sim);
  opp_sim_free(c.sim);
}

/* How often a value is used in the next `count` choices. */
static unsigned uses(mrc_paths_t* paths, opp_rng_t* rng, uint16_t value, unsigned count)
{
  unsigned used = 0;
  for (unsigned i = 0; i < count; i++)
    used += mrc_paths_next(paths, rng) == value;
  return used;
}

SGF_TEST(a_value_to_be_skipped_is_passed_over_for_one_rotation)
{
  draws_t draws = draws_new(1);
  mrc_paths_t paths;
  mrc_paths_init(&paths, 256, 8);
  mrc_paths_judge(&paths, 260, MRC_PATH_SKIP_ONCE);
  CU_ASSERT_EQUAL(mrc_paths_state(&paths, 260), MRC_SKIP);
  CU_ASSERT_EQUAL(uses(&paths, draws.rng, 260, 7), 0);
  CU_ASSERT_EQUAL(uses(&paths, draws.rng, 260, 8), 1);
  CU_ASSERT_EQUAL(mrc_paths_state(&paths, 260), MRC_GOOD);
  mrc_paths_free(&paths);
  opp_sim_free(draws.sim);
}

SGF_TEST(a_value_assumed_bad_is_not_used_until_a_probe_succeeds)
{
  draws_t draws = draws_new(1);
  mrc_paths_t paths;
  mrc_paths_init(&paths, 256, 8);
  mrc_paths_judge(&paths, 260, MRC_PATH_ALWAYS_SKIP);
  mrc_paths_judge(&paths, 260, MRC_PATH_SKIP_ONCE); /* changes nothing */
  CU_ASSERT_EQUAL(mrc_paths_state(&paths, 260), MRC_ASSUMED_BAD);
  CU_ASSERT_EQUAL(mrc_paths_bad(&paths), 1);
  CU_ASSERT_EQUAL(uses(&paths, draws.rng, 260, 100), 0);
  mrc_paths_probed(&paths, 260, MRC_PATH_ALWAYS_SKIP);
  CU_ASSERT_EQUAL(mrc_paths_state(&paths, 260), MRC_ASSUMED_BAD);
  mrc_paths_probed(&paths, 260, MRC_PATH_SKIP_ONCE);
  CU_ASSERT_EQUAL(mrc_paths_state(&paths, 260), MRC_SKIP);
  mrc_paths_judge(&paths, 260, MRC_PATH_ALWAYS_SKIP);
  mrc_paths_probed(&paths, 260, MRC_PATH_NONE);
  CU_ASSERT_EQUAL(mrc_paths_state(&paths, 260), MRC_GOOD);
  CU_ASSERT(uses(&paths, draws.rng, 260, 16) >= 1);
  mrc_paths_free(&paths);
  opp_sim_free(draws.sim);
}

SGF_TEST(without_a_good_value_the_one_that_was_good_longest_ago_is_used)
{
  draws_t draws = draws_new(1);
  mrc_paths_t paths;
  mrc_paths_init(&paths, 10, 3);
  mrc_paths_judge(&paths, 11, MRC_PATH_ALWAYS_SKIP);
  mrc_paths_judge(&paths, 12, MRC_PATH_ALWAYS_SKIP);
  mrc_paths_judge(&paths, 10, MRC_PATH_ALWAYS_SKIP);
  CU_ASSERT_EQUAL(uses(&paths, draws.rng, 11, 5), 5);
  mrc_paths_probed(&paths, 11, MRC_PATH_NONE);
  CU_ASSERT_EQUAL(uses(&paths, draws.rng, 11, 5), 5); /* the only good one */
  mrc_paths_judge(&paths, 11, MRC_PATH_SKIP_ONCE);
  CU_ASSERT_EQUAL(mrc_paths_next(&paths, draws.rng), 12); /* 11 is passed over meanwhile */
  CU_ASSERT_EQUAL(uses(&paths, draws.rng, 11, 5), 5);
  mrc_paths_free(&paths);
  opp_sim_free(draws.sim);
}

/* Whatever happens, a value that is not good is used only if none is, and one in good health once in a rotation. */
SGF_TEST(values_keep_their_states_apart)
{
  enum { COUNT = 32 };
  draws_t draws    = draws_new(3);
  unsigned strange = 0;
  mrc_paths_t paths;
  mrc_paths_init(&paths, 500, COUNT);
  for (unsigned i = 0; i < 20000; i++) {
    const uint16_t value = (uint16_t)(500 + random_below(COUNT));
    const bool had_good  = paths.good > 0;
    switch (random_below(6)) {
      case 0:
        mrc_paths_judge(&paths, value, MRC_PATH_SKIP_ONCE);
        break;
      case 1:
        mrc_paths_judge(&paths, value, MRC_PATH_ALWAYS_SKIP);
        break;
      case 2:
        mrc_paths_probed(&paths, value, random_below(2) == 0 ? MRC_PATH_NONE : MRC_PATH_SKIP_ONCE);
        break;
      default:
        strange += mrc_paths_state(&paths, mrc_paths_next(&paths, draws.rng)) != MRC_GOOD && had_good;
    }
    unsigned good = 0, bad = 0;
    for (uint16_t v = 500; v < 500 + COUNT; v++) {
      good += mrc_paths_state(&paths, v) == MRC_GOOD;
      bad += mrc_paths_state(&paths, v) == MRC_ASSUMED_BAD;
    }
    strange += good != paths.good || bad != mrc_paths_bad(&paths);
  }
  CU_ASSERT_EQUAL(strange, 0);
  mrc_paths_free(&paths);
  opp_sim_free(draws.sim);
}

/* ---- Messages at their receiver (12) ----------------------------------------------------------------------------- */

static bool part(mrc_inbox_t* inbox, uint64_t number, uint32_t first_psn, uint32_t packets, opp_simtime_t now)
{
  const mrc_incoming_t message = {.number = number, .first_psn = first_psn, .packets = packets, .bytes = 10 * number};
  return mrc_inbox_arrived(inbox, &message, 5, now);
}

SGF_TEST(messages_are_delivered_in_the_order_in_which_they_were_sent)
{
  mrc_inbox_t inbox;
  mrc_inbox_init(&inbox);
  CU_ASSERT_TRUE(part(&inbox, 2, 3, 1, 100)); /* PSN 3: a message of one packet, whole before the one before it */
  CU_ASSERT_PTR_NULL(mrc_inbox_deliver(&inbox, 0));
  CU_ASSERT_FALSE(part(&inbox, 1, 0, 0, 110)); /* PSN 0 */
  CU_ASSERT_FALSE(part(&inbox, 1, 0, 3, 120)); /* PSN 2, the last */
  CU_ASSERT_PTR_NULL(mrc_inbox_deliver(&inbox, 1));
  CU_ASSERT_EQUAL(mrc_inbox_find(&inbox, 0)->payload, 10);
  CU_ASSERT_EQUAL(mrc_inbox_find(&inbox, 0)->complete_at, -1);
  CU_ASSERT_TRUE(part(&inbox, 1, 0, 0, 130)); /* PSN 1 */
  CU_ASSERT_EQUAL(mrc_inbox_find(&inbox, 0)->complete_at, 130);
  CU_ASSERT_EQUAL(mrc_inbox_find(&inbox, 3)->complete_at, 100);
  CU_ASSERT_EQUAL(mrc_inbox_deliver(&inbox, 4)->number, 1);
  CU_ASSERT_EQUAL(mrc_inbox_deliver(&inbox, 4)->number, 2);
  CU_ASSERT_PTR_NULL(mrc_inbox_deliver(&inbox, 4));
  mrc_inbox_free(&inbox);
}

/* Messages of 1 to 4 packets, whose packets arrive at random within a window. */
SGF_TEST(every_message_is_delivered_once_and_in_order)
{
  enum { MESSAGES = 2000, WINDOW = 60 };
  static struct {
    uint32_t first, message;
  } packets[4 * MESSAGES + WINDOW];
  static bool arrived[4 * MESSAGES + WINDOW];
  uint32_t count = 0, expected = 0, next = 0, lengths[MESSAGES];
  mrc_inbox_t inbox;
  mrc_inbox_init(&inbox);
  for (uint32_t m = 0; m < MESSAGES; m++) {
    lengths[m] = 1 + random_below(4);
    for (uint32_t i = 0, first = count; i < lengths[m]; i++, count++) {
      packets[count].first   = first;
      packets[count].message = m;
    }
  }
  unsigned wrong = 0;
  while (expected < count) {
    const uint32_t psn = expected + random_below(WINDOW);
    if (psn >= count || arrived[psn])
      continue;
    arrived[psn]         = true;
    const uint32_t m     = packets[psn].message;
    const uint32_t first = packets[psn].first;
    part(&inbox, m, first, psn + 1 == first + lengths[m] ? lengths[m] : 0, psn);
    while (expected < count && arrived[expected])
      expected++;
    for (const mrc_incoming_t* message; (message = mrc_inbox_deliver(&inbox, expected)) != NULL;)
      wrong += message->number != next++;
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(next, MESSAGES);
  CU_ASSERT(inbox.room <= 128); /* what is delivered makes room */
  mrc_inbox_free(&inbox);
}

/* ---- The table of ends ------------------------------------------------------------------------------------------- */

SGF_TEST(ends_are_found_by_address_and_number)
{
  enum { ADDRESSES = 30, NUMBERS = 20 };
  static mrc_key_t ends[ADDRESSES][NUMBERS];
  mrc_table_t table = {0};
  CU_ASSERT_PTR_NULL(mrc_table_find(&table, 1, 1));
  for (uint32_t a = 0; a < ADDRESSES; a++)
    for (uint32_t n = 0; n < NUMBERS; n++) {
      ends[a][n] = (mrc_key_t){.address = 0x0a000001 + a, .queue_pair = n};
      CU_ASSERT_PTR_NULL(mrc_table_find(&table, ends[a][n].address, n));
      mrc_table_add(&table, &ends[a][n]);
    }
  for (uint32_t a = 0; a < ADDRESSES; a++)
    for (uint32_t n = 0; n < NUMBERS; n++)
      CU_ASSERT_PTR_EQUAL(mrc_table_find(&table, ends[a][n].address, n), &ends[a][n]);
  CU_ASSERT_PTR_NULL(mrc_table_find(&table, 0x0a000001, NUMBERS));
  CU_ASSERT_EQUAL(table.count, ADDRESSES * NUMBERS);
  mrc_table_free(&table);
}
