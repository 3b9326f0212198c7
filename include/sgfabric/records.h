/* sgfabric records: result files of a simulation, as OMNeT++'s tools read them (spec/opp.md section 3).
 *
 *   opp_sim_configure(sim, run);
 *   sgf_records_t* records = sgf_records_new(sim, run, NULL, &error);
 *   opp_sim_run_configured(sim);
 *   sgf_records_close(records, &error);
 *
 * Scalars and statistics go to a .sca file, vectors to a .vec file. Their names are the options output-scalar-file and
 * output-vector-file of the run, or ${resultdir}/${configname}-${iterationvarsf}#${repetition}.sca and .vec; folders
 * are made. A .vec file is written while the run goes on, and only if a value comes. */
#ifndef SGFABRIC_RECORDS_H
#define SGFABRIC_RECORDS_H

#include <sgfabric/opp_result.h>

SGF_BEGIN_DECL

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

SGF_END_DECL
#endif
