/* The run that results belong to: its name, attributes, iteration variables and configuration. */
#include <inttypes.h>

#include "records/records_internal.h"

static void put_pair(FILE* file, const char* word, const char* name, const char* value)
{
  fputs(word, file);
  records_put_token(file, name);
  records_put_token(file, value);
  fputc('\n', file);
}

static void put_attributes(FILE* file, const records_origin_t* origin)
{
  static const char* const of_run[] = {"configname",  "experiment",  "inifile",   "iterationvars", "iterationvarsf",
                                       "measurement", "replication", "resultdir", "runnumber",     "seedset"};
  char number[24];
  for (size_t i = 0; i < sizeof of_run / sizeof *of_run; i++)
    records_put_attr(file, of_run[i], opp_ini_run_value(origin->run, of_run[i]));
  snprintf(number, sizeof number, "%zu", opp_ini_run_repetition(origin->run));
  records_put_attr(file, "repetition", number);
  records_put_attr(file, "network", origin->network);
  records_put_attr(file, "datetime", origin->datetime);
  snprintf(number, sizeof number, "%" PRId64, origin->process);
  records_put_attr(file, "processid", number);
}

void records_put_run(FILE* file, const records_origin_t* origin)
{
  char name[512];
  opp_ini_run_t* run = origin->run;
  snprintf(name, sizeof name, "%s-%zu-%s-%" PRId64, opp_ini_run_config(run), opp_ini_run_number(run), origin->datetime,
           origin->process);
  fputs("version 3\nrun", file);
  records_put_token(file, name);
  fputc('\n', file);
  put_attributes(file, origin);
  for (size_t i = 0; i < opp_ini_run_variable_count(run); i++)
    put_pair(file, "itervar", opp_ini_run_variable_name(run, i), opp_ini_run_variable_value(run, i));
  for (size_t i = 0; i < opp_ini_run_option_count(run); i++)
    put_pair(file, "config", opp_ini_run_option_entry(run, i)->key, opp_ini_run_option_entry(run, i)->value);
  for (size_t i = 0; i < opp_ini_run_entry_count(run); i++)
    put_pair(file, "config", opp_ini_run_entry(run, i)->key, opp_ini_run_entry(run, i)->value);
  fputc('\n', file);
}
