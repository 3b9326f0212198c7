/* CSV records of a fabric, inside: what every record knows of the run, and which records there are.
 *
 * A record that is written periodically opens its file, adds its rows to the schedule and writes them when they are
 * due. Rows of one instant come by node id, port or group, class or pool, kind. */
#ifndef RECORDS_RESULTS_INTERNAL_H
#define RECORDS_RESULTS_INTERNAL_H

#include <sgfabric/records.h>
#include <sgfabric/stats.h>

#include <time.h>

#include "records/csv.h"
#include "records/schedule.h"

enum { RESULTS_TIME_SIZE = 40, RESULTS_CLASSES = 8, RESULTS_POOLS = SGF_SB_POOLS };

typedef struct results_run {
  sgf_fabric_t* fabric;
  sgf_results_config_t config;
  csv_place_t place;
  char* folder;
  char* simulation;
  const char* job_id;
  sgf_device_t** devices; /* by node id */
  size_t device_count;
  schedule_t* schedule;
  time_t stamped;                   /* the second that time_utc is of, where that is the wall clock */
  char time_utc[RESULTS_TIME_SIZE]; /* of the rows that are written now */
  opp_simtime_t date;               /* of these */
} results_run_t;

/* A record of the fabric. `open` makes its file, adds to the schedule and returns what the other two get; NULL with
 * `error` untouched: nothing is to be recorded. */
typedef struct results_part {
  const csv_record_t* record;
  void* (*open)(results_run_t* run, sgf_error_t* error);
  void (*end)(void* part); /* the run ends at run->date; NULL: no rows of that date */
  void (*close)(void* part, sgf_error_t* error);
} results_part_t;

extern const results_part_t results_topology_report, results_nd_stats, results_ecn_pfc_stats,
    results_switch_agg_buffer_stats, results_switch_buffer_stats, results_load_balancing_stats,
    results_uet_transport_stats, results_roce_transport_stats, results_net_buff_stats, results_uet_events,
    results_pcie_stats, results_uet_monitor, results_mrc_transport_stats, results_mrc_monitor, results_pfc_watchdog,
    results_feedback_events, results_victims;

/* All of them, in results.c. */
extern const results_part_t* const results_parts[];
extern const size_t results_part_count;

/* results.c: add rows that are due at StartTime + ClientStartOffset + interval, and then every interval. */
void results_add_rows(results_run_t* run, opp_simtime_t interval, schedule_cb due, void* user);

/* NDStatsReportInterval. */
opp_simtime_t results_nd_interval(const results_run_t* run);

/* A value in seconds. */
opp_simtime_t results_seconds(sgf_decimal_t seconds);

/* Rows are written for this date from now on. */
void results_set_date(results_run_t* run, opp_simtime_t date);

/* switch_buffer_stats.c: let the shared buffers take the samples that the records want. */
void results_sample_buffers(const results_run_t* run);

/* ---- columns.c: what several records have in common -------------------------------------------------------------- */

#define RESULTS_NO_SUBTIER UINT32_MAX

void results_time_utc(csv_t* csv, const results_run_t* run);
void results_sim_time(csv_t* csv, const results_run_t* run);
const char* results_component_type(const sgf_device_t* device);
const char* results_port_class(const sgf_device_t* device); /* class name of its port devices */
const char* results_direction(const sgf_device_t* device, unsigned port);

/* What rows of a port begin with, as columns and as values. */
#define RESULTS_PORT_COLUMNS                                                                                           \
  {"job_id", CSV_TEXT}, {"time_utc", CSV_TEXT}, {"sim_time_sec", CSV_REAL}, {"node_id", CSV_INTEGER},                  \
      {"component_name", CSV_TEXT}, {"component_type", CSV_TEXT}, {"ifid", CSV_INTEGER},                               \
  {                                                                                                                    \
    "uldl", CSV_TEXT                                                                                                   \
  }
void results_fill_port(csv_t* csv, const results_run_t* run, const sgf_device_t* device, unsigned port);

/* "10.0.0.1", "10.0.0.1:7" */
enum { RESULTS_IP_SIZE = 16, RESULTS_PDC_SIZE = 32 };
void results_ip(uint32_t address, char text[RESULTS_IP_SIZE]);
void results_pdc(sgf_pdc_id_t pdc, char text[RESULTS_PDC_SIZE]);
void results_fill_pdc(csv_t* csv, sgf_pdc_id_t pdc);

/* A counter where it applies, else nothing. */
void results_count_if(csv_t* csv, bool applies, uint64_t value);

/* PSNs of a bitmap, "[p1:p2:...]"; bit i stands for base + i. */
void results_bitmap(csv_t* csv, uint32_t base, uint64_t bitmap);

/* Two columns: a counter, and its part in the interval. */
void results_twins(csv_t* csv, uint64_t now, uint64_t before);

size_t results_port_count(const results_run_t* run); /* of all devices */

double results_us(opp_simtime_t time);
/* Of samples, as they are or as times in us; 0 of none. */
double results_mean(const sgf_samples_t* samples);
double results_mean_us(const sgf_samples_t* samples);
double results_ratio(double part, double whole); /* 0 of nothing */
/* Bytes in a time. */
double results_gbps(uint64_t bytes, opp_simtime_t time);

#endif
