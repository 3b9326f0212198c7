/* nic: frames on a NIC's cable that may complete a message, for transports that bound its completion. */
#ifndef NIC_CLOSING_H
#define NIC_CLOSING_H

#include "nic/nic.h"

/* A frame has started on the cable that may complete the message, and arrives then. */
static inline void nic_closing_note(nic_closing_t* closing, opp_simtime_t now, opp_simtime_t arrival)
{
  if (closing->last <= now)
    closing->first = arrival;
  if (arrival > closing->last)
    closing->last = arrival;
}

/* The same of a frame whose receiving end is not there yet: of all of them the latest arrival is kept. */
static inline void nic_closing_unmatched(opp_simtime_t* unmatched, opp_simtime_t arrival)
{
  if (arrival > *unmatched)
    *unmatched = arrival;
}

/* What may complete a message whose receiving end has `closing`: one of the unmatched frames may be of it. */
static inline nic_closing_t nic_closing_of(nic_closing_t closing, opp_simtime_t now, opp_simtime_t unmatched)
{
  return unmatched > now ? (nic_closing_t){.first = now, .last = unmatched} : closing;
}

#endif
