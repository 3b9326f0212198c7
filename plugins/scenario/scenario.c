/* The last pass: a fabric from the platform, its attributes and its cables. */
#include "scenario_internal.h"

#include <sgfabric/feedback.h>

#include "attr/alloc.h"

#include <stdlib.h>
#include <string.h>

struct sgf_scenario {
  sgf_platform_t* platform;
  char* file;
  sgf_fabric_t* fabric;
  sgf_results_config_t record_config;
  sgf_node_t** hosts; /* in document order */
  size_t host_count;
};

static sgf_status_t add_device(sgf_scenario_t* scenario, sgf_node_t* node, sgf_assignments_t* assignments,
                               sgf_error_t* error)
{
  if (!sgf_node_is_device(node))
    return SGF_OK;
  if (node->kind == SGF_NODE_ROUTER)
    node->device = sgf_fabric_add_switch(scenario->fabric, node->id, node->path, error);
  else
    node->device = sgf_fabric_add_nic(scenario->fabric, node->id, node->path, node->model, error);
  sgf_status_t status = node->device != NULL ? SGF_OK : SGF_STATE;
  if (status == SGF_OK)
    status = sgf_properties_apply(scenario->platform, node, error);
  if (status == SGF_OK)
    status = sgf_assignments_apply(assignments, node, error);
  sgf_error_place(error, scenario->platform->file, node->line);
  return status;
}

static sgf_status_t add_devices(sgf_scenario_t* scenario, sgf_assignments_t* assignments, sgf_error_t* error)
{
  sgf_platform_t* platform = scenario->platform;
  sgf_status_t status      = sgf_properties_models(platform, assignments, error);
  if (status == SGF_OK)
    status = sgf_clusters_check(platform, error);
  for (size_t i = 0; status == SGF_OK && i < platform->node_count; i++)
    status = add_device(scenario, platform->nodes[i], assignments, error);
  if (status == SGF_OK)
    status = sgf_properties_check(platform, error);
  return status == SGF_OK ? sgf_assignments_check(assignments, platform, scenario->fabric, false, error) : status;
}

static sgf_status_t configure_records(sgf_scenario_t* scenario, sgf_assignments_t* assignments, sgf_error_t* error)
{
  sgf_status_t status = sgf_attr_defaults(&sgf_results_attributes, &scenario->record_config, error);
  if (status == SGF_OK)
    status = sgf_properties_record(scenario->platform, &scenario->record_config, error);
  return status == SGF_OK ? sgf_assignments_record(assignments, &scenario->record_config, error) : status;
}

static sgf_status_t connect_devices(sgf_scenario_t* scenario, sgf_assignments_t* assignments, sgf_error_t* error)
{
  sgf_platform_t* platform = scenario->platform;
  sgf_status_t status      = sgf_topology_cables(platform, error);
  if (status == SGF_OK)
    status = sgf_assignments_check(assignments, platform, scenario->fabric, true, error);
  for (size_t i = 0; status == SGF_OK && i < platform->cable_count; i++) {
    const sgf_cable_t* cable = &platform->cables[i];
    status = sgf_fabric_connect(scenario->fabric, cable->a->device, cable->b->device, cable->link->id, cable->bps,
                                cable->delay, cable->count, error);
    sgf_error_place(error, platform->file, status == SGF_RANGE ? cable->link->line : cable->line);
  }
  return status;
}

/* The line of the device that a message of the fabric names first, in single quotes; 0: it names none. */
static int line_of_message(const sgf_platform_t* platform, const char* text)
{
  const char* open  = strchr(text, '\'');
  const char* close = open != NULL ? strchr(open + 1, '\'') : NULL;
  if (close == NULL)
    return 0;
  size_t length = (size_t)(close - open - 1);
  for (size_t i = 0; i < platform->node_count; i++) {
    const sgf_node_t* node = platform->nodes[i];
    if (node->device != NULL && strlen(node->id) == length && strncmp(open + 1, node->id, length) == 0)
      return node->line;
  }
  return 0;
}

static sgf_status_t seal(sgf_scenario_t* scenario, sgf_error_t* error)
{
  sgf_error_t reason  = {0};
  sgf_status_t status = sgf_fabric_seal(scenario->fabric, &reason);
  if (status == SGF_OK)
    return SGF_OK;
  return sgf_platform_refuse(scenario->platform, line_of_message(scenario->platform, reason.text), error, status, "%s",
                             reason.text);
}

static void list_hosts(sgf_scenario_t* scenario)
{
  sgf_platform_t* platform = scenario->platform;
  scenario->hosts          = sgf_calloc(platform->node_count, sizeof *scenario->hosts);
  for (size_t i = 0; i < platform->node_count; i++)
    if (platform->nodes[i]->kind == SGF_NODE_HOST)
      scenario->hosts[scenario->host_count++] = platform->nodes[i];
}

/* What the caller adds to the fabric. */
typedef struct addition {
  sgf_build_cb build; /* NULL: nothing */
  void* user;
} addition_t;

static sgf_status_t build(sgf_scenario_t* scenario, sgf_assignments_t* assignments, uint64_t seed, addition_t addition,
                          sgf_error_t* error)
{
  scenario->platform = sgf_platform_read(scenario->file, error);
  if (scenario->platform == NULL)
    return SGF_SYNTAX;
  list_hosts(scenario);
  scenario->fabric    = sgf_fabric_new(seed);
  sgf_status_t status = sgf_topology_resolve(scenario->platform, error);
  if (status == SGF_OK)
    status = sgf_links_apply(scenario->platform, assignments, error);
  if (status == SGF_OK)
    status = configure_records(scenario, assignments, error);
  if (status == SGF_OK)
    status = add_devices(scenario, assignments, error);
  if (status == SGF_OK)
    status = connect_devices(scenario, assignments, error);
  if (status == SGF_OK && addition.build != NULL)
    status = addition.build(addition.user, scenario->fabric, error);
  if (scenario->record_config.feedback_stats) /* for the summary, also where no record is written */
    sgf_feedback_measure(scenario->fabric);
  return status == SGF_OK ? seal(scenario, error) : status;
}

sgf_scenario_t* sgf_scenario_load(const char* platform, const sgf_assignment_t* assignments, size_t count,
                                  uint64_t seed, sgf_error_t* error)
{
  return sgf_scenario_load_with(platform, assignments, count, seed, NULL, NULL, error);
}

sgf_scenario_t* sgf_scenario_load_with(const char* platform, const sgf_assignment_t* assignments, size_t count,
                                       uint64_t seed, sgf_build_cb addition, void* user, sgf_error_t* error)
{
  sgf_assignments_t* set = sgf_assignments_new(assignments, count, error);
  if (set == NULL)
    return NULL;
  sgf_scenario_t* scenario = sgf_calloc(1, sizeof *scenario);
  scenario->file           = sgf_strdup(platform);
  if (build(scenario, set, seed, (addition_t){addition, user}, error) != SGF_OK) {
    sgf_scenario_free(scenario);
    scenario = NULL;
  }
  sgf_assignments_free(set);
  return scenario;
}

void sgf_scenario_free(sgf_scenario_t* scenario)
{
  if (scenario == NULL)
    return;
  sgf_fabric_free(scenario->fabric);
  sgf_platform_free(scenario->platform);
  free(scenario->hosts);
  free(scenario->file);
  free(scenario);
}

sgf_fabric_t* sgf_scenario_fabric(const sgf_scenario_t* scenario)
{
  return scenario->fabric;
}

const sgf_results_config_t* sgf_scenario_record_config(const sgf_scenario_t* scenario)
{
  return &scenario->record_config;
}

size_t sgf_scenario_host_count(const sgf_scenario_t* scenario)
{
  return scenario->host_count;
}

const char* sgf_scenario_host_name(const sgf_scenario_t* scenario, size_t i)
{
  return i < scenario->host_count ? scenario->hosts[i]->id : NULL;
}

static const sgf_node_t* find_host(const sgf_scenario_t* scenario, const char* name)
{
  const sgf_node_t* node = sgf_platform_node(scenario->platform, name);
  return node != NULL && node->kind == SGF_NODE_HOST ? node : NULL;
}

bool sgf_scenario_has_host(const sgf_scenario_t* scenario, const char* name)
{
  return find_host(scenario, name) != NULL;
}

sgf_device_t* sgf_scenario_nic(const sgf_scenario_t* scenario, const char* host)
{
  const sgf_node_t* node = find_host(scenario, host);
  return node != NULL ? node->device : NULL;
}
