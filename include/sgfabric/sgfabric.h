/* sgfabric: a packet-level data-centre fabric for SimGrid. This header includes all others. */
#ifndef SGFABRIC_SGFABRIC_H
#define SGFABRIC_SGFABRIC_H

#include <sgfabric/attr.h>
#include <sgfabric/comm.h>
#include <sgfabric/error.h>
#include <sgfabric/explain.h>
#include <sgfabric/fabric.h>
#include <sgfabric/feedback.h>
#include <sgfabric/import.h>
#include <sgfabric/opp.h>
#include <sgfabric/opp_ini.h>
#include <sgfabric/opp_result.h>
#include <sgfabric/pcie.h>
#include <sgfabric/records.h>
#include <sgfabric/scenario.h>
#include <sgfabric/script.h>
#include <sgfabric/shared_buffer.h>
#include <sgfabric/simgrid.h>
#include <sgfabric/stats.h>
#include <sgfabric/victims.h>
#include <sgfabric/workload.h>

#endif
