/* What an iteration is written as, and its values. References are replaced as text; only the numbers of a range are
 * evaluated. */
#include "ini.h"

#include "attr/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_SEQUENCE = 1000000 };

/* ---- References -------------------------------------------------------------------------------------------------- */

const char* opp_ini_reference(const char* at, opp_ini_span_t* name, const char** end)
{
  for (const char* dollar = strchr(at, '$'); dollar != NULL; dollar = strchr(dollar + 1, '$')) {
    bool has_brace    = dollar[1] == '{';
    const char* begin = dollar + 1 + has_brace;
    while (has_brace && opp_ini_is_space(*begin))
      begin++;
    const char* behind = begin;
    while (opp_ini_is_in_name(*behind))
      behind++;
    *name = (opp_ini_span_t){begin, (size_t)(behind - begin)};
    while (has_brace && opp_ini_is_space(*behind))
      behind++;
    if (name->length == 0 || !opp_ini_starts_name(*begin) || (has_brace && *behind != '}'))
      continue;
    *end = behind + has_brace;
    return dollar;
  }
  return NULL;
}

char* opp_ini_substitute(const char* text, opp_ini_lookup_fn* lookup, const void* context, sgf_error_t* error)
{
  opp_ini_text_t out = {NULL, 0, 0};
  opp_ini_span_t name;
  const char* end = NULL;
  opp_ini_text_add(&out, "");
  for (const char* at = opp_ini_reference(text, &name, &end); at != NULL; at = opp_ini_reference(text, &name, &end)) {
    const char* value = lookup(context, name, error);
    if (value == NULL) {
      free(out.at);
      return NULL;
    }
    opp_ini_text_add_span(&out, (opp_ini_span_t){text, (size_t)(at - text)});
    opp_ini_text_add(&out, value);
    text = end;
  }
  opp_ini_text_add(&out, text);
  return out.at;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* A text, or the numbers from, from + step, ... of a range, each rounded to 1 / scale. */
typedef struct part {
  char* text; /* NULL: a range */
  double from, step;
  double scale; /* a power of ten */
  size_t length;
} part_t;

struct opp_ini_sequence {
  part_t* parts;
  size_t count;
  size_t length;
};

static sgf_status_t evaluate(const char* text, opp_ini_lookup_fn* lookup, const void* context, double* number,
                             sgf_error_t* error)
{
  char* replaced = opp_ini_substitute(text, lookup, context, error);
  if (replaced == NULL)
    return SGF_UNKNOWN;
  opp_ini_result_t result;
  sgf_status_t status = opp_ini_evaluate(replaced, &result, error);
  if (status == SGF_OK && (result.type != OPP_INI_NUMBER || result.unit != OPP_INI_PLAIN))
    status = sgf_error_set(error, SGF_UNIT,
                           "range: %.300s is not a number without a unit; a unit goes behind the braces", replaced);
  *number = result.number;
  free(replaced);
  return status;
}

/* Doubles hold 15 decimal digits: with 14 of them, 0.1, 0.2, 0.3 have no binary noise. */
static double scale_of(double largest)
{
  double scale = 1e15;
  while (scale > 1 && largest * scale >= 1e14)
    scale /= 10;
  return scale;
}

static sgf_status_t range_of(const opp_ini_item_t* item, opp_ini_lookup_fn* lookup, const void* context, part_t* part,
                             sgf_error_t* error)
{
  double to           = 0;
  sgf_status_t status = evaluate(item->text, lookup, context, &part->from, error);
  if (status == SGF_OK)
    status = evaluate(item->to, lookup, context, &to, error);
  if (status == SGF_OK)
    status = evaluate(item->step, lookup, context, &part->step, error);
  if (status != SGF_OK)
    return status;

  double largest = fabs(part->from) > fabs(to) ? fabs(part->from) : fabs(to);
  part->scale    = scale_of(largest);
  if (!(largest < 1e15) || !(fabs(part->step) * part->scale >= 1))
    return sgf_error_set(error, SGF_RANGE,
                         "range %.100s..%.100s step %.100s: numbers below 1e15 and a step other than 0", item->text,
                         item->to, item->step);
  /* A step that ends within a rounding error of the last value reaches it. */
  double steps = floor((to - part->from) / part->step + 1e-6);
  if (steps >= LONGEST_SEQUENCE)
    return sgf_error_set(error, SGF_RANGE, "range %.100s..%.100s step %.100s: more than %d values", item->text,
                         item->to, item->step, LONGEST_SEQUENCE);
  part->length = steps < 0 ? 0 : (size_t)steps + 1;
  return SGF_OK;
}

opp_ini_sequence_t* opp_ini_sequence_new(const opp_ini_piece_t* iteration, opp_ini_lookup_fn* lookup,
                                         const void* context, sgf_error_t* error)
{
  opp_ini_sequence_t* sequence = sgf_calloc(1, sizeof *sequence);
  sequence->parts              = sgf_calloc(iteration->item_count, sizeof *sequence->parts);
  sequence->count              = iteration->item_count;
  for (size_t i = 0; i < iteration->item_count; i++) {
    const opp_ini_item_t* item = &iteration->items[i];
    part_t* part               = &sequence->parts[i];
    bool is_made               = false;
    if (item->to != NULL) {
      is_made = range_of(item, lookup, context, part, error) == SGF_OK;
    } else {
      part->text   = opp_ini_substitute(item->text, lookup, context, error);
      part->length = 1;
      is_made      = part->text != NULL;
    }
    if (!is_made) {
      opp_ini_sequence_free(sequence);
      return NULL;
    }
    sequence->length += part->length;
  }
  return sequence;
}

void opp_ini_sequence_free(opp_ini_sequence_t* sequence)
{
  if (sequence == NULL)
    return;
  for (size_t i = 0; i < sequence->count; i++)
    free(sequence->parts[i].text);
  free(sequence->parts);
  free(sequence);
}

size_t opp_ini_sequence_length(const opp_ini_sequence_t* sequence)
{
  return sequence->length;
}

/* digits / scale, without zeros at the end. */
static char* decimal_text(int64_t digits, int64_t scale)
{
  while (scale > 1 && digits % 10 == 0) {
    digits /= 10;
    scale /= 10;
  }
  char text[48]; /* a sign, 19 digits, a point, 15 digits */
  uint64_t size = digits < 0 ? (uint64_t)-digits : (uint64_t)digits;
  uint64_t unit = (uint64_t)scale;
  int length    = snprintf(text, sizeof text, "%s%" PRIu64, digits < 0 ? "-" : "", size / unit);
  char* out     = text + length;
  if (unit > 1)
    *out++ = '.';
  for (unit /= 10; unit > 0; unit /= 10)
    *out++ = (char)('0' + size / unit % 10);
  *out = '\0';
  return sgf_strdup(text);
}

char* opp_ini_sequence_value(const opp_ini_sequence_t* sequence, size_t position)
{
  const part_t* part = sequence->parts;
  for (; position >= part->length; part++)
    position -= part->length;
  if (part->text != NULL)
    return sgf_strdup(part->text);
  double value = part->from + part->step * (double)position;
  return decimal_text((int64_t)llround(value * part->scale), (int64_t)part->scale);
}
