/* sgfabric import: topologies and flows of other simulators, HPCC's for ns-3 and htsim's, as platform and deployment
 * files of SimGrid's in our dialect (plugins/scenario/import/README.md). */
#ifndef SGFABRIC_IMPORT_H
#define SGFABRIC_IMPORT_H

#include <sgfabric/error.h>

SGF_BEGIN_DECL

/* What has been read: hosts, switches, cables, and flows if there are any. */
typedef struct sgf_import sgf_import_t;

/* Read a topology; free with sgf_import_free. NULL and an error with file, line and the word that is wrong: SGF_IO,
 * SGF_SYNTAX, SGF_UNKNOWN with the nearest word, SGF_UNIT, SGF_RANGE, SGF_RULE for what has no counterpart here, and
 * SGF_TOPOLOGY.
 *
 * HPCC's: a line "nodes switches links", a line with the ids of the switches, a line "src dst rate delay error" for
 * each link. The hosts are named h<id> and the switches s<id>; hosts come in order of their ids. */
SGF_PUBLIC sgf_import_t* sgf_import_hpcc(const char* topology, sgf_error_t* error);

/* htsim's .topo: a fat tree of two or three tiers. Hosts are named h0, h1, ... in htsim's order, the switches of the
 * tiers tor<i>, agg<i> and core<i>. */
SGF_PUBLIC sgf_import_t* sgf_import_htsim(const char* topology, sgf_error_t* error);

/* Add the flows of a file of HPCC's to its topology, once: a line with their number, and for each a line "src dst pg
 * dport bytes start". After an error the import can only be freed. */
SGF_PUBLIC sgf_status_t sgf_import_hpcc_flows(sgf_import_t* import, const char* flows, sgf_error_t* error);

SGF_PUBLIC void sgf_import_free(sgf_import_t* import);

SGF_PUBLIC size_t sgf_import_host_count(const sgf_import_t* import);
SGF_PUBLIC size_t sgf_import_switch_count(const sgf_import_t* import);
SGF_PUBLIC size_t sgf_import_cable_count(const sgf_import_t* import); /* parallel ones each */
SGF_PUBLIC size_t sgf_import_flow_count(const sgf_import_t* import);

/* What is taken in another way than it is written, as "file:line: text". */
SGF_PUBLIC size_t sgf_import_warning_count(const sgf_import_t* import);
SGF_PUBLIC const char* sgf_import_warning(const sgf_import_t* import, size_t i);

/* Write the platform, every host with a NIC of the model `nic`, which is not checked; NULL: "roce" for HPCC, "uet" for
 * htsim. Write the deployment, one actor for each flow. A file of that name is replaced. SGF_IO: it cannot be written.
 */
SGF_PUBLIC sgf_status_t sgf_import_write_platform(const sgf_import_t* import, const char* nic, const char* file,
                                                  sgf_error_t* error);
SGF_PUBLIC sgf_status_t sgf_import_write_deployment(const sgf_import_t* import, const char* file, sgf_error_t* error);

SGF_END_DECL
#endif
