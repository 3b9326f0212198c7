/* Statistics of values, and bins that find their own width. */
#include <math.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "opp/kernel.h"

enum { FIRST_VALUES = 64 }; /* kept until the width of the bins is chosen */

struct opp_histogram {
  opp_module_t* module;
  const char* name; /* not owned */
  opp_result_info_t info;
  bool has_bins;
  uint64_t count;
  double sum;
  double sqrsum;
  double mean; /* running, and the sum of squared differences from it (Welford) */
  double squares;
  double min;
  double max;
  double first_values[FIRST_VALUES];
  size_t waiting; /* of these */
  double width;   /* of a bin; 0: not chosen yet */
  int64_t first;  /* bin i is from (first + i) x width */
  size_t bins;
  uint64_t counts[OPP_HISTOGRAM_BINS];
  uint64_t underflow;
  uint64_t overflow;
};

opp_histogram_t* opp_histogram_make(opp_module_t* self, const char* name, const opp_result_info_t* info, bool has_bins)
{
  opp_results_t* results     = &self->sim->results;
  opp_histogram_t* histogram = sgf_calloc(1, sizeof *histogram);
  histogram->module          = self;
  histogram->name            = name;
  histogram->has_bins        = has_bins;
  histogram->min             = NAN;
  histogram->max             = NAN;
  if (info != NULL)
    histogram->info = *info;
  results->histograms = sgf_realloc(results->histograms, results->histogram_count + 1, sizeof(opp_histogram_t*));
  results->histograms[results->histogram_count++] = histogram;
  return histogram;
}

opp_histogram_t* opp_histogram_new(opp_module_t* self, const char* name, const opp_result_info_t* info)
{
  return opp_histogram_make(self, name, info, true);
}

opp_histogram_t* opp_stddev_new(opp_module_t* self, const char* name, const opp_result_info_t* info)
{
  return opp_histogram_make(self, name, info, false);
}

void opp_histogram_free(opp_histogram_t* histogram)
{
  free(histogram);
}

bool opp_histogram_has_bins(const opp_histogram_t* histogram)
{
  return histogram->has_bins;
}

/* ---- Bins -------------------------------------------------------------------------------------------------------- */

/* Bins of twice the width, which takes half as many. */
static void merge(opp_histogram_t* histogram)
{
  uint64_t merged[OPP_HISTOGRAM_BINS] = {0};
  const bool is_odd                   = histogram->first % 2 != 0;
  const int64_t first                 = (histogram->first - is_odd) / 2;
  for (size_t i = 0; i < histogram->bins; i++)
    merged[(i + is_odd) / 2] += histogram->counts[i];
  histogram->bins  = (histogram->bins + is_odd + 1) / 2;
  histogram->first = first;
  histogram->width *= 2.0;
  for (size_t i = 0; i < OPP_HISTOGRAM_BINS; i++)
    histogram->counts[i] = merged[i];
}

/* Bins `ahead` of the first one; there is room for them. */
static void extend_down(opp_histogram_t* histogram, size_t ahead)
{
  for (size_t i = histogram->bins; i-- > 0;)
    histogram->counts[i + ahead] = histogram->counts[i];
  for (size_t i = 0; i < ahead; i++)
    histogram->counts[i] = 0;
  histogram->bins += ahead;
  histogram->first -= (int64_t)ahead;
}

static void put_in_bin(opp_histogram_t* histogram, double value)
{
  double place = floor(value / histogram->width); /* of the bin, in units of its width */
  for (;; place = floor(value / histogram->width)) {
    const double low  = fmin(place, (double)histogram->first);
    const double high = fmax(place, (double)histogram->first + (double)histogram->bins - 1.0);
    if (high - low < OPP_HISTOGRAM_BINS)
      break;
    merge(histogram);
  }
  if (place < (double)histogram->first)
    extend_down(histogram, (size_t)((double)histogram->first - place));
  const size_t i = (size_t)(place - (double)histogram->first);
  if (i >= histogram->bins)
    histogram->bins = i + 1;
  histogram->counts[i]++;
}

/* A width of 1, 2 or 5 times a power of ten, with which the values so far take at most half of the bins. Whole numbers
 * get a whole one. */
static double choose_width(const opp_histogram_t* histogram)
{
  bool is_whole = true;
  for (size_t i = 0; i < histogram->waiting; i++)
    is_whole = is_whole && floor(histogram->first_values[i]) == histogram->first_values[i];
  const double range = histogram->max - histogram->min;
  const double scale = fmax(fabs(histogram->max), fabs(histogram->min));
  double least       = fmax(range / (OPP_HISTOGRAM_BINS / 2.0), scale * 0x1p-40);
  if (least == 0.0)
    least = 1.0;
  if (is_whole)
    least = fmax(least, 1.0);
  const double power    = pow(10.0, floor(log10(least)));
  const double mantissa = least / power;
  return power * (mantissa <= 1.0 ? 1.0 : mantissa <= 2.0 ? 2.0 : mantissa <= 5.0 ? 5.0 : 10.0);
}

/* Values that waited find their bins. */
static void settle(opp_histogram_t* histogram)
{
  if (histogram->waiting == 0)
    return;
  histogram->width = choose_width(histogram);
  histogram->first = (int64_t)floor(histogram->min / histogram->width);
  for (size_t i = 0; i < histogram->waiting; i++)
    put_in_bin(histogram, histogram->first_values[i]);
  histogram->waiting = 0;
}

static void collect_in_bins(opp_histogram_t* histogram, double value)
{
  if (histogram->width > 0.0) {
    put_in_bin(histogram, value);
    return;
  }
  histogram->first_values[histogram->waiting++] = value;
  if (histogram->waiting == FIRST_VALUES)
    settle(histogram);
}

/* ---- Collecting -------------------------------------------------------------------------------------------------- */

void opp_histogram_collect(opp_histogram_t* histogram, double value)
{
  if (isnan(value)) {
    opp_error(histogram->module, "statistic '%s': NaN was collected", histogram->name);
    return;
  }
  histogram->count++;
  histogram->sum += value;
  histogram->sqrsum += value * value;
  const double difference = value - histogram->mean;
  histogram->mean += difference / (double)histogram->count;
  histogram->squares += difference * (value - histogram->mean);
  if (isinf(value)) {
    histogram->underflow += value < 0.0;
    histogram->overflow += value > 0.0;
    return;
  }
  histogram->min = fmin(histogram->min, value); /* of a number and a NaN fmin is the number */
  histogram->max = fmax(histogram->max, value);
  if (histogram->has_bins)
    collect_in_bins(histogram, value);
}

void opp_histogram_record(opp_histogram_t* histogram)
{
  if (opp_option_is_on(histogram->module, histogram->name, "statistic-recording"))
    opp_result_add(histogram->module, histogram->name, &histogram->info, NULL, 0.0, histogram);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

uint64_t opp_histogram_count(const opp_histogram_t* histogram)
{
  return histogram->count;
}

double opp_histogram_mean(const opp_histogram_t* histogram)
{
  return histogram->count == 0 ? NAN : histogram->sum / (double)histogram->count;
}

double opp_histogram_stddev(const opp_histogram_t* histogram)
{
  return histogram->count < 2 ? NAN : sqrt(histogram->squares / (double)(histogram->count - 1));
}

double opp_histogram_min(const opp_histogram_t* histogram)
{
  return histogram->underflow > 0 ? -INFINITY : histogram->min;
}

double opp_histogram_max(const opp_histogram_t* histogram)
{
  return histogram->overflow > 0 ? INFINITY : histogram->max;
}

double opp_histogram_sum(const opp_histogram_t* histogram)
{
  return histogram->sum;
}

double opp_histogram_sqrsum(const opp_histogram_t* histogram)
{
  return histogram->sqrsum;
}

size_t opp_histogram_bins(opp_histogram_t* histogram)
{
  settle(histogram);
  return histogram->bins;
}

double opp_histogram_edge(opp_histogram_t* histogram, size_t i)
{
  settle(histogram);
  return (double)(histogram->first + (int64_t)i) * histogram->width;
}

uint64_t opp_histogram_bin(opp_histogram_t* histogram, size_t i)
{
  settle(histogram);
  return i < histogram->bins ? histogram->counts[i] : 0;
}

uint64_t opp_histogram_underflow(const opp_histogram_t* histogram)
{
  return histogram->underflow;
}

uint64_t opp_histogram_overflow(const opp_histogram_t* histogram)
{
  return histogram->overflow;
}
