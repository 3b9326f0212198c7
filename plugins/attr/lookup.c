/* From a written suffix to the attribute it means, and what to say when it means none or several. */
#include "alloc.h"
#include "attr_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LIST_SIZE = 700, MAX_SUGGESTIONS = 3, MAX_CANDIDATES = 12 };

/* Attributes of a set, as many as it has at most. */
typedef struct selection {
  sgf_attr_ref_t* refs;
  size_t count;
} selection_t;

/* Walks all attributes of a set: for (cursor_t at = {0}; next_attr(set, &at);) ... at.ref */
typedef struct cursor {
  size_t section;
  size_t row;
  sgf_attr_ref_t ref;
} cursor_t;

static bool next_attr(const sgf_attr_set_t* set, cursor_t* at)
{
  for (; at->section < set->count; at->section++, at->row = 0) {
    const sgf_attr_section_t* section = &set->sections[at->section];
    if (at->row < section->table->count) {
      const sgf_attr_t* attr = &section->table->attrs[at->row++];
      at->ref                = (sgf_attr_ref_t){attr, section->offset + attr->offset};
      return true;
    }
  }
  return false;
}

static selection_t empty_selection(const sgf_attr_set_t* set)
{
  size_t most = 0;
  for (cursor_t at = {0}; next_attr(set, &at);)
    most++;
  return (selection_t){sgf_calloc(most, sizeof(sgf_attr_ref_t)), 0};
}

static bool is_separator(char c)
{
  return c == '/' || c == '.';
}

static bool same_path(const char* a, const char* b, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (a[i] != b[i] && !(is_separator(a[i]) && is_separator(b[i])))
      return false;
  return true;
}

/* Whether `path` ends in `suffix` on a component boundary. */
static bool path_ends_in(sgf_text_t path, sgf_text_t suffix)
{
  if (suffix.length == 0 || suffix.length > path.length)
    return false;
  size_t start = path.length - suffix.length;
  return (start == 0 || path.at[start - 1] == '/') && same_path(path.at + start, suffix.at, suffix.length);
}

/* The attributes that `suffix` may mean: those with that whole path, or else those whose path ends in it. */
static void select_matching(const sgf_attr_set_t* set, sgf_text_t suffix, selection_t* selection)
{
  bool whole       = false;
  selection->count = 0;
  for (cursor_t at = {0}; next_attr(set, &at);) {
    sgf_text_t path = sgf_text_of(at.ref.attr->path);
    bool is_whole   = path.length == suffix.length;
    if (!path_ends_in(path, suffix) || (whole && !is_whole))
      continue;
    if (is_whole && !whole) {
      whole            = true;
      selection->count = 0;
    }
    selection->refs[selection->count++] = at.ref;
  }
}

/* The last components of `path`, one more than it has separators to spare: the whole path if it has fewer. */
static sgf_text_t path_tail(const char* path, size_t separators)
{
  sgf_text_t whole = sgf_text_of(path);
  size_t start     = whole.length;
  while (start > 0 && (!is_separator(path[start - 1]) || separators-- > 0))
    start--;
  return (sgf_text_t){path + start, whole.length - start};
}

static size_t count_separators(const char* text)
{
  size_t separators = 0;
  for (; *text != '\0'; text++)
    separators += is_separator(*text);
  return separators;
}

/* The attributes whose last components are nearest to `name`, if that is near enough. */
static void select_nearest(const sgf_attr_set_t* set, sgf_text_t name, size_t separators, selection_t* selection)
{
  size_t least     = sgf_name_reach(name);
  selection->count = 0;
  for (cursor_t at = {0}; next_attr(set, &at);) {
    size_t distance = sgf_name_distance(name, path_tail(at.ref.attr->path, separators));
    if (distance > least)
      continue;
    if (distance < least)
      selection->count = 0;
    least                               = distance;
    selection->refs[selection->count++] = at.ref;
  }
}

static sgf_status_t refuse_unknown(const sgf_attr_set_t* set, const char* suffix, selection_t* selection,
                                   sgf_error_t* error)
{
  char quoted[SGF_QUOTE_SIZE];
  sgf_line_t line = sgf_line_in(quoted, sizeof quoted);
  sgf_line_quote(&line, sgf_text_of(suffix));

  select_nearest(set, sgf_text_of(suffix), count_separators(suffix), selection);
  if (selection->count == 0) /* perhaps the attribute is right and what stands before it is not */
    select_nearest(set, path_tail(suffix, 0), 0, selection);
  if (selection->count == 0)
    return sgf_error_set(error, SGF_UNKNOWN, "%s has no attribute %s", set->prefix, quoted);

  char nearest[LIST_SIZE];
  line         = sgf_line_in(nearest, sizeof nearest);
  size_t shown = selection->count < MAX_SUGGESTIONS ? selection->count : MAX_SUGGESTIONS;
  for (size_t i = 0; i < shown; i++) {
    sgf_line_or(&line, i, shown);
    sgf_line_add(&line, "%s", selection->refs[i].attr->path);
  }
  return sgf_error_set(error, SGF_UNKNOWN, "%s has no attribute %s; did you mean %s?", set->prefix, quoted, nearest);
}

/* The shortest suffix of the attribute's path that finds it and no other; the whole path if even that is taken twice.
 */
static sgf_text_t telling_suffix(const sgf_attr_set_t* set, const sgf_attr_t* attr, selection_t* scratch)
{
  sgf_text_t path = sgf_text_of(attr->path);
  for (size_t start = path.length; start-- > 0;) {
    sgf_text_t suffix = {path.at + start, path.length - start};
    if (start > 0 && path.at[start - 1] != '/')
      continue;
    select_matching(set, suffix, scratch);
    if (scratch->count == 1 && scratch->refs[0].attr == attr)
      return suffix;
  }
  return path;
}

static sgf_status_t refuse_ambiguous(const sgf_attr_set_t* set, const char* suffix, const selection_t* candidates,
                                     sgf_error_t* error)
{
  char list[LIST_SIZE];
  sgf_line_t line     = sgf_line_in(list, sizeof list);
  selection_t scratch = empty_selection(set);
  size_t shown        = candidates->count < MAX_CANDIDATES ? candidates->count : MAX_CANDIDATES;
  for (size_t i = 0; i < shown; i++) {
    sgf_text_t telling = telling_suffix(set, candidates->refs[i].attr, &scratch);
    sgf_line_or(&line, i, candidates->count);
    sgf_line_add(&line, "%.*s", (int)telling.length, telling.at);
  }
  if (candidates->count > shown)
    sgf_line_add(&line, " or %zu more", candidates->count - shown);
  free(scratch.refs);
  return sgf_error_set(error, SGF_AMBIGUOUS, "%s has several attributes \"%s\": write %s", set->prefix, suffix, list);
}

sgf_status_t sgf_attr_find(const sgf_attr_set_t* set, const char* suffix, sgf_attr_ref_t* found, sgf_error_t* error)
{
  sgf_status_t status   = SGF_OK;
  selection_t selection = empty_selection(set);
  select_matching(set, sgf_text_of(suffix), &selection);
  if (selection.count == 0)
    status = refuse_unknown(set, suffix, &selection, error);
  else if (selection.count > 1)
    status = refuse_ambiguous(set, suffix, &selection, error);
  else
    *found = selection.refs[0];
  free(selection.refs);
  return status;
}

sgf_status_t sgf_attr_defaults(const sgf_attr_set_t* set, void* block, sgf_error_t* error)
{
  memset(block, 0, set->block_size);
  for (cursor_t at = {0}; next_attr(set, &at);) {
    sgf_status_t status = sgf_attr_assign(at.ref, block, at.ref.attr->initial, error);
    if (status != SGF_OK)
      return status;
  }
  return SGF_OK;
}

sgf_status_t sgf_attr_set_value(const sgf_attr_set_t* set, void* block, const char* suffix, const char* text,
                                sgf_error_t* error)
{
  sgf_attr_ref_t ref;
  sgf_status_t status = sgf_attr_find(set, suffix, &ref, error);
  return status == SGF_OK ? sgf_attr_assign(ref, block, text, error) : status;
}
