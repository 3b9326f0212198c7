/* The lines of an ini file that are about a fabric, as assignments. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of a record, "net.record.nd-stats": the one with hyphens that is an attribute. */
static bool is_of_records(const char* key, const char* dot)
{
  const char* prefix  = sgf_prefix_names[SGF_PREFIX_RECORD];
  const size_t length = strlen(prefix);
  const char* start   = (size_t)(dot - key) >= length ? dot - length : key;
  return strncmp(start, prefix, length) == 0 && (start == key || start[-1] == '.');
}

/* No parameter has a hyphen in its name. */
bool sgf_ini_is_object_option(const char* key)
{
  const char* dot = strrchr(key, '.');
  return dot != NULL && strchr(dot, '-') != NULL && strchr(dot, '}') == NULL && !is_of_records(key, dot);
}

sgf_assignment_t* sgf_ini_assignments(const opp_ini_run_t* run, size_t* count)
{
  const size_t lines     = opp_ini_run_entry_count(run);
  sgf_assignment_t* list = sgf_calloc(lines + 1, sizeof *list);
  *count                 = 0;
  for (size_t i = lines; i > 0; i--) {
    const opp_ini_entry_t* entry = opp_ini_run_entry(run, i - 1);
    if (sgf_ini_is_object_option(entry->key))
      continue;
    const size_t size = strlen(entry->key) + strlen(entry->value) + sizeof "=";
    char* text        = sgf_calloc(size, 1);
    snprintf(text, size, "%s=%s", entry->key, entry->value);
    list[(*count)++] = (sgf_assignment_t){.text = text, .file = sgf_strdup(entry->file), .line = entry->line};
  }
  return list;
}

void sgf_ini_assignments_free(sgf_assignment_t* list, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    free((char*)list[i].text);
    free((char*)list[i].file);
  }
  free(list);
}
