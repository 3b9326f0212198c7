/* `sgfabric check`: is the platform a fabric, and which one? */
#include "runner_internal.h"

#include <stdlib.h>

void runner_check_help(void)
{
  puts(
      "Usage: sgfabric check PLATFORM [OPTION]...\n"
      "       sgfabric check -f INI [-c CONFIG] [-r RUN] [PLATFORM] [OPTION]...\n"
      "Validates a SimGrid platform file as 'sgfabric run' does and prints the graph that it describes.\n\n"
      "  --set PATTERN=VALUE  set an attribute over the platform file, such as '**.pcie=\"gen5 x8\"'; may be repeated\n"
      "  -f INI               take attributes from an ini file, and the platform if none is given\n"
      "  -c CONFIG            its section [Config CONFIG] (default General)\n"
      "  -r RUN               the run of it (needed if there are several)\n"
      "  --help               this text\n\n"
      "Exit status: 0 the platform is valid, 1 it is not, 2 wrong use.");
}

static void print_ports(const sgf_fabric_t* fabric)
{
  static const char* const titles[] = {"<device", "<model", ">port", "<peer", ">rate", ">delay", "<cable"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++) {
    const sgf_device_t* device = sgf_fabric_device(fabric, i);
    for (unsigned port = 0; port < sgf_device_port_count(device); port++) {
      report_table_cell(&table, "%s", port == 0 ? sgf_device_path(device) : "");
      report_table_cell(&table, "%s", port == 0 ? sgf_device_model(device) : "");
      report_table_cell(&table, "%u", port);
      report_table_cell(&table, "%s port %u", sgf_device_name(sgf_device_peer(device, port)),
                        sgf_device_peer_port(device, port));
      report_table_cell(&table, "%s", report_exact_rate(sgf_device_port_bps(device, port)).at);
      report_table_cell(&table, "%s", report_exact_time(sgf_device_port_delay(device, port)).at);
      report_table_cell(&table, "%s", sgf_device_port_cable(device, port));
    }
  }
  report_table_print(&table, stdout);
}

/* How many hosts a switch reaches through one of how many equal-cost ports: a row for each number of ports. */
static void add_next_hops(report_table_t* table, const sgf_fabric_t* fabric, const sgf_device_t* device)
{
  unsigned ports  = sgf_device_port_count(device);
  unsigned* group = report_calloc(ports, sizeof *group);
  size_t* hosts   = report_calloc((size_t)ports + 1, sizeof *hosts);
  for (size_t i = 0; i < sgf_fabric_host_count(fabric); i++)
    hosts[sgf_device_next_hops(device, sgf_fabric_host(fabric, i), group, ports)]++;
  bool first = true;
  for (unsigned choice = 0; choice <= ports; choice++)
    if (hosts[choice] > 0) {
      report_table_cell(table, "%s", first ? sgf_device_path(device) : "");
      report_table_cell(table, "%s", report_count(hosts[choice]).at);
      report_table_cell(table, "%u", choice);
      first = false;
    }
  free(group);
  free(hosts);
}

static void print_next_hops(const sgf_fabric_t* fabric)
{
  static const char* const titles[] = {"<switch", ">hosts", ">equal-cost ports"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++)
    if (sgf_device_is_switch(sgf_fabric_device(fabric, i)))
      add_next_hops(&table, fabric, sgf_fabric_device(fabric, i));
  puts("\nNext hops");
  report_table_print(&table, stdout);
}

static uint64_t count_cables(const sgf_fabric_t* fabric)
{
  uint64_t ends = 0;
  for (size_t i = 0; i < sgf_fabric_device_count(fabric); i++)
    ends += sgf_device_port_count(sgf_fabric_device(fabric, i));
  return ends / 2;
}

int runner_check(const runner_options_t* options)
{
  sgf_scenario_t* scenario = runner_load(options);
  if (!scenario)
    return RUNNER_FAILED;

  const sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  size_t nics                = sgf_fabric_host_count(fabric);
  size_t hosts               = sgf_scenario_host_count(scenario);
  size_t switches            = sgf_fabric_device_count(fabric) - nics;
  puts("Ports");
  print_ports(fabric);
  print_next_hops(fabric);
  putchar('\n');
  report_print_warnings(fabric, stdout);
  if (hosts > nics)
    printf("%s without a NIC\n", report_counted(hosts - nics, "host").at);
  printf("valid: %s with a NIC, %s%s, %s\n", report_counted(nics, "host").at, report_count(switches).at,
         switches == 1 ? " switch" : " switches", report_counted(count_cables(fabric), "cable").at);
  sgf_scenario_free(scenario);
  return RUNNER_COMPLETE;
}
