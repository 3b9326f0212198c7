/* What the replays of spec/switch.md 10 on the state machine of the shared buffer have in common. A test carries the id
 * of its assertion. D128: 128 connected ports, every attribute at its default. */
#ifndef SGF_VALIDATION_SHARED_BUFFER_SUPPORT_H
#define SGF_VALIDATION_SHARED_BUFFER_SUPPORT_H

#include <sgfabric/shared_buffer.h>

enum { SB_PACKET = 4000 }; /* charge size in bytes of "a packet" */

/* Settings are pairs of attribute and value. */
#define SB_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})
#define SB_FIXED_SHARE "LossyAlpha", "0"
#define SB_FIXED_CAP "LossyAlpha", "0", "QueueDropThresholdEnable", "true"
#define SB_TC1_LOSSY "EnablePFC", "[1, 0, 0, 0, 0, 0, 0, 0]"

extern const sgf_attr_set_t sb_attributes;

/* The defaults, then `settings`. The next two are the shared buffer they make, which must start. */
sgf_shared_buffer_config_t sb_configure(const char* const* settings);
sgf_shared_buffer_t* sb_start(unsigned ports, const char* const* settings);
sgf_shared_buffer_t* sb_d128(void);

/* Start-up stops by a rule, with a message that names the attribute. */
bool sb_stops(unsigned ports, const char* const* settings, const char* attribute);

/* True: each of `count` packets that arrive at `port` has the expected fate. */
bool sb_arrive_all(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, unsigned count, sgf_sb_arrival_t expected);

/* Offer a packet that is in the buffer to the queue of `out`; a refused one is dropped. */
sgf_sb_queueing_t sb_queue(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, int64_t charge);

/* One packet, or `count`, from `in` to the queue of `out`; false if one is dropped on either side. */
bool sb_forward(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc);
bool sb_forward_all(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, unsigned count);

/* Packets that go into the queue of `out` before the first is dropped. */
unsigned sb_fill(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc);

/* Packets go to ports 0..n-1 in turn until a round in which all are dropped. */
void sb_fill_in_turn(sgf_shared_buffer_t* sb, unsigned n, unsigned tc);

/* Departures from `out` of packets that came in on `in`; the number of resumes. */
unsigned sb_depart(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, unsigned count);

/* D128 with `settings`, after the first 240 packets of a TC0 burst from port 0 to port 1 (10.3). */
sgf_shared_buffer_t* sb_after_burst_of_240(const char* const* settings);

/* Occupancy and headroom of port 0 in pool 0. */
bool sb_port0_holds(const sgf_shared_buffer_t* sb, int64_t occupancy, int64_t headroom);

/* The default ECN thresholds of a pool, as fractions of its static limit (3.4.3). */
bool sb_ecn_band_is(const sgf_shared_buffer_t* sb, unsigned pool, int64_t lower, int64_t upper);

bool sb_within_a_packet(int64_t bytes, int64_t level);

#endif
