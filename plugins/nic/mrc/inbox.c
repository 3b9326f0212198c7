/* Messages at their receiver: see inbox.h. */
#include "nic/mrc/inbox.h"

#include <stdlib.h>

#include "attr/alloc.h"

enum { FIRST_ROOM = 16 };

void mrc_inbox_init(mrc_inbox_t* inbox)
{
  *inbox = (mrc_inbox_t){.room = FIRST_ROOM, .ring = sgf_calloc(FIRST_ROOM, sizeof(mrc_incoming_t))};
}

void mrc_inbox_free(mrc_inbox_t* inbox)
{
  free(inbox->ring);
}

static mrc_incoming_t* at(const mrc_inbox_t* inbox, uint32_t place)
{
  return &inbox->ring[place % inbox->room];
}

/* The first place whose message does not begin before a PSN. Packets are mostly of the last message. */
static uint32_t place_of(const mrc_inbox_t* inbox, uint32_t first_psn)
{
  uint32_t low  = inbox->begin;
  uint32_t high = inbox->end;
  if (low != high && at(inbox, high - 1)->first_psn <= first_psn)
    return at(inbox, high - 1)->first_psn == first_psn ? high - 1 : high;
  while (low != high) {
    const uint32_t middle = low + (high - low) / 2;
    if (at(inbox, middle)->first_psn < first_psn)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void grow(mrc_inbox_t* inbox)
{
  mrc_incoming_t* ring = sgf_calloc(2 * inbox->room, sizeof *ring);
  for (uint32_t place = inbox->begin; place != inbox->end; place++)
    ring[place % (2 * inbox->room)] = *at(inbox, place);
  free(inbox->ring);
  inbox->ring = ring;
  inbox->room *= 2;
}

static void insert(mrc_inbox_t* inbox, uint32_t place, const mrc_incoming_t* message)
{
  if (inbox->end - inbox->begin == inbox->room) {
    if (inbox->begin != inbox->open)
      inbox->begin++;
    else
      grow(inbox);
  }
  for (uint32_t p = inbox->end++; p != place; p--)
    *at(inbox, p) = *at(inbox, p - 1);
  *at(inbox, place)             = *message;
  at(inbox, place)->payload     = 0;
  at(inbox, place)->arrived     = 0;
  at(inbox, place)->complete_at = -1;
}

bool mrc_inbox_arrived(mrc_inbox_t* inbox, const mrc_incoming_t* message, int64_t payload, opp_simtime_t now)
{
  const uint32_t place = place_of(inbox, message->first_psn);
  if (place == inbox->end || at(inbox, place)->first_psn != message->first_psn)
    insert(inbox, place, message);
  mrc_incoming_t* incoming = at(inbox, place);
  incoming->arrived++;
  incoming->payload += (uint64_t)payload;
  if (message->packets != 0)
    incoming->packets = message->packets;
  if (incoming->arrived != incoming->packets)
    return false;
  incoming->complete_at = now;
  return true;
}

/* A message nothing of which has arrived lies beyond `expected`, so that the first that is open is the next. */
const mrc_incoming_t* mrc_inbox_deliver(mrc_inbox_t* inbox, uint32_t expected)
{
  if (inbox->open == inbox->end)
    return NULL;
  const mrc_incoming_t* incoming = at(inbox, inbox->open);
  if (incoming->complete_at < 0 || incoming->first_psn + incoming->packets > expected)
    return NULL;
  inbox->open++;
  return incoming;
}

const mrc_incoming_t* mrc_inbox_find(const mrc_inbox_t* inbox, uint32_t first_psn)
{
  const uint32_t place = place_of(inbox, first_psn);
  return place != inbox->end && at(inbox, place)->first_psn == first_psn ? at(inbox, place) : NULL;
}
