/* The table of messages that arrive at a udp NIC, against a plain array. */
#include "harness.h"

#include "nic/udp/udp.h"

#include <stdlib.h>

enum { MESSAGES = 3000, STEPS = 60000 };

static uint64_t draw(uint64_t* state, uint64_t below)
{
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (*state >> 33) % below;
}

/* Numbers that share places: those of one NIC among all of a fabric have gaps. */
static uint64_t number_of(uint64_t n)
{
  static uint64_t numbers[MESSAGES + 1];
  uint64_t random = 7;
  for (uint64_t i = 1; numbers[MESSAGES] == 0 && i <= MESSAGES; i++)
    numbers[i] = numbers[i - 1] + 1 + draw(&random, 100000);
  return numbers[n];
}

static void check(const udp_ends_t* ends, const uint64_t* naive)
{
  size_t count = 0;
  for (uint64_t n = 1; n <= MESSAGES; n++) {
    const udp_end_t* end = udp_end_find(ends, number_of(n));
    CU_ASSERT_EQUAL_FATAL(end != NULL, naive[n] != 0);
    if (end != NULL)
      CU_ASSERT_EQUAL(end->received, naive[n]);
    count += end != NULL;
  }
  CU_ASSERT_EQUAL(ends->count, count);
  CU_ASSERT(2 * ends->count <= ends->size);
}

SGF_TEST(ends_come_and_go_in_any_order)
{
  static uint64_t naive[MESSAGES + 1];
  udp_ends_t ends = {0};
  uint64_t random = 1;
  for (uint64_t step = 1; step <= STEPS; step++) {
    const uint64_t message = 1 + draw(&random, MESSAGES);
    if (naive[message] != 0 && draw(&random, 2) == 0) {
      udp_end_remove(&ends, number_of(message));
      naive[message] = 0;
    } else {
      udp_end_for(&ends, number_of(message))->received = step;
      naive[message]                                   = step;
    }
    if (step % 6000 == 0)
      check(&ends, naive);
  }
  for (uint64_t n = 1; n <= MESSAGES; n++)
    if (naive[n] != 0)
      udp_end_remove(&ends, number_of(n));
  CU_ASSERT_EQUAL(ends.count, 0);
  CU_ASSERT_PTR_NULL(udp_end_find(&ends, number_of(1)));
  free(ends.table);
}
