/* Results: scalars and statistics that were recorded, output vectors, and whoever reads them. */
#include <stdlib.h>
#include <string.h>

#include <sgfabric/attr.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

/* ---- Scalars and statistics -------------------------------------------------------------------------------------- */

/* "a" and "b" with what belongs between them. */
static char* join(const char* a, const char* between, const char* b)
{
  char* text = sgf_calloc(strlen(a) + strlen(between) + strlen(b) + 1, 1);
  strcat(strcat(strcpy(text, a), between), b);
  return text;
}

void opp_result_add(opp_module_t* self, const char* name, const opp_result_info_t* info, const char* mode, double value,
                    opp_histogram_t* statistic)
{
  opp_results_t* results = &self->sim->results;
  if (results->record_count == results->record_capacity) {
    results->record_capacity = results->record_capacity == 0 ? 64 : 2 * results->record_capacity;
    results->records         = sgf_realloc(results->records, results->record_capacity, sizeof *results->records);
  }
  opp_record_t* record = &results->records[results->record_count++];
  *record              = (opp_record_t){.name = mode == NULL ? sgf_strdup(name) : join(name, ":", mode)};
  if (mode != NULL && info->title != NULL)
    record->title = join(info->title, ", ", mode);
  record->result = (opp_result_t){
      .kind      = statistic != NULL ? OPP_RESULT_STATISTIC : OPP_RESULT_SCALAR,
      .module    = self->full_path,
      .name      = record->name,
      .info      = *info,
      .value     = value,
      .statistic = statistic,
      .has_bins  = statistic != NULL && opp_histogram_has_bins(statistic) &&
                  (mode == NULL || strcmp(mode, opp_mode_names[OPP_MODE_HISTOGRAM]) == 0),
  };
  if (record->title != NULL)
    record->result.info.title = record->title;
}

void opp_record_scalar(opp_module_t* self, const char* name, double value, const char* unit)
{
  const opp_result_info_t info = {.unit = unit};
  if (opp_option_is_on(self, name, "scalar-recording"))
    opp_result_add(self, name, &info, NULL, value, NULL);
}

void opp_sim_visit_results(opp_sim_t* sim, opp_result_cb result, void* user)
{
  for (size_t i = 0; i < sim->results.record_count; i++)
    result(user, &sim->results.records[i].result);
}

/* ---- Intervals --------------------------------------------------------------------------------------------------- */

/* A piece of "1ms..2ms, 5ms.., ..7s". */
static sgf_status_t read_interval(char* piece, opp_interval_t* interval, sgf_error_t* error)
{
  char* dots = strstr(piece, "..");
  if (dots == NULL)
    return sgf_error_set(error, SGF_SYNTAX, "'%s' is no interval, such as 1ms..2ms, 5ms.. or ..7s", piece);
  *dots    = '\0';
  char* to = dots + 2 + strspn(dots + 2, " \t");
  for (char* end = dots; end > piece && (end[-1] == ' ' || end[-1] == '\t');)
    *--end = '\0';
  *interval           = (opp_interval_t){0, OPP_TIME_MAX};
  sgf_status_t status = SGF_OK;
  if (*piece != '\0')
    status = sgf_parse_timeval(piece, "begin of an interval", &interval->from, error);
  if (status == SGF_OK && *to != '\0')
    status = sgf_parse_timeval(to, "end of an interval", &interval->to, error);
  if (status == SGF_OK && interval->to < interval->from)
    status = sgf_error_set(error, SGF_RANGE, "interval %s..%s ends before it begins", piece, to);
  return status;
}

sgf_status_t opp_intervals_read(const char* text, opp_interval_t** intervals, size_t* count, sgf_error_t* error)
{
  sgf_status_t status = SGF_OK;
  char* copy          = sgf_strdup(text);
  char* rest          = NULL;
  *intervals          = NULL;
  *count              = 0;
  for (char* piece = strtok_r(copy, ",", &rest); piece != NULL && status == SGF_OK;
       piece       = strtok_r(NULL, ",", &rest)) {
    piece += strspn(piece, " \t");
    for (char* end = piece + strlen(piece); end > piece && (end[-1] == ' ' || end[-1] == '\t');)
      *--end = '\0';
    *intervals = sgf_realloc(*intervals, *count + 1, sizeof **intervals);
    status     = read_interval(piece, &(*intervals)[(*count)++], error);
  }
  free(copy);
  return status;
}

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

static void read_options(opp_outvector_t* vector)
{
  opp_module_t* self           = vector->module;
  vector->is_recorded          = opp_option_is_on(self, vector->name, "vector-recording");
  const opp_ini_entry_t* entry = opp_option(self, vector->name, "vector-recording-intervals");
  if (entry == NULL)
    return;
  sgf_error_t error = {0};
  if (opp_intervals_read(entry->text, &vector->intervals, &vector->interval_count, &error) != SGF_OK) {
    sgf_error_place(&error, entry->file, entry->line);
    opp_pass_error(self, &error);
  }
}

opp_outvector_t* opp_outvector_new(opp_module_t* self, const char* name, const opp_result_info_t* info)
{
  opp_results_t* results  = &self->sim->results;
  opp_outvector_t* vector = sgf_calloc(1, sizeof *vector);
  vector->module          = self;
  vector->name            = sgf_strdup(name);
  vector->result          = (opp_result_t){.kind   = OPP_RESULT_VECTOR,
                                           .module = self->full_path,
                                           .name   = vector->name,
                                           .number = (uint32_t)results->vector_count};
  if (info != NULL)
    vector->result.info = *info;
  results->vectors = sgf_realloc(results->vectors, results->vector_count + 1, sizeof(opp_outvector_t*));
  results->vectors[results->vector_count++] = vector;
  read_options(vector);
  return vector;
}

static bool is_in_interval(const opp_outvector_t* vector, opp_simtime_t time)
{
  for (size_t i = 0; i < vector->interval_count; i++)
    if (time >= vector->intervals[i].from && time <= vector->intervals[i].to)
      return true;
  return vector->interval_count == 0;
}

void opp_outvector_record_at(opp_outvector_t* vector, opp_simtime_t time, double value)
{
  const opp_results_t* results = &vector->module->sim->results;
  if (time < vector->last_time) {
    opp_error(vector->module, "vector '%s': recorded at an earlier time than its last value", vector->name);
    return;
  }
  vector->last_time = time;
  if (results->sink != NULL && vector->is_recorded && is_in_interval(vector, time))
    results->sink(results->sink_user, &vector->result, time, vector->module->sim->event_count, value);
}

void opp_outvector_record(opp_outvector_t* vector, double value)
{
  opp_outvector_record_at(vector, opp_now(vector->module), value);
}

void opp_sim_set_vector_sink(opp_sim_t* sim, opp_vector_cb value, void* user)
{
  sim->results.sink      = value;
  sim->results.sink_user = user;
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

void opp_results_free(opp_sim_t* sim)
{
  opp_results_t* results = &sim->results;
  for (size_t i = 0; i < results->record_count; i++) {
    free(results->records[i].name);
    free(results->records[i].title);
  }
  for (size_t i = 0; i < results->vector_count; i++) {
    free(results->vectors[i]->name);
    free(results->vectors[i]->intervals);
    free(results->vectors[i]);
  }
  for (size_t i = 0; i < results->histogram_count; i++)
    opp_histogram_free(results->histograms[i]);
  free(results->records);
  free(results->vectors);
  free(results->histograms);
}
