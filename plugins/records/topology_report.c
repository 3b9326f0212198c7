/* topology-report: one row for each cable, the upper device as source side (spec/records.md 12, R-15). */
#include "records/results_internal.h"

static const csv_column_t columns[] = {
    {"component_name", CSV_TEXT},  {"component_type", CSV_TEXT},      {"tier", CSV_INTEGER},
    {"subtier", CSV_INTEGER},      {"node_id", CSV_INTEGER},          {"net_device", CSV_TEXT},
    {"dev_id", CSV_INTEGER},       {"peer_component_name", CSV_TEXT}, {"peer_component_type", CSV_TEXT},
    {"peer_tier", CSV_INTEGER},    {"peer_subtier", CSV_INTEGER},     {"peer_node_id", CSV_INTEGER},
    {"peer_net_device", CSV_TEXT}, {"peer_dev_id", CSV_INTEGER},      {"linkspeed_Gbps", CSV_REAL},
    {"prop_delay_ns", CSV_REAL},
};

typedef struct end {
  const sgf_device_t* device;
  unsigned port;
} end_t;

static end_t peer_of(end_t end)
{
  return (end_t){sgf_device_peer(end.device, end.port), sgf_device_peer_port(end.device, end.port)};
}

static void fill_end(csv_t* csv, end_t end)
{
  csv_text(csv, sgf_device_name(end.device));
  csv_text(csv, results_component_type(end.device));
  csv_count(csv, sgf_device_tier(end.device));
  csv_count(csv, RESULTS_NO_SUBTIER);
  csv_count(csv, sgf_device_node_id(end.device));
  csv_text(csv, results_port_class(end.device));
  csv_count(csv, end.port);
}

static void fill(csv_t* csv, const void* row)
{
  const end_t* source = row;
  fill_end(csv, *source);
  fill_end(csv, peer_of(*source));
  csv_real(csv, (double)sgf_device_port_bps(source->device, source->port) / 1e9);
  csv_real(csv, (double)sgf_device_port_delay(source->device, source->port) / (double)OPP_NS);
}

static const csv_record_t record = {"topology-report", columns, sizeof columns / sizeof *columns, fill};

/* The end nearer to the spine; of two of one tier that of the lower node id. */
static bool is_source(end_t end)
{
  const end_t peer         = peer_of(end);
  const unsigned tier      = sgf_device_tier(end.device);
  const unsigned peer_tier = sgf_device_tier(peer.device);
  if (tier != peer_tier)
    return tier < peer_tier;
  return sgf_device_node_id(end.device) < sgf_device_node_id(peer.device);
}

static void* open_record(results_run_t* run, sgf_error_t* error)
{
  csv_t* csv = run->config.topology_report ? csv_open(&record, &run->place, error) : NULL;
  if (csv == NULL)
    return NULL;
  for (size_t i = 0; i < run->device_count; i++)
    for (unsigned port = 0; port < sgf_device_port_count(run->devices[i]); port++) {
      const end_t end = {run->devices[i], port};
      if (is_source(end))
        csv_write(csv, &end);
    }
  return csv;
}

static void close_record(void* part, sgf_error_t* error)
{
  csv_close(part, error);
}

const results_part_t results_topology_report = {&record, open_record, NULL, close_record};
