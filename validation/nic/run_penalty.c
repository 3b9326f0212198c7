/* spec/uet-nic.md 9.9 and UN-128 to UN-132 in a simulation: h1 has half of the lanes that it needs and a pool of
 * 360,000 B, and h0 hears of it. */
#include "harness.h"
#include "run_taps_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The way there and back is 5.3 us, so that the base RTT stays 6 us and the window 450,000 B. */
#define SLOW                                                                                                           \
  "**.h1.nic.IngressBufferManager.TotalBufferSize=400KB", "**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=8"

enum { PACKETS = 3000, POOL = 360000, LOW = 90000, BAND = 180000, WINDOW = 450000, MOST = 8192 };

/* ---- What h1's pool held when each packet came, and what its acknowledgements said ------------------------------- */

static int64_t held[PACKETS]; /* by PSN, that packet included while it waits; -1: never came */
static uint8_t penalties[MOST];
static size_t acks, heard;
static uint8_t highest_penalty;
static size_t first_penalised; /* number of that acknowledgement; 0: none */
static double lowest;          /* window while there is a penalty */
static double saved;           /* window to come back to, as of the acknowledgement before */
static double first_after;     /* window at the first acknowledgement after a penalty */
static double highest_after;
static int64_t low = LOW, band = BAND; /* of the penalty: bytes */

static uint8_t penalty_of(int64_t occupancy)
{
  if (occupancy < low)
    return 0;
  return (uint8_t)(occupancy >= low + band ? 127 : 127 * (occupancy - low) / band);
}

/* At the cable of h1: an acknowledgement on its way to h0. */
static opp_simtime_t listen(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  const net_frame_t* frame   = net_frame(msg);
  const uet_header_t* header = uet_header_const(frame);
  if (to_host || frame->type == NET_FRAME_PFC || header->type != UET_ACK || header->flags & UET_FLAG_PROBE)
    return 0;
  CU_ASSERT_FATAL(acks < MOST && header->psn < PACKETS);
  CU_ASSERT_EQUAL(header->ack.penalty, penalty_of(held[header->psn]));
  penalties[acks++] = header->ack.penalty;
  if (header->ack.penalty > highest_penalty)
    highest_penalty = header->ack.penalty;
  return 0;
}

/* A packet that comes finds its acknowledgement written in the same event, after its own write was accepted or put in
 * line. */
static void watch_receiver(void)
{
  static uint64_t received;
  const uint64_t now_received = uet_state(run_nic(1))->counters.data_received;
  if (now_received == received)
    return;
  CU_ASSERT_EQUAL(now_received, received + 1);
  if (received < PACKETS)
    held[received] = run_nic(1)->ingress[0].occupancy; /* on one cable they come in order */
  received++;
}

/* Each acknowledgement with a penalty leaves no more window than is in flight, and at least a packet (UN-130). */
static void watch_sender(void)
{
  static uint64_t probe_acks, all;
  const uet_state_t* state = uet_state(run_nic(0));
  const bool is_probe      = state->counters.probe_acks_received != probe_acks;
  const bool is_ack        = state->counters.acks_received != all;
  probe_acks               = state->counters.probe_acks_received;
  all                      = state->counters.acks_received;
  const nscc_t* cc         = run_congestion(1);
  if (!is_ack || is_probe || heard >= acks)
    return;
  const uint8_t penalty = penalties[heard++];
  if (cc == NULL)
    return;
  const int64_t in_flight = state->groups[1]->in_flight;
  if (penalty > 0) {
    CU_ASSERT(cc->saved > 0);
    CU_ASSERT(cc->window <= (double)(in_flight > RUN_IP ? in_flight : RUN_IP));
    first_penalised = first_penalised > 0 ? first_penalised : heard;
    lowest          = lowest == 0 || cc->window < lowest ? cc->window : lowest;
  } else if (saved > 0 && first_after == 0)
    first_after = cc->window;
  if (first_after > 0 && cc->window > highest_after)
    highest_after = cc->window;
  saved = cc->saved;
  CU_ASSERT(cc->window >= RUN_IP);
}

static void watch(opp_simtime_t now)
{
  (void)now;
  watch_receiver();
  watch_sender();
}

static void run_slow(const char* const* settings)
{
  run_tap("h1", listen);
  run_cable("2600ns", settings);
  run_watch(watch);
  run_write(0, 1, (uint64_t)PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(acks, PACKETS);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

/* Every acknowledgement says what the pool held when its packet came, and the pool is never full. */
SGF_SCENARIO(UN_128_and_UN_129_and_UN_130_penalties_of_the_pool_hold_the_sender)
{
  run_slow(RUN_SETTINGS(SLOW));
  CU_ASSERT(highest_penalty > 100);
  CU_ASSERT_EQUAL(lowest, RUN_IP);
  CU_ASSERT(run_peak("h1", "rx0") > LOW && run_peak("h1", "rx0") < POOL - RUN_IP);
  CU_ASSERT_EQUAL(run_drops("nic_ingress_pool"), 0);
  printf("\nresult %" PRId64 " B, %zu, %u\n", run_peak("h1", "rx0"), first_penalised, highest_penalty);
}

/* The window before the penalty was the largest. */
SGF_SCENARIO(UN_131_with_the_flag_the_window_is_back_when_the_penalty_is_over)
{
  run_slow(RUN_SETTINGS(SLOW, "**.h1.nic.RestoreCWindEnable=true"));
  CU_ASSERT(lowest < WINDOW / 2);
  CU_ASSERT_EQUAL(first_after, WINDOW);
}

SGF_SCENARIO(UN_131_without_the_flag_it_grows_back)
{
  run_slow(RUN_SETTINGS(SLOW, "**.h0.nic.RestoreCWindEnable=true")); /* the sender's own counts for nothing */
  CU_ASSERT(first_after > 0 && first_after < WINDOW / 2);
  CU_ASSERT(highest_after > first_after);
}

/* From 10 to 20 % of the pool. */
SGF_SCENARIO(UN_132_the_thresholds_of_the_receiver_count)
{
  low  = POOL / 10;
  band = POOL / 10;
  run_slow(RUN_SETTINGS(SLOW, "**.h1.nic.ReceiverCongestionLowThreshold=10",
                        "**.h1.nic.ReceiverCongestionHighThreshold=20"));
  CU_ASSERT_EQUAL(highest_penalty, 127);
}

SGF_SCENARIO(thresholds_of_the_sender)
{
  run_slow(RUN_SETTINGS(SLOW, "**.h0.nic.ReceiverCongestionLowThreshold=10",
                        "**.h0.nic.ReceiverCongestionHighThreshold=20"));
  printf("\nresult %" PRId64 " B, %zu, %u\n", run_peak("h1", "rx0"), first_penalised, highest_penalty);
}

static void result_of(const char* scenario, char* line, size_t size)
{
  char output[4096];
  char program[] = SGF_BINARY_DIR "/validation/nic/run_penalty";
  char* argv[]   = {program, (char*)scenario, NULL};
  CU_ASSERT_EQUAL_FATAL(sgf_test_run(argv, output, sizeof output), 0);
  const char* at = strstr(output, "result ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

SGF_TEST(UN_132_the_thresholds_of_the_sender_change_nothing)
{
  char with_defaults[64], with_others[64];
  result_of("UN_128_and_UN_129_and_UN_130_penalties_of_the_pool_hold_the_sender", with_defaults, sizeof with_defaults);
  result_of("thresholds_of_the_sender", with_others, sizeof with_others);
  CU_ASSERT_STRING_EQUAL(with_defaults, with_others);
}
