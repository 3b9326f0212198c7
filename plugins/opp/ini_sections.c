/* Which sections a configuration falls back to: C3 linearisation of `extends`, as OMNeT++ has it and as classes with
 * several bases have it elsewhere. A section comes before what it extends, in the order of each `extends`. */
#include "ini.h"

#include "attr/alloc.h"

#include <stdlib.h>

enum { DEEPEST = 100, GENERAL = 0 };

typedef struct list {
  const size_t* at;
  size_t count;
} list_t;

ptrdiff_t opp_ini_find(const opp_ini_t* ini, opp_ini_span_t config)
{
  for (size_t i = 0; i < ini->config_count; i++)
    if (opp_ini_span_is(config, ini->configs[i].name))
      return (ptrdiff_t)i;
  return OPP_INI_NONE;
}

sgf_status_t opp_ini_unknown(const opp_ini_t* ini, opp_ini_span_t config, sgf_error_t* error)
{
  const char** names = sgf_calloc(ini->config_count, sizeof *names);
  for (size_t i = 0; i < ini->config_count; i++)
    names[i] = ini->configs[i].name;
  char* name          = opp_ini_span_copy(config);
  opp_ini_hint_t hint = opp_ini_hint(name, names, ini->config_count);
  sgf_error_set(error, SGF_UNKNOWN, "no configuration \"%s\"%s", name, hint.at);
  free(name);
  free(names);
  return SGF_UNKNOWN;
}

/* The first line with this key in the section itself. */
static const opp_ini_line_t* own_line(const opp_ini_config_t* config, const char* key)
{
  for (size_t i = 0; i < config->line_count; i++)
    if (config->lines[i].pattern == NULL && strcmp(config->lines[i].key, key) == 0)
      return &config->lines[i];
  return NULL;
}

const opp_ini_line_t* opp_ini_option_line(const opp_ini_t* ini, const opp_ini_config_t* config, const char* name)
{
  for (size_t i = 0; i < config->chain_length; i++) {
    const opp_ini_line_t* line = own_line(&ini->configs[config->chain[i]], name);
    if (line != NULL)
      return line;
  }
  return NULL;
}

static bool has(list_t list, size_t from, size_t section)
{
  for (size_t i = from; i < list.count; i++)
    if (list.at[i] == section)
      return true;
  return false;
}

/* The first head of a list that no list has further back; OPP_INI_NONE: the lists contradict each other. */
static ptrdiff_t next_section(const list_t* lists, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (lists[i].count == 0)
      continue;
    size_t candidate = lists[i].at[0];
    bool is_behind   = false;
    for (size_t j = 0; j < count && !is_behind; j++)
      is_behind = has(lists[j], 1, candidate);
    if (!is_behind)
      return (ptrdiff_t)candidate;
  }
  return OPP_INI_NONE;
}

/* Append the merge of the lists to the chain; false if no order satisfies all of them. */
static bool merge(opp_ini_config_t* config, list_t* lists, size_t count)
{
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    left += lists[i].count;
  while (left > 0) {
    ptrdiff_t next = next_section(lists, count);
    if (next == OPP_INI_NONE)
      return false;
    config->chain                         = opp_ini_grow(config->chain, config->chain_length, sizeof *config->chain);
    config->chain[config->chain_length++] = (size_t)next;
    for (size_t i = 0; i < count; i++)
      if (lists[i].count > 0 && lists[i].at[0] == (size_t)next) {
        lists[i].at++;
        lists[i].count--;
        left--;
      }
  }
  return true;
}

/* The configurations behind `extends`; General for one that does not say. */
static sgf_status_t find_bases(const opp_ini_t* ini, const opp_ini_line_t* extends, size_t** bases, size_t* count,
                               sgf_error_t* error)
{
  opp_ini_span_t names = opp_ini_span(extends != NULL ? extends->text : ini->configs[GENERAL].name);
  while (names.at != NULL) {
    opp_ini_span_t name = opp_ini_next(&names);
    ptrdiff_t base      = opp_ini_find(ini, name);
    if (base == OPP_INI_NONE)
      return opp_ini_unknown(ini, name, error);
    if (has((list_t){*bases, *count}, 0, (size_t)base))
      return sgf_error_set(error, SGF_RULE, "extends = %s: %s twice", extends->text, ini->configs[base].name);
    *bases               = opp_ini_grow(*bases, *count, sizeof **bases);
    (*bases)[(*count)++] = (size_t)base;
  }
  return SGF_OK;
}

static sgf_status_t resolve(opp_ini_t* ini, size_t section, size_t depth, sgf_error_t* error);

static sgf_status_t merge_bases(opp_ini_t* ini, opp_ini_config_t* config, const size_t* bases, size_t count,
                                size_t depth, sgf_error_t* error)
{
  list_t* lists       = sgf_calloc(count + 1, sizeof *lists);
  sgf_status_t status = SGF_OK;
  for (size_t i = 0; i < count && status == SGF_OK; i++) {
    status   = resolve(ini, bases[i], depth + 1, error);
    lists[i] = (list_t){ini->configs[bases[i]].chain, ini->configs[bases[i]].chain_length};
  }
  lists[count] = (list_t){bases, count};
  if (status == SGF_OK && !merge(config, lists, count + 1))
    status = sgf_error_set(error, SGF_RULE,
                           "configuration %s: no order of sections keeps that of every `extends` that it falls back to",
                           config->name);
  free(lists);
  return status;
}

/* Make the chain of a section. One that is being made holds the section alone. */
static sgf_status_t resolve(opp_ini_t* ini, size_t section, size_t depth, sgf_error_t* error)
{
  opp_ini_config_t* config      = &ini->configs[section];
  const opp_ini_line_t* extends = own_line(config, "extends");
  if (config->chain_length > 1 || (config->chain_length == 1 && section == GENERAL))
    return SGF_OK;
  if (config->chain_length == 1)
    return sgf_error_set(error, SGF_RULE, "configuration %s extends itself, directly or through others", config->name);
  if (depth > DEEPEST)
    return sgf_error_set(error, SGF_RANGE, "configuration %s: more than %d sections extend each other", config->name,
                         DEEPEST);
  config->chain                         = opp_ini_grow(config->chain, 0, sizeof *config->chain);
  config->chain[config->chain_length++] = section;
  if (section == GENERAL && extends == NULL)
    return SGF_OK;

  size_t* bases       = NULL;
  size_t count        = 0;
  sgf_status_t status = section == GENERAL
                            ? sgf_error_set(error, SGF_RULE, "extends: General cannot extend other configurations")
                            : find_bases(ini, extends, &bases, &count, error);
  if (status == SGF_OK)
    status = merge_bases(ini, config, bases, count, depth, error);
  if (extends != NULL)
    sgf_error_place(error, extends->file, extends->line);
  free(bases);
  return status;
}

sgf_status_t opp_ini_chains(opp_ini_t* ini, sgf_error_t* error)
{
  sgf_status_t status = SGF_OK;
  for (size_t i = 0; i < ini->config_count && status == SGF_OK; i++)
    status = resolve(ini, i, 0, error);
  for (size_t i = 0; i < ini->config_count && status == SGF_OK; i++) {
    const opp_ini_line_t* line  = opp_ini_option_line(ini, &ini->configs[i], "description");
    ini->configs[i].description = opp_ini_unquoted(line != NULL ? line->text : "");
  }
  return status;
}
