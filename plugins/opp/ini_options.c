/* Which key is an option and which is a pattern: an option has neither dot nor wildcard; a pattern whose last component
 * has a hyphen sets an option of objects. */
#include "ini.h"

#include <stdio.h>

static const char* const options[] = {
    "constraint",
    "deployment",
    "description",
    "experiment-label",
    "extends",
    "iteration-nesting-order",
    "measurement-label",
    "output-scalar-file",
    "output-vector-file",
    "platform",
    "repeat",
    "replication-label",
    "result-dir",
    "seed-set",
    "sim-time-limit",
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static const char* const object_options[] = {
    "result-recording-modes", "scalar-recording",           "statistic-recording",
    "vector-recording",       "vector-recording-intervals",
};
enum { OBJECT_OPTION_COUNT = sizeof object_options / sizeof *object_options };

/* What OMNeT++ 6 has besides, as patterns, and what to say of some. */
static const struct foreign {
  const char* name;
  const char* instead;
} foreign[] = {
    {"network", "the network is the `platform`, a SimGrid file"},
    {"sim-time-resolution", "time is in picoseconds"},
    {"simtime-resolution", "time is in picoseconds"},
    {"simtime-scale", "time is in picoseconds"},
    {"cpu-time-limit", "use sim-time-limit"},
    {"real-time-limit", "use sim-time-limit"},
    {"num-rngs", "each component has a random stream of its own; choose by seed-set"},
    {"rng-class", "each component has a random stream of its own; choose by seed-set"},
    {"seed-{..}-mt", "each component has a random stream of its own; choose by seed-set"},
    {"seed-{..}-mt-p{..}", "each component has a random stream of its own; choose by seed-set"},
    {"seed-{..}-lcg32", "each component has a random stream of its own; choose by seed-set"},
    {"abstract", NULL},
    {"allow-object-stealing-on-deletion", NULL},
    {"cmdenv-**", NULL},
    {"check-signals", NULL},
    {"config-recording", NULL},
    {"configuration-class", NULL},
    {"debug-on-errors", NULL},
    {"debug-statistics-recording", NULL},
    {"debugger-attach-**", NULL},
    {"eventlog-**", NULL},
    {"eventlogmanager-class", NULL},
    {"fingerprint", NULL},
    {"fingerprint-**", NULL},
    {"fingerprintcalculator-class", NULL},
    {"fname-append-host", NULL},
    {"futureeventset-class", NULL},
    {"image-path", NULL},
    {"load-libs", NULL},
    {"max-module-nesting", NULL},
    {"ned-package-exclusions", NULL},
    {"ned-path", NULL},
    {"output-scalar-**", NULL},
    {"output-vector-**", NULL},
    {"output-vectors-memory-limit", NULL},
    {"outputscalarmanager-class", NULL},
    {"outputvectormanager-class", NULL},
    {"parallel-simulation", NULL},
    {"parameter-mutability-check", NULL},
    {"parsim-**", NULL},
    {"print-undisposed", NULL},
    {"qtenv-**", NULL},
    {"realtimescheduler-scaling", NULL},
    {"record-eventlog", NULL},
    {"resultdir-subdivision", NULL},
    {"runnumber-width", NULL},
    {"scheduler-class", NULL},
    {"sectionbasedconfig-configreader-class", NULL},
    {"snapshot-file", NULL},
    {"snapshotmanager-class", NULL},
    {"tkenv-**", NULL},
    {"total-stack", NULL},
    {"user-interface", NULL},
    {"warmup-period", NULL},
    {"warnings", NULL},
};
enum { FOREIGN_COUNT = sizeof foreign / sizeof *foreign };

static const struct foreign object_foreign[] = {
    {"bin-recording", "use statistic-recording"},
    {"param-recording", NULL},
    {"param-record-as-scalar", NULL},
    {"cmdenv-**", NULL},
    {"display-name", NULL},
    {"display-string", NULL},
    {"module-eventlog-recording", NULL},
    {"partition-id", NULL},
    {"rng-{..}", "each component has a random stream of its own"},
    {"typename", NULL},
    {"vector-buffer", NULL},
    {"vector-max-buffered-values", NULL},
    {"vector-record-eventnumbers", NULL},
    {"with-akaroa", NULL},
};
enum { OBJECT_FOREIGN_COUNT = sizeof object_foreign / sizeof *object_foreign };

static bool is_one_of(const char* name, const char* const* names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Refuse what OMNeT++ knows and a run would not honour: nothing is silently ignored. */
static sgf_status_t check_foreign(const char* name, const struct foreign* known, size_t count, sgf_error_t* error)
{
  for (size_t i = 0; i < count; i++) {
    if (!opp_ini_matches(known[i].name, name))
      continue;
    const char* instead = known[i].instead;
    return sgf_error_set(error, SGF_RULE, "OMNeT++'s option %s is not honoured here%s%s", name,
                         instead != NULL ? ": " : "", instead != NULL ? instead : "");
  }
  return SGF_OK;
}

static sgf_status_t check_option(const char* key, sgf_error_t* error)
{
  if (is_one_of(key, options, OPTION_COUNT))
    return SGF_OK;
  if (is_one_of(key, object_options, OBJECT_OPTION_COUNT))
    return sgf_error_set(error, SGF_RULE, "option %s belongs to objects: write **.%s", key, key);
  sgf_status_t status = check_foreign(key, foreign, FOREIGN_COUNT, error);
  if (status != SGF_OK)
    return status;
  return sgf_error_set(error, SGF_UNKNOWN, "unknown option \"%s\"%s (a parameter's key has a dot, as in **.%s)", key,
                       opp_ini_hint(key, options, OPTION_COUNT).at, key);
}

/* The last component of a path or pattern; a dot in braces parts nothing. */
static const char* last_component(const char* path)
{
  const char* last = path;
  for (const char* at = path; *at != '\0'; at++) {
    const char* end = *at == '{' ? strchr(at, '}') : NULL;
    if (end != NULL)
      at = end;
    else if (*at == '.')
      last = at + 1;
  }
  return last;
}

/* "record.nd-stats" is a record, whose documented name has a hyphen, and no option. */
static bool is_of_records(const char* path, const char* last)
{
  static const char owner[] = "record.";
  const size_t length       = sizeof owner - 1;
  const size_t ahead        = (size_t)(last - path);
  return ahead >= length && strncmp(last - length, owner, length) == 0 &&
         (ahead == length || last[-(ptrdiff_t)length - 1] == '.');
}

bool opp_ini_is_per_object(const char* path)
{
  const char* last = last_component(path);
  if (is_of_records(path, last))
    return false;
  for (const char* at = last; *at != '\0'; at++) {
    const char* end = *at == '{' ? strchr(at, '}') : NULL;
    if (end != NULL)
      at = end;
    else if (*at == '-')
      return true;
  }
  return strcmp(last, "typename") == 0;
}

static sgf_status_t check_object_option(const char* key, sgf_error_t* error)
{
  const char* name = last_component(key);
  if (is_one_of(name, object_options, OBJECT_OPTION_COUNT))
    return SGF_OK;
  if (is_one_of(name, options, OPTION_COUNT))
    return sgf_error_set(error, SGF_RULE, "option %s belongs to the run: write it without \"%.*s\"", name,
                         (int)(name - key), key);
  sgf_status_t status = check_foreign(name, object_foreign, OBJECT_FOREIGN_COUNT, error);
  if (status != SGF_OK)
    return status;
  return sgf_error_set(error, SGF_UNKNOWN, "unknown option \"%s\" of objects%s", name,
                       opp_ini_hint(name, object_options, OBJECT_OPTION_COUNT).at);
}

sgf_status_t opp_ini_key_check(opp_ini_line_t* line, sgf_error_t* error)
{
  if (strpbrk(line->key, ".?*\\{") == NULL)
    return check_option(line->key, error);
  line->per_object = opp_ini_is_per_object(line->key);
  if (line->per_object) {
    sgf_status_t status = check_object_option(line->key, error);
    if (status != SGF_OK)
      return status;
  }
  line->pattern = opp_pattern_new(line->key, error);
  return line->pattern != NULL ? SGF_OK : SGF_SYNTAX;
}

bool opp_ini_matches(const char* pattern, const char* name)
{
  opp_pattern_t* compiled = opp_pattern_new(pattern, NULL);
  bool matches            = compiled != NULL && opp_pattern_matches(compiled, name);
  opp_pattern_free(compiled);
  return matches;
}
