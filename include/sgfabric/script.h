/* sgfabric script: interventions in a run, for experiments of one's own (spec/feedback-budget.md 12, 13): a pause or
 * another rate at a given instant, or as soon as a queue is as long as one says.
 *
 *   static void stop(void* user, sgf_fabric_t* fabric, opp_simtime_t now)
 *   {
 *     for (unsigned port = 0; port < 4; port++)
 *       sgf_script_pause(user, port, 0, 1000, NULL);
 *   }
 *   ...
 *   sgf_script_when_queue(tor, 4, 0, 768000, stop, tor, &error);
 *
 * Dates are exact. Within one instant t a script runs when all events of the models at t are done, and before posts at
 * t are applied; of several, in the order in which they were asked for. What it causes at t is executed afterwards.
 * A run without scripts pays nothing for them.
 *
 * All of it needs a sealed fabric (SGF_STATE). `error` may be NULL; SGF_RANGE names what would be in range. Actors of a
 * SimGrid simulation act through sgfabric/simgrid.h (sg_fabric_pause and so on) while it runs; scripts are set up
 * before simgrid_run, or by other scripts. */
#ifndef SGFABRIC_SCRIPT_H
#define SGFABRIC_SCRIPT_H

#include <sgfabric/fabric.h>

SGF_BEGIN_DECL

/* ---- Acting ------------------------------------------------------------------------------------------------------ */

/* Send a PFC frame from a device's port now: through the queue ahead of all classes, so that it waits for a frame that
 * is being serialised and nothing else. It pauses class `tc` of the peer for `quanta` of 512 bit times (1 to 65,535),
 * or with 0 resumes it. It is counted as the device's own, but what the device's buffers make it send goes on beside
 * it: a switch that resumes the peer ends a scripted pause too. A NIC whose kind sends none (MRC) sends this one. */
SGF_PUBLIC sgf_status_t sgf_script_pause(sgf_device_t* device, unsigned port, unsigned tc, unsigned quanta,
                                         sgf_error_t* error);

/* What SendRate of a udp NIC is from the next frame on, in bits per second on the wire; 0, or no less than the link's
 * rate: that of the link. SGF_RULE: another device. */
SGF_PUBLIC sgf_status_t sgf_script_set_rate(sgf_device_t* host, int64_t bps, sgf_error_t* error);

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

/* Bytes on the wire of the frames of class `tc` at a device's port, waiting or being serialised: a frame counts from
 * when it is queued to the end of its serialisation. The port and class have to exist. What is charged to ingress and
 * headroom of a switch, which is less, is asked of its buffer (sgf_device_buffer, sgf_sb_occupancy, sgf_sb_headroom);
 * of a NIC, sgf_device_pool_stats. */
SGF_PUBLIC int64_t sgf_device_queue_bytes(const sgf_device_t* device, unsigned port, unsigned tc);

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

/* Called between two events. It may act, look, ask for more, and post operations at `now`; while the engine drains,
 * what it posts is left. It must not advance the engine. */
typedef void (*sgf_script_cb)(void* user, sgf_fabric_t* fabric, opp_simtime_t now);

/* Call once, at `date`, which is not before the engine's clock (SGF_STATE). A date keeps the engine from being idle, as
 * an event does, but a drain does not wait for it. */
SGF_PUBLIC sgf_status_t sgf_script_at(sgf_fabric_t* fabric, opp_simtime_t date, sgf_script_cb call, void* user,
                                      sgf_error_t* error);

/* Call once, at the first instant from now on whose events leave class `tc` of a port with at least `level` bytes (1 or
 * more) as sgf_device_queue_bytes counts them. A queue that is as long only within an instant does not count. What a
 * script asks for at an instant in which a call for the same port has been made is called for no sooner than when the
 * next frame is queued there: a call may ask for itself again, and is made once at the end of each such instant. */
SGF_PUBLIC sgf_status_t sgf_script_when_queue(sgf_device_t* device, unsigned port, unsigned tc, int64_t level,
                                              sgf_script_cb call, void* user, sgf_error_t* error);

/* The same as an operation, to await like any other: complete at that instant; at once if the queue is as long now. The
 * caller holds one reference. NULL and an error as above. */
SGF_PUBLIC sgf_op_t* sgf_op_queue(sgf_device_t* device, unsigned port, unsigned tc, int64_t level, sgf_error_t* error);

SGF_END_DECL
#endif
