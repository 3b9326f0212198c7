/* sgfabric records: what a simulation leaves behind.
 *
 * Result files of a simulation on `opp`, as OMNeT++'s tools read them (spec/opp.md section 3):
 *
 *   opp_sim_configure(sim, run);
 *   sgf_records_t* records = sgf_records_new(sim, run, NULL, &error);
 *   opp_sim_run_configured(sim);
 *   sgf_records_close(records, &error);
 *
 * Scalars and statistics go to a .sca file, vectors to a .vec file. Their names are the options output-scalar-file and
 * output-vector-file of the run, or ${resultdir}/${configname}-${iterationvarsf}#${repetition}.sca and .vec; folders
 * are made. A .vec file is written while the run goes on, and only if a value comes.
 *
 * CSV records of a fabric (spec/records.md), rows at regular dates of its simulated time:
 *
 *   sgf_results_t* results = sgf_results_open(fabric, &config, "results", "incast", &error);
 *   ... traffic ...
 *   sgf_results_close(results, sgf_engine_clock(fabric), &error); */
#ifndef SGFABRIC_RECORDS_H
#define SGFABRIC_RECORDS_H

#include <sgfabric/fabric.h>
#include <sgfabric/opp_result.h>

SGF_BEGIN_DECL

/* ---- OMNeT++'s result files -------------------------------------------------------------------------------------- */

typedef struct sgf_records sgf_records_t;

/* Which execution of a run this is. It is not in the results of the run: two executions write the same bytes, unless
 * they are given different stamps. */
typedef struct sgf_records_stamp {
  const char* datetime; /* "20240131-12:00:00" */
  int64_t process;
} sgf_records_stamp_t;

/* Record what `sim`, which was configured with `run`, will have as results. Before opp_sim_initialize; simulation and
 * run have to live until the records are closed. `stamp` NULL: "19700101-00:00:00", process 0. Files of an earlier
 * execution are removed. NULL and an error: a file or folder that cannot be made. */
SGF_PUBLIC sgf_records_t* sgf_records_new(opp_sim_t* sim, opp_ini_run_t* run, const sgf_records_stamp_t* stamp,
                                          sgf_error_t* error);

/* Names of the files. */
SGF_PUBLIC const char* sgf_records_scalar_file(const sgf_records_t* records);
SGF_PUBLIC const char* sgf_records_vector_file(const sgf_records_t* records);

/* After opp_sim_finish: write scalars and statistics, end the files, free `records`. SGF_IO if something could not be
 * written, now or before. */
SGF_PUBLIC sgf_status_t sgf_records_close(sgf_records_t* records, sgf_error_t* error);

/* ---- CSV records ------------------------------------------------------------------------------------------------- */

/* Which records are written, and when: the values behind sgf_results_attributes. sgf_attr_defaults fills a block. */
typedef struct sgf_results_config {
  sgf_decimal_t start_time;              /* StartTime, s */
  sgf_decimal_t client_start_offset;     /* ClientStartOffset, s */
  sgf_decimal_t nd_stats_interval;       /* NDStatsReportInterval, s */
  bool net_device_stats;                 /* EnableNetDeviceStatLogging */
  bool pfc_ecn_stats;                    /* EnablePFCECNStatsLogging */
  sgf_decimal_t network_buffer_interval; /* NetworkBufferStatsReportingInterval, s */
  bool network_buffer_stats;             /* EnableNetworkBufferStatsReporting */
  bool pcie_stats_logging;               /* EnablePCIeStatsLogging */
  bool feedback_stats;                   /* EnableFeedbackStats */
  bool roce_transport_stats_logging;     /* EnableRoceTransportStats */
  bool nd_stats;                         /* the records by their own names */
  bool ecn_pfc_stats;
  bool switch_agg_buffer_stats;
  bool switch_buffer_stats;
  bool load_balancing_stats;
  bool uet_transport_stats;
  bool roce_transport_stats;
  bool mrc_transport_stats;
  bool mrc_monitor;
  bool net_buff_stats;
  bool uet_events;
  bool uet_monitor;
  bool feedback_events;
  bool pcie_stats;
  bool pfc_watchdog;
  bool victim_stats; /* EnableVictimStats */
  bool victims;
  bool topology_report;
  bool zero_rows;               /* of a switch, in ecn-pfc-stats: also where nothing has happened yet */
  char time_utc[SGF_TEXT_SIZE]; /* in every row; "": the wall clock when the row is written */
  char job_id[SGF_TEXT_SIZE];   /* "": the simulation's name */
} sgf_results_config_t;

/* The attributes that the prefix `record` answers to. */
SGF_PUBLIC extern const sgf_attr_set_t sgf_results_attributes;

typedef struct sgf_results sgf_results_t;

/* Write records of `fabric`, which is sealed and has not moved yet, to
 * {folder}/{simulation_name}-{record}-0.csv. Folders are made; files of these names of an earlier execution are
 * removed, also those of records that are not written now. `config` is copied; NULL: defaults. NULL and an error:
 * SGF_IO for a file or folder that cannot be made. */
SGF_PUBLIC sgf_results_t* sgf_results_open(sgf_fabric_t* fabric, const sgf_results_config_t* config, const char* folder,
                                           const char* simulation_name, sgf_error_t* error);

/* The run has ended at `end`, picoseconds: write the last rows, end the files, free `results`. The fabric is not to
 * move any more. SGF_IO if something could not be written, now or before. */
SGF_PUBLIC sgf_status_t sgf_results_close(sgf_results_t* results, opp_simtime_t end, sgf_error_t* error);

SGF_END_DECL
#endif
