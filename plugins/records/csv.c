/* The writer of CSV records. */
#include "records/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "records/files.h"

enum { BUFFER_SIZE = 1 << 16, DIGITS = 6 };

struct csv {
  const csv_record_t* record;
  char* name;
  FILE* file; /* unbuffered: a child of the process has nothing to write a second time */
  char* buffer;
  size_t used;
  size_t column;     /* the next one of the row */
  sgf_error_t error; /* the first row that did not fit */
};

/* ---- Files ------------------------------------------------------------------------------------------------------- */

char* csv_file_name(const csv_record_t* record, const csv_place_t* place)
{
  const size_t size = strlen(place->folder) + strlen(place->simulation) + strlen(record->name) + 32;
  char* name        = sgf_calloc(size, 1);
  snprintf(name, size, "%s/%s-%s-%u.csv", place->folder, place->simulation, record->name, place->shard);
  return name;
}

static void csv_free(csv_t* csv)
{
  free(csv->name);
  free(csv->buffer);
  free(csv);
}

static void flush(csv_t* csv)
{
  fwrite(csv->buffer, 1, csv->used, csv->file);
  csv->used = 0;
}

static void put(csv_t* csv, const char* text, size_t length)
{
  if (length > BUFFER_SIZE - csv->used)
    flush(csv);
  if (length > BUFFER_SIZE) {
    fwrite(text, 1, length, csv->file);
    return;
  }
  memcpy(csv->buffer + csv->used, text, length);
  csv->used += length;
}

static void put_char(csv_t* csv, char c)
{
  put(csv, &c, 1);
}

static void put_text(csv_t* csv, const char* text)
{
  put(csv, text, strlen(text));
}

static void write_header(csv_t* csv)
{
  for (size_t i = 0; i < csv->record->count; i++) {
    put_text(csv, i > 0 ? "," : "");
    put_text(csv, csv->record->columns[i].name);
  }
  put_char(csv, '\n');
}

csv_t* csv_open(const csv_record_t* record, const csv_place_t* place, sgf_error_t* error)
{
  csv_t* csv  = sgf_calloc(1, sizeof *csv);
  csv->record = record;
  csv->name   = csv_file_name(record, place);
  csv->buffer = sgf_calloc(BUFFER_SIZE, 1);
  records_remove_file(csv->name);
  if (records_make_folders(csv->name, error) == SGF_OK)
    csv->file = records_open_file(csv->name, error);
  if (csv->file == NULL) {
    csv_free(csv);
    return NULL;
  }
  setvbuf(csv->file, NULL, _IONBF, 0);
  write_header(csv);
  return csv;
}

void csv_close(csv_t* csv, sgf_error_t* error)
{
  if (csv == NULL)
    return;
  flush(csv);
  records_close_file(csv->file, csv->name, error);
  if (csv->error.status != SGF_OK)
    sgf_error_set(error, csv->error.status, "%s", csv->error.text);
  csv_free(csv);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

void csv_write(csv_t* csv, const void* row)
{
  csv->column = 0;
  csv->record->fill(csv, row);
  put_char(csv, '\n');
  if (csv->column != csv->record->count)
    sgf_error_set(&csv->error, SGF_MODEL, "record %s: a row of %zu values for %zu columns", csv->record->name,
                  csv->column, csv->record->count);
}

static void next_column(csv_t* csv, csv_type_t type)
{
  const size_t column = csv->column++;
  if (column > 0)
    put_char(csv, ',');
  if (column < csv->record->count && csv->record->columns[column].type != type)
    sgf_error_set(&csv->error, SGF_MODEL, "record %s: column %s was given a value of another type", csv->record->name,
                  csv->record->columns[column].name);
}

void csv_text(csv_t* csv, const char* text)
{
  next_column(csv, CSV_TEXT);
  if (text[strcspn(text, ",\"\r\n")] == '\0') {
    put_text(csv, text);
    return;
  }
  put_char(csv, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"')
      put_char(csv, '"');
    put_char(csv, *text);
  }
  put_char(csv, '"');
}

void csv_empty(csv_t* csv)
{
  next_column(csv, csv->column < csv->record->count ? csv->record->columns[csv->column].type : CSV_TEXT);
}

static void put_digits(csv_t* csv, uint64_t value)
{
  char digits[20];
  size_t first = sizeof digits;
  do
    digits[--first] = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  put(csv, digits + first, sizeof digits - first);
}

void csv_integer(csv_t* csv, int64_t value)
{
  next_column(csv, CSV_INTEGER);
  if (value < 0)
    put_char(csv, '-');
  put_digits(csv, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void csv_count(csv_t* csv, uint64_t value)
{
  next_column(csv, CSV_INTEGER);
  put_digits(csv, value);
}

/* ---- Real numbers ------------------------------------------------------------------------------------------------ */

/* The digits before the e are the last ones of the number, whatever stands between them and the first. */
void csv_general(const char* scientific, char text[CSV_REAL_SIZE])
{
  const char* e = strchr(scientific, 'e');
  char digits[DIGITS + 1];
  digits[0] = scientific[0];
  memcpy(digits + 1, e - (DIGITS - 1), DIGITS - 1);
  int count = DIGITS;
  while (count > 1 && digits[count - 1] == '0')
    count--;
  digits[count]       = '\0';
  const long exponent = strtol(e + 1, NULL, 10);
  const char* point   = count > 1 ? "." : "";
  if (exponent < -4 || exponent >= DIGITS)
    snprintf(text, CSV_REAL_SIZE, "%c%s%se%c%02ld", digits[0], point, digits + 1, exponent < 0 ? '-' : '+',
             labs(exponent));
  else if (exponent < 0)
    snprintf(text, CSV_REAL_SIZE, "0.%.*s%s", (int)(-exponent - 1), "000", digits);
  else if (count <= exponent + 1)
    snprintf(text, CSV_REAL_SIZE, "%s%.*s", digits, (int)exponent + 1 - count, "00000");
  else
    snprintf(text, CSV_REAL_SIZE, "%.*s.%s", (int)exponent + 1, digits, digits + exponent + 1);
}

void csv_real(csv_t* csv, double value)
{
  char scientific[32], text[CSV_REAL_SIZE];
  next_column(csv, CSV_REAL);
  if (value < 0)
    put_char(csv, '-');
  if (!isfinite(value)) {
    put_text(csv, isnan(value) ? "nan" : "inf");
    return;
  }
  snprintf(scientific, sizeof scientific, "%.*e", DIGITS - 1, fabs(value));
  csv_general(scientific, text);
  put_text(csv, text);
}
