/* Who waits for pauses that others cause: R2 of spec/feedback-budget.md 13.2.
 *
 * A's datagrams for D, ten of 4,154 B, take 41.36 KB of charges at V. D has paused V, so that the tenth makes V pause
 * U. It is the last: at U nothing waits for D any more when A begins to send to E. */
#include "harness.h"
#include "victims_support.h"

#include "fabric/victims.h"

enum { LONGEST = 65535, OF_D = 10, OF_E = 16, BYTES_OF_E = 64000, WIRE_OF_E = BYTES_OF_E + OF_E * VICTIMS_HEADERS };
enum { FLOW_D, FLOW_E };

static const opp_simtime_t pause_at_u = 1301003; /* arrival of V's pause */
static const opp_simtime_t e_at_u     = 1368923; /* of E's first datagram */
static const opp_simtime_t hold_of_e  = 20 * OPP_US;
static const opp_simtime_t time_of_e  = 1298560; /* FB-31: 64,928 B at 400 Gb/s */
/* D's resume to V, 64 B and the cable; six datagrams until V's ingress is below Xon; V's resume to U. */
static const opp_simtime_t resume_to_u = 101280 + 6 * 83080 + 101280;

static void pause_d(const r2_t* r2, unsigned quanta)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_script_pause(r2->d, 0, 0, quanta, &error), SGF_OK);
}

/* D resumes V so that V resumes U when E's data have waited for 20 us there. */
static r2_t run_blocked(const char* const* settings, unsigned class_of_e)
{
  r2_t r2 = r2_new("udp", VICTIMS_BPS, settings);
  pause_d(&r2, LONGEST);
  victims_post(r2.fabric, r2.a, r2.d, OF_D * VICTIMS_MSS, 0);
  victims_post_in(r2.fabric, r2.a, r2.e, BYTES_OF_E, 1100 * OPP_NS, class_of_e);
  return r2;
}

static void resume(const r2_t* r2)
{
  CU_ASSERT_EQUAL_FATAL(sgf_engine_advance(r2->fabric, e_at_u + hold_of_e - resume_to_u), SGF_ENGINE_HORIZON);
  pause_d(r2, 0);
}

SGF_TEST(FB_61_a_flow_whose_way_is_free_is_the_victim_of_a_pause)
{
  r2_t r2 = run_blocked(VICTIMS_SETTINGS("StaticPoolXoffThreshold", "700KB", "StaticPoolXonThreshold", "300KB"), 0);
  resume(&r2);
  CU_ASSERT_EQUAL(victims_run_to_frame(r2.fabric, r2.u, 1, OF_D + OF_E), e_at_u + hold_of_e + time_of_e);
  victims_run(r2.fabric);

  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL_FATAL(victims->count, 1);
  CU_ASSERT_EQUAL_FATAL(victims->hold_count, 1);
  const sgf_hold_t* hold = &victims->holds[0];
  CU_ASSERT(victims_is_at(&hold->at, r2.u, 1, 0));
  CU_ASSERT(victims_is_at(&hold->root, r2.d, 0, 0)); /* by way of V's port to D, which D holds */
  CU_ASSERT_EQUAL(hold->steps, 2);
  CU_ASSERT_EQUAL(hold->begin, pause_at_u);
  CU_ASSERT_EQUAL(hold->end, e_at_u + hold_of_e);
  CU_ASSERT_EQUAL(hold->end - hold->begin, victims_paused(r2.u, 1, 0));
  CU_ASSERT_EQUAL(hold->waiting_count, 1);
  CU_ASSERT_EQUAL(hold->victim_count, 1);
  CU_ASSERT_EQUAL(hold->waiting[0].flow, FLOW_E);
  CU_ASSERT_EQUAL(hold->waiting[0].bytes, WIRE_OF_E);
  CU_ASSERT_EQUAL_FATAL(hold->causer_count, 1);
  CU_ASSERT_EQUAL(hold->causers[0].flow, FLOW_D);
  CU_ASSERT_EQUAL(hold->causers[0].bytes, (OF_D - 1) * VICTIMS_CHARGE); /* the tenth was not queued yet */

  const sgf_victim_t* victim = &victims->items[0];
  CU_ASSERT_EQUAL(victim->flow, FLOW_E);
  CU_ASSERT_EQUAL(victim->lost, hold_of_e);
  CU_ASSERT_EQUAL_FATAL(victim->loss_count, 1);
  CU_ASSERT_PTR_EQUAL(victim->losses[0].hold, hold);
  CU_ASSERT_EQUAL(victim->losses[0].since, e_at_u);
  CU_ASSERT_EQUAL_FATAL(victim->sum_count, 1);
  CU_ASSERT_EQUAL(victim->sums[0].holds, 1);
  CU_ASSERT_EQUAL(victim->sums[0].lost, hold_of_e);
  CU_ASSERT_EQUAL(victim->sums[0].sharer_count, 0); /* nothing waits for D at U */
  CU_ASSERT_EQUAL(victim->sums[0].causer_count, 1);
  CU_ASSERT_EQUAL_FATAL(victims->aggressor_count, 1);
  CU_ASSERT_EQUAL(victims->aggressors[0], FLOW_D);
  sgf_victims_free(victims);
  r2_free(&r2);
}

SGF_TEST(FB_62_on_another_priority_it_is_none)
{
  r2_t r2 = run_blocked(VICTIMS_SETTINGS("StaticPoolXoffThreshold", "700KB", "StaticPoolXonThreshold", "300KB"), 1);
  CU_ASSERT_EQUAL(victims_run_to_frame(r2.fabric, r2.u, 1, OF_D + OF_E), e_at_u + time_of_e);
  resume(&r2);
  victims_run(r2.fabric);
  CU_ASSERT_EQUAL(victims_paused(r2.u, 1, 0), e_at_u + hold_of_e - pause_at_u);
  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL(victims->count, 0);
  CU_ASSERT_EQUAL(victims->hold_count, 0);
  CU_ASSERT_EQUAL(victims->aggressor_count, 0);
  sgf_victims_free(victims);
  r2_free(&r2);
}

/* U has little room for what it holds, and pauses A in its turn: for bytes of E's alone, on account of D's at V. */
SGF_TEST(FB_63_the_wait_spreads_to_the_link_before_with_the_same_root)
{
  r2_t r2 = run_blocked(NULL, 0);
  resume(&r2);
  victims_run(r2.fabric);
  CU_ASSERT_EQUAL(sgf_device_class_stats(r2.a, 0, 0).pauses_received, 1); /* U's own */
  CU_ASSERT_EQUAL(sgf_device_class_stats(r2.u, 0, 0).pauses_sent, 1);
  CU_ASSERT_EQUAL(sgf_device_class_stats(r2.v, 0, 0).pauses_sent, 1);

  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL_FATAL(victims->count, 1);
  CU_ASSERT_EQUAL_FATAL(victims->hold_count, 2);
  const sgf_hold_t* at_u = &victims->holds[0];
  const sgf_hold_t* at_a = &victims->holds[1];
  CU_ASSERT(victims_is_at(&at_u->at, r2.u, 1, 0));
  CU_ASSERT(victims_is_at(&at_a->at, r2.a, 0, 0));
  CU_ASSERT(victims_is_at(&at_u->root, r2.d, 0, 0));
  CU_ASSERT(victims_is_at(&at_a->root, r2.d, 0, 0));
  CU_ASSERT_EQUAL(at_u->steps, 2);
  CU_ASSERT_EQUAL(at_a->steps, 3);
  CU_ASSERT_EQUAL(at_a->waiting[0].flow, FLOW_E);
  CU_ASSERT_EQUAL_FATAL(at_a->causer_count, 1);
  CU_ASSERT_EQUAL(at_a->causers[0].flow, FLOW_D); /* E's bytes were all that U had: they are no cause */
  CU_ASSERT_EQUAL(at_a->end - at_a->begin, victims_paused(r2.a, 0, 0));

  /* It waits at A while it waits at U, and for as long as A's resume comes later. */
  const sgf_victim_t* victim = &victims->items[0];
  CU_ASSERT_EQUAL(victim->loss_count, 2);
  CU_ASSERT_EQUAL(victim->sum_count, 2);
  CU_ASSERT(at_a->begin < at_u->end && at_u->end < at_a->end);
  CU_ASSERT_EQUAL(victim->losses[0].since, e_at_u);
  CU_ASSERT_EQUAL(victim->losses[1].since, at_a->begin); /* its datagrams were at A's port already */
  CU_ASSERT_EQUAL(victim->lost, at_a->end - e_at_u);
  CU_ASSERT_EQUAL(victims->aggressor_count, 1);
  sgf_victims_free(victims);
  r2_free(&r2);
}

/* The cable to D has a fortieth of the rate instead, and nothing holds V's port there: that is the root. */
SGF_TEST(FB_63_a_slow_port_is_the_root_itself)
{
  r2_t r2 = r2_new("udp", VICTIMS_BPS / 40, NULL);
  victims_post(r2.fabric, r2.a, r2.d, (OF_D + 1) * VICTIMS_MSS, 0);
  victims_post(r2.fabric, r2.a, r2.e, BYTES_OF_E, 1100 * OPP_NS);
  victims_run(r2.fabric);
  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL_FATAL(victims->count, 1);
  CU_ASSERT_EQUAL(victims->items[0].flow, FLOW_E);
  CU_ASSERT_EQUAL_FATAL(victims->hold_count, 2);
  for (size_t i = 0; i < victims->hold_count; i++) {
    CU_ASSERT(victims_is_at(&victims->holds[i].root, r2.v, 1, 0));
    CU_ASSERT_EQUAL(victims->holds[i].steps, i + 1);
  }
  sgf_victims_free(victims);
  r2_free(&r2);
}

/* ---- Who is none ------------------------------------------------------------------------------------------------- */

/* Enough for D that some of it waits at U when the pause comes. */
SGF_TEST(who_causes_the_pause_waits_with_its_victim_and_is_none)
{
  r2_t r2 = r2_new("udp", VICTIMS_BPS, NULL);
  pause_d(&r2, LONGEST);
  victims_post(r2.fabric, r2.a, r2.d, 20 * VICTIMS_MSS, 0);
  victims_post(r2.fabric, r2.a, r2.e, BYTES_OF_E, 1100 * OPP_NS);
  resume(&r2);
  victims_run(r2.fabric);
  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL_FATAL(victims->count, 1);
  const sgf_victim_t* victim = &victims->items[0];
  CU_ASSERT_EQUAL(victim->flow, FLOW_E);
  for (size_t i = 0; i < victims->hold_count; i++) {
    CU_ASSERT_EQUAL(victims->holds[i].victim_count, 1);
    CU_ASSERT_EQUAL(victims->holds[i].waiting[0].flow, FLOW_E);
  }
  CU_ASSERT_EQUAL_FATAL(victims->holds[0].waiting_count, 2);
  CU_ASSERT_EQUAL(victims->holds[0].waiting[1].flow, FLOW_D);
  size_t at_u = 0;
  while (at_u < victim->sum_count && victim->sums[at_u].at.device != r2.u)
    at_u++;
  CU_ASSERT_FATAL(at_u < victim->sum_count);
  CU_ASSERT_EQUAL_FATAL(victim->sums[at_u].sharer_count, 1);
  CU_ASSERT_EQUAL(victim->sums[at_u].sharers[0].flow, FLOW_D);
  sgf_victims_free(victims);
  r2_free(&r2);
}

/* Two flows for D; and nobody is a victim of a NIC's pause at the last switch, whose queue is for that host alone. */
SGF_TEST(a_pause_that_all_who_wait_have_caused_has_no_victims)
{
  r2_t r2 = r2_new("udp", VICTIMS_BPS, NULL);
  pause_d(&r2, LONGEST);
  victims_post(r2.fabric, r2.a, r2.d, 20 * VICTIMS_MSS, 0);
  victims_post(r2.fabric, r2.a, r2.d, 20 * VICTIMS_MSS, 0);
  resume(&r2);
  victims_run(r2.fabric);
  CU_ASSERT(victims_paused(r2.v, 1, 0) > 20 * OPP_US);
  CU_ASSERT(victims_paused(r2.u, 1, 0) > 18 * OPP_US);
  CU_ASSERT(victims_paused(r2.a, 0, 0) > 16 * OPP_US);
  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL(victims->count, 0);
  CU_ASSERT_EQUAL(victims->hold_count, 0);
  sgf_victims_free(victims);
  r2_free(&r2);
}

/* V has nothing at all, and pauses U by hand. */
SGF_TEST(a_pause_without_a_cause_makes_victims_of_all)
{
  r2_t r2           = r2_new("udp", VICTIMS_BPS, NULL);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_script_pause(r2.v, 0, 0, 1000, &error), SGF_OK);
  victims_post(r2.fabric, r2.a, r2.d, VICTIMS_MSS, 0);
  victims_post(r2.fabric, r2.a, r2.e, VICTIMS_MSS, 0);
  victims_run(r2.fabric);
  sgf_victims_t* victims = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL(victims->count, 2);
  CU_ASSERT_EQUAL_FATAL(victims->hold_count, 1);
  CU_ASSERT(victims_is_at(&victims->holds[0].root, r2.v, 0, 0));
  CU_ASSERT_EQUAL(victims->holds[0].steps, 1);
  CU_ASSERT_EQUAL(victims->holds[0].causer_count, 0);
  CU_ASSERT_EQUAL(victims->aggressor_count, 0);
  sgf_victims_free(victims);
  r2_free(&r2);
}

SGF_TEST(nobody_is_a_victim_where_nobody_watches)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  victims_cable(fabric, victims_host(fabric, "a", "udp"), victims_host(fabric, "b", "udp"), VICTIMS_BPS, 1);
  CU_ASSERT_EQUAL_FATAL(sgf_fabric_seal(fabric, &error), SGF_OK);
  CU_ASSERT_FALSE(sgf_victims_are_watched(fabric));
  sgf_victims_t* victims = sgf_victims_new(fabric);
  CU_ASSERT_EQUAL(victims->count, 0);
  sgf_victims_free(victims);
  sgf_victims_free(NULL);
  sgf_fabric_free(fabric);
}

/* ---- While it lasts ---------------------------------------------------------------------------------------------- */

SGF_TEST(a_hold_that_lasts_counts_up_to_now)
{
  r2_t r2 = run_blocked(VICTIMS_SETTINGS("StaticPoolXoffThreshold", "700KB", "StaticPoolXonThreshold", "300KB"), 0);
  resume(&r2);
  for (unsigned twice = 0; twice < 2; twice++) {
    sgf_victims_t* victims = sgf_victims_new(r2.fabric);
    CU_ASSERT_EQUAL_FATAL(victims->count, 1);
    CU_ASSERT_EQUAL(victims->items[0].lost, hold_of_e - resume_to_u);
    CU_ASSERT_EQUAL(victims->holds[0].end, sgf_engine_clock(r2.fabric));
    sgf_victims_free(victims);
  }
  r2_free(&r2);
}

/* ---- Several ways ------------------------------------------------------------------------------------------------ */

/* V has two slow cables to W, one for each of two flows to D, by their hash: message 1 and message 2 of a udp NIC
 * differ in their source port. The first fills its cable's queue until V pauses U; the second one's cable is free. */
static size_t victims_with(const char* hash)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* a      = victims_host(fabric, "A", "udp");
  sgf_device_t* d      = victims_host(fabric, "D", "udp");
  sgf_device_t* u      = victims_switch(fabric, "U", NULL);
  sgf_device_t* v      = victims_switch(fabric, "V", VICTIMS_SETTINGS("EcmpHashMethod", hash));
  sgf_device_t* w      = victims_switch(fabric, "W", NULL);
  victims_cable(fabric, u, a, VICTIMS_BPS, 1);
  victims_cable(fabric, v, u, VICTIMS_BPS, 1);
  victims_cable(fabric, v, w, VICTIMS_BPS / 40, 2);
  victims_cable(fabric, w, d, VICTIMS_BPS, 1);
  victims_seal(fabric, true);
  victims_post(fabric, a, d, 12 * VICTIMS_MSS, 0);
  victims_post(fabric, a, d, 12 * VICTIMS_MSS, 1100 * OPP_NS);
  victims_run(fabric);
  CU_ASSERT(victims_paused(u, 1, 0) > OPP_US);
  sgf_victims_t* victims = sgf_victims_new(fabric);
  const size_t count     = victims->count;
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_NOT_EQUAL(victims->items[i].flow, 0);
  sgf_victims_free(victims);
  sgf_fabric_free(fabric);
  return count;
}

SGF_TEST(a_flow_that_takes_another_one_of_several_ways_is_a_victim)
{
  CU_ASSERT_EQUAL(victims_with("hash"), 1);
  CU_ASSERT_EQUAL(victims_with("dpr"), 0); /* by destination: the same way */
}

/* ---- Order of a report ------------------------------------------------------------------------------------------- */

static void pause_u(sgf_fabric_t* fabric, sgf_device_t* v, opp_simtime_t begin, opp_simtime_t end)
{
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_engine_advance(fabric, begin), SGF_ENGINE_HORIZON);
  CU_ASSERT_EQUAL_FATAL(sgf_script_pause(v, 0, 0, LONGEST, &error), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_engine_advance(fabric, end), SGF_ENGINE_HORIZON);
  CU_ASSERT_EQUAL_FATAL(sgf_script_pause(v, 0, 0, 0, &error), SGF_OK);
}

/* R2 with a further host F behind V's port 3. The cables to D and F are slow: 3.32 us a frame and 0.83 us. V pauses U
 * three times by hand: at the beginning, when it has nothing; for 1 us when most of what waits is for F; and for 1 us
 * when a frame for D waits alone. E's frames wait in U since the first pause. The two sums that are equal are in order
 * of their roots, the other way round than they came. */
SGF_TEST(equal_losses_at_one_queue_are_in_order_of_their_roots)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* a      = victims_host(fabric, "A", "udp");
  sgf_device_t* d      = victims_host(fabric, "D", "udp");
  sgf_device_t* e      = victims_host(fabric, "E", "udp");
  sgf_device_t* f      = victims_host(fabric, "F", "udp");
  sgf_device_t* u      = victims_switch(
           fabric, "U", VICTIMS_SETTINGS("StaticPoolXoffThreshold", "900KB", "StaticPoolXonThreshold", "1KB"));
  sgf_device_t* v = victims_switch(fabric, "V", NULL);
  victims_cable(fabric, u, a, VICTIMS_BPS, 1);
  victims_cable(fabric, v, u, VICTIMS_BPS, 1);
  victims_cable(fabric, v, d, VICTIMS_BPS / 40, 1);
  victims_cable(fabric, v, e, VICTIMS_BPS, 1);
  victims_cable(fabric, v, f, VICTIMS_BPS / 10, 1);
  victims_seal(fabric, true);
  victims_post(fabric, a, f, 4 * VICTIMS_MSS, 0);
  victims_post(fabric, a, d, 2 * VICTIMS_MSS, 0);
  victims_post(fabric, a, e, 200 * VICTIMS_MSS, 0);
  pause_u(fabric, v, 0, OPP_US);
  pause_u(fabric, v, 2 * OPP_US, 3 * OPP_US);
  pause_u(fabric, v, 4 * OPP_US, 5 * OPP_US);
  victims_run(fabric);
  sgf_victims_t* victims = sgf_victims_new(fabric);
  size_t i               = 0;
  while (i < victims->count && victims->items[i].flow != 2)
    i++;
  CU_ASSERT_FATAL(i < victims->count);
  const sgf_victim_t* victim = &victims->items[i];
  CU_ASSERT_EQUAL_FATAL(victim->sum_count, 3);
  for (size_t s = 0; s < 3; s++)
    CU_ASSERT(victims_is_at(&victim->sums[s].at, u, 1, 0));
  CU_ASSERT_EQUAL(victim->sums[0].lost, OPP_US);
  CU_ASSERT_EQUAL(victim->sums[1].lost, OPP_US);
  CU_ASSERT(victims_is_at(&victim->sums[0].root, v, 1, 0));
  CU_ASSERT(victims_is_at(&victim->sums[1].root, v, 3, 0));
  CU_ASSERT(victims_is_at(&victim->sums[2].root, v, 0, 0));
  sgf_victims_free(victims);
  sgf_fabric_free(fabric);
}

/* ---- Pauses that are lost ---------------------------------------------------------------------------------------- */

static void lose(opp_module_t* self, opp_msg_t* frame)
{
  (void)self;
  opp_msg_delete(frame);
}

static const opp_module_type_t loses_all = {.name = "loses_all", .handle_message = lose};

/* U never hears of V's pauses. */
SGF_TEST(causes_of_pauses_that_never_come_do_not_pile_up)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_error_t error    = {0};
  sgf_device_t* a      = victims_host(fabric, "A", "udp");
  sgf_device_t* u      = victims_switch(fabric, "U", NULL);
  sgf_device_t* v      = victims_switch(fabric, "V", NULL);
  victims_cable(fabric, u, a, VICTIMS_BPS, 1);
  victims_cable(fabric, v, u, VICTIMS_BPS, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sgf_fabric_insert(fabric, v, 0, "loses", &loses_all, &error));
  victims_seal(fabric, true);
  const uint64_t pauses = 3 * VICTIMS_MOST_ASKED;
  for (uint64_t i = 1; i <= pauses; i++) {
    CU_ASSERT_EQUAL_FATAL(sgf_script_pause(v, 0, 0, 1000, &error), SGF_OK);
    sgf_engine_advance(fabric, (opp_simtime_t)i * OPP_US);
  }
  uint64_t number = pauses - VICTIMS_MOST_ASKED;
  for (const victims_cause_t* cause = fabric->victims->ports[sgf_device_node_id(v)][0].asked[0]; cause != NULL;
       cause                        = cause->next)
    CU_ASSERT_EQUAL(cause->number, ++number);
  CU_ASSERT_EQUAL(number, pauses);
  sgf_fabric_free(fabric);
}

/* ---- Many causes ------------------------------------------------------------------------------------------------- */

enum { DEEP = 60 };

/* Each hold, all of them of U's queue, for a reason that two earlier ones are the reasons of: the ways back from the
 * last to the first are as many as Fibonacci's number 60. A search that took each of them would not end. */
SGF_TEST(a_hold_is_searched_once_for_a_packet_however_many_ways_lead_to_it)
{
  r2_t r2           = r2_new("udp", VICTIMS_BPS, NULL);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_script_pause(r2.v, 0, 0, LONGEST, &error), SGF_OK);
  victims_post(r2.fabric, r2.a, r2.e, VICTIMS_MSS, 0);
  CU_ASSERT_EQUAL_FATAL(sgf_engine_advance(r2.fabric, 2 * OPP_US), SGF_ENGINE_HORIZON);
  fabric_victims_t* victims = r2.fabric->victims;
  CU_ASSERT_EQUAL_FATAL(victims->hold_count, 1);
  victims->holds         = sgf_realloc(victims->holds, DEEP, sizeof *victims->holds);
  victims->hold_capacity = DEEP;
  for (size_t number = 1; number < DEEP; number++) {
    victims_hold_t* hold = &victims->holds[number];
    *hold                = victims->holds[0];
    hold->share_count    = 2;
    hold->shares         = sgf_calloc(2, sizeof *hold->shares);
    for (size_t s = 0; s < 2; s++)
      hold->shares[s] = (victims_share_t){.flow = VICTIMS_NONE, .hold = number > s ? number - 1 - s : 0, .port = 2};
  }
  victims->hold_count   = DEEP;
  sgf_victims_t* report = sgf_victims_new(r2.fabric);
  CU_ASSERT_EQUAL(report->count, 1); /* the first has no cause at all */
  CU_ASSERT_EQUAL(report->hold_count, DEEP);
  sgf_victims_free(report);
  r2_free(&r2);
}
