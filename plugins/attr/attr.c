/* Values of attributes: from text into a configuration block and back. */
#include "attr_internal.h"

#include <inttypes.h>
#include <string.h>

enum { CHOICES_SIZE = 600 };

static sgf_status_t read_bool(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  value->truth = sgf_text_is(text, "true");
  if (value->truth || sgf_text_is(text, "false"))
    return SGF_OK;
  return sgf_error_set(reason, SGF_SYNTAX, "must be true or false");
}

static void write_bool(sgf_line_t* line, const sgf_value_t* value)
{
  sgf_line_add(line, "%s", value->truth ? "true" : "false");
}

static void write_uint(sgf_line_t* line, const sgf_value_t* value)
{
  sgf_line_add(line, "%" PRIu64, value->uint);
}

static void write_integer(sgf_line_t* line, const sgf_value_t* value)
{
  sgf_line_add(line, "%" PRId64, value->integer);
}

static void write_decimal(sgf_line_t* line, const sgf_value_t* value)
{
  int64_t digits  = value->decimal.digits;
  uint64_t amount = digits < 0 ? 0 - (uint64_t)digits : (uint64_t)digits;
  uint64_t scale  = (uint64_t)value->decimal.scale;
  sgf_line_add(line, "%s%" PRIu64, digits < 0 ? "-" : "", amount / scale);
  if (scale > 1)
    sgf_line_add(line, ".");
  for (uint64_t place = scale / 10; place > 0; place /= 10)
    sgf_line_add(line, "%" PRIu64, amount / place % 10);
}

static sgf_status_t read_text(sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  if (text.length >= SGF_TEXT_SIZE)
    return sgf_error_set(reason, SGF_RANGE, "must have at most %d characters", SGF_TEXT_SIZE - 1);
  for (size_t i = 0; i < text.length; i++)
    if (text.at[i] < ' ' || text.at[i] > '~')
      return sgf_error_set(reason, SGF_SYNTAX, "must be printable ASCII");
  memset(value->text, 0, sizeof value->text);
  memcpy(value->text, text.at, text.length);
  return SGF_OK;
}

static void write_text(sgf_line_t* line, const sgf_value_t* value)
{
  sgf_line_add(line, "%s", value->text);
}

static int compare_uint(const sgf_value_t* a, const sgf_value_t* b)
{
  return (a->uint > b->uint) - (a->uint < b->uint);
}

static int compare_integer(const sgf_value_t* a, const sgf_value_t* b)
{
  return (a->integer > b->integer) - (a->integer < b->integer);
}

static int compare_decimal(const sgf_value_t* a, const sgf_value_t* b)
{
  return sgf_decimal_compare(a->decimal, b->decimal);
}

/* How a type is read, bounded, written and stored. A choice is read and written by its row, and neither it nor a bool
 * has an order. */
typedef struct kind {
  size_t size; /* of an entry in the configuration struct */
  size_t entries;
  sgf_read_fn* read;
  sgf_write_fn* write;
  sgf_compare_fn* compare;
} kind_t;

static const kind_t kinds[] = {
    [SGF_ATTR_UINT]         = {sizeof(uint64_t), 1, sgf_read_uint, write_uint, compare_uint},
    [SGF_ATTR_BYTES]        = {sizeof(int64_t), 1, sgf_read_bytes, sgf_write_bytes, compare_integer},
    [SGF_ATTR_DATARATE]     = {sizeof(int64_t), 1, sgf_read_datarate, sgf_write_datarate, compare_integer},
    [SGF_ATTR_TIMEVAL]      = {sizeof(int64_t), 1, sgf_read_timeval, sgf_write_timeval, compare_integer},
    [SGF_ATTR_DECIMAL]      = {sizeof(sgf_decimal_t), 1, sgf_read_decimal, write_decimal, compare_decimal},
    [SGF_ATTR_BOOL]         = {sizeof(bool), 1, read_bool, write_bool, NULL},
    [SGF_ATTR_CHOICE]       = {sizeof(int), 1, NULL, NULL, NULL},
    [SGF_ATTR_INT_LIST]     = {sizeof(int64_t), SGF_LIST_ENTRIES, sgf_read_integer, write_integer, compare_integer},
    [SGF_ATTR_DECIMAL_LIST] = {sizeof(sgf_decimal_t), SGF_LIST_ENTRIES, sgf_read_decimal, write_decimal,
                               compare_decimal},
    [SGF_ATTR_TEXT]         = {SGF_TEXT_SIZE, 1, read_text, write_text, NULL},
};

static sgf_status_t refuse_choice(const char* range, sgf_text_t text, sgf_error_t* reason)
{
  char names[CHOICES_SIZE];
  sgf_line_t line    = sgf_line_in(names, sizeof names);
  sgf_text_t nearest = {NULL, 0};
  size_t least       = sgf_name_reach(text) + 1;
  for (sgf_text_t rest = sgf_text_of(range); rest.at != NULL;) {
    sgf_text_t name = sgf_text_next(&rest, '|');
    size_t distance = sgf_name_distance(text, name);
    if (distance < least) {
      least   = distance;
      nearest = name;
    }
    sgf_line_add(&line, "%s", line.used > 0 ? ", " : "");
    sgf_line_quote(&line, name);
  }
  if (nearest.at == NULL)
    return sgf_error_set(reason, SGF_RANGE, "must be one of %s", names);
  return sgf_error_set(reason, SGF_RANGE, "must be one of %s; did you mean \"%.*s\"?", names, (int)nearest.length,
                       nearest.at);
}

static sgf_status_t read_choice(const char* range, sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  value->choice = 0;
  for (sgf_text_t rest = sgf_text_of(range); rest.at != NULL; value->choice++) {
    sgf_text_t name = sgf_text_next(&rest, '|');
    if (name.length == text.length && memcmp(name.at, text.at, name.length) == 0)
      return SGF_OK;
  }
  return refuse_choice(range, text, reason);
}

static void write_choice(const char* range, sgf_line_t* line, int choice)
{
  sgf_text_t rest = sgf_text_of(range);
  sgf_text_t name = sgf_text_next(&rest, '|');
  for (; choice > 0 && rest.at != NULL; choice--)
    name = sgf_text_next(&rest, '|');
  sgf_line_add(line, "%.*s", (int)name.length, name.at);
}

/* The inclusive bounds of a row, each there or not. */
typedef struct bounds {
  sgf_text_t low_text, high_text; /* empty: no bound */
  sgf_value_t low, high;
} bounds_t;

static sgf_status_t read_bounds(const char* range, const kind_t* kind, bounds_t* bounds, sgf_error_t* reason)
{
  static const char dots[] = "..";
  const char* middle       = strstr(range, dots);
  sgf_error_t ignored      = {0};
  if (middle == NULL)
    return sgf_error_set(reason, SGF_SYNTAX, "the attribute's own range \"%s\" is not of the form A..B", range);
  bounds->low_text  = sgf_text_trim((sgf_text_t){range, (size_t)(middle - range)});
  bounds->high_text = sgf_text_trim(sgf_text_of(middle + strlen(dots)));
  if ((bounds->low_text.length > 0 && kind->read(bounds->low_text, &bounds->low, &ignored) != SGF_OK) ||
      (bounds->high_text.length > 0 && kind->read(bounds->high_text, &bounds->high, &ignored) != SGF_OK))
    return sgf_error_set(reason, SGF_SYNTAX, "the attribute's own range \"%s\" has a bound that is no value", range);
  return SGF_OK;
}

static sgf_status_t check_range(const char* range, const kind_t* kind, const sgf_value_t* value, sgf_error_t* reason)
{
  bounds_t bounds;
  if (kind->compare == NULL || range[0] == '\0')
    return SGF_OK;
  sgf_status_t status = read_bounds(range, kind, &bounds, reason);
  if (status != SGF_OK)
    return status;
  bool has_low  = bounds.low_text.length > 0;
  bool has_high = bounds.high_text.length > 0;
  if ((!has_low || kind->compare(value, &bounds.low) >= 0) && (!has_high || kind->compare(value, &bounds.high) <= 0))
    return SGF_OK;
  if (!has_low)
    return sgf_error_set(reason, SGF_RANGE, "must be at most %s", bounds.high_text.at);
  if (!has_high)
    return sgf_error_set(reason, SGF_RANGE, "must be at least %.*s", (int)bounds.low_text.length, bounds.low_text.at);
  return sgf_error_set(reason, SGF_RANGE, "must be within %s", range);
}

static sgf_status_t check_form(const char* form, const char* text, sgf_error_t* reason)
{
  bool fits = form[0] == '\0' || text[0] == '\0' || strlen(text) == strlen(form);
  for (size_t i = 0; fits && form[i] != '\0' && text[i] != '\0'; i++)
    fits = form[i] == '9' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
  return fits ? SGF_OK : sgf_error_set(reason, SGF_SYNTAX, "must have the form %s, 9 for any digit", form);
}

/* Read a value, or one entry of a list, and hold it against the row's bound. */
static sgf_status_t read_entry(const sgf_attr_t* attr, sgf_text_t text, sgf_value_t* value, sgf_error_t* reason)
{
  if (attr->type == SGF_ATTR_CHOICE)
    return read_choice(attr->range, text, value, reason);
  const kind_t* kind  = &kinds[attr->type];
  sgf_status_t status = kind->read(text, value, reason);
  if (status == SGF_OK && attr->type == SGF_ATTR_TEXT)
    return check_form(attr->range, value->text, reason);
  return status == SGF_OK ? check_range(attr->range, kind, value, reason) : status;
}

static size_t count_entries(sgf_text_t text)
{
  size_t count = 1;
  for (size_t i = 0; i < text.length; i++)
    count += text.at[i] == ',';
  return count;
}

/* Drop the brackets of a list that has them: both or none. */
static bool strip_brackets(sgf_text_t* text)
{
  bool opens  = text->length > 0 && text->at[0] == '[';
  bool closes = text->length > 0 && text->at[text->length - 1] == ']';
  if (opens && closes)
    *text = (sgf_text_t){text->at + 1, text->length - 2};
  return opens == closes;
}

static sgf_status_t read_list(const sgf_attr_t* attr, sgf_text_t text, sgf_value_t* values, sgf_error_t* reason)
{
  if (!strip_brackets(&text))
    return sgf_error_set(reason, SGF_SYNTAX, "a list has both brackets or none");
  size_t count = count_entries(text);
  if (count != SGF_LIST_ENTRIES)
    return sgf_error_set(reason, SGF_SYNTAX, "a list has exactly %d entries separated by commas, this one has %zu",
                         SGF_LIST_ENTRIES, sgf_text_trim(text).length > 0 ? count : 0);
  for (size_t i = 0; i < SGF_LIST_ENTRIES; i++) {
    sgf_text_t entry          = sgf_text_trim(sgf_text_next(&text, ','));
    sgf_error_t entry_reason  = {0};
    sgf_status_t entry_status = read_entry(attr, entry, &values[i], &entry_reason);
    if (entry_status != SGF_OK) {
      char quoted[SGF_QUOTE_SIZE];
      sgf_line_t line = sgf_line_in(quoted, sizeof quoted);
      sgf_line_quote(&line, entry);
      return sgf_error_set(reason, entry_status, "entry %zu, %s, %s", i, quoted, entry_reason.text);
    }
  }
  return SGF_OK;
}

sgf_status_t sgf_attr_assign(sgf_attr_ref_t ref, void* block, const char* text, sgf_error_t* error)
{
  const kind_t* kind = &kinds[ref.attr->type];
  sgf_value_t values[SGF_LIST_ENTRIES];
  sgf_error_t reason  = {0};
  sgf_text_t trimmed  = sgf_text_trim(sgf_text_of(text));
  sgf_status_t status = kind->entries > 1 ? read_list(ref.attr, trimmed, values, &reason)
                                          : read_entry(ref.attr, trimmed, values, &reason);
  if (status != SGF_OK)
    return sgf_refuse(ref.attr->path, text, &reason, error);
  unsigned char* place = (unsigned char*)block + ref.offset;
  for (size_t i = 0; i < kind->entries; i++)
    memcpy(place + i * kind->size, &values[i], kind->size);
  return SGF_OK;
}

static void write_entry(const sgf_attr_t* attr, sgf_line_t* line, const void* place)
{
  const kind_t* kind = &kinds[attr->type];
  sgf_value_t value;
  memcpy(&value, place, kind->size);
  if (attr->type == SGF_ATTR_CHOICE)
    write_choice(attr->range, line, value.choice);
  else
    kind->write(line, &value);
}

const char* sgf_attr_format(sgf_attr_ref_t ref, const void* block, char* buffer, size_t size)
{
  const kind_t* kind         = &kinds[ref.attr->type];
  const unsigned char* place = (const unsigned char*)block + ref.offset;
  bool is_list               = kind->entries > 1;
  sgf_line_t line            = sgf_line_in(buffer, size);
  sgf_line_add(&line, "%s", is_list ? "[" : "");
  for (size_t i = 0; i < kind->entries; i++) {
    sgf_line_add(&line, "%s", i > 0 ? ", " : "");
    write_entry(ref.attr, &line, place + i * kind->size);
  }
  sgf_line_add(&line, "%s", is_list ? "]" : "");
  return buffer;
}
