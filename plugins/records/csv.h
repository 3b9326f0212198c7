/* CSV records: the one writer that all of them use (spec/records.md section 1).
 *
 * A record is a constant table of columns and a function that fills a row, column by column in the order of the table.
 * A file is {folder}/{simulation}-{record}-{shard}.csv: a header line, then a line for each row. Real numbers have six
 * significant digits and a point in every locale. */
#ifndef RECORDS_CSV_H
#define RECORDS_CSV_H

#include <sgfabric/error.h>

#include <stddef.h>
#include <stdint.h>

typedef enum csv_type { CSV_TEXT, CSV_INTEGER, CSV_REAL } csv_type_t;

typedef struct csv_column {
  const char* name;
  csv_type_t type;
} csv_column_t;

typedef struct csv csv_t; /* the file of a record */

typedef struct csv_record {
  const char* name; /* "nd-stats" */
  const csv_column_t* columns;
  size_t count;
  void (*fill)(csv_t* csv, const void* row); /* one csv_text, csv_integer, .. for each column */
} csv_record_t;

/* Where files of a simulation go; one process writes one shard. */
typedef struct csv_place {
  const char* folder;
  const char* simulation;
  unsigned shard;
} csv_place_t;

/* The name of a record's file; free it. */
char* csv_file_name(const csv_record_t* record, const csv_place_t* place);

/* Begin the file, folders included, in place of an earlier one. NULL and SGF_IO: it cannot be made. */
csv_t* csv_open(const csv_record_t* record, const csv_place_t* place, sgf_error_t* error);

/* Write a row: the record's function fills it from `row`. */
void csv_write(csv_t* csv, const void* row);

/* The next column of the row. Text with a comma, a quote or a line's end in it is quoted. */
void csv_text(csv_t* csv, const char* text);
void csv_integer(csv_t* csv, int64_t value);
void csv_count(csv_t* csv, uint64_t value);
void csv_real(csv_t* csv, double value);
void csv_empty(csv_t* csv); /* of any type: it does not apply */

/* End the file; `csv` may be NULL. In `error` SGF_IO if something could not be written, now or before; SGF_MODEL if a
 * row did not fit the columns of its record. */
void csv_close(csv_t* csv, sgf_error_t* error);

/* What a real number is written as; `scientific` is the number by "%.5e", whose point may be that of any locale. */
enum { CSV_REAL_SIZE = 32 };
void csv_general(const char* scientific, char text[CSV_REAL_SIZE]);

#endif
