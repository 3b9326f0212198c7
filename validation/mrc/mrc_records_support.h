/* Records of MRC NICs, read back by the strict parser of records/csv_support.h. */
#ifndef SGF_VALIDATION_MRC_RECORDS_SUPPORT_H
#define SGF_VALIDATION_MRC_RECORDS_SUPPORT_H

#include "records/csv_support.h"

#define MRC_STATS "mrc-transport-stats"
#define MRC_MONITOR "mrc-monitor"

csv_table_t mrc_read_stats(const char* folder, const char* simulation);
csv_table_t mrc_read_monitor(const char* folder, const char* simulation);
bool mrc_has_record(const char* folder, const char* simulation, const char* record);

#endif
