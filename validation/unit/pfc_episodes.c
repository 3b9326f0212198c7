/* Episodes of pauses: what still came in after each decision (spec/feedback-budget.md 4 and 5). */
#include "harness.h"
#include "pfc/episodes.h"

enum { PORTS = 2 };

static pfc_episode_t told;
static unsigned tellings, told_port, told_pool;

static void note(void* user, unsigned port, unsigned pool, const pfc_episode_t* episode)
{
  CU_ASSERT_PTR_EQUAL(user, &told);
  told      = *episode;
  told_port = port;
  told_pool = pool;
  tellings++;
}

static pfc_episodes_t episodes(void)
{
  pfc_episodes_t new;
  pfc_episodes_init(&new, PORTS, note, &told);
  tellings = 0;
  return new;
}

SGF_TEST(an_episode_goes_from_the_decision_to_its_resume)
{
  pfc_episodes_t of = episodes();
  pfc_episode_begin(&of, 1, 3, 1000, 40);
  pfc_episode_arrival(&of, 1, 3, 1200, 100, 140);
  pfc_episode_arrival(&of, 1, 3, 1500, 60, 90); /* some has drained meanwhile */
  CU_ASSERT_EQUAL(tellings, 0);
  pfc_episode_end(&of, 1, 3);
  CU_ASSERT_EQUAL(tellings, 1);
  CU_ASSERT(told_port == 1 && told_pool == 3);
  CU_ASSERT(told.decided == 1000 && told.last == 1500);
  CU_ASSERT(told.frames == 2 && told.bytes == 160 && told.above == 140);
  pfc_episode_end(&of, 1, 3);
  CU_ASSERT_EQUAL(tellings, 1);
  pfc_episodes_free(&of);
}

SGF_TEST(nothing_may_come_after_a_decision)
{
  pfc_episodes_t of = episodes();
  pfc_episode_begin(&of, 0, 0, 0, -7); /* the packet that passed Xoff was dropped */
  pfc_episode_end(&of, 0, 0);
  CU_ASSERT(told.decided == 0 && told.last == -1);
  CU_ASSERT(told.frames == 0 && told.bytes == 0 && told.above == 0);
  pfc_episodes_free(&of);
}

SGF_TEST(ports_and_pools_have_episodes_of_their_own)
{
  pfc_episodes_t of = episodes();
  pfc_episode_begin(&of, 0, 0, 1, 0);
  pfc_episode_begin(&of, 0, 1, 2, 0);
  pfc_episode_begin(&of, 1, 0, 3, 0);
  pfc_episode_arrival(&of, 0, 1, 9, 50, 50);
  pfc_episode_end(&of, 1, 0);
  CU_ASSERT(told.decided == 3 && told.last == -1);
  pfc_episode_end(&of, 0, 1);
  CU_ASSERT(told.decided == 2 && told.last == 9);
  pfc_episodes_end(&of);
  CU_ASSERT(told.decided == 1 && told.last == -1);
  CU_ASSERT_EQUAL(tellings, 3);
  pfc_episodes_free(&of);
}

/* One that was decided before anybody wanted to know has no beginning. */
SGF_TEST(an_episode_without_a_decision_is_none)
{
  pfc_episodes_t of = episodes();
  pfc_episode_arrival(&of, 0, 0, 5, 100, 100);
  pfc_episode_end(&of, 0, 0);
  CU_ASSERT_EQUAL(tellings, 0);
  pfc_episode_begin(&of, 0, 0, 7, 0);
  pfc_episode_end(&of, 0, 0);
  CU_ASSERT(told.decided == 7 && told.frames == 0);
  pfc_episodes_free(&of);
}
