/* `sgfabric budget`: what a buffer must hold, and when it must be told, in closed form (spec/feedback-budget.md). */
#include "budget.h"

#include <stdlib.h>

void runner_budget_help(void)
{
  puts("Usage: sgfabric budget NAME=VALUE... [--json]\n"
       "       sgfabric budget PLATFORM [NAME=VALUE]... [OPTION]...\n"
       "Calculates with the fluid model of one egress that several sources fill: growth of the queue, time to mark\n"
       "and to pause, overshoot of the feedback, headroom, capacity bound, fairness. A result is printed with its\n"
       "formula if all of its values are given. Of a platform, all other ports of a switch send to one; values that\n"
       "are written come before the switch's own.\n");
  for (value_id_t id = 0; id < VALUES; id++)
    printf("  %-12s %s\n", budget_value_name(id), budget_value_help(id));
  puts("\n"
       "  --switch NAME        the switch (default: the first one of the platform)\n"
       "  --port N             its port that all others send to (default 0)\n"
       "  --set PATTERN=VALUE  set an attribute over the platform file, such as '**.pcie=\"gen5 x8\"'; may be "
       "repeated\n"
       "  --json               print one JSON object\n"
       "  --help               this text\n\n"
       "Exit status: 0, 1 the platform is not valid or has no such switch, 2 wrong use.");
}

static void print_values(const budget_t* budget)
{
  static const char* const titles[] = {"<value", ">is", "<from"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (value_id_t id = 0; id < VALUES; id++) {
    const value_t* value = &budget->values[id];
    if (!value->used)
      continue;
    report_table_cell(&table, "%s", budget_value_name(id));
    if (id == V_SHARES)
      report_table_cell(&table, "%s", report_counted((uint64_t)value->number, "flow").at);
    else
      report_table_cell(&table, "%s", budget_text(budget_value_unit(id), value->number, 0).at);
    report_table_cell(&table, "%s", value->from.at);
  }
  report_table_print(&table, stdout);
}

static void print_results(const budget_t* budget)
{
  static const char* const titles[] = {"<result", "<", "<", "<formula", "<values", "<comes to"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < budget->result_count; i++) {
    const result_t* result = &budget->results[i];
    report_table_cell(&table, "%s", result->form.symbol);
    report_table_cell(&table, "%s", result->form.name);
    report_table_cell(&table, "%s%s", *result->ports != '\0' ? "port " : "", result->ports);
    report_table_cell(&table, "%s", result->form.formula);
    report_table_cell(&table, "%s", result->values);
    report_table_cell(&table, "%s", budget_text(result->form.unit, result->value, result->index).at);
  }
  report_table_print(&table, stdout);
}

static void print(const budget_t* budget)
{
  if (budget->switch_name != NULL)
    printf("Switch %s: all other ports send to port %u, %s\n\n", budget->switch_name, budget->port, budget->peer);
  puts("Values");
  print_values(budget);
  puts("\nResults");
  print_results(budget);
  for (value_id_t id = 0; id < VALUES; id++)
    if (budget_is_idle(budget, id))
      printf("warning: %s comes into no result: other values are missing\n", budget_value_name(id));
}

bool budget_is_idle(const budget_t* budget, value_id_t id)
{
  return budget->values[id].written && !budget->values[id].used;
}

void budget_free(budget_t* budget)
{
  for (size_t i = 0; i < budget->result_count; i++)
    free(budget->results[i].values);
  for (size_t i = 0; i < budget->ingress_count; i++)
    free(budget->ingresses[i].ports);
  free(budget->results);
  free(budget->ingresses);
  free(budget);
}

/* What has been given is enough for something. */
static int say(budget_t* budget, bool json)
{
  static const runner_command_t command = {.name = "budget"};
  sgf_error_t error                     = {0};
  budget_complete(budget);
  budget_results(budget);
  if (budget->result_count == 0)
    return runner_misuse(&command, NULL, NULL, "these values come to no result; such as rate=400Gbps Tp=2us do");
  if (!json)
    print(budget);
  else if (budget_json(budget, stdout, &error) != SGF_OK)
    return runner_fail(&error);
  return RUNNER_COMPLETE;
}

static int of_platform(budget_t* budget, const runner_options_t* options)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = runner_load(options);
  if (scenario == NULL)
    return RUNNER_FAILED;
  const int status = budget_look(budget, sgf_scenario_fabric(scenario), options, &error) == SGF_OK
                         ? say(budget, options->json)
                         : runner_fail(&error);
  sgf_scenario_free(scenario);
  return status;
}

int runner_budget(const runner_options_t* options)
{
  budget_t* budget = report_calloc(1, sizeof *budget);
  int status       = RUNNER_USAGE;
  if (budget_read(budget, options))
    status = options->arguments[0] != NULL ? of_platform(budget, options) : say(budget, options->json);
  budget_free(budget);
  return status;
}
