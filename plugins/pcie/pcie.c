/* The link as a pair of transmitters and the NIC's transmit buffers (spec/uet-nic.md 7).
 *
 * Why sgf_pcie_read knows its dates at once, even for a request that the header buffer has no room for. Transfers go on
 * the link in order of acceptance into the transmit buffers. While a request waits, all headers are taken, and each
 * header that comes free goes to the longest waiting request at that same instant; so no write, which needs a header
 * too, is accepted before the last waiting request. Requests are accepted in the order they were made. Hence the order
 * on the link from there on is: what is accepted, then the waiting requests, then what is asked for later. And while
 * all headers are taken the link is busy, so the waiting requests follow what is accepted, and each other, without a
 * gap.
 *
 * Requests that wait are therefore alike but for their dates, which follow from their place: a counter is enough. */
#include "pcie/pcie_internal.h"

#include <stdlib.h>

/* A read request or a write accepted into the transmit buffers. The link's state before it gives the date of each of
 * its transfers; those are seldom needed, so they are computed on demand. */
typedef struct segment {
  int64_t payload;        /* bytes; 0: a read request */
  opp_simtime_t accepted; /* the link may carry it from then on */
  opp_simtime_t free_at;  /* the transmitter before it */
  int64_t carry;
  opp_simtime_t end; /* its last bit leaves */
} segment_t;

struct sgf_pcie {
  opp_transmitter_t to_host; /* everything accepted; not the waiting requests */
  opp_transmitter_t to_nic;
  int64_t bytes_to_host; /* link bytes, waiting requests included */
  int64_t bytes_to_nic;

  /* The NIC's transmit buffers. Space is returned lazily: what is held is exact only after release_transfers. Each
   * segment holds at least one header, so the ring needs no more places than there are headers. */
  int64_t header_capacity; /* transfers */
  int64_t data_capacity;   /* bytes */
  int64_t headers_held;    /* by transfers whose last bit has not left */
  int64_t data_held;       /* bytes, by the same */
  int64_t waiting;         /* read requests that found no header; not 0 only while headers_held == header_capacity */
  int64_t sent;            /* transfers of the first segment that have left */
  int64_t first;           /* place of the first segment in the ring */
  int64_t segments;
  segment_t ring[]; /* header_capacity places */
};

static int64_t segment_transfers(const segment_t* segment)
{
  return segment->payload ? pcie_transfers(segment->payload) : 1;
}

/* Payload in the first n transfers of a segment. */
static int64_t payload_through(const segment_t* segment, int64_t n)
{
  int64_t bytes = n * SGF_PCIE_TRANSFER;
  return bytes < segment->payload ? bytes : segment->payload;
}

/* Link bytes of a segment of `payload` bytes, 0 for a read request. */
static int64_t segment_link_bytes(int64_t payload)
{
  return payload ? sgf_pcie_link_bytes(payload) : SGF_PCIE_READ_REQUEST + SGF_PCIE_OVERHEAD;
}

static segment_t* segment_at(sgf_pcie_t* pcie, int64_t index)
{
  int64_t place = pcie->first + index;
  return &pcie->ring[place < pcie->header_capacity ? place : place - pcie->header_capacity];
}

/* Date at which the n-th transfer of a segment leaves, n from 1. */
static opp_simtime_t transfer_end(const sgf_pcie_t* pcie, const segment_t* segment, int64_t n)
{
  if (n == segment_transfers(segment))
    return segment->end;
  opp_transmitter_t link = {pcie->to_host.rate, segment->free_at, segment->carry};
  return opp_transmit(&link, segment->accepted, 8 * n * (SGF_PCIE_TRANSFER + SGF_PCIE_OVERHEAD));
}

/* Date at which the n-th waiting request leaves, n from 1. */
static opp_simtime_t waiting_request_end(const sgf_pcie_t* pcie, int64_t n)
{
  opp_transmitter_t link = pcie->to_host;
  return opp_transmit(&link, link.free_at, 8 * n * segment_link_bytes(0));
}

/* Take a read request (payload 0) or a write into the transmit buffers. Returns when its last bit leaves. */
static opp_simtime_t accept_segment(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  segment_t* segment = segment_at(pcie, pcie->segments++);
  segment->payload   = payload;
  segment->accepted  = now;
  segment->free_at   = pcie->to_host.free_at;
  segment->carry     = pcie->to_host.carry;
  segment->end       = opp_transmit(&pcie->to_host, now, 8 * segment_link_bytes(payload));
  pcie->headers_held += segment_transfers(segment);
  pcie->data_held += payload;
  return segment->end;
}

/* Return the space of the next n transfers of the first segment. Their headers go to the requests that wait. */
static void release(sgf_pcie_t* pcie, int64_t n)
{
  const segment_t* segment = segment_at(pcie, 0);
  pcie->data_held -= payload_through(segment, pcie->sent + n) - payload_through(segment, pcie->sent);
  pcie->headers_held -= n;
  pcie->sent += n;
  if (pcie->sent == segment_transfers(segment)) {
    pcie->sent = 0;
    pcie->segments--;
    /* An empty ring starts again at its first place, so that a lightly loaded link keeps to one cache line. */
    pcie->first = pcie->segments == 0 || pcie->first + 1 == pcie->header_capacity ? 0 : pcie->first + 1;
  }
  /* While requests wait the link is busy at least until they are accepted: they start when it is free. */
  for (; n > 0 && pcie->waiting > 0; n--, pcie->waiting--)
    accept_segment(pcie, pcie->to_host.free_at, 0);
}

/* Return the space of the segments that have left at `now`. What is held afterwards may count transfers of the first
 * remaining segment that have left too. */
static void release_segments(sgf_pcie_t* pcie, opp_simtime_t now)
{
  while (pcie->segments > 0 && segment_at(pcie, 0)->end <= now)
    release(pcie, segment_transfers(segment_at(pcie, 0)) - pcie->sent);
}

/* Return the space of every transfer that has left at `now`. */
static void release_transfers(sgf_pcie_t* pcie, opp_simtime_t now)
{
  release_segments(pcie, now);
  while (pcie->segments > 0 && transfer_end(pcie, segment_at(pcie, 0), pcie->sent + 1) <= now)
    release(pcie, 1);
}

/* While requests wait no header is free, so that nothing passes them. */
static bool fits(const sgf_pcie_t* pcie, int64_t headers, int64_t payload)
{
  return headers <= pcie->header_capacity - pcie->headers_held && payload <= pcie->data_capacity - pcie->data_held;
}

/* Whether the transmit buffers have room at `now`; counts single transfers only where it matters. */
static bool has_room(sgf_pcie_t* pcie, opp_simtime_t now, int64_t headers, int64_t payload)
{
  release_segments(pcie, now);
  if (fits(pcie, headers, payload))
    return true;
  release_transfers(pcie, now);
  return fits(pcie, headers, payload);
}

sgf_pcie_t* sgf_pcie_new(const sgf_pcie_config_t* config, int64_t largest_segment, sgf_error_t* error)
{
  if (pcie_check(config, largest_segment, error) != SGF_OK)
    return NULL;
  int64_t headers  = config->nic.tx_header_bytes / SGF_PCIE_HEADER;
  sgf_pcie_t* pcie = NULL;
  if ((uint64_t)headers <= (SIZE_MAX - sizeof *pcie) / sizeof pcie->ring[0])
    pcie = calloc(1, sizeof *pcie + (size_t)headers * sizeof pcie->ring[0]);
  if (!pcie) {
    sgf_error_set(error, SGF_RANGE, "no memory for a PCIe TXHeaderBufferSize of %lld B",
                  (long long)config->nic.tx_header_bytes);
    return NULL;
  }
  pcie->to_host.rate    = opp_rate(config->nic.lane_bps * (int64_t)config->nic.lane_count);
  pcie->to_nic.rate     = opp_rate(config->host.lane_bps * (int64_t)config->host.lane_count);
  pcie->header_capacity = headers;
  pcie->data_capacity   = config->nic.tx_data_bytes;
  return pcie;
}

void sgf_pcie_free(sgf_pcie_t* pcie)
{
  free(pcie);
}

int64_t sgf_pcie_link_bytes(int64_t payload)
{
  return payload + SGF_PCIE_OVERHEAD * pcie_transfers(payload);
}

int64_t sgf_pcie_to_host_bps(const sgf_pcie_t* pcie)
{
  return pcie->to_host.rate.bps;
}

int64_t sgf_pcie_to_nic_bps(const sgf_pcie_t* pcie)
{
  return pcie->to_nic.rate.bps;
}

opp_simtime_t sgf_pcie_read(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  opp_simtime_t at_host =
      has_room(pcie, now, 1, 0) ? accept_segment(pcie, now, 0) : waiting_request_end(pcie, ++pcie->waiting);
  pcie->bytes_to_host += segment_link_bytes(0);
  pcie->bytes_to_nic += sgf_pcie_link_bytes(payload);
  /* The host's transmit buffer holds at least one whole completion. When it is empty the next one enters, and when it
   * is not, the link has work: it never delays the link, whatever its size. */
  return opp_transmit(&pcie->to_nic, at_host, 8 * sgf_pcie_link_bytes(payload));
}

opp_simtime_t sgf_pcie_write_room(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  int64_t transfers = pcie_transfers(payload);
  if (has_room(pcie, now, transfers, payload))
    return now;
  if (transfers > pcie->header_capacity || payload > pcie->data_capacity)
    return OPP_TIME_MAX;

  /* What must leave first, in transfers (each waiting request takes one header more) and in payload. */
  int64_t headers = pcie->headers_held + pcie->waiting + transfers - pcie->header_capacity;
  int64_t data    = pcie->data_held + payload - pcie->data_capacity;
  int64_t sent    = pcie->sent;
  for (int64_t i = 0; i < pcie->segments; i++, sent = 0) {
    const segment_t* segment = segment_at(pcie, i);
    int64_t segment_headers  = segment_transfers(segment) - sent;
    int64_t segment_data     = segment->payload - payload_through(segment, sent);
    if (headers <= segment_headers && data <= segment_data) {
      int64_t data_transfers = data > 0 ? pcie_transfers(data) : 0;
      return transfer_end(pcie, segment, sent + (headers > data_transfers ? headers : data_transfers));
    }
    headers -= segment_headers;
    data -= segment_data;
  }
  return waiting_request_end(pcie, headers);
}

opp_simtime_t sgf_pcie_write(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload)
{
  if (!has_room(pcie, now, pcie_transfers(payload), payload))
    return OPP_TIME_MAX;
  pcie->bytes_to_host += sgf_pcie_link_bytes(payload);
  return accept_segment(pcie, now, payload);
}

int64_t sgf_pcie_tx_data_bytes(sgf_pcie_t* pcie, opp_simtime_t now)
{
  release_transfers(pcie, now);
  return pcie->data_held;
}

int64_t sgf_pcie_tx_header_bytes(sgf_pcie_t* pcie, opp_simtime_t now)
{
  release_transfers(pcie, now);
  return pcie->headers_held * SGF_PCIE_HEADER;
}

int64_t sgf_pcie_bytes_to_host(const sgf_pcie_t* pcie)
{
  return pcie->bytes_to_host;
}

int64_t sgf_pcie_bytes_to_nic(const sgf_pcie_t* pcie)
{
  return pcie->bytes_to_nic;
}
