/* Recorders: they listen to the signals of declared statistics, and record them at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/attr.h>

#include "attr/alloc.h"
#include "opp/ini.h"
#include "opp/kernel.h"

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

const char* const opp_mode_names[OPP_MODES] = {
    [OPP_MODE_VECTOR] = "vector", [OPP_MODE_COUNT] = "count",
    [OPP_MODE_LAST] = "last",     [OPP_MODE_SUM] = "sum",
    [OPP_MODE_MEAN] = "mean",     [OPP_MODE_MIN] = "min",
    [OPP_MODE_MAX] = "max",       [OPP_MODE_TIMEAVG] = "timeavg",
    [OPP_MODE_STATS] = "stats",   [OPP_MODE_HISTOGRAM] = "histogram",
};

static sgf_status_t read_mode(opp_ini_span_t name, unsigned* mode, sgf_error_t* error)
{
  for (unsigned i = 0; i < OPP_MODES; i++)
    if (opp_ini_span_is(name, opp_mode_names[i])) {
      *mode = 1U << i;
      return SGF_OK;
    }
  char* copy = opp_ini_span_copy(name);
  sgf_error_set(error, SGF_UNKNOWN, "there is no recording mode '%s'%s", copy,
                opp_ini_hint(copy, opp_mode_names, OPP_MODES).at);
  free(copy);
  return SGF_UNKNOWN;
}

/* The modes that are declared, and those of them that are recorded unless somebody says otherwise. */
static sgf_status_t read_declared(const char* declared, unsigned* all, unsigned* initial, sgf_error_t* error)
{
  *all                = 0;
  *initial            = 0;
  sgf_status_t status = SGF_OK;
  opp_ini_span_t list = opp_ini_span(declared != NULL ? declared : "");
  while (list.at != NULL && status == SGF_OK) {
    opp_ini_span_t piece   = opp_ini_next(&list);
    const bool is_optional = piece.length > 0 && piece.at[piece.length - 1] == '?';
    piece.length -= is_optional;
    if (piece.length == 0)
      continue;
    unsigned mode = 0;
    status        = read_mode(piece, &mode, error);
    *all |= mode;
    *initial |= is_optional ? 0 : mode;
  }
  return status;
}

sgf_status_t opp_modes_choose(const char* text, const char* declared, unsigned* modes, sgf_error_t* error)
{
  unsigned all        = 0;
  unsigned initial    = 0;
  sgf_status_t status = read_declared(declared, &all, &initial, error);
  opp_ini_span_t list = opp_ini_span(text != NULL ? text : "default");
  bool is_first       = true;
  *modes              = 0;
  while (list.at != NULL && status == SGF_OK) {
    opp_ini_span_t piece = opp_ini_next(&list);
    const char sign      = piece.length > 1 ? piece.at[0] : '\0';
    unsigned mode        = 0;
    if (is_first && (sign == '+' || sign == '-'))
      *modes = initial;
    is_first = false;
    if (sign == '+' || sign == '-')
      piece = opp_ini_span_between(piece.at + 1, piece.at + piece.length);
    if (opp_ini_span_is(piece, "default"))
      mode = initial;
    else if (opp_ini_span_is(piece, "all"))
      mode = all;
    else if (opp_ini_span_is(piece, "none") || opp_ini_span_is(piece, "-"))
      *modes = 0;
    else if (piece.length > 0)
      status = read_mode(piece, &mode, error);
    *modes = sign == '-' ? *modes & ~mode : *modes | mode;
  }
  return status;
}

static bool has_mode(const opp_recorder_t* recorder, opp_mode_t mode)
{
  return recorder->modes >> mode & 1;
}

/* ---- Listening --------------------------------------------------------------------------------------------------- */

static void listen(void* user, opp_module_t* source, opp_signal_t signal, double value)
{
  (void)source;
  (void)signal;
  opp_recorder_t* recorder = user;
  const opp_simtime_t time = opp_signal_time(recorder->module->sim);
  if (opp_histogram_count(recorder->values) == 0)
    recorder->first_time = time;
  else
    recorder->integral += recorder->last * (double)(time - recorder->last_time);
  recorder->last      = value;
  recorder->last_time = time;
  opp_histogram_collect(recorder->values, value);
  if (recorder->vector != NULL)
    opp_outvector_record_at(recorder->vector, time, value);
}

static char* item_name(const opp_recorder_t* recorder, const char* mode)
{
  const char* name = recorder->statistic->name;
  char* item       = sgf_calloc(strlen(name) + strlen(mode) + 2, 1);
  return strcat(strcat(strcpy(item, name), ":"), mode);
}

/* The modes that the declaration and the ini file choose; none if the statistic is not recorded. */
static unsigned choose_modes(opp_module_t* module, const opp_statistic_t* statistic)
{
  sgf_error_t error            = {0};
  unsigned modes               = 0;
  const opp_ini_entry_t* entry = opp_option(module, statistic->name, "result-recording-modes");
  if (!opp_option_is_on(module, statistic->name, "statistic-recording"))
    return 0;
  if (opp_modes_choose(entry != NULL ? entry->text : NULL, statistic->modes, &modes, &error) == SGF_OK)
    return modes;
  if (entry != NULL)
    sgf_error_place(&error, entry->file, entry->line);
  else
    opp_error(module, "statistic '%s': %s", statistic->name, error.text);
  opp_pass_error(module, &error);
  return 0;
}

static void attach(opp_module_t* module, opp_recorder_t* recorder, const opp_statistic_t* statistic)
{
  recorder->module    = module;
  recorder->statistic = statistic;
  recorder->modes     = choose_modes(module, statistic);
  recorder->last      = NAN;
  if (module->sim->results.sink == NULL)
    recorder->modes &= ~(1U << OPP_MODE_VECTOR);
  if (recorder->modes == 0)
    return;
  if (has_mode(recorder, OPP_MODE_VECTOR)) {
    char* name       = item_name(recorder, opp_mode_names[OPP_MODE_VECTOR]);
    recorder->vector = opp_outvector_new(module, name, &statistic->info);
    free(name);
  }
  recorder->values =
      opp_histogram_make(module, statistic->name, &statistic->info, has_mode(recorder, OPP_MODE_HISTOGRAM));
  const opp_signal_t signal =
      opp_signal_register(module->sim, statistic->signal != NULL ? statistic->signal : statistic->name);
  if (signal >= 0)
    opp_signal_subscribe(module, signal, listen, recorder);
}

void opp_recorders_attach(opp_module_t* module)
{
  if (module->type == NULL || module->type->statistics == NULL || module->recorders != NULL)
    return;
  const opp_statistic_t* statistics = module->type->statistics;
  size_t count                      = 0;
  while (statistics[count].name != NULL)
    count++;
  module->recorders = sgf_calloc(count + 1, sizeof *module->recorders);
  for (size_t i = 0; i < count; i++)
    attach(module, &module->recorders[i], &statistics[i]);
}

/* ---- Recording --------------------------------------------------------------------------------------------------- */

/* Each value holds from its time until the next one's, the last until now. NaN without a value, or without time. */
static double time_average(const opp_recorder_t* recorder)
{
  const opp_simtime_t now = opp_now(recorder->module);
  const opp_simtime_t end = now > recorder->last_time ? now : recorder->last_time;
  const double integral   = recorder->integral + recorder->last * (double)(end - recorder->last_time);
  return integral / (double)(end - recorder->first_time);
}

static double scalar_of(const opp_recorder_t* recorder, opp_mode_t mode)
{
  switch (mode) {
    case OPP_MODE_COUNT:
      return (double)opp_histogram_count(recorder->values);
    case OPP_MODE_LAST:
      return recorder->last;
    case OPP_MODE_SUM:
      return opp_histogram_sum(recorder->values);
    case OPP_MODE_MEAN:
      return opp_histogram_mean(recorder->values);
    case OPP_MODE_MIN:
      return opp_histogram_min(recorder->values);
    case OPP_MODE_MAX:
      return opp_histogram_max(recorder->values);
    default:
      return time_average(recorder);
  }
}

static void record(const opp_recorder_t* recorder, opp_mode_t mode)
{
  const bool is_statistic = mode == OPP_MODE_STATS || mode == OPP_MODE_HISTOGRAM;
  opp_result_info_t info  = recorder->statistic->info;
  char* item              = item_name(recorder, opp_mode_names[mode]);
  if (mode == OPP_MODE_COUNT)
    info.unit = NULL; /* a number of values, whatever they are */
  if (opp_option_is_on(recorder->module, item, is_statistic ? "statistic-recording" : "scalar-recording"))
    opp_result_add(recorder->module, recorder->statistic->name, &info, opp_mode_names[mode],
                   is_statistic ? 0.0 : scalar_of(recorder, mode), is_statistic ? recorder->values : NULL);
  free(item);
}

void opp_recorders_record(opp_module_t* module)
{
  if (module->recorders == NULL)
    return;
  for (const opp_recorder_t* recorder = module->recorders; recorder->statistic != NULL; recorder++)
    for (int mode = OPP_MODE_COUNT; mode < OPP_MODES; mode++)
      if (has_mode(recorder, (opp_mode_t)mode))
        record(recorder, (opp_mode_t)mode);
}
