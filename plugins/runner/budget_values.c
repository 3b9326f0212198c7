/* The values of `sgfabric budget`: written on the command line, a switch's own, or defaults. */
#include "budget.h"

#include <inttypes.h>
#include <math.h>
#include <sgfabric/explain.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pfc/pfc.h"

static const runner_command_t command = {.name = "budget"}; /* whose help a slip leads to */

/* Numbers are those of the units that are kept. */
static const struct {
  const char* name;
  unit_t unit;
  int64_t least;
  int64_t most;
  int64_t initial; /* -1: none */
  const char* help;
} table[VALUES] = {
    [V_SOURCES]     = {"sources", UNIT_COUNT, 1, BUDGET_MAX_SOURCES, 1, "sources, an ingress each (default 1)"},
    [V_RATE]        = {"rate", UNIT_RATE, 1, BUDGET_MAX_BPS, -1, "of a source, such as 400Gbps"},
    [V_EGRESS]      = {"egress", UNIT_RATE, 1, BUDGET_MAX_BPS, -1, "rate that the queue is served at"},
    [V_K_ECN]       = {"K_ecn", UNIT_BYTES, 0, INT64_MAX, -1, "queue at which marking starts, such as 256KB"},
    [V_TCC]         = {"Tcc", UNIT_TIME, 0, INT64_MAX, -1, "ECN feedback time, mark to lowered traffic, such as 8us"},
    [V_Q_G]         = {"Q_g", UNIT_BYTES, 0, INT64_MAX, -1, "queue at which the pause is decided"},
    [V_XOFF]        = {"Xoff", UNIT_BYTES, 0, INT64_MAX, -1, "pause threshold of an ingress: Q_g is sources x Xoff"},
    [V_TP]          = {"Tp", UNIT_TIME, 0, INT64_MAX, -1, "PFC stop time; otherwise from rate, delay and frame"},
    [V_M]           = {"M", UNIT_BYTES, 0, INT64_MAX, 0, "margin of the headroom (default 0B)"},
    [V_DELAY]       = {"delay", UNIT_TIME, 0, INT64_MAX, -1, "of the cable of an ingress, one way"},
    [V_FRAME]       = {"frame", UNIT_BYTES, 1, INT64_MAX, -1, "largest frame on the wire"},
    [V_PAUSE_FRAME] = {"pause_frame", UNIT_BYTES, 0, INT64_MAX, PFC_FRAME_BYTES, "on the wire (default 64B)"},
    [V_HEADROOM]    = {"headroom", UNIT_BYTES, 0, INT64_MAX, -1, "that an ingress has for itself alone"},
    [V_DEDICATED]   = {"dedicated", UNIT_BYTES, 0, INT64_MAX, -1, "headroom of each ingress before a shared pool"},
    [V_SHARED]      = {"shared", UNIT_BYTES, 0, INT64_MAX, -1, "headroom pool of all ingresses"},
    [V_VOLUME]      = {"volume", UNIT_BYTES, 1, BUDGET_MAX_BYTES, -1, "of the message of each source, such as 16MB"},
    [V_PAYLOAD]     = {"payload", UNIT_BYTES, 1, INT64_MAX, -1, "of a full packet"},
    [V_HEADER]      = {"header", UNIT_BYTES, 0, INT64_MAX, -1, "of a packet, all that is on the wire and no payload"},
    [V_WAIT]        = {"wait", UNIT_TIME, 0, INT64_MAX, -1, "time for which the messages are held first"},
    [V_SPAN]        = {"span", UNIT_TIME, 0, INT64_MAX, -1, "time in which notices and refreshes are counted"},
    [V_SPACING]     = {"spacing", UNIT_TIME, 1, INT64_MAX, -1, "least time between two notices (CNPs) to a flow"},
    [V_QUANTA]      = {"quanta", UNIT_COUNT, 1, PFC_MAX_QUANTA, PFC_MAX_QUANTA, "of a pause frame (default 65535)"},
    [V_SHARES]      = {"shares", UNIT_COUNT, 0, BUDGET_MAX_SHARE, -1, "of the sources at the egress, such as 35,5,5,5"},
};

const char* budget_value_name(value_id_t id)
{
  return table[id].name;
}

unit_t budget_value_unit(value_id_t id)
{
  return table[id].unit;
}

const char* budget_value_help(value_id_t id)
{
  return table[id].help;
}

static void give(budget_t* budget, value_id_t id, int64_t number, const char* format, ...) SGF_PRINTF(4, 5);

/* Unless it is given already. */
static void give(budget_t* budget, value_id_t id, int64_t number, const char* format, ...)
{
  value_t* value = &budget->values[id];
  if (value->given)
    return;
  value->given  = true;
  value->number = number;
  va_list args;
  va_start(args, format);
  vsnprintf(value->from.at, sizeof value->from.at, format, args);
  va_end(args);
}

/* ---- Command line ------------------------------------------------------------------------------------------------ */

static sgf_status_t parse(value_id_t id, const char* text, int64_t* number, sgf_error_t* error)
{
  const char* name = table[id].name;
  uint64_t count   = 0;
  switch (table[id].unit) {
    case UNIT_BYTES:
      return sgf_parse_bytes(text, name, number, error);
    case UNIT_RATE:
      return sgf_parse_datarate(text, name, number, error);
    case UNIT_TIME:
      return sgf_parse_timeval(text, name, number, error);
    default:
      sgf_parse_uint(text, name, &count, error);
      *number = count < INT64_MAX ? (int64_t)count : INT64_MAX;
      return error->status;
  }
}

static bool read_number(value_id_t id, const char* text, int64_t* number)
{
  sgf_error_t error = {0};
  if (parse(id, text, number, &error) == SGF_OK && (*number < table[id].least || *number > table[id].most)) {
    if (table[id].most == INT64_MAX)
      sgf_error_set(&error, SGF_RANGE, "%s = \"%s\": must be at least %s", table[id].name, text,
                    budget_text(table[id].unit, table[id].least, 0).at);
    else
      sgf_error_set(&error, SGF_RANGE, "%s = \"%s\": not within %" PRId64 "..%" PRId64 "%s", table[id].name, text,
                    table[id].least, table[id].most,
                    table[id].unit == UNIT_RATE    ? " bps"
                    : table[id].unit == UNIT_BYTES ? " B"
                                                   : "");
  }
  if (error.status != SGF_OK)
    runner_misuse(&command, NULL, NULL, "%s", error.text);
  return error.status == SGF_OK;
}

/* "35,5,5,5" */
static bool read_shares(budget_t* budget, const char* text, int64_t* count)
{
  int64_t total = 0;
  *count        = 0;
  for (const char* at = text; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
    if (*count == BUDGET_MAX_SOURCES) {
      runner_misuse(&command, NULL, NULL, "shares: more than %d of them", BUDGET_MAX_SOURCES);
      return false;
    }
    char* share     = report_format("%.*s", (int)strcspn(at, ","), at);
    const bool good = read_number(V_SHARES, share, &budget->shares[*count]);
    free(share);
    if (!good)
      return false;
    total += budget->shares[(*count)++];
  }
  if (total == 0)
    runner_misuse(&command, NULL, NULL, "shares = \"%s\": all of them are 0", text);
  return total > 0;
}

static bool read_value(budget_t* budget, const char* written)
{
  const char* names[VALUES + 1] = {NULL};
  const int length              = (int)strcspn(written, "=");
  value_id_t id                 = 0;
  for (value_id_t i = 0; i < VALUES; i++)
    names[i] = table[i].name;
  while (id < VALUES && (strlen(names[id]) != (size_t)length || strncmp(names[id], written, (size_t)length) != 0))
    id++;
  if (id == VALUES) {
    char* name = report_format("%.*s", length, written);
    runner_misuse(&command, name, names, "budget has no value %s", name);
    free(name);
    return false;
  }
  if (budget->values[id].given) {
    runner_misuse(&command, NULL, NULL, "%s is given twice", names[id]);
    return false;
  }
  const char* text = written + length + 1;
  int64_t number   = 0;
  if (!(id == V_SHARES ? read_shares(budget, text, &number) : read_number(id, text, &number)))
    return false;
  give(budget, id, number, "command line");
  budget->values[id].written = true;
  return true;
}

/* As many sources as shares. */
static bool count_shares(budget_t* budget)
{
  const value_t* shares = &budget->values[V_SHARES];
  if (!shares->given)
    return true;
  give(budget, V_SOURCES, shares->number, "shares");
  if (budget->values[V_SOURCES].number == shares->number)
    return true;
  runner_misuse(&command, NULL, NULL, "sources is %" PRId64 ", and there are %s", budget->values[V_SOURCES].number,
                report_counted((uint64_t)shares->number, "share").at);
  return false;
}

/* An option that is given and means nothing without a platform, or NULL. */
static const char* option_of_platform(const runner_options_t* options)
{
  if (options->switch_name != NULL)
    return "--switch";
  if (options->port >= 0)
    return "--port";
  return options->assignment_count > 0 ? "--set" : NULL;
}

bool budget_read(budget_t* budget, const runner_options_t* options)
{
  const bool has_platform = options->arguments[0] != NULL;
  if (!has_platform && option_of_platform(options) != NULL) {
    runner_misuse(&command, NULL, NULL, "%s needs a PLATFORM", option_of_platform(options));
    return false;
  }
  if (!has_platform && options->value_count == 0) {
    runner_misuse(&command, NULL, NULL, "budget needs a PLATFORM, or values such as rate=400Gbps Tp=2us");
    return false;
  }
  for (size_t i = 0; i < options->value_count; i++)
    if (!read_value(budget, options->values[i]))
      return false;
  return count_shares(budget);
}

/* ---- Platform ---------------------------------------------------------------------------------------------------- */

static const sgf_device_t* find_switch(const sgf_fabric_t* fabric, const char* name, sgf_error_t* error)
{
  const size_t devices        = sgf_fabric_device_count(fabric);
  const char** names          = report_calloc(devices, sizeof *names);
  const sgf_device_t* of_name = NULL;
  size_t count                = 0;
  for (size_t i = 0; i < devices; i++) {
    const sgf_device_t* device = sgf_fabric_device(fabric, i);
    if (!sgf_device_is_switch(device))
      continue;
    names[count++] = sgf_device_name(device);
    if (of_name == NULL && (name == NULL || strcmp(name, sgf_device_name(device)) == 0))
      of_name = device;
  }
  const char* nearest = name != NULL ? sgf_nearest_name(name, names, count) : NULL;
  if (of_name == NULL && name == NULL)
    sgf_error_set(error, SGF_UNKNOWN, "the platform has no switch");
  else if (of_name == NULL)
    sgf_error_set(error, SGF_UNKNOWN, "there is no switch %s%s%s%s", name, nearest ? "; did you mean " : "",
                  nearest ? nearest : "", nearest ? "?" : "");
  free(names);
  return of_name;
}

/* Add a port to those with the same numbers. */
static void add_port(budget_t* budget, unsigned port, int64_t bps, int64_t delay)
{
  size_t at = 0;
  while (at < budget->ingress_count && (budget->ingresses[at].bps != bps || budget->ingresses[at].delay != delay))
    at++;
  ingress_t* ingress = &budget->ingresses[at];
  if (at == budget->ingress_count) {
    *ingress = (ingress_t){report_format("%u", port), 1, bps, delay};
    budget->ingress_count++;
    return;
  }
  /* A run of ports is written with its ends: "0-2, 7". */
  const char* last   = strrchr(ingress->ports, ' ');
  last               = last != NULL ? last + 1 : ingress->ports;
  const char* dash   = strchr(last, '-');
  const bool goes_on = (unsigned)strtoul(dash != NULL ? dash + 1 : last, NULL, 10) + 1 == port;
  const char* end    = goes_on && dash != NULL ? dash : ingress->ports + strlen(ingress->ports);
  const int kept     = (int)(end - ingress->ports);
  char* ports        = report_format("%.*s%s%u", kept, ingress->ports, goes_on ? "-" : ", ", port);
  free(ingress->ports);
  ingress->ports = ports;
  ingress->count++;
}

/* The ports that need the most headroom: rate x delay, and frames, which are the same for all. */
static const ingress_t* neediest(const budget_t* budget)
{
  const ingress_t* most = &budget->ingresses[0];
  for (size_t i = 1; i < budget->ingress_count; i++)
    if (budget_bytes(budget->ingresses[i].bps, budget->ingresses[i].delay) > budget_bytes(most->bps, most->delay))
      most = &budget->ingresses[i];
  return most;
}

static void look_at_ports(budget_t* budget, const sgf_device_t* device)
{
  const char* name     = sgf_device_name(device);
  const unsigned ports = sgf_device_port_count(device);
  budget->ingresses    = report_calloc(ports, sizeof *budget->ingresses);
  const value_t* rate  = &budget->values[V_RATE];
  const value_t* delay = &budget->values[V_DELAY];
  for (unsigned port = 0; port < ports; port++)
    if (port != budget->port)
      add_port(budget, port, rate->given ? rate->number : sgf_device_port_bps(device, port),
               delay->given ? delay->number : sgf_device_port_delay(device, port));
  const ingress_t* most = neediest(budget);
  give(budget, V_RATE, most->bps, "%.24s port %.24s", name, most->ports);
  give(budget, V_DELAY, most->delay, "%.24s port %.24s", name, most->ports);
  give(budget, V_EGRESS, sgf_device_port_bps(device, budget->port), "%.24s port %u", name, budget->port);
  if (!budget->values[V_SOURCES].given) {
    give(budget, V_SOURCES, ports - 1, "%.32s, all other ports", name);
    return;
  }
  /* Their number is written, so that they are nobody's ports. */
  for (size_t i = 0; i < budget->ingress_count; i++)
    free(budget->ingresses[i].ports);
  budget->ingress_count = 0;
}

/* Data is in class 0. */
static void look_at_class(budget_t* budget, const sgf_device_t* device)
{
  const sgf_switch_facts_t facts = sgf_explain_switch(device);
  const char* name               = sgf_device_name(device);
  unsigned pool                  = 0;
  while (pool + 1 < SGF_EXPLAIN_CLASSES && (facts.pools[pool].classes & 1U) == 0)
    pool++;
  give(budget, V_K_ECN, (int64_t)ceil(facts.pools[pool].ecn_lower), "%.32s pool %u, lower ECN", name, pool);
  give(budget, V_FRAME, facts.largest_frame, "largest frame of the NICs");
  if (facts.conditions[0][0].needed == 0)
    return; /* lossy: it is not paused */
  give(budget, V_XOFF, facts.xoff, "%.48s", name);
  give(budget, V_HEADROOM, facts.headroom_per_port, "%.32s, each port", name);
  give(budget, V_PAUSE_FRAME, facts.pfc_frame_bytes, "%.48s", name);
}

sgf_status_t budget_look(budget_t* budget, const sgf_fabric_t* fabric, const runner_options_t* options,
                         sgf_error_t* error)
{
  const sgf_device_t* device = find_switch(fabric, options->switch_name, error);
  if (device == NULL)
    return error->status;
  const unsigned ports = sgf_device_port_count(device);
  budget->port         = options->port >= 0 ? (unsigned)options->port : 0;
  budget->switch_name  = sgf_device_name(device);
  if (budget->port >= ports)
    return sgf_error_set(error, SGF_RANGE, "%s has ports 0..%u, and no port %u", budget->switch_name, ports - 1,
                         budget->port);
  if (ports < 2 || ports > BUDGET_MAX_SOURCES)
    return sgf_error_set(error, SGF_RANGE, "%s has %s; budget takes 2..%d", budget->switch_name,
                         report_counted(ports, "port").at, BUDGET_MAX_SOURCES);
  budget->peer = sgf_device_name(sgf_device_peer(device, budget->port));
  look_at_ports(budget, device);
  look_at_class(budget, device);
  return SGF_OK;
}

/* ---- Defaults ---------------------------------------------------------------------------------------------------- */

void budget_complete(budget_t* budget)
{
  for (value_id_t id = 0; id < VALUES; id++)
    if (table[id].initial >= 0)
      give(budget, id, table[id].initial, "default");
  if (budget->ingress_count > 0 || !budget->values[V_RATE].given)
    return;
  free(budget->ingresses);
  budget->ingresses     = report_calloc(1, sizeof *budget->ingresses);
  budget->ingress_count = 1;
  budget->ingresses[0] =
      (ingress_t){report_format("%s", ""), budget->values[V_SOURCES].number, budget->values[V_RATE].number,
                  budget->values[V_DELAY].given ? budget->values[V_DELAY].number : -1};
}
