/* The NIC's transmit buffers while the host consumes at once: dates in closed form.
 *
 * Why a read request knows its date at once, even one that the header buffer has no room for. Transfers go on the link
 * in order of acceptance into the transmit buffers. While a request waits, all headers are taken, and each header that
 * comes free goes to the longest waiting request at that same instant; so no write, which needs a header too, is
 * accepted before the last waiting request. Requests are accepted in the order they were made. Hence the order on the
 * link from there on is: what is accepted, then the waiting requests, then what is asked for later. And while all
 * headers are taken the link is busy, so the waiting requests follow what is accepted, and each other, without a gap.
 *
 * All this holds of each transfer of a request that has several: they enter one by one, as headers come free.
 *
 * Requests that wait are therefore alike but for their dates, which follow from their place: a counter of transfers is
 * enough. Only the first of them may be in part accepted. */
#include "pcie/pcie_internal.h"

#include <stdlib.h>

__extension__ typedef __int128 wide_t;

static const int64_t full_transfer_bits = 8 * (SGF_PCIE_TRANSFER + SGF_PCIE_OVERHEAD);

bool pcie_segments_init(pcie_segments_t* segments, pcie_link_t* link, const sgf_pcie_config_t* config)
{
  const int64_t headers = config->nic.tx_header_bytes / SGF_PCIE_HEADER;
  const int64_t request = config->read_request_bytes > 0 ? config->read_request_bytes : SGF_PCIE_READ_REQUEST;
  *segments             = (pcie_segments_t){.link              = link,
                                            .header_capacity   = headers,
                                            .data_capacity     = config->nic.tx_data_bytes,
                                            .request_bytes     = request,
                                            .request_transfers = pcie_transfers(request)};
  segments->ring        = calloc((size_t)headers, sizeof segments->ring[0]);
  return segments->ring != NULL;
}

void pcie_segments_free(pcie_segments_t* segments)
{
  free(segments->ring);
}

/* Payload held by the first n transfers of a segment. */
static int64_t payload_through(const pcie_segment_t* segment, int64_t n)
{
  int64_t bytes = n * SGF_PCIE_TRANSFER;
  return bytes < segment->payload ? bytes : segment->payload;
}

static pcie_segment_t* segment_at(const pcie_segments_t* segments, int64_t index)
{
  int64_t place = segments->first + index;
  return &segments->ring[place < segments->header_capacity ? place : place - segments->header_capacity];
}

/* Date at which the n-th transfer of a segment leaves, n from 1. */
static opp_simtime_t transfer_end(const pcie_segments_t* segments, const pcie_segment_t* segment, int64_t n)
{
  if (n == segment->transfers)
    return segment->end;
  opp_transmitter_t lanes = {segments->link->lanes.rate, segment->free_at, segment->carry};
  return opp_transmit(&lanes, segment->accepted, n * full_transfer_bits);
}

/* Transfers of a segment that have left at `now`, before its last one has: the largest n whose date, rounded down, is
 * not after `now`. */
static int64_t transfers_left_by(const pcie_segments_t* segments, const pcie_segment_t* segment, opp_simtime_t now)
{
  const opp_rate_t rate     = segments->link->lanes.rate;
  const bool was_idle       = segment->accepted > segment->free_at;
  const opp_simtime_t start = was_idle ? segment->accepted : segment->free_at;
  if (now < start)
    return 0;
  const wide_t units = (wide_t)(now + 1 - start) * rate.ps_den - 1 - (was_idle ? 0 : segment->carry);
  const int64_t n    = (int64_t)(units / ((wide_t)full_transfer_bits * rate.ps_num));
  const int64_t most = segment->transfers - 1;
  return n < most ? n : most;
}

/* Transfers of the first waiting request that do not wait any more. */
static int64_t entered_of_first(const pcie_segments_t* segments)
{
  const int64_t left = segments->waiting % segments->request_transfers;
  return left > 0 ? segments->request_transfers - left : 0;
}

/* Link bytes of the first n transfers of requests, one after the other. */
static int64_t requests_through(const pcie_segments_t* segments, int64_t n)
{
  const int64_t whole = n / segments->request_transfers;
  const int64_t part  = n % segments->request_transfers;
  return whole * sgf_pcie_link_bytes(segments->request_bytes) + part * (SGF_PCIE_TRANSFER + SGF_PCIE_OVERHEAD);
}

/* Date at which the n-th waiting transfer of a request leaves, n from 1. */
static opp_simtime_t waiting_request_end(const pcie_segments_t* segments, int64_t n)
{
  const int64_t entered   = entered_of_first(segments);
  const int64_t bytes     = requests_through(segments, entered + n) - requests_through(segments, entered);
  opp_transmitter_t lanes = segments->link->lanes;
  return opp_transmit(&lanes, lanes.free_at, 8 * bytes);
}

static opp_simtime_t append(pcie_segments_t* segments, opp_simtime_t now, pcie_load_t load)
{
  pcie_segment_t* segment = segment_at(segments, segments->count++);
  segment->payload        = load.held;
  segment->transfers      = pcie_transfers(load.bytes);
  segment->accepted       = now;
  segment->free_at        = segments->link->lanes.free_at;
  segment->carry          = segments->link->lanes.carry;
  segment->end            = pcie_link_carry(segments->link, now, now, load.bytes);
  segments->headers_held += segment->transfers;
  segments->data_held += load.held;
  return segment->end;
}

/* The first transfer that waits has a header. While requests wait the link is busy at least until they are accepted:
 * they start when it is free. */
static void append_waiting(pcie_segments_t* segments)
{
  const int64_t before = SGF_PCIE_TRANSFER * entered_of_first(segments);
  append(segments, segments->link->lanes.free_at, pcie_request(pcie_first_transfer(segments->request_bytes - before)));
  segments->waiting--;
}

/* ---- Space comes back -------------------------------------------------------------------------------------------- */

/* Return the space of the next n transfers of the first segment. Their headers go to the requests that wait. */
static void release(pcie_segments_t* segments, int64_t n)
{
  const pcie_segment_t* segment = segment_at(segments, 0);
  segments->data_held -= payload_through(segment, segments->sent + n) - payload_through(segment, segments->sent);
  segments->headers_held -= n;
  segments->sent += n;
  if (segments->sent == segment->transfers) {
    segments->sent = 0;
    segments->count--;
    /* An empty ring starts again at its first place, so that a lightly loaded link keeps to one cache line. */
    segments->first =
        segments->count == 0 || segments->first + 1 == segments->header_capacity ? 0 : segments->first + 1;
  }
  for (; n > 0 && segments->waiting > 0; n--)
    append_waiting(segments);
}

/* Return the space of the segments that have left at `now`. What is held afterwards may count transfers of the first
 * remaining segment that have left too. */
static void release_segments(pcie_segments_t* segments, opp_simtime_t now)
{
  while (segments->count > 0 && segment_at(segments, 0)->end <= now)
    release(segments, segment_at(segments, 0)->transfers - segments->sent);
}

void pcie_segments_release(pcie_segments_t* segments, opp_simtime_t now)
{
  release_segments(segments, now);
  if (segments->count == 0)
    return;
  const int64_t left = transfers_left_by(segments, segment_at(segments, 0), now);
  if (left > segments->sent)
    release(segments, left - segments->sent);
}

/* ---- Room -------------------------------------------------------------------------------------------------------- */

/* While requests wait no header is free, so that nothing passes them. */
static bool fits(const pcie_segments_t* segments, int64_t headers, int64_t payload)
{
  return headers <= segments->header_capacity - segments->headers_held &&
         payload <= segments->data_capacity - segments->data_held;
}

/* Counts single transfers only where it matters. */
bool pcie_segments_have_room(pcie_segments_t* segments, opp_simtime_t now, int64_t headers, int64_t payload)
{
  release_segments(segments, now);
  if (fits(segments, headers, payload))
    return true;
  pcie_segments_release(segments, now);
  return fits(segments, headers, payload);
}

opp_simtime_t pcie_segments_room(const pcie_segments_t* segments, int64_t payload)
{
  /* What must leave first, in transfers (each waiting one of a request takes a header more) and in payload. */
  int64_t headers = segments->headers_held + segments->waiting + pcie_transfers(payload) - segments->header_capacity;
  int64_t data    = segments->data_held + payload - segments->data_capacity;
  int64_t sent    = segments->sent;
  for (int64_t i = 0; i < segments->count; i++, sent = 0) {
    const pcie_segment_t* segment = segment_at(segments, i);
    int64_t segment_headers       = segment->transfers - sent;
    int64_t segment_data          = segment->payload - payload_through(segment, sent);
    if (headers <= segment_headers && data <= segment_data) {
      int64_t data_transfers = data > 0 ? pcie_transfers(data) : 0;
      return transfer_end(segments, segment, sent + (headers > data_transfers ? headers : data_transfers));
    }
    headers -= segment_headers;
    data -= segment_data;
  }
  return waiting_request_end(segments, headers);
}

/* ---- Acceptance -------------------------------------------------------------------------------------------------- */

/* What is held may count too much; it is made exact only when it would be the most that was ever held. */
static void note_peak(pcie_segments_t* segments, opp_simtime_t now)
{
  if (segments->headers_held <= segments->header_peak && segments->data_held <= segments->data_peak)
    return;
  pcie_segments_release(segments, now);
  if (segments->headers_held > segments->header_peak)
    segments->header_peak = segments->headers_held;
  if (segments->data_held > segments->data_peak)
    segments->data_peak = segments->data_held;
}

opp_simtime_t pcie_segments_accept(pcie_segments_t* segments, opp_simtime_t now, pcie_load_t load)
{
  const opp_simtime_t crossed = append(segments, now, load);
  note_peak(segments, now);
  return crossed;
}

opp_simtime_t pcie_segments_request(pcie_segments_t* segments, opp_simtime_t now)
{
  const int64_t transfers = segments->request_transfers;
  if (pcie_segments_have_room(segments, now, transfers, 0))
    return pcie_segments_accept(segments, now, pcie_request(segments->request_bytes));
  const int64_t free_headers = segments->header_capacity - segments->headers_held;
  if (free_headers > 0)
    pcie_segments_accept(segments, now, pcie_request(free_headers * SGF_PCIE_TRANSFER));
  segments->waiting += transfers - free_headers;
  return waiting_request_end(segments, segments->waiting);
}
