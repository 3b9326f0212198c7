/* Loss by gaps: see loss.h. */
#include "nic/mrc/loss.h"

#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"

/* Of a PSN: under way for the first time, or again; lost and not sent again yet; acknowledged. */
enum { ONCE, AGAIN, WAITING, ACKNOWLEDGED };

enum { FIRST_SIZE = 128, FIRST_ROOM = 8 };

void mrc_loss_init(mrc_loss_t* loss, uint32_t threshold)
{
  *loss = (mrc_loss_t){.threshold = threshold, .size = FIRST_SIZE, .states = sgf_calloc(FIRST_SIZE, 1)};
}

void mrc_loss_free(mrc_loss_t* loss)
{
  free(loss->states);
  free(loss->again);
}

static uint8_t* state_of(const mrc_loss_t* loss, uint32_t psn)
{
  return &loss->states[psn % loss->size];
}

static void grow(mrc_loss_t* loss)
{
  uint8_t* states = sgf_calloc(2 * loss->size, 1);
  for (uint32_t psn = loss->base; psn != loss->next; psn++)
    states[psn % (2 * loss->size)] = *state_of(loss, psn);
  free(loss->states);
  loss->states = states;
  loss->size *= 2;
}

/* The oldest is under way no more: on to the next, and what was acknowledged in between is not beyond that. */
static void advance(mrc_loss_t* loss)
{
  while (++loss->oldest != loss->next && *state_of(loss, loss->oldest) != ONCE)
    loss->above -= *state_of(loss, loss->oldest) == ACKNOWLEDGED;
}

/* ---- Retransmissions --------------------------------------------------------------------------------------------- */

static void see(mrc_loss_t* loss, mrc_again_t* again)
{
  loss->ripe += ++again->seen == loss->threshold;
}

static uint32_t find(const mrc_loss_t* loss, uint32_t psn)
{
  uint32_t place = 0;
  while (loss->again[place].psn != psn)
    place++;
  return place;
}

static void forget(mrc_loss_t* loss, uint32_t place)
{
  loss->ripe -= loss->again[place].seen >= loss->threshold;
  loss->again_count--;
  memmove(&loss->again[place], &loss->again[place + 1], (loss->again_count - place) * sizeof *loss->again);
}

/* The lowest PSN of those that have seen enough, of which there are some. */
static uint32_t lowest_ripe(const mrc_loss_t* loss)
{
  uint32_t lowest = UINT32_MAX;
  for (uint32_t i = 0; i < loss->again_count; i++)
    if (loss->again[i].seen >= loss->threshold && loss->again[i].psn < lowest)
      lowest = loss->again[i].psn;
  return lowest;
}

/* ---- What happens ------------------------------------------------------------------------------------------------ */

void mrc_loss_sent(mrc_loss_t* loss, uint32_t psn)
{
  if (loss->next - loss->base == loss->size)
    grow(loss);
  *state_of(loss, psn) = ONCE;
  loss->next           = psn + 1;
}

void mrc_loss_sent_again(mrc_loss_t* loss, uint32_t psn)
{
  if (loss->again_count == loss->again_room) {
    loss->again_room = loss->again_room == 0 ? FIRST_ROOM : 2 * loss->again_room;
    loss->again      = sgf_realloc(loss->again, loss->again_room, sizeof *loss->again);
  }
  loss->again[loss->again_count++] = (mrc_again_t){.psn = psn, .from = loss->next};
  *state_of(loss, psn)             = AGAIN;
}

void mrc_loss_left(mrc_loss_t* loss, uint32_t psn)
{
  loss->again[find(loss, psn)].left = true;
}

void mrc_loss_withdrawn(mrc_loss_t* loss, uint32_t psn)
{
  if (*state_of(loss, psn) == AGAIN)
    forget(loss, find(loss, psn));
  *state_of(loss, psn) = WAITING;
  if (psn == loss->oldest)
    advance(loss);
}

void mrc_loss_acknowledged(mrc_loss_t* loss, uint32_t psn)
{
  if (*state_of(loss, psn) == AGAIN) {
    const uint32_t place = find(loss, psn);
    for (uint32_t i = 0; i < place; i++)
      if (loss->again[i].left && loss->again[i].psn < psn)
        see(loss, &loss->again[i]);
    forget(loss, place);
  } else
    for (uint32_t i = 0; i < loss->again_count && loss->again[i].from <= psn; i++)
      see(loss, &loss->again[i]);
  *state_of(loss, psn) = ACKNOWLEDGED;
  if (psn > loss->oldest)
    loss->above++;
  else if (psn == loss->oldest)
    advance(loss);
  while (loss->base != loss->next && *state_of(loss, loss->base) == ACKNOWLEDGED)
    loss->base++;
}

bool mrc_loss_take(mrc_loss_t* loss, uint32_t* psn)
{
  const bool is_once = loss->oldest != loss->next && loss->above >= loss->threshold;
  if (!is_once && loss->ripe == 0)
    return false;
  const uint32_t ripe = loss->ripe > 0 ? lowest_ripe(loss) : UINT32_MAX;
  *psn                = is_once && loss->oldest < ripe ? loss->oldest : ripe;
  mrc_loss_withdrawn(loss, *psn);
  return true;
}
