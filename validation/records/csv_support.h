/* CSV records read back by a strict parser, and fabrics that leave them. */
#ifndef SGF_VALIDATION_CSV_SUPPORT_H
#define SGF_VALIDATION_CSV_SUPPORT_H

#include <sgfabric/records.h>
#include <stdint.h>

/* ---- Records as the specification prints them -------------------------------------------------------------------- */

#define NOW_STAMP "2026-01-13T19:11:38Z"

typedef enum csv_kind {
  CSV_ND_STATS,
  CSV_ECN_PFC_STATS,
  CSV_AGG_BUFF_STATS,
  CSV_BUFF_STATS,
  CSV_LOAD_BALANCING_STATS,
  CSV_TOPOLOGY_REPORT,
  CSV_UET_TRANSPORT_STATS,
  CSV_NET_BUFF_STATS,
  CSV_UET_EVENTS,
  CSV_PCIE_STATS,
  CSV_UET_MONITOR,
  CSV_FEEDBACK_EVENTS,
  CSV_PFC_WATCHDOG,
  CSV_VICTIMS,
  CSV_KINDS
} csv_kind_t;

/* Settings and record attributes with which the records that are off by default are written too. */
#define CSV_ALL_SETTINGS                                                                                               \
  "nic.EnableBufferStats", "true", "nic.EnableEventLogging", "true", "nic.EnableUETMonitor", "true",                   \
      "switch.PfcWatchdog.Enable", "true"
#define CSV_ALL_RECORDS                                                                                                \
  "EnableNetworkBufferStatsReporting", "true", "EnablePCIeStatsLogging", "true", "EnableFeedbackStats", "true",        \
      "EnableVictimStats", "true"

extern const char* const csv_kind_names[CSV_KINDS];
extern const char* const csv_headers[CSV_KINDS];

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct csv_table {
  size_t column_count;
  size_t row_count;
  char** columns;
  char*** rows; /* texts */
  char* text;   /* what the texts are in */
} csv_table_t;

/* Read {folder}/{simulation}-{record}-0.csv and fail the test unless it is a record of its kind to the letter: its
 * header, as many values in each row, lines that end in a single newline, numbers as R-17 has them. */
csv_table_t csv_read_table(const char* folder, const char* simulation, csv_kind_t kind);
/* The same of a record that not every fabric has, by its own name. */
csv_table_t csv_read_record(const char* folder, const char* simulation, const char* record, const char* header);
void csv_free_table(csv_table_t* table);
bool csv_exists(const char* folder, const char* simulation, csv_kind_t kind);

/* The value of a column in a row, both of which must exist. */
const char* csv_at(const csv_table_t* table, size_t row, const char* column);
/* So many rows are there, and in each of them so many of its columns hold what is expected, row by row. */
void csv_check_cells(const csv_table_t* table, size_t rows, const char* const* columns, size_t count,
                     const char* const* expected);
long long csv_integer_at(const csv_table_t* table, size_t row, const char* column);
double csv_real_at(const csv_table_t* table, size_t row, const char* column);

/* The first row from `from` on whose columns have these values, "column", "value", .., NULL; row_count: there is none.
 */
size_t csv_find(const csv_table_t* table, size_t from, const char* const* pairs);
#define WHERE(...) ((const char* const[]){__VA_ARGS__, NULL})

/* Whether two numbers of six significant digits may stand for the same one after a single operation. */
bool csv_close_to(double a, double b);

/* The bytes of a file; to be freed. */
char* csv_bytes(const char* folder, const char* simulation, csv_kind_t kind);
char* csv_bytes_of(const char* folder, const char* simulation, const char* record);
/* Whether all records of two runs are the same to the byte, and which are there. Says where they differ. */
bool csv_same_runs(const char* folder_a, const char* simulation_a, const char* folder_b, const char* simulation_b);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Folder of the running test: every test has its own name. */
#define CSV_FOLDER SGF_BINARY_DIR "/csv_records"

/* The defaults with a fixed date of writing, and then these: "NDStatsReportInterval", "0.0001", .., NULL. */
sgf_results_config_t csv_config(const char* const* pairs);

/* Open records of `fabric`, which may not fail. */
sgf_results_t* csv_start(sgf_fabric_t* fabric, const char* simulation, const char* const* pairs);

/* Let the fabric run until `end`, and end the records there. */
void csv_run_until(sgf_fabric_t* fabric, opp_simtime_t end);
void csv_finish(sgf_results_t* results, opp_simtime_t end);

#endif
