/* Numbers, with and without a unit. Nothing passes through a binary fraction: a number is its digits and a power of
 * ten, and the product with the unit's factor is taken in 128 bits. */
#include "attr_internal.h"

#include <ctype.h>
#include <inttypes.h>

enum { MAX_UNITS = 7, UNITS_TEXT_SIZE = 64 };

static const int64_t max_decimal_scale = 1000000000; /* nine digits behind the point */
static const int64_t max_decimal       = 1000000000; /* sums of nine of them, and 2^32 times one, fit 63 bits */
static const int64_t max_scale         = 1000000000000000000; /* largest power of ten in 63 bits */

/* A number as written: digits / scale. */
typedef struct number {
  bool negative;
  bool has_point;
  bool too_long; /* more digits than can be kept */
  uint64_t digits;
  int64_t scale;
} number_t;

typedef struct unit {
  const char* name;
  int64_t factor; /* in the smallest unit */
} unit_t;

/* A kind of quantity. Units start with the smallest, decimal before binary: of two units that write a value equally
 * short, the earlier one is taken. */
typedef struct quantity {
  const char* name;
  const char* example;
  int64_t max; /* in the smallest unit */
  unit_t units[MAX_UNITS];
  size_t count;
} quantity_t;

static const quantity_t size_quantity = {
    "size",
    "4MB",
    UINT32_MAX,
    {{"B", 1}, {"KB", 1000}, {"MB", 1000000}, {"GB", 1000000000}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}},
    7};
static const quantity_t rate_quantity = {
    "data rate",
    "400Gbps",
    INT64_MAX,
    {{"bps", 1}, {"Kbps", 1000}, {"Mbps", 1000000}, {"Gbps", 1000000000}, {"Tbps", 1000000000000}},
    5};
static const quantity_t time_quantity = {
    "time",
    "100ns",
    INT64_MAX,
    {{"ps", 1}, {"ns", 1000}, {"us", 1000000}, {"ms", 1000000000}, {"s", 1000000000000}},
    5};
static const quantity_t* const quantities[] = {&size_quantity, &rate_quantity, &time_quantity};

static bool starts_with_digit(sgf_text_t text)
{
  return text.length > 0 && isdigit((unsigned char)text.at[0]);
}

static char take(sgf_text_t* text)
{
  text->length--;
  return *text->at++;
}

static void append_digit(number_t* number, unsigned digit, bool behind_point)
{
  if (number->digits > (UINT64_MAX - digit) / 10 || (behind_point && number->scale == max_scale))
    number->too_long = true;
  if (number->too_long)
    return;
  number->digits = number->digits * 10 + digit;
  if (behind_point)
    number->scale *= 10;
}

static void scan_fraction(sgf_text_t* text, number_t* number)
{
  size_t zeros = 0; /* held back: they count only if another digit follows */
  while (starts_with_digit(*text)) {
    unsigned digit = (unsigned)(take(text) - '0');
    if (digit == 0) {
      zeros++;
      continue;
    }
    for (; zeros > 0; zeros--)
      append_digit(number, 0, true);
    append_digit(number, digit, true);
  }
}

/* Take a number from the front of `text`: [+-] digits [. digits]. */
static bool scan_number(sgf_text_t* text, number_t* number)
{
  *number = (number_t){.scale = 1};
  if (text->length > 0 && (text->at[0] == '-' || text->at[0] == '+'))
    number->negative = take(text) == '-';
  if (!starts_with_digit(*text))
    return false;
  while (starts_with_digit(*text))
    append_digit(number, (unsigned)(take(text) - '0'), false);
  if (text->length > 0 && text->at[0] == '.') {
    number->has_point = true;
    take(text);
    if (!starts_with_digit(*text))
      return false;
    scan_fraction(text, number);
  }
  if (number->digits == 0 && !number->too_long)
    number->negative = false;
  return true;
}

static sgf_int128_t signed_digits(const number_t* number)
{
  return number->negative ? -(sgf_int128_t)number->digits : (sgf_int128_t)number->digits;
}

static const unit_t* find_unit(const quantity_t* quantity, sgf_text_t name)
{
  for (size_t i = 0; i < quantity->count; i++)
    if (sgf_text_is(name, quantity->units[i].name))
      return &quantity->units[i];
  return NULL;
}

static sgf_status_t refuse_unit(const quantity_t* quantity, sgf_text_t name, sgf_error_t* reason)
{
  char units[UNITS_TEXT_SIZE];
  sgf_line_t line = sgf_line_in(units, sizeof units);
  for (size_t i = 0; i < quantity->count; i++) {
    sgf_line_or(&line, i, quantity->count);
    sgf_line_add(&line, "%s", quantity->units[i].name);
  }
  if (name.length == 0)
    return sgf_error_set(reason, SGF_UNIT, "the unit is missing; a %s takes %s", quantity->name, units);
  for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++)
    if (find_unit(quantities[i], name) != NULL)
      return sgf_error_set(reason, SGF_UNIT, "%.*s is a unit of %s; a %s takes %s", (int)name.length, name.at,
                           quantities[i]->name, quantity->name, units);
  char quoted[SGF_QUOTE_SIZE];
  line = sgf_line_in(quoted, sizeof quoted);
  sgf_line_quote(&line, name);
  return sgf_error_set(reason, SGF_UNIT, "%s is not a unit; a %s takes %s", quoted, quantity->name, units);
}

static bool is_word(sgf_text_t text)
{
  for (size_t i = 0; i < text.length; i++)
    if (!isalpha((unsigned char)text.at[i]))
      return false;
  return true;
}

static sgf_status_t read_quantity(const quantity_t* quantity, sgf_text_t text, int64_t* value, sgf_error_t* reason)
{
  number_t number;
  bool is_number  = scan_number(&text, &number);
  sgf_text_t name = sgf_text_trim(text);
  if (!is_number || !is_word(name))
    return sgf_error_set(reason, SGF_SYNTAX, "a %s is a number with a unit, such as %s", quantity->name,
                         quantity->example);
  const unit_t* unit = find_unit(quantity, name);
  if (unit == NULL)
    return refuse_unit(quantity, name, reason);
  if (number.negative)
    return sgf_error_set(reason, SGF_RANGE, "a %s is not negative", quantity->name);
  if (number.too_long)
    return sgf_error_set(reason, SGF_RANGE, "more digits than a %s can have", quantity->name);

  const char* smallest = quantity->units[0].name;
  sgf_int128_t product = signed_digits(&number) * unit->factor;
  if (product % number.scale != 0)
    return sgf_error_set(reason, SGF_RANGE, "a %s is a whole number of %s", quantity->name, smallest);
  product /= number.scale;
  if (product > quantity->max)
    return sgf_error_set(reason, SGF_RANGE, "a %s is at most %" PRId64 "%s", quantity->name, quantity->max, smallest);
  *value = (int64_t)product;
  return SGF_OK;
}

static int digits_of(int64_t value)
{
  int digits = 1;
  for (; value >= 10; value /= 10)
    digits++;
  return digits;
}

/* The unit that keeps the value whole and its number shortest, which is the largest but for one thing: 256KB are not
 * called 250KiB. */
static void write_quantity(const quantity_t* quantity, sgf_line_t* line, int64_t value)
{
  const unit_t* best = &quantity->units[0];
  for (size_t i = 1; i < quantity->count; i++) {
    const unit_t* unit = &quantity->units[i];
    if (value % unit->factor == 0 && digits_of(value / unit->factor) < digits_of(value / best->factor))
      best = unit;
  }
  sgf_line_add(line, "%" PRId64 "%s", value / best->factor, best->name);
}

sgf_status_t sgf_read_bytes(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  return read_quantity(&size_quantity, text, &value->integer, reason);
}

sgf_status_t sgf_read_datarate(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  return read_quantity(&rate_quantity, text, &value->integer, reason);
}

sgf_status_t sgf_read_timeval(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  return read_quantity(&time_quantity, text, &value->integer, reason);
}

void sgf_write_bytes(sgf_line_t* line, const sgf_value_t* value)
{
  write_quantity(&size_quantity, line, value->integer);
}

void sgf_write_datarate(sgf_line_t* line, const sgf_value_t* value)
{
  write_quantity(&rate_quantity, line, value->integer);
}

void sgf_write_timeval(sgf_line_t* line, const sgf_value_t* value)
{
  write_quantity(&time_quantity, line, value->integer);
}

static bool scan_whole_number(sgf_text_t text, number_t* number)
{
  return scan_number(&text, number) && text.length == 0 && !number->has_point;
}

sgf_status_t sgf_read_uint(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  number_t number;
  if (!scan_whole_number(text, &number))
    return sgf_error_set(reason, SGF_SYNTAX, "must be a whole number >= 0, without a unit");
  if (number.negative)
    return sgf_error_set(reason, SGF_RANGE, "must be at least 0");
  if (number.too_long)
    return sgf_error_set(reason, SGF_RANGE, "must be at most %" PRIu64, UINT64_MAX);
  value->uint = number.digits;
  return SGF_OK;
}

sgf_status_t sgf_read_integer(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  number_t number;
  if (!scan_whole_number(text, &number))
    return sgf_error_set(reason, SGF_SYNTAX, "must be a whole number, without a unit");
  sgf_int128_t digits = signed_digits(&number);
  if (number.too_long || digits > INT64_MAX || digits < INT64_MIN)
    return sgf_error_set(reason, SGF_RANGE, "must be within %" PRId64 "..%" PRId64, INT64_MIN, INT64_MAX);
  value->integer = (int64_t)digits;
  return SGF_OK;
}

sgf_status_t sgf_read_decimal(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  number_t number;
  if (!scan_number(&text, &number) || text.length != 0)
    return sgf_error_set(reason, SGF_SYNTAX, "must be a decimal number such as 0.9, without a unit");
  sgf_int128_t digits  = signed_digits(&number);
  sgf_int128_t largest = (sgf_int128_t)max_decimal * number.scale;
  if (number.too_long || number.scale > max_decimal_scale || digits > largest || digits < -largest)
    return sgf_error_set(reason, SGF_RANGE,
                         "must be within -%" PRId64 "..%" PRId64 " with at most nine digits behind "
                         "the point",
                         max_decimal, max_decimal);
  value->decimal = (sgf_decimal_t){(int64_t)digits, number.scale};
  return SGF_OK;
}

static sgf_status_t parse(sgf_read_fn* read, const char* text, const char* what, sgf_value_t* value, sgf_error_t* error)
{
  sgf_error_t reason = {0};
  if (read(sgf_text_trim(sgf_text_of(text)), value, &reason) != SGF_OK)
    return sgf_refuse(what, text, &reason, error);
  return SGF_OK;
}

static sgf_status_t parse_integer(sgf_read_fn* read, const char* text, const char* what, int64_t* integer,
                                  sgf_error_t* error)
{
  sgf_value_t value;
  sgf_status_t status = parse(read, text, what, &value, error);
  if (status == SGF_OK)
    *integer = value.integer;
  return status;
}

sgf_status_t sgf_parse_bytes(const char* text, const char* what, int64_t* bytes, sgf_error_t* error)
{
  return parse_integer(sgf_read_bytes, text, what, bytes, error);
}

sgf_status_t sgf_parse_datarate(const char* text, const char* what, int64_t* bps, sgf_error_t* error)
{
  return parse_integer(sgf_read_datarate, text, what, bps, error);
}

sgf_status_t sgf_parse_timeval(const char* text, const char* what, int64_t* ps, sgf_error_t* error)
{
  return parse_integer(sgf_read_timeval, text, what, ps, error);
}

sgf_status_t sgf_parse_uint(const char* text, const char* what, uint64_t* value, sgf_error_t* error)
{
  sgf_value_t parsed;
  sgf_status_t status = parse(sgf_read_uint, text, what, &parsed, error);
  if (status == SGF_OK)
    *value = parsed.uint;
  return status;
}

sgf_status_t sgf_parse_decimal(const char* text, const char* what, sgf_decimal_t* value, sgf_error_t* error)
{
  sgf_value_t parsed;
  sgf_status_t status = parse(sgf_read_decimal, text, what, &parsed, error);
  if (status == SGF_OK)
    *value = parsed.decimal;
  return status;
}
