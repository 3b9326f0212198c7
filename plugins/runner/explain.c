/* `sgfabric explain`: the numbers that the attributes of a platform come to, exact, for checking them by hand. */
#include "runner_internal.h"

#include <math.h>
#include <sgfabric/explain.h>
#include <stdlib.h>
#include <string.h>

void runner_explain_help(void)
{
  puts(
      "Usage: sgfabric explain PLATFORM [OPTION]...\n"
      "       sgfabric explain -f INI [-c CONFIG] [-r RUN] [PLATFORM] [OPTION]...\n"
      "Prints what the attributes of each switch and NIC come to: pools, limits, thresholds, times, and whether a\n"
      "lossless class can lose anything. Devices with the same numbers are printed once.\n\n"
      "  --set PATTERN=VALUE  set an attribute over the platform file, such as '**.pcie=\"gen5 x8\"'; may be repeated\n"
      "  -f INI               take attributes from an ini file, and the platform if none is given\n"
      "  -c CONFIG            its section [Config CONFIG] (default General)\n"
      "  -r RUN               the run of it (needed if there are several)\n"
      "  --json               print one JSON object, with every device\n"
      "  --help               this text\n\n"
      "Exit status: 0 the platform is valid, 1 it is not, 2 wrong use.");
}

/* ---- Numbers --------------------------------------------------------------------------------------------------- */

/* A threshold need not be a whole number of bytes. */
static report_text_t exact_threshold(double bytes)
{
  if (bytes == floor(bytes))
    return report_exact_bytes((int64_t)bytes);
  report_text_t text;
  snprintf(text.at, sizeof text.at, "%.3f B", bytes);
  return text;
}

/* "0, 2-7" for a set of classes. */
static report_text_t class_list(unsigned classes)
{
  report_text_t text = {"-"};
  size_t used        = 0;
  for (unsigned first = 0; first < SGF_EXPLAIN_CLASSES; first++) {
    if ((classes >> first & 1U) == 0)
      continue;
    unsigned last = first;
    while (classes >> (last + 1) & 1U)
      last++;
    used += (size_t)snprintf(text.at + used, sizeof text.at - used, "%s%u", used > 0 ? ", " : "", first);
    if (last > first)
      used += (size_t)snprintf(text.at + used, sizeof text.at - used, "-%u", last);
    first = last;
  }
  return text;
}

/* ---- Switches -------------------------------------------------------------------------------------------------- */

static void print_switch_pools(const sgf_switch_facts_t* facts, FILE* out)
{
  static const char* const titles[] = {">pool",         "<classes", "<lossless",     ">size",      ">unadjusted",
                                       ">egress limit", "<",        ">static limit", ">ECN lower", ">ECN upper"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (unsigned i = 0; i < SGF_EXPLAIN_CLASSES; i++) {
    const sgf_switch_pool_t* pool = &facts->pools[i];
    if (pool->size == 0)
      continue;
    report_table_cell(&table, "%u", i);
    report_table_cell(&table, "%s", class_list(pool->classes).at);
    report_table_cell(&table, "%s", class_list(pool->lossless).at);
    report_table_cell(&table, "%s", report_exact_bytes(pool->size).at);
    report_table_cell(&table, "%s", report_exact_bytes(pool->raw_size).at);
    report_table_cell(&table, "%s", report_exact_bytes(pool->queue_limit).at);
    report_table_cell(&table, "%s", pool->dynamic_limit ? "with the pool empty" : "fixed");
    report_table_cell(&table, "%s", report_exact_bytes(pool->static_limit).at);
    report_table_cell(&table, "%s", exact_threshold(pool->ecn_lower).at);
    report_table_cell(&table, "%s", exact_threshold(pool->ecn_upper).at);
  }
  report_table_print(&table, out);
}

static void add_condition(report_table_t* table, unsigned tc, unsigned number, const sgf_condition_t* condition)
{
  static const char* const names[SGF_EXPLAIN_CONDITIONS] = {"headroom of a port", "size of the pool",
                                                            "other classes in the pool"};
  bool in_bytes                                          = number < 2; /* the third counts classes */
  report_table_cell(table, "%s", number == 0 ? class_list(1U << tc).at : "");
  report_table_cell(table, "%u", number + 1);
  report_table_cell(table, "%s", names[number]);
  report_table_cell(table, "%s", condition->holds ? "holds" : "FAILS");
  report_table_cell(table, "%s",
                    in_bytes ? report_exact_bytes(condition->given).at : report_count((uint64_t)condition->given).at);
  report_table_cell(table, "%s", in_bytes ? report_exact_bytes(condition->needed).at : "0");
}

static void print_conditions(const sgf_switch_facts_t* facts, FILE* out)
{
  static const char* const titles[] = {">class", ">", "<condition", "<", ">given", ">needed", "<is"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++) {
    const sgf_condition_t* conditions = facts->conditions[tc];
    if (conditions[0].needed == 0)
      continue; /* lossy */
    add_condition(&table, tc, 0, &conditions[0]);
    report_table_cell(&table, "%s on a cable of %s and %s + 2 x %s",
                      report_exact_bytes(conditions[0].needed - 2 * facts->largest_frame).at,
                      report_exact_rate(sgf_device_port_bps(facts->device, facts->headroom_port)).at,
                      report_exact_time(sgf_device_port_delay(facts->device, facts->headroom_port)).at,
                      report_exact_bytes(facts->largest_frame).at);
    add_condition(&table, tc, 1, &conditions[1]);
    report_table_cell(&table, "%u x (%s + %s)", facts->connected_ports, report_exact_bytes(facts->xoff).at,
                      report_exact_bytes(facts->largest_packet).at);
    add_condition(&table, tc, 2, &conditions[2]);
    report_table_cell(&table, "the class alone");
  }
  if (table.count > 0)
    report_table_print(&table, out);
}

/* What the UET policy changes; without it there is nothing to say. */
static void print_policy(const sgf_switch_facts_t* facts, FILE* out)
{
  if (!facts->uet_policy)
    return;
  fprintf(out, "  UET policy       classes by codepoint, trimming %s\n", facts->trimming ? "on" : "off");
  fprintf(out, "  retransmissions  up to %s in an egress queue\n",
          report_exact_bytes(facts->pools[0].retransmission_limit).at);
}

static void explain_switch(const sgf_device_t* device, FILE* out)
{
  sgf_switch_facts_t facts = sgf_explain_switch(device);
  fprintf(out, "  connected ports  %u, %s together\n", facts.connected_ports, report_exact_rate(facts.total_bps).at);
  print_policy(&facts, out);
  fprintf(out, "  buffer           %s\n", report_exact_bytes(facts.buffer).at);
  fprintf(out, "  headroom         %s = %s x %u\n", report_exact_bytes(facts.headroom_total).at,
          report_exact_bytes(facts.headroom_per_port).at, facts.connected_ports);
  fprintf(out, "  sizing total     %s\n", report_exact_bytes(facts.sizing_total).at);
  fprintf(out, "  Xoff             %s\n", report_exact_bytes(facts.xoff).at);
  fprintf(out, "  Xon              %s\n", report_exact_bytes(facts.xon).at);
  fprintf(out, "  pause time       %s\n", report_exact_time(facts.pause_time).at);
  fprintf(out, "  refresh          %s\n", report_exact_time(facts.refresh).at);
  fprintf(out, "  largest packet   %s, %s on the wire\n", report_exact_bytes(facts.largest_packet).at,
          report_exact_bytes(facts.largest_frame).at);
  print_switch_pools(&facts, out);
  print_conditions(&facts, out);
}

/* ---- NICs ------------------------------------------------------------------------------------------------------ */

/* A size; and, of the class that carries data, how many full packets of `packet` bytes it holds. */
static void add_size(report_table_t* table, unsigned tc, const char* name, int64_t bytes, int64_t packet)
{
  report_table_cell(table, "%u", tc);
  report_table_cell(table, "%s", name);
  report_table_cell(table, "%s", report_exact_bytes(bytes).at);
  report_table_cell(table, "%s", tc == 0 && bytes >= 0 ? report_count((uint64_t)(bytes / packet)).at : "");
}

static void print_nic_pools(const sgf_nic_facts_t* facts, FILE* out)
{
  static const char* const titles[] = {">class", "<", ">size", ">full packets"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++) {
    const sgf_nic_class_t* facts_of_class = &facts->classes[tc];
    if (facts_of_class->egress > 0)
      add_size(&table, tc, "egress pool", facts_of_class->egress, facts->largest_frame);
    if (facts_of_class->ingress == 0)
      continue;
    add_size(&table, tc, "ingress pool", facts_of_class->ingress, facts->largest_packet);
    if (facts_of_class->xoff == 0) /* no pause can be asked for */
      continue;
    add_size(&table, tc, "Xoff", facts_of_class->xoff, facts->largest_packet);
    add_size(&table, tc, "Xon", facts_of_class->xon, facts->largest_packet);
    add_size(&table, tc, "headroom", facts_of_class->headroom, facts->largest_packet);
  }
  report_table_print(&table, out);
}

static void print_nic_pauses(const sgf_nic_facts_t* facts, FILE* out)
{
  static const char* const titles[] = {">class", "<PFC", ">pause time", ">refresh"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (unsigned tc = 0; tc < SGF_EXPLAIN_CLASSES; tc++) {
    if (facts->classes[tc].ingress == 0 || facts->classes[tc].xoff == 0)
      continue;
    report_table_cell(&table, "%u", tc);
    report_table_cell(&table, "%s", facts->classes[tc].pauses ? "on" : "off");
    report_table_cell(&table, "%s", report_exact_time(facts->classes[tc].pause_time).at);
    report_table_cell(&table, "%s", report_exact_time(facts->classes[tc].refresh).at);
  }
  if (table.count > 0)
    report_table_print(&table, out);
}

static void add_fact(void* user, const char* name, sgf_unit_t unit, int64_t value)
{
  report_table_t* table = user;
  report_table_cell(table, "%s", name);
  switch (unit) {
    case SGF_UNIT_BYTES:
      report_table_cell(table, "%s", report_exact_bytes(value).at);
      break;
    case SGF_UNIT_TIME:
      report_table_cell(table, "%s", report_exact_time(value).at);
      break;
    case SGF_UNIT_COUNT:
    default:
      report_table_cell(table, "%s", report_count((uint64_t)value).at);
  }
}

static void print_transport(const sgf_device_t* device, FILE* out)
{
  static const char* const titles[] = {"<transport", ">"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  sgf_explain_transport(device, add_fact, &table);
  report_table_print(&table, out);
}

static void explain_nic(const sgf_device_t* device, FILE* out)
{
  sgf_nic_facts_t facts = sgf_explain_nic(device);
  fprintf(out, "  link             %s, %s\n", report_exact_rate(facts.link_bps).at,
          report_exact_time(sgf_device_port_delay(device, 0)).at);
  fprintf(out, "  full packet      %s, %s on the wire\n", report_exact_bytes(facts.largest_packet).at,
          report_exact_bytes(facts.largest_frame).at);
  if (facts.window > 0)
    fprintf(out, "  window           %s\n", report_exact_bytes(facts.window).at);
  fprintf(out, "  PCIe to host     %s = %llu x %s\n", report_exact_rate(facts.to_host_bps).at,
          (unsigned long long)facts.lanes, report_exact_rate(facts.lane_bps).at);
  fprintf(out, "  PCIe to NIC      %s\n", report_exact_rate(facts.to_nic_bps).at);
  fprintf(out, "  PCIe needed      %s to receive full packets at the link's rate: %s\n",
          report_exact_rate(facts.needed_bps).at, facts.keeps_up ? "keeps up" : "DOES NOT KEEP UP");
  fprintf(out, "  lanes needed     %llu, which carry %s\n", (unsigned long long)facts.lanes_needed,
          report_exact_rate((int64_t)facts.lanes_needed * facts.lane_bps).at);
  print_nic_pools(&facts, out);
  print_nic_pauses(&facts, out);
  print_transport(device, out);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

/* Devices of which the same is to be said. */
typedef struct group {
  char* text;
  const char* model;
  const char* first;
  const char* last;
  size_t count;
} group_t;

static char* explain(const sgf_device_t* device)
{
  char* text    = NULL;
  size_t length = 0;
  FILE* out     = open_memstream(&text, &length);
  if (out != NULL) {
    (sgf_device_is_switch(device) ? explain_switch : explain_nic)(device, out);
    fclose(out);
  }
  return text != NULL ? text : report_calloc(1, 1);
}

static size_t group_devices(const sgf_fabric_t* fabric, bool switches, group_t* groups)
{
  size_t count = 0;
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++) {
    const sgf_device_t* device = sgf_fabric_device(fabric, i);
    if (sgf_device_is_switch(device) != switches)
      continue;
    char* text = explain(device);
    size_t at  = 0;
    while (at < count && strcmp(groups[at].text, text) != 0)
      at++;
    if (at == count)
      groups[count++] = (group_t){.text = text, .model = sgf_device_model(device), .first = sgf_device_name(device)};
    else
      free(text);
    groups[at].last = sgf_device_name(device);
    groups[at].count++;
  }
  return count;
}

static void print_group(const group_t* group, bool switches)
{
  if (switches)
    fputs("Switch ", stdout);
  else
    printf("NIC %s of ", group->model);
  if (group->count == 1)
    puts(group->first);
  else
    printf("%s%s%s (%s%s)\n", group->first, group->count == 2 ? ", " : " ... ", group->last,
           report_count(group->count).at, switches ? " switches" : " hosts");
  printf("%s\n", group->text);
}

static void print_devices(const sgf_fabric_t* fabric, bool switches)
{
  group_t* groups = report_calloc(sgf_fabric_device_count(fabric), sizeof *groups);
  size_t count    = group_devices(fabric, switches, groups);
  for (size_t i = 0; i < count; i++) {
    print_group(&groups[i], switches);
    free(groups[i].text);
  }
  free(groups);
}

int runner_explain(const runner_options_t* options)
{
  sgf_scenario_t* scenario = runner_load(options);
  if (!scenario)
    return RUNNER_FAILED;

  sgf_error_t error          = {0};
  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  if (options->json) {
    runner_explain_json(fabric, stdout, &error);
  } else {
    print_devices(fabric, true);
    print_devices(fabric, false);
    report_print_warnings(fabric, stdout);
    printf("%s\n", report_counted(sgf_fabric_warning_count(fabric), "warning").at);
  }
  sgf_scenario_free(scenario);
  return error.status == SGF_OK ? RUNNER_COMPLETE : runner_fail(&error);
}
