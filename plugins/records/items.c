/* Scalars, statistics, vectors. */
#include <math.h>

#include "records/records_internal.h"

static void put_name(FILE* file, const opp_result_t* item)
{
  records_put_token(file, item->module);
  records_put_token(file, item->name);
}

static void put_attrs(FILE* file, const opp_result_t* item)
{
  records_put_attr(file, "title", item->info.title);
  records_put_attr(file, "unit", item->info.unit);
}

void records_put_scalar(FILE* file, const opp_result_t* scalar)
{
  fputs("scalar", file);
  put_name(file, scalar);
  fputc(' ', file);
  records_put_number(file, scalar->value);
  fputc('\n', file);
  put_attrs(file, scalar);
}

static void put_field(FILE* file, const char* name, double value)
{
  fprintf(file, "field %s ", name);
  records_put_number(file, value);
  fputc('\n', file);
}

static void put_bin(FILE* file, double edge, uint64_t count)
{
  fputs("bin\t", file);
  records_put_number(file, edge);
  fputc('\t', file);
  records_put_number(file, (double)count);
  fputc('\n', file);
}

void records_put_statistic(FILE* file, const opp_result_t* item)
{
  opp_histogram_t* statistic = item->statistic;
  fputs("statistic", file);
  put_name(file, item);
  fputc('\n', file);
  put_field(file, "count", (double)opp_histogram_count(statistic));
  put_field(file, "mean", opp_histogram_mean(statistic));
  put_field(file, "stddev", opp_histogram_stddev(statistic));
  put_field(file, "min", opp_histogram_min(statistic));
  put_field(file, "max", opp_histogram_max(statistic));
  put_field(file, "sum", opp_histogram_sum(statistic));
  put_field(file, "sqrsum", opp_histogram_sqrsum(statistic));
  put_attrs(file, item);
  const size_t bins = opp_histogram_bins(statistic);
  if (!item->has_bins || bins == 0)
    return;
  put_bin(file, -INFINITY, opp_histogram_underflow(statistic));
  for (size_t i = 0; i < bins; i++)
    put_bin(file, opp_histogram_edge(statistic, i), opp_histogram_bin(statistic, i));
  put_bin(file, opp_histogram_edge(statistic, bins), opp_histogram_overflow(statistic));
}

void records_put_vector(FILE* file, const opp_result_t* vector)
{
  fprintf(file, "vector %u", vector->number);
  put_name(file, vector);
  fputs(" ETV\n", file);
  put_attrs(file, vector);
  records_put_attr(file, "type", vector->info.type);
  records_put_attr(file, "interpolationmode", vector->info.interpolation);
  records_put_attr(file, "min", vector->info.min);
  records_put_attr(file, "max", vector->info.max);
}
