/* scenario/import, inside: lines and words of a file, and the network that is made of them. */
#ifndef SCENARIO_IMPORT_INTERNAL_H
#define SCENARIO_IMPORT_INTERNAL_H

#include <sgfabric/attr.h>
#include <sgfabric/import.h>
#include <stdio.h>

/* What a scenario takes (plugins/scenario/README.md), so that what has been imported loads. */
enum {
  IMPORT_MAX_NODES    = 1 << 20,
  IMPORT_MAX_CABLES   = 1 << 20,
  IMPORT_MAX_PORTS    = 1 << 14, /* of a switch */
  IMPORT_MAX_PARALLEL = 1024
};
#define IMPORT_LONGEST_DELAY (INT64_C(1000) * 1000000000000) /* ps */

/* ---- Files (lines.c) --------------------------------------------------------------------------------------------- */

typedef struct import_reader {
  const char* file;
  FILE* in;
  char* text; /* the line that is being read */
  size_t room;
  char* rest; /* of the line, behind the words that were taken */
  int line;   /* its number, from 1 */
  sgf_error_t* error;
} import_reader_t;

/* SGF_IO: it cannot be opened. Closes what it has opened. */
sgf_status_t import_open(import_reader_t* reader, const char* file, sgf_error_t* error);
void import_close(import_reader_t* reader);

/* Go on to the next line that has a word; `more` says whether there is one. */
sgf_status_t import_next_line(import_reader_t* reader, bool* more);

/* Words are separated by blanks. NULL: the line has no other one. */
char* import_next_word(import_reader_t* reader);

/* A whole number within bounds; NULL: no word. `what` names it in messages. */
sgf_status_t import_number(const import_reader_t* reader, const char* what, const char* word, uint64_t least,
                           uint64_t most, uint64_t* number);

/* Set an error with the place of a line. Returns `status`. */
sgf_status_t import_fail_at(const import_reader_t* reader, int line, sgf_status_t status, const char* format, ...)
    SGF_PRINTF(4, 5);

/* The same at the line that is being read. */
#define import_fail(reader, ...) import_fail_at((reader), (reader)->line, __VA_ARGS__)

/* ---- Networks (network.c) ---------------------------------------------------------------------------------------- */

/* A device is called by a prefix and its number: "h12", "tor0". */
typedef struct import_node {
  const char* prefix;
  size_t number;
  bool is_switch;
  size_t ports;
} import_node_t;

typedef struct import_cable {
  size_t below; /* node */
  size_t above;
  int64_t bps;
  int64_t delay;  /* ps */
  unsigned count; /* parallel ones */
  int line;
} import_cable_t;

typedef struct import_flow {
  size_t src; /* node */
  size_t dst;
  uint64_t bytes;
  int64_t start;       /* ps */
  uint32_t queue_pair; /* between its two hosts */
} import_flow_t;

enum { IMPORT_MAX_WARNINGS = 8 };

struct sgf_import {
  const char* format; /* "hpcc", "htsim": also the id of the zone */
  const char* nic;    /* model unless another one is named */
  import_node_t* nodes;
  size_t node_count;
  size_t node_room;
  import_cable_t* cables;
  size_t cable_count;
  size_t cable_room;
  import_flow_t* flows;
  size_t flow_count;
  size_t flow_room;
  char* warnings[IMPORT_MAX_WARNINGS];
  size_t warning_count;
};

sgf_import_t* import_new(const char* format, const char* nic);
size_t import_add_node(sgf_import_t* import, const char* prefix, size_t number, bool is_switch);
void import_add_cable(sgf_import_t* import, const import_cable_t* cable);
void import_add_flow(sgf_import_t* import, const import_flow_t* flow);

/* Keep "file:line: text", if there is room. */
void import_warn(sgf_import_t* import, const import_reader_t* reader, int line, const char* format, ...)
    SGF_PRINTF(4, 5);

/* Whether every device has a way to every other one; SGF_TOPOLOGY at `line`. */
sgf_status_t import_check_connected(const sgf_import_t* import, const import_reader_t* reader, int line);

/* ---- htsim's trees (htsim.c reads one, htsim_tree.c builds it) --------------------------------------------------- */

enum { HTSIM_MAX_TIERS = 3 };

/* What a tier may say. */
typedef enum htsim_key {
  HTSIM_SPEED,
  HTSIM_RADIX_DOWN,
  HTSIM_RADIX_UP,
  HTSIM_LATENCY,
  HTSIM_SWITCH_LATENCY,
  HTSIM_OVERSUBSCRIBED,
  HTSIM_BUNDLE,
  HTSIM_QUEUE_UP,
  HTSIM_QUEUE_DOWN,
  HTSIM_KEYS
} htsim_key_t;

typedef struct htsim_value {
  uint64_t number;
  int line; /* 0: not given, the number is the default */
} htsim_value_t;

typedef struct htsim_tier {
  int line; /* of "Tier N"; 0: there is none */
  htsim_value_t values[HTSIM_KEYS];
} htsim_tier_t;

typedef struct htsim_tree {
  htsim_value_t nodes;
  htsim_value_t tier_count;
  htsim_value_t pod_size;
  htsim_tier_t tiers[HTSIM_MAX_TIERS];
} htsim_tree_t;

/* Build the tree that all of the file describes. */
sgf_status_t htsim_build(const import_reader_t* reader, const htsim_tree_t* tree, sgf_import_t* import);

#endif
