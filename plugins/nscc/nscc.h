/* nscc: the congestion window of one destination (spec/uet-nic.md 9). A plain state machine: no packets, no
 * clock of its own. Sizes are nominal bytes (a packet's IP datagram), times picoseconds. */
#ifndef NSCC_H
#define NSCC_H

#include <sgfabric/attr.h>
#include <sgfabric/opp.h>

/* ---- Attributes (2.6) -------------------------------------------------------------------------------------------- */

typedef struct nscc_config {
  bool pass_through;
  bool enable;
  opp_simtime_t initial_base_rtt;
  opp_simtime_t reference_rtt;
  int64_t reference_bps;
  bool override_target;
  opp_simtime_t target;
  opp_simtime_t target_margin;
  bool disable_quick_adapt;
  uint64_t quick_adapt_gate;
  opp_simtime_t quick_adapt_threshold;
  bool override_max_window;
  uint64_t max_window; /* nominal packets */
  sgf_decimal_t penalty_low;
  sgf_decimal_t penalty_high;
  bool restore_window;
  sgf_decimal_t max_decrease_jump;
  sgf_decimal_t alpha_multiplier;
  sgf_decimal_t fair_multiplier;
  sgf_decimal_t fast_multiplier;
  sgf_decimal_t eta_multiplier;
  sgf_decimal_t gamma;
  sgf_decimal_t delay_alpha;
} nscc_config_t;

extern const sgf_attr_table_t nscc_attributes;

/* ---- What all windows of a NIC share ----------------------------------------------------------------------------- */

typedef struct nscc_params {
  bool enabled;
  bool pass_through;
  bool quick_adapt;
  bool trimming;
  int64_t gbps; /* link rate, whole (B11) */
  opp_simtime_t initial_base_rtt;
  opp_simtime_t target;
  opp_simtime_t target_margin;
  opp_simtime_t quick_adapt_threshold;
  double nominal; /* bytes of a full packet */
  double max_window;
  double quick_adapt_divisor;
  double proportional_gain; /* per byte acknowledged and picosecond below the target */
  double fair_gain;         /* per byte acknowledged */
  double fast_factor;
  double eta; /* bytes */
  double gamma;
  double max_decrease_jump;
  double delay_alpha;
} nscc_params_t;

/* Fills `params`, unless one of the rules C1 to C6 (3.4) is broken: SGF_RULE, and the message names the attribute.
 * `nominal` is that of a full packet, `trimming` the NIC's TrimmingEnabled. */
sgf_status_t nscc_prepare(nscc_params_t* params, const nscc_config_t* config, int64_t link_bps, int64_t nominal,
                          bool trimming, sgf_error_t* error);

/* Bytes that fit a round trip at a rate of whole Gbps. */
double nscc_bandwidth_delay(int64_t gbps, opp_simtime_t rtt);

/* ---- One window -------------------------------------------------------------------------------------------------- */

typedef struct nscc {
  const nscc_params_t* params;
  double window;
  double max_window;
  opp_simtime_t base_rtt;
  opp_simtime_t reference; /* delay samples are what an RTT exceeds this by */
  double delay;            /* average queueing delay */

  double pending; /* increase not yet applied, in bytes x bytes (9.6) */
  int64_t acknowledged_since_update;
  opp_simtime_t last_addition;
  opp_simtime_t last_decrease; /* -1: none yet */
  int64_t fast_bytes;          /* acknowledged below the margin, since one that was above it */
  bool fast;

  opp_simtime_t observation_end; /* of Quick Adapt; -1: not begun */
  int64_t observed;              /* bytes acknowledged in it */
  bool trimmed;                  /* a trim has come since Quick Adapt last fired */
  int64_t to_ignore;             /* bytes whose marks and trims are older than the firing */
  int64_t seen_since_firing;     /* bytes of them acknowledged or trimmed */
  uint64_t quick_adapts;

  double saved; /* window before the receiver's penalty; 0: none saved */
} nscc_t;

void nscc_init(nscc_t* cc, const nscc_params_t* params, opp_simtime_t now);

/* Whether a packet of `nominal` bytes may go with `in_flight` bytes in flight (9.2); PassThrough lets all go (9.10). */
static inline bool nscc_admits(const nscc_t* cc, int64_t in_flight, int64_t nominal)
{
  return cc->params->pass_through || (double)(in_flight + nominal) <= cc->window;
}

/* A data acknowledgement. */
typedef struct nscc_ack {
  int64_t acknowledged; /* newly, by it */
  int64_t in_flight;    /* after that */
  opp_simtime_t rtt;    /* sample without the receiver's service time; -1: it gives none */
  bool ecn_echo;
  bool restore;    /* flag of the receiver */
  uint8_t penalty; /* 0..127, of the receiver */
} nscc_ack_t;
void nscc_acknowledged(nscc_t* cc, const nscc_ack_t* ack, opp_simtime_t now);

/* A NACK for a trimmed packet in flight; `in_flight` is before it is taken off, `rtt` as above. */
void nscc_trimmed(nscc_t* cc, int64_t nominal, int64_t in_flight, opp_simtime_t rtt, opp_simtime_t now);

/* The retransmission timer of a packet in flight has expired. */
void nscc_timed_out(nscc_t* cc, int64_t nominal);

/* A sample for the base RTT alone: a probe's (9.3). */
void nscc_offer_rtt(nscc_t* cc, opp_simtime_t rtt);

/* Queueing delay of an RTT sample. */
opp_simtime_t nscc_queueing_delay(const nscc_t* cc, opp_simtime_t rtt);

/* ---- Receiver (9.9) ---------------------------------------------------------------------------------------------- */

/* The penalty that a pool of `size` bytes holding `occupancy` puts on its senders, 0 to 127, rounded down. */
uint8_t nscc_penalty(const nscc_config_t* config, int64_t occupancy, int64_t size);

#endif
