/* sgfabric scenario: from a SimGrid platform file to a built fabric (design.md, Describing a fabric). */
#ifndef SGFABRIC_SCENARIO_H
#define SGFABRIC_SCENARIO_H

#include <sgfabric/fabric.h>
#include <sgfabric/opp_ini.h>
#include <sgfabric/records.h>

SGF_BEGIN_DECL

typedef struct sgf_scenario sgf_scenario_t;

/* "path-pattern=value", as --set takes it, and where it is written. */
typedef struct sgf_assignment {
  const char* text;
  const char* file; /* NULL: an argument of the command line, which messages call "--set" */
  int line;         /* in `file` */
} sgf_assignment_t;

/* What the lines of a run of an ini file say of a fabric, in the order in which sgf_scenario_load ranks assignments: of
 * several lines that match, the first in the file wins. Options of objects (**.vector-recording) are left out. An array
 * of `*count`, with copies of all texts, to be freed with sgf_ini_assignments_free. */
SGF_PUBLIC sgf_assignment_t* sgf_ini_assignments(const opp_ini_run_t* run, size_t* count);
SGF_PUBLIC void sgf_ini_assignments_free(sgf_assignment_t* assignments, size_t count);

/* Whether a pattern of an ini file sets an option of objects, such as **.vector-recording. */
SGF_PUBLIC bool sgf_ini_is_object_option(const char* pattern);

/* Read `platform` (an XML file) and apply `assignments`, later ones first in rank; build and seal a fabric seeded with
 * `seed`. On an error (returned as NULL) the message holds file, line, the offending name and the nearest valid one;
 * nothing has been passed to SimGrid. An assignment that no device takes is an error, unless it is from a file: then it
 * is a warning of the fabric. */
SGF_PUBLIC sgf_scenario_t* sgf_scenario_load(const char* platform, const sgf_assignment_t* assignments, size_t count,
                                             uint64_t seed, sgf_error_t* error);

/* The same; `build` (may be NULL) is called when all devices and cables are there, before the fabric is sealed: the
 * time for sgf_fabric_insert. An error that it returns ends the loading. */
typedef sgf_status_t (*sgf_build_cb)(void* user, sgf_fabric_t* fabric, sgf_error_t* error);
SGF_PUBLIC sgf_scenario_t* sgf_scenario_load_with(const char* platform, const sgf_assignment_t* assignments,
                                                  size_t count, uint64_t seed, sgf_build_cb build, void* user,
                                                  sgf_error_t* error);

SGF_PUBLIC void sgf_scenario_free(sgf_scenario_t* scenario); /* frees the fabric too */

/* What properties under `fabric` of a link or cluster may set, for documentation: these have no configuration block. */
SGF_PUBLIC extern const sgf_attr_set_t sgf_scenario_attributes;

SGF_PUBLIC sgf_fabric_t* sgf_scenario_fabric(const sgf_scenario_t* scenario);

/* What properties of the outermost zone and assignments under `record` say of the CSV records, for sgf_results_open. */
SGF_PUBLIC const sgf_results_config_t* sgf_scenario_record_config(const sgf_scenario_t* scenario);

/* Hosts of the platform, with or without a NIC, and the NIC of one (NULL: it has none, or there is no such host). */
SGF_PUBLIC size_t sgf_scenario_host_count(const sgf_scenario_t* scenario);
SGF_PUBLIC const char* sgf_scenario_host_name(const sgf_scenario_t* scenario, size_t i);
SGF_PUBLIC bool sgf_scenario_has_host(const sgf_scenario_t* scenario, const char* name);
SGF_PUBLIC sgf_device_t* sgf_scenario_nic(const sgf_scenario_t* scenario, const char* host);

/* The <actor> entries of a SimGrid deployment file, checked: well-formed, known host. One call per actor in file order;
 * `argv[0]` is the function. Stops and fails as soon as `actor` returns an error. */
typedef sgf_status_t (*sgf_deployment_cb)(void* user, const char* host, int argc, const char* const* argv,
                                          double start_time_s, int line, sgf_error_t* error);
SGF_PUBLIC sgf_status_t sgf_deployment_read(const sgf_scenario_t* scenario, const char* deployment,
                                            sgf_deployment_cb actor, void* user, sgf_error_t* error);

SGF_END_DECL
#endif
