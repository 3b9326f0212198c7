/* Result files: their names and their life. */
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "records/files.h"
#include "records/records_internal.h"

struct sgf_records {
  opp_sim_t* sim;
  records_origin_t origin;
  char* network;
  char* datetime;
  char* scalar_file;
  char* vector_file;
  FILE* vectors;  /* NULL: no value has come */
  bool* declared; /* vectors that are, by number */
  size_t declared_size;
  sgf_error_t error; /* the first one while the run goes on */
};

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* ${resultdir}/${configname}-${iterationvarsf}#${repetition}.<suffix>, unless an option of the run names the file. */
static char* file_name(opp_ini_run_t* run, const char* option, const char* suffix)
{
  const opp_ini_entry_t* entry = opp_ini_run_option(run, option);
  if (entry != NULL)
    return sgf_strdup(entry->text);
  const char* folder = opp_ini_run_value(run, "resultdir");
  const char* text   = opp_ini_run_variables_text(run);
  const size_t size  = strlen(folder) + strlen(opp_ini_run_config(run)) + strlen(text) + strlen(suffix) + 32;
  char* name         = sgf_calloc(size, 1);
  snprintf(name, size, "%s/%s-%s#%zu.%s", folder, opp_ini_run_config(run), text, opp_ini_run_repetition(run), suffix);
  return name;
}

static FILE* open_file(const char* name, const records_origin_t* origin, sgf_error_t* error)
{
  FILE* file = records_open_file(name, error);
  if (file != NULL)
    records_put_run(file, origin);
  return file;
}

/* A vector file of an earlier execution, and the index that tools have put beside it, which would no longer fit. */
static void remove_vector_file(const char* name)
{
  records_remove_file(name);
  const size_t length = strlen(name);
  if (length < 4 || strcmp(name + length - 4, ".vec") != 0)
    return;
  char* index       = sgf_strdup(name);
  index[length - 2] = 'c';
  index[length - 1] = 'i';
  records_remove_file(index);
  free(index);
}

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

/* A vector is declared ahead of its first value. */
static void declare(sgf_records_t* records, const opp_result_t* vector)
{
  if (vector->number >= records->declared_size) {
    const size_t size = 2 * (size_t)vector->number + 16;
    records->declared = sgf_realloc(records->declared, size, sizeof *records->declared);
    memset(records->declared + records->declared_size, 0, (size - records->declared_size) * sizeof *records->declared);
    records->declared_size = size;
  }
  if (!records->declared[vector->number])
    records_put_vector(records->vectors, vector);
  records->declared[vector->number] = true;
}

static void put_value(void* user, const opp_result_t* vector, opp_simtime_t time, uint64_t event, double value)
{
  sgf_records_t* records = user;
  if (records->vectors == NULL && records->error.status == SGF_OK)
    records->vectors = open_file(records->vector_file, &records->origin, &records->error);
  if (records->vectors == NULL)
    return;
  declare(records, vector);
  fprintf(records->vectors, "%u\t%llu\t", vector->number, (unsigned long long)event);
  records_put_time(records->vectors, time);
  fputc('\t', records->vectors);
  records_put_number(records->vectors, value);
  fputc('\n', records->vectors);
}

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static void records_free(sgf_records_t* records)
{
  free(records->network);
  free(records->datetime);
  free(records->scalar_file);
  free(records->vector_file);
  free(records->declared);
  free(records);
}

sgf_records_t* sgf_records_new(opp_sim_t* sim, opp_ini_run_t* run, const sgf_records_stamp_t* stamp, sgf_error_t* error)
{
  sgf_records_t* records  = sgf_calloc(1, sizeof *records);
  const opp_module_t* top = opp_sim_top_module(sim);
  records->sim            = sim;
  records->network        = sgf_strdup(top != NULL ? opp_module_name(top) : "");
  records->datetime       = sgf_strdup(stamp != NULL ? stamp->datetime : "19700101-00:00:00");
  records->scalar_file    = file_name(run, "output-scalar-file", "sca");
  records->vector_file    = file_name(run, "output-vector-file", "vec");
  records->origin         = (records_origin_t){.run      = run,
                                               .network  = records->network,
                                               .datetime = records->datetime,
                                               .process  = stamp != NULL ? stamp->process : 0};
  if (records_make_folders(records->scalar_file, error) != SGF_OK ||
      records_make_folders(records->vector_file, error) != SGF_OK) {
    records_free(records);
    return NULL;
  }
  records_remove_file(records->scalar_file);
  remove_vector_file(records->vector_file);
  opp_sim_set_vector_sink(sim, put_value, records);
  return records;
}

const char* sgf_records_scalar_file(const sgf_records_t* records)
{
  return records->scalar_file;
}

const char* sgf_records_vector_file(const sgf_records_t* records)
{
  return records->vector_file;
}

static void put_result(void* file, const opp_result_t* result)
{
  if (result->kind == OPP_RESULT_SCALAR)
    records_put_scalar(file, result);
  else
    records_put_statistic(file, result);
}

sgf_status_t sgf_records_close(sgf_records_t* records, sgf_error_t* error)
{
  opp_sim_set_vector_sink(records->sim, NULL, NULL);
  if (records->vectors != NULL)
    records_close_file(records->vectors, records->vector_file, &records->error);
  FILE* scalars = open_file(records->scalar_file, &records->origin, &records->error);
  if (scalars != NULL) {
    opp_sim_visit_results(records->sim, put_result, scalars);
    records_close_file(scalars, records->scalar_file, &records->error);
  }
  const sgf_status_t status = records->error.status;
  if (status != SGF_OK)
    sgf_error_set(error, status, "%s", records->error.text);
  records_free(records);
  return status;
}
