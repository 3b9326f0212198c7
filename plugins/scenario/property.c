/* One property: its name split into prefix, selector and suffix. */
#include "scenario_internal.h"

#include <string.h>

const char* const sgf_prefix_names[SGF_PREFIX_COUNT] = {"nic", "pcie", "switch", "record", "fabric"};

/* Where the bracket that opens at `open` closes, brackets inside it counted; NULL if it does not. */
static const char* closing_bracket(const char* open)
{
  int depth = 0;
  for (const char* at = open; *at != '\0'; at++) {
    depth += *at == '[';
    depth -= *at == ']';
    if (depth == 0)
      return at;
  }
  return NULL;
}

static bool is_known_suffix(sgf_prefix_t prefix, const char* suffix)
{
  sgf_fabric_key_t key;
  if (prefix == SGF_PREFIX_FABRIC)
    return sgf_links_key(suffix, &key);
  if (prefix != SGF_PREFIX_RECORD)
    return sgf_kinds_have(prefix, suffix);
  sgf_attr_ref_t ref;
  sgf_error_t ignored = {0};
  return sgf_attr_find(&sgf_results_attributes, suffix, &ref, &ignored) != SGF_UNKNOWN;
}

/* A name whose prefix is nearly one of ours and whose suffix is one of its attributes can only be a slip; any other
 * name is SimGrid's or the user's. */
static sgf_status_t check_foreign(const char* name, const char* head, const char* suffix, sgf_error_t* error)
{
  const char* nearest = sgf_nearest_name(head, sgf_prefix_names, SGF_PREFIX_COUNT);
  for (size_t i = 0; nearest != NULL && i < SGF_PREFIX_COUNT; i++)
    if (sgf_prefix_names[i] == nearest && is_known_suffix((sgf_prefix_t)i, suffix))
      return sgf_error_set(error, SGF_UNKNOWN, "property \"%s\" has no prefix of ours; did you mean %s.%s?", name,
                           nearest, suffix);
  return SGF_OK;
}

/* What follows the prefix: nothing, ".suffix" or "[selector].suffix". */
static sgf_status_t parse_rest(sgf_platform_t* platform, sgf_property_t* property, const char* rest, sgf_error_t* error)
{
  property->suffix = "";
  if (*rest == '[') {
    if (property->prefix != SGF_PREFIX_SWITCH)
      return sgf_error_set(error, SGF_SYNTAX, "property \"%s\": only switches are chosen in brackets", property->name);
    const char* close = closing_bracket(rest);
    if (close == NULL)
      return sgf_error_set(error, SGF_SYNTAX, "property \"%s\": a [ without ]", property->name);
    property->selector = sgf_platform_text(platform, "%.*s", (int)(close - rest - 1), rest + 1);
    property->pattern  = opp_pattern_new(property->selector, error);
    if (property->pattern == NULL)
      return SGF_SYNTAX;
    rest = close + 1;
  }
  if (*rest == '.' && rest[1] != '\0')
    property->suffix = rest + 1;
  else if (*rest != '\0' || property->prefix >= SGF_PREFIX_SWITCH)
    return sgf_error_set(error, SGF_SYNTAX, "property \"%s\" names no attribute; write %s.<attribute>", property->name,
                         sgf_prefix_names[property->prefix]);
  return SGF_OK;
}

void sgf_property_take(sgf_property_t* property)
{
  property->taken = true;
  if (property->origin != NULL)
    *property->origin = true;
}

void sgf_property_place(const sgf_platform_t* platform, const sgf_property_t* property, sgf_error_t* error)
{
  sgf_error_place(error, property->file != NULL ? property->file : platform->file, property->line);
}

bool sgf_property_is_ours(const char* name, sgf_prefix_t* prefix)
{
  size_t length = strcspn(name, ".[");
  for (size_t i = 0; i < SGF_PREFIX_COUNT; i++)
    if (strlen(sgf_prefix_names[i]) == length && strncmp(name, sgf_prefix_names[i], length) == 0) {
      *prefix = (sgf_prefix_t)i;
      return true;
    }
  return false;
}

sgf_status_t sgf_property_parse(sgf_platform_t* platform, sgf_property_t* property, bool* ours, sgf_error_t* error)
{
  const char* rest = property->name + strcspn(property->name, ".[");
  *ours            = sgf_property_is_ours(property->name, &property->prefix);
  if (*ours)
    return parse_rest(platform, property, rest, error);
  const char* close = *rest == '[' ? closing_bracket(rest) : rest - 1; /* what stands before the dot of a suffix */
  if (*rest == '\0' || close == NULL || close[1] != '.')
    return SGF_OK;
  const char* head = sgf_platform_text(platform, "%.*s", (int)(rest - property->name), property->name);
  return check_foreign(property->name, head, close + 2, error);
}
