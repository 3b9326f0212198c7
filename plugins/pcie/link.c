/* One direction of the link: the lanes of the end that sends, the receive buffers and the pace of the other end.
 *
 * A transfer starts when the link is free and the far end's buffers have room for it (7.4); it holds that room from
 * then until it has been consumed, which takes the end its payload at its rate, transfer after transfer. The order on
 * the link is that of acceptance, so all dates of a transfer follow from the transfers before it. */
#include "pcie/pcie_internal.h"

#include <stdlib.h>

void pcie_link_init(pcie_link_t* link, const sgf_pcie_end_config_t* from, const sgf_pcie_end_config_t* to)
{
  link->lanes.rate = opp_rate(from->lane_bps * (int64_t)from->lane_count);
  if (to->consumption_bps > 0)
    link->consumer.rate = opp_rate(to->consumption_bps);
  link->periods.size = sizeof(pcie_period_t);
  pcie_buffer_init(&link->receive, to->rx_header_bytes, to->rx_data_bytes);
}

void pcie_link_free(pcie_link_t* link)
{
  pcie_buffer_free(&link->receive);
  free(link->periods.things);
}

void pcie_link_count(pcie_link_t* link, pcie_load_t load)
{
  const int64_t transfer = pcie_first_transfer(load.held);
  link->bytes += sgf_pcie_link_bytes(load.bytes);
  link->transfers += pcie_transfers(load.bytes);
  if (transfer > link->largest_transfer)
    link->largest_transfer = transfer;
}

/* ---- How the time was spent -------------------------------------------------------------------------------------- */

/* What has passed at `now` of the time from one date to another. */
static opp_simtime_t passed(opp_simtime_t from, opp_simtime_t to, opp_simtime_t now)
{
  return now <= from ? 0 : (now < to ? now : to) - from;
}

static void close_period(pcie_link_t* link, const pcie_period_t* period)
{
  link->stood += period->start - period->ready;
  link->busy += period->end - period->start;
}

/* Close the periods before the last one that are over. */
static void close_periods(pcie_link_t* link, opp_simtime_t now)
{
  while (link->periods.count > 0) {
    const pcie_period_t* first = pcie_ring_at(&link->periods, 0);
    if (first->end > now)
      return;
    close_period(link, first);
    pcie_ring_pop(&link->periods);
  }
}

static void add_period(pcie_link_t* link, opp_simtime_t now, pcie_period_t period)
{
  if (period.ready == link->last.end && period.start == period.ready) {
    link->last.end = period.end;
    return;
  }
  close_periods(link, now);
  if (link->last.end <= now)
    close_period(link, &link->last);
  else
    *(pcie_period_t*)pcie_ring_push(&link->periods) = link->last;
  link->last = period;
}

void pcie_link_sending_stats(pcie_link_t* link, opp_simtime_t now, sgf_pcie_stats_t* stats)
{
  close_periods(link, now);
  /* Of the others only the first can have begun: one begins where the one before it has ended. */
  const pcie_period_t* current = link->periods.count > 0 ? pcie_ring_at(&link->periods, 0) : &link->last;
  stats->link_bytes            = link->bytes;
  stats->transfers             = link->transfers;
  stats->busy                  = link->busy + passed(current->start, current->end, now);
  stats->credit_wait           = link->stood + passed(current->ready, current->start, now);
}

void pcie_link_receiving_stats(const pcie_link_t* link, sgf_pcie_stats_t* stats)
{
  const bool at_once    = pcie_consumes_at_once(link);
  const int64_t headers = at_once ? link->transfers > 0 : link->receive.header_peak;
  stats->rx_header_peak = headers * SGF_PCIE_HEADER;
  stats->rx_data_peak   = at_once ? link->largest_transfer : link->receive.data_peak;
}

/* ---- Carrying ---------------------------------------------------------------------------------------------------- */

/* When the link is free for what is accepted at a date. */
static opp_simtime_t ready_for(const pcie_link_t* link, opp_simtime_t accepted)
{
  return accepted > link->lanes.free_at ? accepted : link->lanes.free_at;
}

opp_simtime_t pcie_link_carry(pcie_link_t* link, opp_simtime_t now, opp_simtime_t accepted, int64_t bytes)
{
  const opp_simtime_t start   = ready_for(link, accepted);
  const opp_simtime_t crossed = opp_transmit(&link->lanes, start, 8 * sgf_pcie_link_bytes(bytes));
  add_period(link, now, (pcie_period_t){start, start, crossed});
  return crossed;
}

pcie_crossing_t pcie_link_carry_transfer(pcie_link_t* link, opp_simtime_t now, opp_simtime_t accepted, pcie_load_t load)
{
  const opp_simtime_t ready    = ready_for(link, accepted);
  const opp_simtime_t start    = pcie_buffer_room(&link->receive, ready, 1, load.held);
  const opp_simtime_t crossed  = opp_transmit(&link->lanes, start, 8 * sgf_pcie_link_bytes(load.bytes));
  const opp_simtime_t consumed = opp_transmit(&link->consumer, crossed, 8 * load.held);
  add_period(link, now, (pcie_period_t){ready, start, crossed});
  pcie_buffer_release(&link->receive, start);
  pcie_buffer_enter(&link->receive, load.held, consumed);
  return (pcie_crossing_t){crossed, consumed};
}
