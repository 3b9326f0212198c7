/* Attributes and seed of a study from an ini file. */
#include <sgfabric/opp_ini.h>

#include "simgrid/seat.h"

static sgf_status_t set_from_run(const opp_ini_run_t* run)
{
  size_t count           = 0;
  sgf_assignment_t* list = sgf_ini_assignments(run, &count);
  for (size_t i = 0; i < count; i++)
    sg_fabric_set_from(list[i].text, list[i].file, list[i].line);
  sgf_ini_assignments_free(list, count);
  sg_fabric_set_seed(opp_ini_run_seed_set(run));
  return SGF_OK;
}

sgf_status_t sg_fabric_set_ini(const char* file, const char* config, size_t number, sgf_error_t* error)
{
  sgf_error_t reason  = {0};
  opp_ini_t* ini      = opp_ini_read(file, &reason);
  opp_ini_run_t* run  = ini != NULL ? opp_ini_run_new(ini, config != NULL ? config : "General", number, &reason) : NULL;
  sgf_status_t status = run != NULL ? set_from_run(run) : reason.status;
  opp_ini_run_free(run);
  opp_ini_free(ini);
  if (status != SGF_OK && error != NULL)
    *error = reason;
  return status;
}
