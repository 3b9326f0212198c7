/* Which packets of a sequence have arrived: see arrivals.h. */
#include "nic/arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"

enum { FIRST_WORDS = 2 };

void nic_arrivals_init(nic_arrivals_t* arrivals)
{
  *arrivals = (nic_arrivals_t){.words = FIRST_WORDS, .arrived = sgf_calloc(FIRST_WORDS, sizeof(uint64_t))};
}

void nic_arrivals_free(nic_arrivals_t* arrivals)
{
  free(arrivals->arrived);
}

void nic_arrivals_restart(nic_arrivals_t* arrivals)
{
  if (arrivals->held > 0) /* else all bits are clear: what is in order leaves none */
    memset(arrivals->arrived, 0, arrivals->words * sizeof *arrivals->arrived);
  *arrivals = (nic_arrivals_t){.arrived = arrivals->arrived, .words = arrivals->words};
}

static void grow(nic_arrivals_t* arrivals, uint32_t number)
{
  uint32_t words = arrivals->words;
  while (number - arrivals->expected + NIC_ARRIVALS_BLOCK >= words * NIC_ARRIVALS_BLOCK)
    words *= 2;
  uint64_t* arrived = sgf_calloc(words, sizeof *arrived);
  for (uint32_t n = arrivals->expected; n < arrivals->highest; n++)
    if (nic_arrivals_bit(arrivals, n))
      arrived[n / NIC_ARRIVALS_BLOCK % words] |= UINT64_C(1) << n % NIC_ARRIVALS_BLOCK;
  free(arrivals->arrived);
  arrivals->arrived = arrived;
  arrivals->words   = words;
}

bool nic_arrivals_mark(nic_arrivals_t* arrivals, uint32_t number)
{
  if (nic_arrivals_has(arrivals, number))
    return false;
  /* One word more than the span, so that the words of `expected` and of `number` never meet on the ring. */
  if (number - arrivals->expected + NIC_ARRIVALS_BLOCK >= arrivals->words * NIC_ARRIVALS_BLOCK)
    grow(arrivals, number);
  *nic_arrivals_word(arrivals, number) |= UINT64_C(1) << number % NIC_ARRIVALS_BLOCK;
  arrivals->held++;
  if (number >= arrivals->highest)
    arrivals->highest = number + 1;
  while (arrivals->expected < arrivals->highest && nic_arrivals_bit(arrivals, arrivals->expected)) {
    *nic_arrivals_word(arrivals, arrivals->expected) &= ~(UINT64_C(1) << arrivals->expected % NIC_ARRIVALS_BLOCK);
    arrivals->expected++;
    arrivals->held--;
  }
  return true;
}

/* Below `expected` all bits are clear, and so are those that were never reached: two words hold what is asked for. */
uint64_t nic_arrivals_block(const nic_arrivals_t* arrivals, uint32_t base)
{
  if (base >= arrivals->highest)
    return 0;
  const unsigned shift = base % NIC_ARRIVALS_BLOCK;
  const uint64_t low   = *nic_arrivals_word(arrivals, base) >> shift;
  if (shift == 0)
    return low;
  return low | *nic_arrivals_word(arrivals, base + NIC_ARRIVALS_BLOCK) << (NIC_ARRIVALS_BLOCK - shift);
}

uint32_t nic_arrivals_next_block(const nic_arrivals_t* arrivals, uint32_t* next, uint64_t* bitmap)
{
  *bitmap = 0;
  if (arrivals->highest <= arrivals->expected) {
    *next = 0;
    return arrivals->expected;
  }
  const uint32_t blocks = (arrivals->highest - arrivals->expected - 1) / NIC_ARRIVALS_BLOCK + 1;
  const uint32_t block  = *next % blocks;
  const uint32_t base   = arrivals->expected + block * NIC_ARRIVALS_BLOCK;
  *bitmap               = nic_arrivals_block(arrivals, base);
  *next                 = block + 1;
  return base;
}
