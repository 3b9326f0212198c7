/* sgfabric pcie, internal: what its files share. */
#ifndef SGFABRIC_PCIE_INTERNAL_H
#define SGFABRIC_PCIE_INTERNAL_H

#include <sgfabric/pcie.h>

/* Transfers that a payload of n > 0 bytes takes (spec/uet-nic.md 7.2). */
static inline int64_t pcie_transfers(int64_t payload)
{
  return (int64_t)(((uint64_t)payload + SGF_PCIE_TRANSFER - 1) / SGF_PCIE_TRANSFER);
}

/* What a segment or a transfer moves: bytes on the link, and what of them the data buffers hold. */
typedef struct pcie_load {
  int64_t bytes; /* without overhead */
  int64_t held;
} pcie_load_t;

static inline pcie_load_t pcie_payload(int64_t bytes)
{
  return (pcie_load_t){bytes, bytes};
}

/* A read request, or a part of one. */
static inline pcie_load_t pcie_request(int64_t bytes)
{
  return (pcie_load_t){bytes, 0};
}

static inline int64_t pcie_first_transfer(int64_t bytes)
{
  return bytes < SGF_PCIE_TRANSFER ? bytes : SGF_PCIE_TRANSFER;
}

/* Whether the lanes have a usable rate, read requests a size, and every buffer holds what must enter it as a whole when
 * no read or write is larger than `largest_segment` bytes: SGF_RANGE or SGF_RULE, naming the attribute. */
sgf_status_t pcie_check(const sgf_pcie_config_t* config, int64_t largest_segment, sgf_error_t* error);

/* ---- ring.c: things of one size, first in, first out ------------------------------------------------------------- */

/* Zeroed but for `size` it is empty. Takes memory when it has never held as much, and keeps it. */
typedef struct pcie_ring {
  size_t size; /* bytes of one thing */
  char* things;
  int64_t places; /* 0 or a power of two */
  int64_t first;
  int64_t count;
} pcie_ring_t;

static inline void* pcie_ring_at(const pcie_ring_t* ring, int64_t index)
{
  return ring->things + (size_t)((ring->first + index) & (ring->places - 1)) * ring->size;
}

/* Room for one more at the end; what it holds is for the caller to write. */
void* pcie_ring_push(pcie_ring_t* ring);
void pcie_ring_pop(pcie_ring_t* ring);

/* ---- buffer.c: header and data buffers whose transfers leave at dates known when they enter --------------------- */

typedef struct pcie_buffer {
  int64_t header_capacity; /* transfers */
  int64_t data_capacity;   /* bytes */
  int64_t entered;         /* payload since the start, bytes */
  int64_t left;            /* of it, what has been released */
  int64_t header_peak;     /* transfers */
  int64_t data_peak;       /* bytes */
  pcie_ring_t transfers;   /* in order of entry, which is that of leaving */
} pcie_buffer_t;

void pcie_buffer_init(pcie_buffer_t* buffer, int64_t header_bytes, int64_t data_bytes);
void pcie_buffer_free(pcie_buffer_t* buffer);

/* Return the space of what has left at `now`. */
void pcie_buffer_release(pcie_buffer_t* buffer, opp_simtime_t now);
/* Date, `now` or later, from which there is room for `headers` transfers and `payload` bytes, at most the capacity. */
opp_simtime_t pcie_buffer_room(const pcie_buffer_t* buffer, opp_simtime_t now, int64_t headers, int64_t payload);
/* One transfer, which leaves at `leaves`. One that carries no payload may enter before a header is free for it: it
 * stands behind the buffer, and in it as soon as a header is. */
void pcie_buffer_enter(pcie_buffer_t* buffer, int64_t payload, opp_simtime_t leaves);
/* What it holds at the date of the last release. */
int64_t pcie_buffer_headers(const pcie_buffer_t* buffer);
int64_t pcie_buffer_data(const pcie_buffer_t* buffer);

/* ---- link.c: one direction --------------------------------------------------------------------------------------- */

/* The link has had something to send since `ready`, waits for room at the far end until `start`, is busy until `end`.
 * What follows without a gap is the same period. */
typedef struct pcie_period {
  opp_simtime_t ready, start, end;
} pcie_period_t;

typedef struct pcie_link {
  opp_transmitter_t lanes;    /* of the end that sends */
  opp_transmitter_t consumer; /* the end that receives; bps 0: it consumes at once */
  pcie_buffer_t receive;      /* unused while it consumes at once, when it never holds more than one transfer */
  pcie_period_t last;
  pcie_ring_t periods;       /* those before it that may not be over */
  opp_simtime_t busy, stood; /* in the periods before those: time busy, time waiting for room */
  int64_t bytes, transfers;  /* asked for since the start */
  int64_t largest_transfer;  /* payload bytes */
} pcie_link_t;

void pcie_link_init(pcie_link_t* link, const sgf_pcie_end_config_t* from, const sgf_pcie_end_config_t* to);
void pcie_link_free(pcie_link_t* link);

static inline bool pcie_consumes_at_once(const pcie_link_t* link)
{
  return link->consumer.rate.bps == 0;
}

/* Count a segment. */
void pcie_link_count(pcie_link_t* link, pcie_load_t load);

/* The transfers below are `accepted` into the transmit buffer at a date, perhaps a later one than `now`, behind all
 * before them. */

/* Carry a segment of so many bytes to an end that consumes at once. Returns when its last bit has crossed. */
opp_simtime_t pcie_link_carry(pcie_link_t* link, opp_simtime_t now, opp_simtime_t accepted, int64_t bytes);

typedef struct pcie_crossing {
  opp_simtime_t crossed;  /* its last bit: transmit space is free */
  opp_simtime_t consumed; /* receive space is free */
} pcie_crossing_t;

/* Carry one transfer. */
pcie_crossing_t pcie_link_carry_transfer(pcie_link_t* link, opp_simtime_t now, opp_simtime_t accepted,
                                         pcie_load_t load);

/* What of the statistics one direction knows: those of the end that sends, and the receive peaks of the other. */
void pcie_link_sending_stats(pcie_link_t* link, opp_simtime_t now, sgf_pcie_stats_t* stats);
void pcie_link_receiving_stats(const pcie_link_t* link, sgf_pcie_stats_t* stats);

/* ---- segments.c: the NIC's transmit buffers towards a host that consumes at once --------------------------------- */

/* A write, a read request or a part of one, accepted into the transmit buffers. The link's state before it gives the
 * date of each of its transfers; those are seldom needed, so they are computed on demand. */
typedef struct pcie_segment {
  int64_t payload; /* bytes that the data buffer holds; 0: of a read request */
  int64_t transfers;
  opp_simtime_t accepted; /* the link may carry it from then on */
  opp_simtime_t free_at;  /* the transmitter before it */
  int64_t carry;
  opp_simtime_t end; /* its last bit leaves */
} pcie_segment_t;

/* Space is returned lazily: what is held is exact only after pcie_segments_release. Each segment holds at least one
 * header, so the ring needs no more places than there are headers. */
typedef struct pcie_segments {
  pcie_link_t* link;       /* all that is accepted is on it; not the waiting requests */
  int64_t header_capacity; /* transfers */
  int64_t data_capacity;   /* bytes */
  int64_t headers_held;    /* by transfers whose last bit has not left */
  int64_t data_held;       /* bytes, by the same */
  int64_t header_peak;
  int64_t data_peak;
  int64_t request_bytes; /* of every read request */
  int64_t request_transfers;
  int64_t waiting; /* their transfers that found no header; not 0 only while headers_held == header_capacity */
  int64_t sent;    /* transfers of the first segment that have left */
  int64_t first;   /* place of the first segment in the ring */
  int64_t count;
  pcie_segment_t* ring; /* header_capacity places */
} pcie_segments_t;

/* False: no memory. */
bool pcie_segments_init(pcie_segments_t* segments, pcie_link_t* link, const sgf_pcie_config_t* config);
void pcie_segments_free(pcie_segments_t* segments);

void pcie_segments_release(pcie_segments_t* segments, opp_simtime_t now);
bool pcie_segments_have_room(pcie_segments_t* segments, opp_simtime_t now, int64_t headers, int64_t payload);
/* pcie_segments_have_room is false; the payload is at most the capacity. */
opp_simtime_t pcie_segments_room(const pcie_segments_t* segments, int64_t payload);
/* There is room. Returns when its last bit has crossed. */
opp_simtime_t pcie_segments_accept(pcie_segments_t* segments, opp_simtime_t now, pcie_load_t load);
/* A read request, with room or without. Returns when its last bit has crossed. */
opp_simtime_t pcie_segments_request(pcie_segments_t* segments, opp_simtime_t now);

#endif
