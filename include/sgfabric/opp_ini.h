/* sgfabric opp_ini: configuration files in OMNeT++'s .ini grammar (spec/opp.md section 2).
 *
 * A file has sections [General] and [Config Name]; a configuration falls back to what it extends, then to General.
 * Values may hold iteration variables; one combination of their values is a run. Where the semantics of OMNeT++ 6
 * surprise, they are kept: an iteration in a section that is fallen back to is a loop also where its line is
 * overridden, and variables are replaced as text, so that a constraint says ($i)*2. */
#ifndef SGFABRIC_OPP_INI_H
#define SGFABRIC_OPP_INI_H

#include <sgfabric/error.h>

SGF_BEGIN_DECL

typedef struct opp_ini opp_ini_t;         /* a file with what it includes */
typedef struct opp_ini_run opp_ini_run_t; /* one run of one of its configurations */

/* Read `file` and what it includes. NULL on an error, with file and line: malformed lines, a section twice in one file,
 * an unknown configuration behind `extends` (nearest name), a cycle of `extends`, a malformed iteration, an unknown
 * option (nearest name), an option of OMNeT++ that would have no effect. Free with opp_ini_free, after its runs. */
SGF_PUBLIC opp_ini_t* opp_ini_read(const char* file, sgf_error_t* error);
SGF_PUBLIC void opp_ini_free(opp_ini_t* ini);

/* Configurations in order of the file, "General" first whether it is written or not. */
SGF_PUBLIC size_t opp_ini_config_count(const opp_ini_t* ini);
SGF_PUBLIC const char* opp_ini_config_name(const opp_ini_t* ini, size_t i);
/* Its `description`, or that of what it falls back to, without quotes; "" if there is none. */
SGF_PUBLIC const char* opp_ini_config_description(const opp_ini_t* ini, size_t i);

/* Runs of a configuration: combinations of the iteration variables that satisfy the constraint, times `repeat`; at most
 * a million combinations. The variable that is last in the file varies fastest, the repetition faster still. 0 and an
 * error for an unknown configuration (nearest name), variables that do not fit together, or a faulty constraint. */
SGF_PUBLIC size_t opp_ini_run_count(const opp_ini_t* ini, const char* config, sgf_error_t* error);

/* Run `number` (from 0) of a configuration. NULL and an error if there is none. Free with opp_ini_run_free. */
SGF_PUBLIC opp_ini_run_t* opp_ini_run_new(const opp_ini_t* ini, const char* config, size_t number, sgf_error_t* error);
SGF_PUBLIC void opp_ini_run_free(opp_ini_run_t* run);

SGF_PUBLIC const char* opp_ini_run_config(const opp_ini_run_t* run);
SGF_PUBLIC size_t opp_ini_run_number(const opp_ini_run_t* run);
SGF_PUBLIC size_t opp_ini_run_repetition(const opp_ini_run_t* run);

/* The seed set of the run: `seed-set`, or the number of the run. */
SGF_PUBLIC uint64_t opp_ini_run_seed_set(const opp_ini_run_t* run);

/* Iteration variables of the run, outermost loop first: in order of the file, unless they refer to each other or
 * `iteration-nesting-order` says otherwise. Unnamed ones are called "0", "1", ... as OMNeT++ does. */
SGF_PUBLIC size_t opp_ini_run_variable_count(const opp_ini_run_t* run);
SGF_PUBLIC const char* opp_ini_run_variable_name(const opp_ini_run_t* run, size_t i);
SGF_PUBLIC const char* opp_ini_run_variable_value(const opp_ini_run_t* run, size_t i);

/* ${iterationvarsf}: "x=1,y=2-", as names of files carry it in OMNeT++ 6 (an unnamed variable as its value alone, what
 * has a meaning in names of files as #xx); "" if there are none. */
SGF_PUBLIC const char* opp_ini_run_variables_text(const opp_ini_run_t* run);

/* ${name} of the run: a named or unnamed iteration variable, or configname, runnumber, repetition, seedset, resultdir,
 * experiment, measurement, replication, iterationvars ("$x=1, $y=2"), iterationvarsf, iterationvarsd, inifile. Strings
 * have no quotes, except in iteration variables. NULL: there is none. */
SGF_PUBLIC const char* opp_ini_run_value(const opp_ini_run_t* run, const char* name);

/* A line of the run: its values are substituted. */
typedef struct opp_ini_entry {
  const char* key;   /* as written: an option's name, or a pattern */
  const char* value; /* iteration variables replaced; quotes still on */
  const char* text;  /* the value without its quotes and backslashes, if it is a string; else the value */
  const char* file;  /* that it stands in: names of files in values are relative to it */
  int line;
  bool used; /* set by opp_ini_run_option and opp_ini_run_parameter */
} opp_ini_entry_t;

/* An option, such as "sim-time-limit", of the run; NULL if it is not set. */
SGF_PUBLIC const opp_ini_entry_t* opp_ini_run_option(opp_ini_run_t* run, const char* name);

/* All options of the run, in order of precedence: of several lines for one option the first holds. */
SGF_PUBLIC size_t opp_ini_run_option_count(const opp_ini_run_t* run);
SGF_PUBLIC const opp_ini_entry_t* opp_ini_run_option_entry(const opp_ini_run_t* run, size_t i);

/* The first entry whose pattern matches the full path of a parameter ("net.rack0.gpu0.nic.x") or of an object's option
 * ("net.rack0.tor0.switch.x.scalar-recording"), in order: the configuration's own lines, those of what it extends,
 * General's. A pattern sets options of objects only if its own last component is one, as in OMNeT++: `**` does not.
 * NULL if none does. */
SGF_PUBLIC const opp_ini_entry_t* opp_ini_run_parameter(opp_ini_run_t* run, const char* full_path);

/* All entries of the run that are patterns, in that order: the first match wins. */
SGF_PUBLIC size_t opp_ini_run_entry_count(const opp_ini_run_t* run);
SGF_PUBLIC const opp_ini_entry_t* opp_ini_run_entry(const opp_ini_run_t* run, size_t i);
/* Mark an entry as used, so that it is not reported as one that no object took. */
SGF_PUBLIC void opp_ini_run_mark_used(opp_ini_run_t* run, size_t i);

/* Whether a name matches a pattern of this grammar: `?`, `*`, `**`, {a-f}, {^a-f}, {38..150}, [38..150], `\`. */
SGF_PUBLIC bool opp_ini_matches(const char* pattern, const char* name);

SGF_END_DECL
#endif
