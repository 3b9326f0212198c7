/* The actor functions that a deployment may name, and the check of a deployment before SimGrid sees it. */

#include "simgrid/actors.h"

#include <math.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"
#include "simgrid/seat.h"

const actor_function_t actor_functions[] = {
    {"rdma_write",
     "count writes of size to host dst, one after another, sleeping gap between them",
     {ACTOR_ARG_DST, ACTOR_ARG_SIZE, ACTOR_ARG_COUNT, ACTOR_ARG_GAP},
     2,
     true,
     0,
     actor_rdma_write},
    {"flow",
     "one write of size to host dst, on the queue pair of this number (default 0) if NICs have them",
     {ACTOR_ARG_DST, ACTOR_ARG_SIZE, ACTOR_ARG_QUEUE_PAIR},
     2,
     true,
     0,
     actor_flow},
    {"staggered_flow",
     "one write of size to host dst at a random instant within this time, drawn from the run's seed, at this rate of "
     "payload at most",
     {ACTOR_ARG_DST, ACTOR_ARG_SIZE, ACTOR_ARG_WITHIN, ACTOR_ARG_RATE},
     3,
     true,
     0,
     actor_staggered_flow},
    {"sink", "nothing: writes need no receiver, this only names one", {ACTOR_ARG_NONE}, 0, false, 0, actor_sink},
    {"incast",
     "one write of size to dst from every other host",
     {ACTOR_ARG_DST, ACTOR_ARG_SIZE},
     2,
     false,
     2,
     actor_incast},
    {"permutation",
     "one write of size from and to every host, drawn from seed (default 1)",
     {ACTOR_ARG_SIZE, ACTOR_ARG_SEED},
     1,
     false,
     2,
     actor_permutation},
    {"all_to_all", "one write of size between each two hosts", {ACTOR_ARG_SIZE}, 1, false, 2, actor_all_to_all},
};
const size_t actor_function_count = sizeof actor_functions / sizeof *actor_functions;

static const char* const arg_names[] = {
    [ACTOR_ARG_DST] = "dst",       [ACTOR_ARG_SIZE] = "size", [ACTOR_ARG_COUNT] = "count",
    [ACTOR_ARG_GAP] = "gap",       [ACTOR_ARG_SEED] = "seed", [ACTOR_ARG_QUEUE_PAIR] = "queue_pair",
    [ACTOR_ARG_WITHIN] = "within", [ACTOR_ARG_RATE] = "rate"};

static int arg_count(const actor_function_t* function)
{
  int count = 0;
  while (count < ACTOR_MAX_ARGS && function->args[count] != ACTOR_ARG_NONE)
    count++;
  return count;
}

const char* actor_function_usage(const actor_function_t* function, char* buffer, size_t size)
{
  size_t used = (size_t)snprintf(buffer, size, "%s", function->name);
  for (int i = 0; i < arg_count(function) && used < size; i++) {
    const char* form = i < function->required ? " <%s>" : " [%s]";
    used += (size_t)snprintf(buffer + used, size - used, form, arg_names[function->args[i]]);
  }
  return buffer;
}

static sgf_status_t read_arg(const actor_function_t* function, actor_arg_kind_t kind, const char* text,
                             actor_args_t* args, sgf_error_t* error)
{
  char what[64];
  snprintf(what, sizeof what, "%s of %s", arg_names[kind], function->name);
  sgf_status_t status = SGF_OK;
  int64_t bytes       = 0;
  switch (kind) {
    case ACTOR_ARG_SIZE:
      status      = sgf_parse_bytes(text, what, &bytes, error);
      args->bytes = (uint64_t)bytes;
      return status;
    case ACTOR_ARG_COUNT:
      status = sgf_parse_uint(text, what, &args->count, error);
      if (status == SGF_OK && args->count == 0)
        status = sgf_error_set(error, SGF_RANGE, "%s = \"%s\": at least 1", what, text);
      return status;
    case ACTOR_ARG_GAP:
      return sgf_parse_timeval(text, what, &args->gap, error);
    case ACTOR_ARG_WITHIN:
      return sgf_parse_timeval(text, what, &args->within, error);
    case ACTOR_ARG_RATE:
      status = sgf_parse_datarate(text, what, &args->rate_bps, error);
      if (status == SGF_OK && args->rate_bps == 0)
        status = sgf_error_set(error, SGF_RANGE, "%s = \"%s\": at least 1bps", what, text);
      return status;
    case ACTOR_ARG_SEED:
      return sgf_parse_uint(text, what, &args->seed, error);
    case ACTOR_ARG_QUEUE_PAIR:
      status = sgf_parse_uint(text, what, &args->queue_pair, error);
      if (status == SGF_OK && args->queue_pair > UINT32_MAX)
        status = sgf_error_set(error, SGF_RANGE, "%s = \"%s\": at most %lu", what, text, (unsigned long)UINT32_MAX);
      return status;
    default:
      args->dst = text;
      return SGF_OK;
  }
}

sgf_status_t actor_args_read(const actor_function_t* function, int argc, const char* const* argv, actor_args_t* args,
                             sgf_error_t* error)
{
  *args     = (actor_args_t){.count = 1, .seed = 1};
  int given = argc - 1;
  if (given < function->required || given > arg_count(function)) {
    char usage[96];
    return sgf_error_set(error, SGF_SYNTAX, "%s was given %d argument%s",
                         actor_function_usage(function, usage, sizeof usage), given, given == 1 ? "" : "s");
  }
  for (int i = 0; i < given; i++) {
    sgf_status_t status = read_arg(function, function->args[i], argv[1 + i], args, error);
    if (status != SGF_OK)
      return status;
  }
  return SGF_OK;
}

const actor_function_t* actor_function_find(const char* name)
{
  for (size_t i = 0; i < actor_function_count; i++)
    if (strcmp(actor_functions[i].name, name) == 0)
      return &actor_functions[i];
  return NULL;
}

static sgf_status_t unknown_function(const char* name, sgf_error_t* error)
{
  const char** names = sgf_calloc(actor_function_count, sizeof *names);
  for (size_t i = 0; i < actor_function_count; i++)
    names[i] = actor_functions[i].name;
  const char* nearest = sgf_nearest_name(name, names, actor_function_count);
  free(names);
  if (nearest)
    return sgf_error_set(error, SGF_UNKNOWN, "there is no actor function \"%s\"; did you mean %s?", name, nearest);
  return sgf_error_set(error, SGF_UNKNOWN, "there is no actor function \"%s\"; 'sgfabric run --help' lists them", name);
}

static sgf_status_t unknown_host(const sgf_scenario_t* scenario, const char* name, sgf_error_t* error)
{
  size_t count       = sgf_scenario_host_count(scenario);
  const char** names = sgf_calloc(count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = sgf_scenario_host_name(scenario, i);
  const char* nearest = sgf_nearest_name(name, names, count);
  free(names);
  return sgf_error_set(error, SGF_UNKNOWN, "there is no host \"%s\"%s%s%s", name, nearest ? "; did you mean " : "",
                       nearest ? nearest : "", nearest ? "?" : "");
}

static sgf_status_t check_dst(const sgf_scenario_t* scenario, const char* dst, sgf_error_t* error)
{
  if (!sgf_scenario_has_host(scenario, dst))
    return unknown_host(scenario, dst, error);
  if (!sgf_scenario_nic(scenario, dst))
    return sgf_error_set(error, SGF_NO_NIC, "host \"%s\" has no NIC to write to", dst);
  return SGF_OK;
}

/* The writes of the function that can be known: from its host to one, or among all. */
static sgf_status_t check_nics(const sgf_scenario_t* scenario, const actor_function_t* function, const char* host,
                               const char* dst, sgf_error_t* error)
{
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  if (function->sends)
    return dst ? sgf_device_can_write(sgf_scenario_nic(scenario, host), sgf_scenario_nic(scenario, dst), error)
               : SGF_OK;
  for (size_t i = 1; i < sgf_fabric_host_count(fabric) && function->hosts > 1; i++)
    if (sgf_device_can_write(sgf_fabric_host(fabric, i), sgf_fabric_host(fabric, 0), error) != SGF_OK)
      return error->status;
  return SGF_OK;
}

/* The write at its latest start, as long as its rate takes. */
static sgf_status_t check_rate(const actor_function_t* function, const actor_args_t* args, double start_time_s,
                               sgf_error_t* error)
{
  const double latest_ps   = fmax(start_time_s, 0) * (double)OPP_S + (double)args->within;
  const opp_simtime_t date = latest_ps < (double)OPP_TIME_MAX ? (opp_simtime_t)latest_ps : OPP_TIME_MAX;
  sgf_error_t reason       = {0};
  if (sgf_write_can_be_timed(args->bytes, args->rate_bps, date, &reason) == SGF_OK)
    return SGF_OK;
  return sgf_error_set(error, reason.status, "size and rate of %s: %s", function->name, reason.text);
}

/* One actor of the deployment. */
static sgf_status_t check_actor(void* user, const char* host, int argc, const char* const* argv, double start_time_s,
                                int line, sgf_error_t* error)
{
  (void)line; /* the reader adds the place to our errors */
  const sgf_scenario_t* scenario   = user;
  const actor_function_t* function = actor_function_find(argv[0]);
  if (!function)
    return unknown_function(argv[0], error);

  actor_args_t args;
  sgf_status_t status = actor_args_read(function, argc, argv, &args, error);
  if (status == SGF_OK)
    status = check_rate(function, &args, start_time_s, error);
  if (status == SGF_OK && args.dst)
    status = check_dst(scenario, args.dst, error);
  if (status != SGF_OK)
    return status;

  size_t hosts = sgf_fabric_host_count(sgf_scenario_fabric(scenario));
  if (hosts < function->hosts)
    return sgf_error_set(error, SGF_NO_NIC, "%s needs %zu hosts with a NIC, the platform has %zu", function->name,
                         function->hosts, hosts);
  if (function->sends && !sgf_scenario_nic(scenario, host))
    return sgf_error_set(error, SGF_NO_NIC, "host \"%s\" has no NIC to write from", host);
  return check_nics(scenario, function, host, args.dst, error);
}

/* ---- Public ---------------------------------------------------------------------------------------------------- */

sgf_status_t sg_fabric_load_deployment(const char* file, sgf_error_t* error)
{
  if (seat.scenario == NULL)
    return sgf_error_set(error, SGF_STATE, "a deployment is loaded after the platform");
  if (sgf_deployment_read(seat.scenario, file, check_actor, seat.scenario, error) != SGF_OK)
    return error->status;
  for (size_t i = 0; i < actor_function_count; i++)
    simgrid_register_function(actor_functions[i].name, actor_functions[i].run);
  simgrid_load_deployment(file);
  return SGF_OK;
}

const char* sg_fabric_actor_usage(size_t i, char* buffer, size_t size, const char** help)
{
  if (i >= actor_function_count)
    return NULL;
  *help = actor_functions[i].help;
  return actor_function_usage(&actor_functions[i], buffer, size);
}
