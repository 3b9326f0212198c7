/* Replays of spec/feedback-budget.md 13.2 with RoCE or other NICs whose senders listen to their receivers: the same on
 * the engine alone and in a SimGrid simulation that reads a platform file and whose actors write.
 *
 *   h0 h1 ... == tor          cables of 400 Gb/s and 100 ns; one simulation per process */
#ifndef SGF_VALIDATION_BUDGET_ROCE_SUPPORT_H
#define SGF_VALIDATION_BUDGET_ROCE_SUPPORT_H

#include "budget_support.h"
#include "support/nic_run_taps.h"

#define BUDGET_CABLE (100 * OPP_NS)

/* Settings of a replay: "nic.Name=value" for all NICs, "switch.Name=value", "h0.nic.Name=value". */
#define BUDGET_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

/* The frames on one host's cable; call it first. */
void budget_rack_tap(const char* host, run_tap_t tap);

sgf_fabric_t* budget_rack(budget_seat_t seat_is, const char* model, unsigned hosts, const char* const* settings);

/* A write at date 0, awaited by its actor if there is one. */
void budget_rack_write(unsigned src, unsigned dst, uint64_t bytes);

/* Run until all is through, and check that nothing is left. The report lives until budget_rack_free. */
const sgf_report_t* budget_rack_run(void);
void budget_rack_free(void);

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* From date 0 to the last acknowledgement. All flows have to have ended. */
opp_simtime_t budget_makespan(const sgf_report_t* report);

#endif
