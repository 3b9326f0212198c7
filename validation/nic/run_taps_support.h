/* What taps see of UET (support/nic_run_taps.h). */
#ifndef SGF_VALIDATION_NIC_RUN_TAPS_SUPPORT_H
#define SGF_VALIDATION_NIC_RUN_TAPS_SUPPORT_H

#include "nic_run_support.h"
#include "support/nic_run_taps.h"

/* The header of a data packet that leaves its host; NULL: something else. */
const uet_header_t* run_sent_data(const opp_msg_t* msg, bool to_host);

/* The congestion window of h0 to a host, NULL before there is one. */
nscc_t* run_congestion(unsigned dst);

#endif
