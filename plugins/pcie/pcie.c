/* The link: its two directions and the NIC's transmit buffers (spec/uet-nic.md 7).
 *
 * Where an end consumes at once, the dates of a segment's transfers follow from that of its first, and nothing is done
 * per transfer (segments.c). Where it takes its time, each transfer is followed on its own (link.c), and its dates are
 * just as well known when it is asked for: the order on the link is that of acceptance, and a read request that waits
 * for a header goes next (segments.c says why). While it waits the link has work, so that the date of its acceptance
 * does not matter for its start. */
#include "pcie/pcie_internal.h"

#include <stdlib.h>

struct sgf_pcie {
  pcie_link_t to_host;
  pcie_link_t to_nic;
  pcie_segments_t segments; /* the NIC's transmit buffers while the host consumes at once; */
  pcie_buffer_t transmit;   /* the same when it does not */
  int64_t reads, writes;
  opp_simtime_t write_wait; /* until `refused_at` */
  opp_simtime_t refused_at; /* a write waits for room since then; -1: none does */
};

static bool is_paced(const sgf_pcie_t* pcie)
{
  return !pcie_consumes_at_once(&pcie->to_host);
}

sgf_pcie_t* sgf_pcie_new(const sgf_pcie_config_t* config, int64_t largest_segment, sgf_error_t* error)
{
  if (pcie_check(config, largest_segment, error) != SGF_OK)
    return NULL;
  sgf_pcie_t* pcie = calloc(1, sizeof *pcie);
  if (pcie != NULL && !pcie_segments_init(&pcie->segments, &pcie->to_host, config)) {
    free(pcie);
    pcie = NULL;
  }
  if (pcie == NULL) {
    sgf_error_set(error, SGF_RANGE, "no memory for a PCIe TXHeaderBufferSize of %lld B",
                  (long long)config->nic.tx_header_bytes);
    return NULL;
  }
  pcie_link_init(&pcie->to_host, &config->nic, &config->host);
  pcie_link_init(&pcie->to_nic, &config->host, &config->nic);
  pcie_buffer_init(&pcie->transmit, config->nic.tx_header_bytes, config->nic.tx_data_bytes);
  pcie->refused_at = -1;
  return pcie;
}

void sgf_pcie_free(sgf_pcie_t* pcie)
{
  if (pcie == NULL)
    return;
  pcie_link_free(&pcie->to_host);
  pcie_link_free(&pcie->to_nic);
  pcie_segments_free(&pcie->segments);
  pcie_buffer_free(&pcie->transmit);
  free(pcie);
}

int64_t sgf_pcie_link_bytes(int64_t payload)
{
  return payload + SGF_PCIE_OVERHEAD * pcie_transfers(payload);
}

int64_t sgf_pcie_to_host_bps(const sgf_pcie_t* pcie)
{
  return pcie->to_host.lanes.rate.bps;
}

int64_t sgf_pcie_to_nic_bps(const sgf_pcie_t* pcie)
{
  return pcie->to_nic.lanes.rate.bps;
}

/* ---- Reads ------------------------------------------------------------------------------------------------------- */

/* Returns the date at which the host answers. */
static opp_simtime_t send_request(sgf_pcie_t* pcie, opp_simtime_t now)
{
  if (!is_paced(pcie))
    return pcie_segments_request(&pcie->segments, now);
  pcie_buffer_release(&pcie->transmit, now);
  pcie_crossing_t request = {0};
  for (int64_t left = pcie->segments.request_bytes; left > 0; left -= SGF_PCIE_TRANSFER) {
    request = pcie_link_carry_transfer(&pcie->to_host, now, now, pcie_request(pcie_first_transfer(left)));
    pcie_buffer_enter(&pcie->transmit, 0, request.crossed);
  }
  return request.consumed;
}

/* The host's transmit buffer holds at least one whole completion. When it is empty the next one enters, and when it is
 * not, the link has work, or waits for the NIC: it never delays the link, whatever its size. */
static opp_simtime_t answer(sgf_pcie_t* pcie, opp_simtime_t now, opp_simtime_t at_host, int64_t payload)
{
  if (pcie_consumes_at_once(&pcie->to_nic))
    return pcie_link_carry(&pcie->to_nic, now, at_host, payload);
  for (; payload > SGF_PCIE_TRANSFER; payload -= SGF_PCIE_TRANSFER)
    pcie_link_carry_transfer(&pcie->to_nic, now, at_host, pcie_payload(SGF_PCIE_TRANSFER));
  return pcie_link_carry_transfer(&pcie->to_nic, now, at_host, pcie_payload(payload)).crossed;
}

opp_simtime_t sgf_pcie_read(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  pcie->reads++;
  pcie_link_count(&pcie->to_host, pcie_request(pcie->segments.request_bytes));
  pcie_link_count(&pcie->to_nic, pcie_payload(payload));
  return answer(pcie, now, send_request(pcie, now), payload);
}

/* ---- Writes ------------------------------------------------------------------------------------------------------ */

static opp_simtime_t room_for_write(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  const int64_t transfers = pcie_transfers(payload);
  if (transfers > pcie->transmit.header_capacity || payload > pcie->transmit.data_capacity)
    return OPP_TIME_MAX;
  if (is_paced(pcie))
    return pcie_buffer_room(&pcie->transmit, now, transfers, payload);
  return pcie_segments_have_room(&pcie->segments, now, transfers, payload)
             ? now
             : pcie_segments_room(&pcie->segments, payload);
}

opp_simtime_t sgf_pcie_write_room(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  const opp_simtime_t room = room_for_write(pcie, now, payload);
  if (room > now && room < OPP_TIME_MAX && pcie->refused_at < 0)
    pcie->refused_at = now;
  return room;
}

static opp_simtime_t accept_write(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  if (!is_paced(pcie))
    return pcie_segments_accept(&pcie->segments, now, pcie_payload(payload));
  pcie_buffer_release(&pcie->transmit, now);
  opp_simtime_t crossed = now;
  for (; payload > 0; payload -= SGF_PCIE_TRANSFER) {
    const int64_t transfer = pcie_first_transfer(payload);
    crossed                = pcie_link_carry_transfer(&pcie->to_host, now, now, pcie_payload(transfer)).crossed;
    pcie_buffer_enter(&pcie->transmit, transfer, crossed);
  }
  return crossed;
}

opp_simtime_t sgf_pcie_write(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  if (sgf_pcie_write_room(pcie, now, payload) != now)
    return OPP_TIME_MAX;
  if (pcie->refused_at >= 0) {
    pcie->write_wait += now - pcie->refused_at;
    pcie->refused_at = -1;
  }
  pcie->writes++;
  pcie_link_count(&pcie->to_host, pcie_payload(payload));
  return accept_write(pcie, now, payload);
}

/* ---- What is and what was ---------------------------------------------------------------------------------------- */

static void release_space(sgf_pcie_t* pcie, opp_simtime_t now)
{
  if (is_paced(pcie))
    pcie_buffer_release(&pcie->transmit, now);
  else
    pcie_segments_release(&pcie->segments, now);
}

int64_t sgf_pcie_tx_data_bytes(sgf_pcie_t* pcie, opp_simtime_t now)
{
  release_space(pcie, now);
  return is_paced(pcie) ? pcie_buffer_data(&pcie->transmit) : pcie->segments.data_held;
}

int64_t sgf_pcie_tx_header_bytes(sgf_pcie_t* pcie, opp_simtime_t now)
{
  release_space(pcie, now);
  return SGF_PCIE_HEADER * (is_paced(pcie) ? pcie_buffer_headers(&pcie->transmit) : pcie->segments.headers_held);
}

int64_t sgf_pcie_bytes_to_host(const sgf_pcie_t* pcie)
{
  return pcie->to_host.bytes;
}

int64_t sgf_pcie_bytes_to_nic(const sgf_pcie_t* pcie)
{
  return pcie->to_nic.bytes;
}

static void nic_stats(sgf_pcie_t* pcie, opp_simtime_t now, sgf_pcie_stats_t* stats)
{
  release_space(pcie, now); /* puts on the link the requests that have found a header meanwhile */
  pcie_link_sending_stats(&pcie->to_host, now, stats);
  pcie_link_receiving_stats(&pcie->to_nic, stats);
  stats->reads          = pcie->reads;
  stats->writes         = pcie->writes;
  stats->write_wait     = pcie->write_wait + (pcie->refused_at < 0 ? 0 : now - pcie->refused_at);
  stats->tx_header_peak = SGF_PCIE_HEADER * (is_paced(pcie) ? pcie->transmit.header_peak : pcie->segments.header_peak);
  stats->tx_data_peak   = is_paced(pcie) ? pcie->transmit.data_peak : pcie->segments.data_peak;
}

sgf_pcie_stats_t sgf_pcie_stats(sgf_pcie_t* pcie, sgf_pcie_end_t end, opp_simtime_t now)
{
  sgf_pcie_stats_t stats = {0};
  if (end == SGF_PCIE_NIC) {
    nic_stats(pcie, now, &stats);
  } else {
    pcie_link_sending_stats(&pcie->to_nic, now, &stats);
    pcie_link_receiving_stats(&pcie->to_host, &stats);
  }
  return stats;
}
