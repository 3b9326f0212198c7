/* A simulation and a run of an ini file: parameters, options of objects, the time limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/attr.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

sgf_status_t opp_sim_configure(opp_sim_t* sim, opp_ini_run_t* run)
{
  sim->run = run;
  for (opp_module_t* module = sim->first_module; module != NULL; module = module->next)
    opp_parameters_configure(module, run);
  return sim->error.status;
}

const opp_ini_entry_t* opp_option(const opp_module_t* module, const char* object, const char* option)
{
  opp_ini_run_t* run = module->sim->run;
  if (run == NULL)
    return NULL;
  const size_t size = strlen(module->full_path) + strlen(object) + strlen(option) + 3;
  char* path        = sgf_calloc(size, 1);
  snprintf(path, size, "%s.%s.%s", module->full_path, object, option);
  const opp_ini_entry_t* entry = opp_ini_run_parameter(run, path);
  free(path);
  return entry;
}

bool opp_option_is_on(opp_module_t* module, const char* object, const char* option)
{
  const opp_ini_entry_t* entry = opp_option(module, object, option);
  if (entry == NULL || strcmp(entry->value, "true") == 0)
    return true;
  if (strcmp(entry->value, "false") != 0) {
    sgf_error_t error = {0};
    sgf_error_set(&error, SGF_SYNTAX, "%s = %s: is not true or false", entry->key, entry->value);
    sgf_error_place(&error, entry->file, entry->line);
    opp_pass_error(module, &error);
  }
  return false;
}

/* OPP_TIME_MAX without a limit, -1 for one that cannot be read. */
static opp_simtime_t time_limit(opp_sim_t* sim)
{
  const opp_ini_entry_t* entry = sim->run != NULL ? opp_ini_run_option(sim->run, "sim-time-limit") : NULL;
  if (entry == NULL)
    return OPP_TIME_MAX;
  opp_simtime_t limit = -1;
  if (sgf_parse_timeval(entry->value, "sim-time-limit", &limit, &sim->error) != SGF_OK)
    sgf_error_place(&sim->error, entry->file, entry->line);
  return limit;
}

opp_run_status_t opp_sim_run_configured(opp_sim_t* sim)
{
  const opp_simtime_t limit = time_limit(sim);
  if (sim->error.status != SGF_OK || opp_sim_initialize(sim) != SGF_OK)
    return OPP_RUN_ERROR;
  const opp_run_status_t status = opp_sim_run(sim, limit);
  if (status != OPP_RUN_ERROR)
    opp_sim_finish(sim);
  return sim->error.status == SGF_OK ? status : OPP_RUN_ERROR;
}
