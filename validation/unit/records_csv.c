/* CSV records: the writer with its formats, and the schedule of periodic rows. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "records/csv.h"
#include "records/schedule.h"

/* ---- A record ---------------------------------------------------------------------------------------------------- */

typedef struct sample {
  const char* name;
  int64_t change;
  uint64_t count;
  double share;
} sample_t;

static const csv_column_t columns[] = {
    {"name", CSV_TEXT}, {"change", CSV_INTEGER}, {"count", CSV_INTEGER}, {"share", CSV_REAL}};

static void fill(csv_t* csv, const void* row)
{
  const sample_t* sample = row;
  csv_text(csv, sample->name);
  csv_integer(csv, sample->change);
  csv_count(csv, sample->count);
  csv_real(csv, sample->share);
}

static const csv_record_t samples = {"samples", columns, 4, fill};

/* A folder of the running test, which no other one uses. */
static csv_place_t place_of(const char* folder)
{
  return (csv_place_t){.folder = folder, .simulation = "unit", .shard = 0};
}

static char* content_of(const char* name)
{
  static char text[1 << 16];
  FILE* file = fopen(name, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static void check_file(const csv_record_t* record, const void* const* rows, size_t count, const char* expected)
{
  const csv_place_t place = place_of(SGF_BINARY_DIR "/records_csv_files");
  sgf_error_t error       = {0};
  csv_t* csv              = csv_open(record, &place, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(csv);
  for (size_t i = 0; i < count; i++)
    csv_write(csv, rows[i]);
  csv_close(csv, &error);
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  char* name = csv_file_name(record, &place);
  CU_ASSERT_STRING_EQUAL(content_of(name), expected);
  remove(name);
  free(name);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

SGF_TEST(a_file_is_named_after_simulation_record_and_shard)
{
  char* name = csv_file_name(&samples, &(csv_place_t){"out", "my-sim-2026-03-17", 1});
  CU_ASSERT_STRING_EQUAL(name, "out/my-sim-2026-03-17-samples-1.csv");
  free(name);
}

SGF_TEST(without_rows_a_file_has_its_header)
{
  check_file(&samples, NULL, 0, "name,change,count,share\n");
}

SGF_TEST(integers_are_plain_over_their_whole_range)
{
  const sample_t least    = {"a", INT64_MIN, 0, 0};
  const sample_t greatest = {"b", INT64_MAX, UINT64_MAX, -0.0};
  check_file(&samples, (const void* const[]){&least, &greatest}, 2,
             "name,change,count,share\n"
             "a,-9223372036854775808,0,0\n"
             "b,9223372036854775807,18446744073709551615,0\n");
}

SGF_TEST(text_is_quoted_where_a_reader_would_split_it)
{
  const sample_t plain = {"rack0.gpu[1] x", 0, 0, 0};
  const sample_t comma = {"a,b", 0, 0, 0};
  const sample_t quote = {"say \"x\"", 0, 0, 0};
  const sample_t line  = {"two\nlines", 0, 0, 0};
  const sample_t empty = {"", 0, 0, 0};
  check_file(&samples, (const void* const[]){&plain, &comma, &quote, &line, &empty}, 5,
             "name,change,count,share\n"
             "rack0.gpu[1] x,0,0,0\n"
             "\"a,b\",0,0,0\n"
             "\"say \"\"x\"\"\",0,0,0\n"
             "\"two\nlines\",0,0,0\n"
             ",0,0,0\n");
}

SGF_TEST(a_file_of_an_earlier_execution_is_replaced)
{
  const sample_t row      = {"a", 1, 2, 3};
  const void* const one[] = {&row};
  check_file(&samples, one, 1, "name,change,count,share\na,1,2,3\n");
  check_file(&samples, NULL, 0, "name,change,count,share\n");
}

SGF_TEST(folders_are_made)
{
  const csv_place_t place = place_of(SGF_BINARY_DIR "/records_csv_made/a/b");
  sgf_error_t error       = {0};
  csv_close(csv_open(&samples, &place, &error), &error);
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  CU_ASSERT_STRING_EQUAL(content_of(SGF_BINARY_DIR "/records_csv_made/a/b/unit-samples-0.csv"),
                         "name,change,count,share\n");
}

SGF_TEST(a_file_that_cannot_be_made_is_an_error_that_names_it)
{
  const csv_place_t place = place_of("/proc/no/folder");
  sgf_error_t error       = {0};
  CU_ASSERT_PTR_NULL(csv_open(&samples, &place, &error));
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/proc/no"));
}

/* A full disk is found when the buffer is written, or at the end. */
static void check_full(size_t rows)
{
  const csv_place_t place = place_of(SGF_BINARY_DIR "/records_csv_full");
  const sample_t row      = {"a", 1, 2, 3};
  sgf_error_t error       = {0};
  mkdir(place.folder, 0777);
  char* name = csv_file_name(&samples, &place);
  remove(name);
  CU_ASSERT_EQUAL_FATAL(symlink("/dev/full", name), 0);
  csv_t* csv = csv_open(&samples, &place, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(csv);
  for (size_t i = 0; i < rows; i++)
    csv_write(csv, &row);
  csv_close(csv, &error);
  CU_ASSERT_EQUAL(error.status, SGF_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, name));
  remove(name);
  free(name);
}

SGF_TEST(a_full_disk_is_reported_at_the_end)
{
  check_full(0);
  check_full(100000);
}

/* ---- Rows that do not fit ---------------------------------------------------------------------------------------- */

static void check_misfit(const csv_record_t* record, const char* named)
{
  const csv_place_t place = place_of(SGF_BINARY_DIR "/records_csv_misfits");
  const sample_t row      = {"a", 1, 2, 3};
  sgf_error_t error       = {0};
  csv_t* csv              = csv_open(record, &place, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(csv);
  csv_write(csv, &row);
  csv_close(csv, &error);
  CU_ASSERT_EQUAL(error.status, SGF_MODEL);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, named));
}

SGF_TEST(a_row_has_as_many_values_as_columns)
{
  static const csv_column_t longer[] = {
      {"name", CSV_TEXT}, {"change", CSV_INTEGER}, {"count", CSV_INTEGER}, {"share", CSV_REAL}, {"more", CSV_REAL}};
  check_misfit(&(csv_record_t){"samples", longer, 5, fill}, "4 values for 5 columns");
  check_misfit(&(csv_record_t){"samples", columns, 3, fill}, "4 values for 3 columns");
}

SGF_TEST(a_value_has_the_type_of_its_column)
{
  static const csv_column_t swapped[] = {
      {"name", CSV_TEXT}, {"change", CSV_INTEGER}, {"count", CSV_REAL}, {"share", CSV_REAL}};
  check_misfit(&(csv_record_t){"samples", swapped, 4, fill}, "column count");
}

/* ---- Real numbers ------------------------------------------------------------------------------------------------ */

static void check_real(double value, const char* expected)
{
  const sample_t row = {"a", 0, 0, value};
  char text[64];
  snprintf(text, sizeof text, "name,change,count,share\na,0,0,%s\n", expected);
  check_file(&samples, (const void* const[]){&row}, 1, text);
}

SGF_TEST(reals_are_written_as_the_documented_examples_are)
{
  check_real(0.003, "0.003");
  check_real(7.3062e-05, "7.3062e-05");
  check_real(0.584496, "0.584496");
  check_real(800, "800");
  check_real(488.9136, "488.914");
  check_real(0.00259249, "0.00259249");
  check_real(0.000229205, "0.000229205");
  check_real(7.37875e7, "7.37875e+07");
  check_real(100, "100");
  check_real(-1.5, "-1.5");
  check_real(123456, "123456");
  check_real(999999.5, "1e+06");
  check_real(1e-300, "1e-300");
  check_real(NAN, "nan");
  check_real(-INFINITY, "-inf");
}

/* The C library's %g, in the C locale, says the same. */
SGF_TEST(reals_have_six_significant_digits)
{
  uint64_t state = 1;
  unsigned wrong = 0;
  for (int i = 0; i < 200000; i++) {
    state               = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const int exponent  = (int)(state >> 40) % 24 - 12;
    const double digits = (double)(state >> 11) / (double)(UINT64_C(1) << 53);
    const double value  = i % 7 == 0 ? round(digits * 1e6) / 1e3 : digits * pow(10, exponent);
    char scientific[32], text[CSV_REAL_SIZE], expected[CSV_REAL_SIZE];
    snprintf(scientific, sizeof scientific, "%.5e", value);
    snprintf(expected, sizeof expected, "%.6g", value);
    csv_general(scientific, text);
    if (strcmp(text, expected) != 0 && wrong++ < 5)
      printf("\n  is: %s  expected: %s", text, expected);
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

SGF_TEST(a_locale_with_another_point_changes_nothing)
{
  char text[CSV_REAL_SIZE];
  csv_general("1,50000e-01", text);
  CU_ASSERT_STRING_EQUAL(text, "0.15");
  csv_general("1\xd9\xab"
              "23457e+02",
              text); /* a point of two bytes */
  CU_ASSERT_STRING_EQUAL(text, "123.457");
  csv_general("7,37875e+07", text);
  CU_ASSERT_STRING_EQUAL(text, "7.37875e+07");
}

/* ---- Schedule ---------------------------------------------------------------------------------------------------- */

typedef struct diary {
  char text[1024];
} diary_t;

typedef struct writer {
  diary_t* diary;
  const char* name;
} writer_t;

static void note(void* user, opp_simtime_t date)
{
  const writer_t* writer = user;
  const size_t used      = strlen(writer->diary->text);
  snprintf(writer->diary->text + used, sizeof writer->diary->text - used, "%s%lld ", writer->name, (long long)date);
}

SGF_TEST(rows_of_one_instant_come_in_the_order_of_addition)
{
  diary_t diary        = {""};
  writer_t a           = {&diary, "a"};
  writer_t b           = {&diary, "b"};
  writer_t c           = {&diary, "c"};
  schedule_t* schedule = schedule_new();
  opp_simtime_t next   = 0;
  CU_ASSERT_EQUAL(schedule_next(schedule), OPP_TIME_MAX);
  schedule_add(schedule, 6, 6, note, &a);
  schedule_add(schedule, 2, 2, note, &b);
  schedule_add(schedule, 3, 3, note, &c);
  for (next = schedule_next(schedule); next <= 12;)
    next = schedule_tick(schedule, next);
  CU_ASSERT_EQUAL(next, 14);
  CU_ASSERT_STRING_EQUAL(diary.text, "b2 c3 b4 a6 b6 c6 b8 c9 b10 a12 b12 c12 ");
  schedule_free(schedule);
}

SGF_TEST(a_late_tick_makes_up_for_all_dates)
{
  diary_t diary        = {""};
  writer_t a           = {&diary, "a"};
  writer_t b           = {&diary, "b"};
  schedule_t* schedule = schedule_new();
  schedule_add(schedule, 5, 5, note, &a);
  schedule_add(schedule, 4, 10, note, &b);
  CU_ASSERT_EQUAL(schedule_tick(schedule, 3), 4);
  CU_ASSERT_STRING_EQUAL(diary.text, "");
  CU_ASSERT_EQUAL(schedule_tick(schedule, 14), 15);
  CU_ASSERT_STRING_EQUAL(diary.text, "b4 a5 a10 b14 ");
  schedule_free(schedule);
}

SGF_TEST(a_period_ends_with_the_clock)
{
  diary_t diary        = {""};
  writer_t a           = {&diary, "a"};
  schedule_t* schedule = schedule_new();
  schedule_add(schedule, 1, OPP_TIME_MAX - 1, note, &a);
  CU_ASSERT_EQUAL(schedule_tick(schedule, 1), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(schedule_tick(schedule, OPP_TIME_MAX), OPP_TIME_MAX);
  CU_ASSERT_STRING_EQUAL(diary.text, "a1 ");
  schedule_free(schedule);
}

/* Many periods against a list that is looked through at each date. */
SGF_TEST(many_periods_come_as_from_a_list)
{
  enum { PERIODS = 40, LAST = 2000 };
  static char names[PERIODS][8];
  static char expected[1 << 17], text[1 << 17];
  size_t length = 0, used = 0;
  schedule_t* schedule = schedule_new();
  diary_t diary        = {""};
  writer_t writers[PERIODS];
  for (unsigned i = 0; i < PERIODS; i++) {
    snprintf(names[i], sizeof names[i], "p%u-", i);
    writers[i] = (writer_t){&diary, names[i]};
    schedule_add(schedule, 1 + (i * 37) % 50, 1 + (i * 13) % 97, note, &writers[i]);
  }
  for (opp_simtime_t date = 1; date <= LAST; date++) {
    for (unsigned i = 0; i < PERIODS; i++) {
      const opp_simtime_t first = 1 + (i * 37) % 50, interval = 1 + (i * 13) % 97;
      if (date >= first && (date - first) % interval == 0)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%s%lld ", names[i], (long long)date);
    }
    diary.text[0] = '\0';
    schedule_tick(schedule, date);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", diary.text);
  }
  CU_ASSERT(length > 20000 && length < sizeof expected - 1);
  CU_ASSERT_STRING_EQUAL(text, expected);
  schedule_free(schedule);
}
