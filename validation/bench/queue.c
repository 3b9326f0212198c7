/* Nanoseconds for one pop and push of the event queue, the classic hold model: as many events as at the start stay
 * pending.
 *
 *   queue [ROUNDS]
 *
 * uniform      increments are uniform over two microseconds
 * packet-like  half of the increments are a serialisation time (83.5 ns), half a propagation delay (500 ns), one in a
 * hundred is a timer of 100 us
 *
 * Each figure is the median of the rounds (5 unless given). The draws are made beforehand, so that they cost a read. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "opp/kernel.h"

enum { DRAWS = 1 << 16, OPERATIONS = 2000000, MAX_ROUNDS = 101 };

typedef opp_simtime_t draw_fn(opp_rng_t* rng);

static opp_simtime_t uniform(opp_rng_t* rng)
{
  return opp_rng_intuniform(rng, 0, 2 * OPP_US);
}

static opp_simtime_t packet_like(opp_rng_t* rng)
{
  if (opp_rng_intuniform(rng, 1, 100) == 1)
    return 100 * OPP_US;
  return opp_rng_intuniform(rng, 0, 1) == 0 ? 83500 : 500 * OPP_NS;
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Takes the earliest event and puts it back later, again and again. */
static void hold(opp_event_queue_t* queue, const opp_simtime_t* draws, size_t operations, uint64_t* insertion)
{
  for (size_t i = 0; i < operations; i++) {
    opp_msg_t* msg = opp_event_queue_pop(queue, OPP_TIME_MAX);
    msg->time += draws[i % DRAWS];
    msg->order = (*insertion)++;
    opp_event_queue_insert(queue, msg);
  }
}

static double nanoseconds(size_t pending, draw_fn* draw, uint64_t seed)
{
  opp_sim_t* sim         = opp_sim_new(seed);
  opp_module_t* module   = opp_module_new(sim, NULL, "bench", -1, NULL);
  opp_rng_t* rng         = opp_rng(module, 0);
  opp_simtime_t* draws   = malloc(DRAWS * sizeof *draws);
  opp_event_queue_t* all = calloc(1, sizeof *all);
  if (draws == NULL || all == NULL)
    exit(1);
  for (size_t i = 0; i < DRAWS; i++)
    draws[i] = draw(rng);
  uint64_t insertion = 0;
  for (size_t i = 0; i < pending; i++) {
    opp_msg_t* msg = opp_timer_new(module, 0, 0);
    msg->time      = draw(rng);
    msg->order     = insertion++;
    opp_event_queue_insert(all, msg);
  }
  hold(all, draws, 4 * pending, &insertion); /* until the mix of what is pending is that of the draws */
  const double start = seconds();
  hold(all, draws, OPERATIONS, &insertion);
  const double result = (seconds() - start) * 1e9 / OPERATIONS;
  opp_event_queue_free(all);
  free(all);
  free(draws);
  opp_sim_free(sim);
  return result;
}

static int by_value(const void* a, const void* b)
{
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv)
{
  static const size_t pending[] = {2000, 20000, 200000};
  static const struct {
    const char* name;
    draw_fn* draw;
  } mixes[] = {{"uniform", uniform}, {"packet-like", packet_like}};

  const int wanted = argc > 1 ? atoi(argv[1]) : 5;
  const int rounds = wanted < 1 ? 1 : wanted > MAX_ROUNDS ? MAX_ROUNDS : wanted;
  printf("%-12s %10s %10s\n", "increments", "pending", "ns");
  for (size_t m = 0; m < sizeof mixes / sizeof *mixes; m++)
    for (size_t p = 0; p < sizeof pending / sizeof *pending; p++) {
      double results[MAX_ROUNDS];
      for (int round = 0; round < rounds; round++)
        results[round] = nanoseconds(pending[p], mixes[m].draw, (uint64_t)round + 1);
      qsort(results, (size_t)rounds, sizeof *results, by_value);
      printf("%-12s %10zu %10.1f\n", mixes[m].name, pending[p], results[rounds / 2]);
    }
  return 0;
}
