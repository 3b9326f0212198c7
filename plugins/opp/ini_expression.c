/* Expressions of constraints, ranges and numbers: OMNeT++'s operators and the functions that a study needs. The text is
 * evaluated while it is read. */
#include "ini.h"

#include <math.h>
#include <stdio.h>

enum { DEEPEST = 200, LONGEST_NUMBER = 64, MOST_ARGUMENTS = 2 };

typedef struct reader {
  const char* text;
  const char* at;
  int depth;
  sgf_error_t* error;
} reader_t;

/* Say what is wrong with what comes next. */
static bool refuse(const reader_t* reader, sgf_status_t status, const char* reason)
{
  sgf_error_set(reader->error, status, "expression \"%.300s\": %s at \"%.60s\"", reader->text, reason, reader->at);
  return false;
}

/* Say what is wrong with what was just read. */
static bool refuse_read(const reader_t* reader, sgf_status_t status, const char* reason)
{
  sgf_error_set(reader->error, status, "expression \"%.300s\": %s in \"%.*s\"", reader->text, reason,
                (int)(reader->at - reader->text), reader->text);
  return false;
}

static void skip_space(reader_t* reader)
{
  while (opp_ini_is_space(*reader->at))
    reader->at++;
}

static bool take(reader_t* reader, const char* token)
{
  skip_space(reader);
  size_t length = strlen(token);
  if (strncmp(reader->at, token, length) != 0)
    return false;
  reader->at += length;
  return true;
}

static opp_ini_result_t number_of(double number, opp_ini_unit_t unit)
{
  return (opp_ini_result_t){.type = OPP_INI_NUMBER, .number = number, .unit = unit};
}

static opp_ini_result_t bool_of(bool truth)
{
  return (opp_ini_result_t){.type = OPP_INI_BOOL, .truth = truth};
}

static bool is_finite(const reader_t* reader, const opp_ini_result_t* result)
{
  return isfinite(result->number) || refuse_read(reader, SGF_RANGE, "not a finite number");
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* "12", "0.5", "1e-6", without regard to the locale. Up to 18 digits and powers to 22 are exact before the one
 * rounding.
 */
static double take_digits(reader_t* reader)
{
  double digits = 0;
  int power     = 0;
  for (; is_digit(*reader->at); reader->at++)
    digits = digits * 10 + (*reader->at - '0');
  if (reader->at[0] == '.' && is_digit(reader->at[1]))
    for (reader->at++; is_digit(*reader->at); reader->at++, power--)
      digits = digits * 10 + (*reader->at - '0');

  const char* at = reader->at;
  if (*at == 'e' || *at == 'E') {
    bool is_negative = at[1] == '-';
    at += at[1] == '-' || at[1] == '+' ? 2 : 1;
    int written = 0;
    for (const char* digit = at; is_digit(*digit); digit++) {
      written    = written < 1000 ? written * 10 + (*digit - '0') : written;
      reader->at = digit + 1;
    }
    power += is_negative ? -written : written;
  }
  return power < 0 ? digits / pow(10, -power) : digits * pow(10, power);
}

/* Digits with a unit: in ps, bytes or bit/s. */
static bool take_quantity(reader_t* reader, const char* begin, opp_ini_result_t* result)
{
  while (opp_ini_is_in_name(*reader->at))
    reader->at++;
  char text[LONGEST_NUMBER];
  snprintf(text, sizeof text, "%.*s", (int)(reader->at - begin), begin);
  int64_t value = 0;
  if (sgf_parse_timeval(text, "", &value, NULL) == SGF_OK)
    *result = number_of((double)value, OPP_INI_TIME);
  else if (sgf_parse_bytes(text, "", &value, NULL) == SGF_OK)
    *result = number_of((double)value, OPP_INI_BYTES);
  else if (sgf_parse_datarate(text, "", &value, NULL) == SGF_OK)
    *result = number_of((double)value, OPP_INI_RATE);
  else {
    reader->at = begin;
    return refuse(reader, SGF_UNIT, "no time, size or rate");
  }
  return true;
}

static bool take_number(reader_t* reader, opp_ini_result_t* result)
{
  const char* begin = reader->at;
  *result           = number_of(take_digits(reader), OPP_INI_PLAIN);
  return opp_ini_starts_name(*reader->at) ? take_quantity(reader, begin, result) : is_finite(reader, result);
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

static double least(double a, double b)
{
  return a < b ? a : b;
}

static double greatest(double a, double b)
{
  return a > b ? a : b;
}

static const struct function {
  const char* name;
  double (*one)(double);
  double (*two)(double, double);
} functions[] = {
    {"abs", fabs, NULL},  {"fabs", fabs, NULL}, {"ceil", ceil, NULL}, {"floor", floor, NULL},  {"round", round, NULL},
    {"sqrt", sqrt, NULL}, {"exp", exp, NULL},   {"log", log, NULL},   {"log2", log2, NULL},    {"log10", log10, NULL},
    {"pow", NULL, pow},   {"fmod", NULL, fmod}, {"min", NULL, least}, {"max", NULL, greatest},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const struct function* find_function(opp_ini_span_t name)
{
  for (size_t i = 0; i < FUNCTION_COUNT; i++)
    if (opp_ini_span_is(name, functions[i].name))
      return &functions[i];
  return NULL;
}

static bool take_expression(reader_t* reader, int rank, opp_ini_result_t* result);

static bool take_call(reader_t* reader, const struct function* function, opp_ini_result_t* result)
{
  opp_ini_result_t arguments[MOST_ARGUMENTS];
  size_t count = function->one != NULL ? 1 : 2;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && !take(reader, ","))
      return refuse(reader, SGF_SYNTAX, "expected , and a second argument");
    if (!take_expression(reader, 0, &arguments[i]))
      return false;
    if (arguments[i].type != OPP_INI_NUMBER || arguments[i].unit != OPP_INI_PLAIN)
      return refuse_read(reader, SGF_UNIT, "a function takes numbers without a unit");
  }
  if (!take(reader, ")"))
    return refuse(reader, SGF_SYNTAX, "expected )");
  double number =
      count == 1 ? function->one(arguments[0].number) : function->two(arguments[0].number, arguments[1].number);
  *result = number_of(number, OPP_INI_PLAIN);
  return is_finite(reader, result);
}

static bool take_name(reader_t* reader, opp_ini_result_t* result)
{
  const char* begin = reader->at;
  const char* end   = begin;
  while (opp_ini_is_in_name(*end))
    end++;
  opp_ini_span_t name = {begin, (size_t)(end - begin)};
  bool is_true        = opp_ini_span_is(name, "true");
  if (is_true || opp_ini_span_is(name, "false")) {
    reader->at = end;
    *result    = bool_of(is_true);
    return true;
  }
  const struct function* function = find_function(name);
  if (function == NULL)
    return refuse(reader, SGF_UNKNOWN, "no number, function or string in quotes");
  reader->at = end;
  if (!take(reader, "("))
    return refuse(reader, SGF_SYNTAX, "expected (");
  return take_call(reader, function, result);
}

/* ---- Operators --------------------------------------------------------------------------------------------------- */

typedef enum operation {
  OR,
  AND,
  EQUAL,
  UNEQUAL,
  AT_MOST,
  AT_LEAST,
  LESS,
  MORE,
  ADD,
  SUB,
  MUL,
  DIV,
  MOD,
  POWER
} operation_t;

/* A token that begins another comes behind it. */
static const struct binary {
  const char* token;
  operation_t operation;
  int rank; /* the higher binds the tighter */
} binaries[] = {
    {"||", OR, 1},       {"&&", AND, 2}, {"==", EQUAL, 3}, {"!=", UNEQUAL, 3}, {"<=", AT_MOST, 4},
    {">=", AT_LEAST, 4}, {"<", LESS, 4}, {">", MORE, 4},   {"=", EQUAL, 3},    {"+", ADD, 5},
    {"-", SUB, 5},       {"*", MUL, 6},  {"/", DIV, 6},    {"%", MOD, 6},      {"^", POWER, 7},
};
enum { BINARY_COUNT = sizeof binaries / sizeof *binaries };

static const struct binary* find_binary(reader_t* reader)
{
  skip_space(reader);
  for (size_t i = 0; i < BINARY_COUNT; i++)
    if (strncmp(reader->at, binaries[i].token, strlen(binaries[i].token)) == 0)
      return &binaries[i];
  return NULL;
}

static bool compare(operation_t operation, int order)
{
  switch (operation) {
    case EQUAL:
      return order == 0;
    case UNEQUAL:
      return order != 0;
    case AT_MOST:
      return order <= 0;
    case AT_LEAST:
      return order >= 0;
    case LESS:
      return order < 0;
    default:
      return order > 0;
  }
}

static int order_of(const opp_ini_result_t* a, const opp_ini_result_t* b)
{
  if (a->type == OPP_INI_NUMBER)
    return (a->number > b->number) - (a->number < b->number);
  if (a->type == OPP_INI_BOOL)
    return (int)a->truth - (int)b->truth;
  size_t shorter = a->string.length < b->string.length ? a->string.length : b->string.length;
  int order      = memcmp(a->string.at, b->string.at, shorter);
  return order != 0 ? order : (a->string.length > b->string.length) - (a->string.length < b->string.length);
}

/* Numbers with units are added and compared among their kind, and multiplied by plain ones. */
static bool units_fit(operation_t operation, opp_ini_unit_t a, opp_ini_unit_t b)
{
  switch (operation) {
    case MUL:
      return a == OPP_INI_PLAIN || b == OPP_INI_PLAIN;
    case DIV:
      return b == OPP_INI_PLAIN || a == b;
    case POWER:
      return a == OPP_INI_PLAIN && b == OPP_INI_PLAIN;
    default:
      return a == b;
  }
}

static opp_ini_result_t arithmetic(operation_t operation, const opp_ini_result_t* a, const opp_ini_result_t* b)
{
  switch (operation) {
    case ADD:
      return number_of(a->number + b->number, a->unit);
    case SUB:
      return number_of(a->number - b->number, a->unit);
    case MUL:
      return number_of(a->number * b->number, a->unit != OPP_INI_PLAIN ? a->unit : b->unit);
    case DIV:
      return number_of(a->number / b->number, b->unit == OPP_INI_PLAIN ? a->unit : OPP_INI_PLAIN);
    case MOD:
      return number_of(fmod(a->number, b->number), a->unit);
    default:
      return number_of(pow(a->number, b->number), OPP_INI_PLAIN);
  }
}

static bool apply(const reader_t* reader, operation_t operation, opp_ini_result_t* a, const opp_ini_result_t* b)
{
  bool is_logic      = operation == OR || operation == AND;
  bool is_comparison = operation >= EQUAL && operation <= MORE;
  if (a->type != b->type)
    return refuse_read(reader, SGF_UNIT, "numbers, strings, true and false do not mix");
  if (is_logic != (a->type == OPP_INI_BOOL) && !(is_comparison && a->type == OPP_INI_BOOL))
    return refuse_read(reader, SGF_UNIT, "&& and || take true and false, and no other operator does");
  if (a->type == OPP_INI_STRING && !is_comparison)
    return refuse_read(reader, SGF_UNIT, "strings can only be compared");
  if (a->type == OPP_INI_NUMBER && !units_fit(operation, a->unit, b->unit))
    return refuse_read(reader, SGF_UNIT, "the units do not fit");
  if (is_logic)
    *a = bool_of(operation == OR ? a->truth || b->truth : a->truth && b->truth);
  else if (is_comparison)
    *a = bool_of(compare(operation, order_of(a, b)));
  else
    *a = arithmetic(operation, a, b);
  return is_finite(reader, a);
}

static bool take_operand(reader_t* reader, opp_ini_result_t* result);

static bool take_negation(reader_t* reader, opp_ini_result_t* result)
{
  bool is_logic = *reader->at == '!';
  bool is_minus = *reader->at == '-';
  reader->at++;
  if (!take_operand(reader, result))
    return false;
  if (result->type != (is_logic ? OPP_INI_BOOL : OPP_INI_NUMBER))
    return refuse_read(reader, SGF_UNIT, is_logic ? "! takes true or false" : "a sign takes a number");
  result->truth  = !result->truth;
  result->number = is_minus ? -result->number : result->number;
  return true;
}

static bool take_primary(reader_t* reader, opp_ini_result_t* result)
{
  if (take(reader, "(")) {
    if (!take_expression(reader, 0, result))
      return false;
    return take(reader, ")") || refuse(reader, SGF_SYNTAX, "expected )");
  }
  if (*reader->at == '"') {
    const char* end    = reader->at + strlen(reader->at);
    const char* behind = opp_ini_string_end(reader->at, end);
    if (behind == NULL)
      return refuse(reader, SGF_SYNTAX, "a string without its closing quote");
    opp_ini_span_t string = {reader->at + 1, (size_t)(behind - reader->at) - 2};
    *result               = (opp_ini_result_t){.type = OPP_INI_STRING, .string = string};
    reader->at            = behind;
    return true;
  }
  if (is_digit(*reader->at))
    return take_number(reader, result);
  if (opp_ini_starts_name(*reader->at))
    return take_name(reader, result);
  return refuse(reader, SGF_SYNTAX, "expected a value");
}

static bool take_operand(reader_t* reader, opp_ini_result_t* result)
{
  skip_space(reader);
  if (++reader->depth > DEEPEST)
    return refuse(reader, SGF_SYNTAX, "too deeply nested");
  bool has_sign = *reader->at == '-' || *reader->at == '+' || *reader->at == '!';
  bool taken    = has_sign ? take_negation(reader, result) : take_primary(reader, result);
  reader->depth--;
  return taken;
}

/* a ? b : c. Both are evaluated, and need not be of one type. */
static bool take_choice(reader_t* reader, opp_ini_result_t* result)
{
  opp_ini_result_t yes;
  opp_ini_result_t no;
  if (result->type != OPP_INI_BOOL)
    return refuse_read(reader, SGF_UNIT, "? takes true or false");
  if (!take_expression(reader, 0, &yes))
    return false;
  if (!take(reader, ":"))
    return refuse(reader, SGF_SYNTAX, "expected :");
  if (!take_expression(reader, 0, &no))
    return false;
  *result = result->truth ? yes : no;
  return true;
}

/* What binds at least as tightly as `rank`; 0: everything. */
static bool take_expression(reader_t* reader, int rank, opp_ini_result_t* result)
{
  if (++reader->depth > DEEPEST)
    return refuse(reader, SGF_SYNTAX, "too deeply nested");
  if (!take_operand(reader, result))
    return false;
  for (const struct binary* binary = find_binary(reader); binary != NULL && binary->rank >= rank;
       binary                      = find_binary(reader)) {
    reader->at += strlen(binary->token);
    opp_ini_result_t right;
    bool is_right_first = binary->operation == POWER;
    if (!take_expression(reader, is_right_first ? binary->rank : binary->rank + 1, &right) ||
        !apply(reader, binary->operation, result, &right))
      return false;
  }
  if (rank == 0 && take(reader, "?") && !take_choice(reader, result))
    return false;
  reader->depth--;
  return true;
}

sgf_status_t opp_ini_evaluate(const char* text, opp_ini_result_t* result, sgf_error_t* error)
{
  sgf_error_t reason = {0};
  reader_t reader    = {text, text, 0, &reason};
  bool taken         = take_expression(&reader, 0, result);
  skip_space(&reader);
  if (taken && *reader.at != '\0')
    refuse(&reader, SGF_SYNTAX, "expected an operator");
  if (reason.status == SGF_OK)
    return SGF_OK;
  return sgf_error_set(error, reason.status, "%s", reason.text);
}

sgf_status_t opp_ini_whole(const char* text, const char* what, uint64_t* value, sgf_error_t* error)
{
  static const double largest = 9007199254740992.0; /* 2^53: doubles hold all whole numbers to here */
  opp_ini_result_t result;
  sgf_status_t status = opp_ini_evaluate(text, &result, error);
  if (status != SGF_OK)
    return status;
  bool is_whole = result.type == OPP_INI_NUMBER && result.unit == OPP_INI_PLAIN && result.number >= 0 &&
                  result.number <= largest && floor(result.number) == result.number;
  if (!is_whole)
    return sgf_error_set(error, SGF_RANGE, "%s = %.300s: not a whole number from 0 on", what, text);
  *value = (uint64_t)result.number;
  return SGF_OK;
}
