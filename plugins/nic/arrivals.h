/* nic: which packets of a sequence have arrived (spec/uet-nic.md 8.5, 8.8). A plain record, no packets in it: numbers
 * ascend from 0 and arrive in any order. What lies between the first gap and the highest is a ring of bits. */
#ifndef NIC_ARRIVALS_H
#define NIC_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

enum { NIC_ARRIVALS_BLOCK = 64 }; /* numbers in a word */

typedef struct nic_arrivals {
  uint32_t expected; /* first number that has not arrived */
  uint32_t held;     /* arrived beyond it */
  uint32_t highest;  /* one more than the highest that has */
  uint32_t words;    /* a power of two */
  uint64_t* arrived; /* bit n mod (64 x words): has arrived; only `expected` and beyond count */
} nic_arrivals_t;

void nic_arrivals_init(nic_arrivals_t* arrivals);
void nic_arrivals_free(nic_arrivals_t* arrivals);

/* Another sequence: nothing has arrived of it. The memory is kept. */
void nic_arrivals_restart(nic_arrivals_t* arrivals);

static inline uint64_t* nic_arrivals_word(const nic_arrivals_t* arrivals, uint32_t number)
{
  return &arrivals->arrived[number / NIC_ARRIVALS_BLOCK % arrivals->words];
}

static inline bool nic_arrivals_bit(const nic_arrivals_t* arrivals, uint32_t number)
{
  return *nic_arrivals_word(arrivals, number) >> number % NIC_ARRIVALS_BLOCK & 1;
}

static inline bool nic_arrivals_has(const nic_arrivals_t* arrivals, uint32_t number)
{
  return number < arrivals->expected || (number < arrivals->highest && nic_arrivals_bit(arrivals, number));
}

/* Take note of one. False: it had arrived before. */
bool nic_arrivals_mark(nic_arrivals_t* arrivals, uint32_t number);

/* The 64 numbers from `base` on, which is not below `expected`: bit i says whether base + i has arrived. */
uint64_t nic_arrivals_block(const nic_arrivals_t* arrivals, uint32_t base);

/* Successive calls go through the blocks of 64 from `expected` up to the highest, in turn (spec/uet-nic.md B17).
 * Returns the first number of the next one; its bits go to `bitmap`. `next` counts, from 0 on. */
uint32_t nic_arrivals_next_block(const nic_arrivals_t* arrivals, uint32_t* next, uint64_t* bitmap);

#endif
