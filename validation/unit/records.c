/* The pieces of result files: tokens, numbers, times, items. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "records/records_internal.h"

static char* text;
static size_t size;

static FILE* open_text(void)
{
  FILE* file = open_memstream(&text, &size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  return file;
}

static void check(FILE* file, const char* expected)
{
  fclose(file);
  if (strcmp(text, expected) != 0)
    printf("\n  is:       %s\n  expected: %s\n", text, expected);
  CU_ASSERT_STRING_EQUAL(text, expected);
  free(text);
}

static void check_token(const char* token, const char* expected)
{
  FILE* file = open_text();
  records_put_token(file, token);
  check(file, expected);
}

SGF_TEST(tokens_have_quotes_where_they_need_them)
{
  check_token("net.rack[3].q:vector", " net.rack[3].q:vector");
  check_token("#{}'$,=", " #{}'$,=");
  check_token("caf\xc3\xa9", " caf\xc3\xa9");
  check_token("", " \"\"");
  check_token("a b", " \"a b\"");
  check_token("say \"x\"", " \"say \\\"x\\\"\"");
  check_token("a\\b", " \"a\\\\b\"");
  check_token("\b\f\n\r\t", " \"\\b\\f\\n\\r\\t\"");
  check_token("\x01\x1f\x7f", " \"\\x01\\x1F\\x7F\"");
}

static void check_number(double number, const char* expected)
{
  FILE* file = open_text();
  records_put_number(file, number);
  check(file, expected);
}

SGF_TEST(numbers_have_fourteen_digits)
{
  check_number(0.1, "0.1");
  check_number(-2.0, "-2");
  check_number(1.0 / 3.0, "0.33333333333333");
  check_number(1e300, "1e+300");
  check_number(INFINITY, "inf");
  check_number(-INFINITY, "-inf");
  check_number(NAN, "nan");
  check_number(-NAN, "nan");
}

static void check_time(opp_simtime_t time, const char* expected)
{
  FILE* file = open_text();
  records_put_time(file, time);
  check(file, expected);
}

SGF_TEST(times_are_exact_decimals_of_seconds)
{
  check_time(0, "0");
  check_time(1, "0.000000000001");
  check_time(1500000, "0.0000015");
  check_time(3 * OPP_S, "3");
  check_time(12 * OPP_S + 345 * OPP_MS, "12.345");
  check_time(OPP_TIME_MAX, "9223372.036854775807");
}

SGF_TEST(items_have_the_attributes_that_are_known)
{
  const opp_result_t plain  = {.kind = OPP_RESULT_SCALAR, .module = "a", .name = "x y", .value = 2.5};
  const opp_result_t vector = {.kind   = OPP_RESULT_VECTOR,
                               .module = "a",
                               .name   = "v",
                               .number = 7,
                               .info   = {.unit = "B", .interpolation = "linear", .max = "9"}};
  FILE* file                = open_text();
  records_put_scalar(file, &plain);
  records_put_vector(file, &vector);
  check(file, "scalar a \"x y\" 2.5\nvector 7 a v ETV\nattr unit B\nattr interpolationmode linear\nattr max 9\n");
}
