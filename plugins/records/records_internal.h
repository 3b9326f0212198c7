/* records, inside: the grammar of OMNeT++'s result files, version 3 (spec/opp.md section 3). */
#ifndef RECORDS_INTERNAL_H
#define RECORDS_INTERNAL_H

#include <sgfabric/records.h>

#include <stdio.h>

/* format.c: pieces of lines. */
void records_put_token(FILE* file, const char* text); /* behind a space, in quotes where it needs them */
void records_put_number(FILE* file, double value);
void records_put_time(FILE* file, opp_simtime_t time);                  /* seconds */
void records_put_attr(FILE* file, const char* name, const char* value); /* a line; none for NULL */

/* items.c: what stands below a run. */
void records_put_scalar(FILE* file, const opp_result_t* scalar);
void records_put_statistic(FILE* file, const opp_result_t* statistic);
void records_put_vector(FILE* file, const opp_result_t* vector);

/* run.c: the first lines of a file. */
typedef struct records_origin {
  opp_ini_run_t* run;
  const char* network; /* name of the top module */
  const char* datetime;
  int64_t process;
} records_origin_t;

void records_put_run(FILE* file, const records_origin_t* origin);

#endif
