/* SimGrid deployment files: which actor runs where, refused before SimGrid stops at it. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct deployment {
  const sgf_scenario_t* scenario;
  sgf_xml_t* xml;
  sgf_deployment_cb actor;
  void* user;
} deployment_t;

/* SimGrid's start_time and kill_time: plain seconds, negative for none. It would read "10ms" as 10 s. */
static sgf_status_t read_seconds(const deployment_t* deployment, const sgf_xml_element_t* element,
                                 const char* attribute, double* seconds, sgf_error_t* error)
{
  const char* text = sgf_xml_get(deployment->xml, element, attribute, "-1");
  char* end        = NULL;
  *seconds         = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(*seconds))
    return sgf_error_set(error, SGF_SYNTAX, "%s = \"%s\" is not a number of seconds (SimGrid takes no unit here)",
                         attribute, text);
  return SGF_OK;
}

static sgf_status_t check_host(const sgf_scenario_t* scenario, const char* host, sgf_error_t* error)
{
  if (sgf_scenario_has_host(scenario, host))
    return SGF_OK;
  size_t count       = sgf_scenario_host_count(scenario);
  const char** names = sgf_calloc(count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = sgf_scenario_host_name(scenario, i);
  sgf_hint_t hint = sgf_hint_of(host, names, count);
  free(names);
  return sgf_error_set(error, SGF_UNKNOWN, "the platform has no host \"%s\"%s", host, hint.at);
}

static sgf_status_t check_failure(const deployment_t* deployment, const sgf_xml_element_t* element, sgf_error_t* error)
{
  static const char* const choices[] = {"DIE", "RESTART"};
  const char* text                   = sgf_xml_get(deployment->xml, element, "on_failure", choices[0]);
  if (strcmp(text, choices[0]) == 0 || strcmp(text, choices[1]) == 0)
    return SGF_OK;
  return sgf_error_set(error, SGF_UNKNOWN, "on_failure = \"%s\" is not a choice of SimGrid's%s", text,
                       sgf_hint_of(text, choices, 2).at);
}

/* Arguments in their order; the caller frees the list. */
static sgf_status_t read_arguments(const deployment_t* deployment, const sgf_xml_element_t* element,
                                   const char*** arguments, int* count, sgf_error_t* error)
{
  size_t used          = 0;
  *arguments           = sgf_grow(NULL, 0, sizeof **arguments);
  (*arguments)[used++] = sgf_xml_get(deployment->xml, element, "function", "");
  for (const sgf_xml_element_t* child = sgf_xml_first(element); child != NULL; child = sgf_xml_next(child)) {
    if (sgf_xml_is(child, "argument")) {
      *arguments           = sgf_grow(*arguments, used, sizeof **arguments);
      (*arguments)[used++] = sgf_xml_get(deployment->xml, child, "value", "");
      continue;
    }
    const char* name = sgf_xml_get(deployment->xml, child, "id", "");
    sgf_prefix_t prefix;
    if (sgf_property_is_ours(name, &prefix))
      return sgf_error_set(error, SGF_RULE, "property \"%s\" has no effect in an actor", name);
  }
  *count = (int)used;
  return SGF_OK;
}

static sgf_status_t read_actor(const deployment_t* deployment, const sgf_xml_element_t* element, sgf_error_t* error)
{
  const char* host    = sgf_xml_get(deployment->xml, element, "host", "");
  double start        = 0;
  double kill         = 0;
  sgf_status_t status = check_host(deployment->scenario, host, error);
  if (status == SGF_OK)
    status = read_seconds(deployment, element, "start_time", &start, error);
  if (status == SGF_OK)
    status = read_seconds(deployment, element, "kill_time", &kill, error);
  if (status == SGF_OK)
    status = check_failure(deployment, element, error);
  if (status != SGF_OK)
    return status;

  const char** arguments = NULL;
  int count              = 0;
  status                 = read_arguments(deployment, element, &arguments, &count, error);
  if (status == SGF_OK)
    status = deployment->actor(deployment->user, host, count, arguments, start > 0 ? start : 0, sgf_xml_line(element),
                               error);
  free(arguments);
  return status;
}

sgf_status_t sgf_deployment_read(const sgf_scenario_t* scenario, const char* deployment, sgf_deployment_cb actor,
                                 void* user, sgf_error_t* error)
{
  sgf_error_t reason   = {0};
  deployment_t reading = {scenario, sgf_xml_read(deployment, SGF_XML_DEPLOYMENT, &reason), actor, user};
  sgf_status_t status  = reason.status;
  for (const sgf_xml_element_t* element = reading.xml != NULL ? sgf_xml_first(sgf_xml_root(reading.xml)) : NULL;
       status == SGF_OK && element != NULL; element = sgf_xml_next(element)) {
    status = read_actor(&reading, element, &reason);
    sgf_error_place(&reason, deployment, sgf_xml_line(element));
  }
  sgf_xml_free(reading.xml);
  if (status != SGF_OK) {
    sgf_error_set(error, status, "%s", reason.text);
    sgf_error_place(error, reason.file, reason.line);
  }
  return status;
}
