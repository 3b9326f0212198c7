/* sgfabric pcie: the PCI Express link between a NIC and its host (spec/uet-nic.md 7, spec/mrc-nic.md 9).
 *
 * Two independent directions without propagation delay. Payload moves in transfers of at most 512 B, each with 34 B of
 * overhead. Each direction is one FIFO, so the dates of a segment's transfers follow from the date of its first: they
 * are known when the segment is asked for, and buffer space is returned lazily. The module holds no events: calls take
 * the time, answers are times, and the owner schedules what it needs (one event for a fetched segment, none for a write
 * unless it must wait). Times of successive calls never decrease, and payloads are 1..largest_segment bytes: a payload
 * of 0 B is neither read nor written (B15).
 *
 * An end consumes what it receives at once, or at a rate of its own. A transfer starts when the link is free and the
 * far end's receive buffers have room for it (7.4, UN-183); the room is taken when it starts and returned when it has
 * been consumed. The host answers a read when the request has been consumed, in order with the writes before it.
 *
 * "NIC" is whatever stands at that end. Several devices may share a link: each answer is a return value, so that
 * nobody need be told apart, and all are served in the order of their calls. */
#ifndef SGFABRIC_PCIE_H
#define SGFABRIC_PCIE_H

#include <sgfabric/attr.h>
#include <sgfabric/opp.h>

SGF_BEGIN_DECL

enum {
  SGF_PCIE_TRANSFER     = 512, /* largest payload of one transfer, bytes (7.2) */
  SGF_PCIE_OVERHEAD     = 34,  /* protocol overhead of one transfer, bytes (7.2) */
  SGF_PCIE_READ_REQUEST = 64,  /* read request without its overhead, bytes, unless told otherwise (7.2) */
  SGF_PCIE_HEADER       = 34,  /* what a transfer takes of a header buffer, bytes (7.4, B14) */
};

/* One end of the link: its lanes towards the other end and its transaction buffers, sizes in bytes. */
typedef struct sgf_pcie_end_config {
  int64_t lane_bps;
  uint64_t lane_count;
  int64_t rx_header_bytes, tx_header_bytes, rx_data_bytes, tx_data_bytes;
  int64_t consumption_bps; /* payload out of the receive buffer, one transfer after the other; 0: at once */
} sgf_pcie_end_config_t;

typedef struct sgf_pcie_config {
  sgf_pcie_end_config_t nic;  /* HostInterface/NICSide: the NIC-to-host direction */
  sgf_pcie_end_config_t host; /* HostInterface/HostSide: the host-to-NIC direction */
  int64_t read_request_bytes; /* of one read request, without overhead; 0: SGF_PCIE_READ_REQUEST */
} sgf_pcie_config_t;

/* The table behind the struct; the documented paths of spec/uet-nic.md 2.2 and 2.7. */
SGF_PUBLIC extern const sgf_attr_table_t sgf_pcie_attributes;

/* ReadRequestSize, for NICs that have it, where RoCE NICs (HostInterface/NICSide/NICPCIeHandler) and MRC NICs
 * (HostInterface/NICSide) have it. Fills the same struct. */
SGF_PUBLIC extern const sgf_attr_table_t sgf_pcie_handler_attributes;
SGF_PUBLIC extern const sgf_attr_table_t sgf_pcie_read_attributes;

/* Apply the shorthand "gen5 x13": G 3 to 7 with 7.88, 15.76, 31.52, 63.04, 126.08 Gb/s a lane, 1 to 16 lanes; sets
 * LaneBps and LaneCount of both ends (design.md). SGF_SYNTAX or SGF_RANGE, config unchanged. */
SGF_PUBLIC sgf_status_t sgf_pcie_set_shorthand(sgf_pcie_config_t* config, const char* text, sgf_error_t* error);

typedef struct sgf_pcie sgf_pcie_t;

/* `largest_segment`: payload bytes of the largest read or write; a buffer that could never accept it, or a receive
 * buffer that could never take one transfer, is refused with SGF_RULE naming the attribute (3.5, B34); lanes or
 * a read request out of range with SGF_RANGE. NULL on error. Allocates; other calls do only when more is on its way at
 * a time than ever was. */
SGF_PUBLIC sgf_pcie_t* sgf_pcie_new(const sgf_pcie_config_t* config, int64_t largest_segment, sgf_error_t* error);
SGF_PUBLIC void sgf_pcie_free(sgf_pcie_t* pcie);

/* Bytes that a payload of n bytes takes on the link: n + 34 x ceil(n / 512) (7.2). */
SGF_PUBLIC int64_t sgf_pcie_link_bytes(int64_t payload);
SGF_PUBLIC int64_t sgf_pcie_to_host_bps(const sgf_pcie_t* pcie); /* NIC-side lanes x lane rate (7.1) */
SGF_PUBLIC int64_t sgf_pcie_to_nic_bps(const sgf_pcie_t* pcie);  /* host-side lanes x lane rate */

/* NIC reads `payload` bytes of host memory: a read request, then the completion. Returns the date at which the last
 * transfer of the payload has crossed. Never refuses: while the NIC's transmit header buffer is full the request waits
 * for the next header slot, ahead of any write not yet accepted (7.3). A request of more than 512 B is several
 * transfers, each with its overhead and its header; each enters as soon as there is a header for it, and the host
 * answers the last. Completions return in request order. */
SGF_PUBLIC opp_simtime_t sgf_pcie_read(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload);

/* Date, `now` or later, from which a write of `payload` bytes is accepted as a whole: room for the payload and for a
 * header for each of its transfers in the NIC's transmit buffers (7.5). Holds as long as no read or write comes
 * between; a read can only make it later, so an owner that wakes at this date asks again. OPP_TIME_MAX: more than the
 * buffers can ever hold. */
SGF_PUBLIC opp_simtime_t sgf_pcie_write_room(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload);

/* NIC writes `payload` bytes to host memory; sgf_pcie_write_room(now) must be `now`. Returns the date at which the last
 * transfer has crossed; without room, does nothing and returns OPP_TIME_MAX. */
SGF_PUBLIC opp_simtime_t sgf_pcie_write(sgf_pcie_t* pcie, opp_simtime_t now, int64_t payload);

/* What the NIC's transmit buffers hold at `now`, bytes. */
SGF_PUBLIC int64_t sgf_pcie_tx_data_bytes(sgf_pcie_t* pcie, opp_simtime_t now);
SGF_PUBLIC int64_t sgf_pcie_tx_header_bytes(sgf_pcie_t* pcie, opp_simtime_t now);

/* Link bytes since the start, NIC to host and host to NIC, of every read and write so far; what is still on its way
 * counts. */
SGF_PUBLIC int64_t sgf_pcie_bytes_to_host(const sgf_pcie_t* pcie);
SGF_PUBLIC int64_t sgf_pcie_bytes_to_nic(const sgf_pcie_t* pcie);

typedef enum sgf_pcie_end { SGF_PCIE_NIC, SGF_PCIE_HOST } sgf_pcie_end_t;

/* What one end has done and held since the start. Counts and receive peaks include what is still on its way, as the
 * bytes above do; times are those that have passed. */
typedef struct sgf_pcie_stats {
  int64_t link_bytes;        /* sent by this end */
  int64_t transfers;         /* sent by this end, read requests included */
  int64_t reads, writes;     /* asked for and accepted; 0 at the host, which only answers */
  opp_simtime_t busy;        /* the link carried this end's transfers */
  opp_simtime_t credit_wait; /* the link was free, and a transfer of this end waited for room at the other (UN-183) */
  opp_simtime_t write_wait;  /* a write waited for room in the transmit buffers: from the call that found none until a
                                write was accepted; 0 at the host */
  int64_t tx_header_peak, tx_data_peak; /* bytes; 0 at the host, whose transmit buffer cannot change a date and is not
                                           followed (plugins/pcie/README.md) */
  int64_t rx_header_peak, rx_data_peak; /* bytes, from the start of a transfer on */
} sgf_pcie_stats_t;

/* Statistics of one end at `now`. */
SGF_PUBLIC sgf_pcie_stats_t sgf_pcie_stats(sgf_pcie_t* pcie, sgf_pcie_end_t end, opp_simtime_t now);

SGF_END_DECL
#endif
