/* The attributes under `fabric`, which say what SimGrid has no word for. They belong to elements and not to devices, so
 * that they have no configuration block; links.c, clusters.c and cables.c read them. */
#include "scenario_internal.h"

const char* const sgf_fabric_names[SGF_FABRIC_KEY_COUNT] = {"cables", "full_duplex", "host_link_latency",
                                                            "ignore_backbone"};

/* In order of sgf_fabric_key_t. */
static const sgf_attr_t rows[] = {
    {"cables", SGF_ATTR_UINT, 0, "1", "1..1024",
     "Of a link: how many parallel cables it is, each with ports of its own."},
    {"full_duplex", SGF_ATTR_BOOL, 0, "false", "",
     "Of a link or cluster: true takes links that are not SPLITDUPLEX for cables, with their bandwidth each way."},
    {"host_link_latency", SGF_ATTR_TIMEVAL, 0, "", "",
     "Of a cluster: delay of the cables to its hosts; by default that of its other cables, the cluster's lat."},
    {"ignore_backbone", SGF_ATTR_BOOL, 0, "false", "",
     "Of a FLAT cluster: true leaves out its backbone: the switch forwards at the rate of its cables."},
};

static const sgf_attr_table_t table       = {"links and clusters", rows, sizeof rows / sizeof *rows};
static const sgf_attr_section_t section[] = {{&table, 0}};

const sgf_attr_set_t sgf_scenario_attributes = {"fabric", section, sizeof section / sizeof *section, 0};
