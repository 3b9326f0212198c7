/* SimGrid's numbers with units, kept exact. SimGrid reads them with strtod and a table; a number without a unit is in
 * bytes per second, in seconds, or in flop per second. */
#include "scenario_internal.h"

#include <ctype.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide_t;

enum { MAX_EXPONENT = 1000 }; /* beyond it every number is 0 or too large */

/* A number as written: digits x 10^exponent. */
typedef struct number {
  bool negative;
  bool too_long; /* more digits than can be kept */
  uint64_t digits;
  int exponent;
} number_t;

/* A prefix of a unit, base^power. */
typedef struct prefix {
  const char* name;
  unsigned base;
  unsigned power;
} prefix_t;

static const prefix_t prefixes[] = {{"", 1000, 0},   {"k", 1000, 1},  {"M", 1000, 2},  {"G", 1000, 3},  {"T", 1000, 4},
                                    {"P", 1000, 5},  {"E", 1000, 6},  {"Z", 1000, 7},  {"Y", 1000, 8},  {"Ki", 1024, 1},
                                    {"Mi", 1024, 2}, {"Gi", 1024, 3}, {"Ti", 1024, 4}, {"Pi", 1024, 5}, {"Ei", 1024, 6},
                                    {"Zi", 1024, 7}, {"Yi", 1024, 8}};

static const struct {
  const char* name;
  uint64_t factor; /* ps */
} time_units[] = {{"ps", 1},
                  {"ns", 1000},
                  {"us", 1000000},
                  {"ms", 1000000000},
                  {"s", 1000000000000},
                  {"", 1000000000000},
                  {"m", 60 * 1000000000000},
                  {"h", 3600 * 1000000000000},
                  {"d", 86400 * 1000000000000},
                  {"w", 604800 * 1000000000000}};

static bool is_digit(char c)
{
  return isdigit((unsigned char)c) != 0;
}

static void take_digits(const char** at, number_t* number, bool fraction)
{
  for (; is_digit(**at); (*at)++) {
    uint64_t digit = (uint64_t)(**at - '0');
    if (number->digits > (UINT64_MAX - digit) / 10) {
      number->too_long = number->too_long || digit != 0;
      number->exponent += number->exponent < MAX_EXPONENT && !fraction;
    } else {
      number->digits = number->digits * 10 + digit;
      number->exponent -= fraction;
    }
  }
}

/* "e-6", or nothing: the E of "EBps" belongs to the unit. */
static void take_exponent(const char** at, number_t* number)
{
  const char* digits = *at + 1;
  if (**at != 'e' && **at != 'E')
    return;
  bool negative = *digits == '-';
  digits += *digits == '-' || *digits == '+';
  if (!is_digit(*digits))
    return;
  int exponent = 0;
  for (; is_digit(*digits); digits++)
    exponent = exponent > MAX_EXPONENT ? exponent : exponent * 10 + (*digits - '0');
  number->exponent += negative ? -exponent : exponent;
  *at = digits;
}

/* [+-] digits [. digits] [e [+-] digits], with a digit on one side of the point at least. */
static bool take_number(const char** at, number_t* number)
{
  *number          = (number_t){0};
  number->negative = **at == '-';
  *at += **at == '-' || **at == '+';
  bool has_digits = is_digit(**at);
  take_digits(at, number, false);
  if (**at == '.') {
    (*at)++;
    has_digits = has_digits || is_digit(**at);
    take_digits(at, number, true);
  }
  if (has_digits)
    take_exponent(at, number);
  return has_digits;
}

/* The number times `factor`, if that is whole, not negative and not too large. */
static sgf_quantity_t scale(const number_t* number, uint64_t factor)
{
  static const sgf_quantity_t unfit = {0, false};
  if (number->digits == 0)
    return (sgf_quantity_t){0, true};
  if (number->negative || number->too_long)
    return unfit;
  wide_t value = (wide_t)number->digits * factor;
  for (int i = number->exponent; i < 0; i++) {
    if (value % 10 != 0)
      return unfit;
    value /= 10;
  }
  for (int i = number->exponent; i > 0 && value <= INT64_MAX; i--)
    value *= 10;
  return value <= INT64_MAX ? (sgf_quantity_t){(int64_t)value, true} : unfit;
}

/* `unit` is a prefix and `symbol`; `factor` is what the prefix stands for, 0 if it is beyond 64 bits. */
static bool prefixed_unit(const char* unit, const char* symbol, uint64_t* factor)
{
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t length = strlen(prefixes[i].name);
    if (strncmp(unit, prefixes[i].name, length) != 0 || strcmp(unit + length, symbol) != 0)
      continue;
    *factor = 1;
    for (unsigned power = 0; power < prefixes[i].power; power++)
      *factor = *factor > UINT64_MAX / prefixes[i].base ? 0 : *factor * prefixes[i].base;
    return true;
  }
  return false;
}

/* The factor of a unit in bits per second, 0 if it is beyond 64 bits. */
static bool bandwidth_unit(const char* unit, uint64_t* factor)
{
  if (prefixed_unit(unit, "bps", factor))
    return true;
  if (!prefixed_unit(*unit == '\0' ? "Bps" : unit, "Bps", factor))
    return false;
  *factor = *factor > UINT64_MAX / 8 ? 0 : *factor * 8;
  return true;
}

static bool time_unit(const char* unit, uint64_t* factor)
{
  for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++)
    if (strcmp(time_units[i].name, unit) == 0) {
      *factor = time_units[i].factor;
      return true;
    }
  return false;
}

static sgf_status_t read_quantity(const char* what, const char* example, const char* text,
                                  bool (*unit)(const char*, uint64_t*), sgf_quantity_t* quantity, sgf_error_t* error)
{
  number_t number;
  uint64_t factor = 0;
  const char* at  = text;
  if (!take_number(&at, &number))
    return sgf_error_set(error, SGF_SYNTAX, "%s \"%s\" is not a number with a unit, such as %s", what, text, example);
  if (!unit(at, &factor))
    return sgf_error_set(error, SGF_UNIT, "%s \"%s\": SimGrid has no unit \"%s\" for it; write %s", what, text, at,
                         example);
  *quantity = factor == 0 ? (sgf_quantity_t){0, number.digits == 0} : scale(&number, factor);
  return SGF_OK;
}

sgf_status_t sgf_read_bandwidth(const char* text, sgf_quantity_t* bps, sgf_error_t* error)
{
  return read_quantity("bandwidth", "400Gbps or 50GBps (kbps and Mbps, not Kbps)", text, bandwidth_unit, bps, error);
}

sgf_status_t sgf_read_time(const char* text, sgf_quantity_t* ps, sgf_error_t* error)
{
  return read_quantity("latency", "100ns or 1us", text, time_unit, ps, error);
}

static bool speed_unit(const char* unit)
{
  static const char* const names[] = {"", "kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta"};
  uint64_t factor                  = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(unit, names[i], strlen(names[i])) == 0 && strcmp(unit + strlen(names[i]), "flops") == 0)
      return true;
  return *unit == '\0' || (strchr(unit, 'i') == NULL && prefixed_unit(unit, "f", &factor));
}

sgf_status_t sgf_read_speeds(const char* text, size_t* count, sgf_error_t* error)
{
  enum { LONGEST_UNIT = 16 };
  const char* at = text;
  for (*count = 1;; (*count)++, at++) {
    number_t number;
    at += strspn(at, " ");
    if (!take_number(&at, &number))
      return sgf_error_set(error, SGF_SYNTAX, "speed \"%s\" is not a number with a unit, such as 1Tf", text);
    char unit[LONGEST_UNIT] = "";
    size_t length           = strcspn(at, ",");
    if (length < sizeof unit)
      memcpy(unit, at, length);
    if (length >= sizeof unit || !speed_unit(unit))
      return sgf_error_set(error, SGF_UNIT, "speed \"%s\": SimGrid has no unit \"%.*s\" for it; write 1Tf or 100Gf",
                           text, (int)length, at);
    at += length;
    if (*at == '\0')
      return SGF_OK;
  }
}
