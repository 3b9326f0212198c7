/* `sgfabric import`: a platform and a deployment from files of other simulators (plugins/scenario/import). */
#include "runner_internal.h"

#include <sgfabric/import.h>
#include <stdlib.h>
#include <string.h>

void runner_import_help(void)
{
  puts("Usage: sgfabric import hpcc TOPOLOGY [FLOWS] -o PREFIX [OPTION]...\n"
       "       sgfabric import htsim TOPOLOGY -o PREFIX [OPTION]...\n"
       "Writes the platform PREFIX.xml, and for flows the deployment PREFIX_d.xml, which 'sgfabric run' takes. What\n"
       "has no counterpart here is refused with its line; what is taken in another way is a warning.\n\n"
       "hpcc   TOPOLOGY is a line \"nodes switches links\", a line of switch ids, and for each link a line\n"
       "       \"src dst rate delay error\"; FLOWS is the number of flows, and for each a line\n"
       "       \"src dst pg dport bytes start\". Node 12 is host h12 or switch s12.\n"
       "htsim  TOPOLOGY is a .topo file: Nodes, Tiers, Podsize, and for each tier its speed, radix, latency,\n"
       "       oversubscription and bundle. Host n is h<n>, and node n of a connection matrix: 'sgfabric cm'\n"
       "       simulates htsim's traffic on the platform.\n\n"
       "  -o PREFIX    what the names of the files begin with\n"
       "  --nic MODEL  model of every host's NIC (default roce for hpcc, uet for htsim)\n"
       "  --help       this text\n\n"
       "Exit status: 0 the files are written, 1 bad input, 2 wrong use.");
}

static const runner_command_t import = {.name = "import"}; /* whose help a slip leads to */

typedef struct format {
  const char* name;
  sgf_import_t* (*read)(const char* topology, sgf_error_t* error);
  sgf_status_t (*read_flows)(sgf_import_t* import, const char* flows, sgf_error_t* error); /* NULL: none */
} format_t;

static const format_t formats[] = {{"hpcc", sgf_import_hpcc, sgf_import_hpcc_flows}, {"htsim", sgf_import_htsim, NULL}};

/* ---- Use --------------------------------------------------------------------------------------------------------- */

static const format_t* find_format(const char* name)
{
  static const char* const names[] = {"hpcc", "htsim", NULL};
  for (size_t i = 0; name != NULL && i < sizeof formats / sizeof *formats; i++)
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
  if (name == NULL)
    runner_misuse(&import, NULL, NULL, "import needs a FORMAT: hpcc or htsim");
  else
    runner_misuse(&import, name, names, "import reads hpcc and htsim, and knows no %s", name);
  return NULL;
}

static bool is_model(const char* name)
{
  size_t count             = 0;
  const char* const* names = sgf_nic_model_names(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  const char** list = report_calloc(count + 1, sizeof *list);
  memcpy(list, names, count * sizeof *list);
  runner_misuse(&import, name, list, "there is no NIC model %s", name);
  free(list);
  return false;
}

/* Whether the rest of the command line is whole. */
static bool is_usable(const runner_options_t* options, const format_t* format)
{
  if (options->arguments[1] == NULL)
    runner_misuse(&import, NULL, NULL, "import %s needs a TOPOLOGY", format->name);
  else if (options->arguments[2] != NULL && format->read_flows == NULL)
    runner_misuse(&import, NULL, NULL, "import %s takes no flows: %s; 'sgfabric cm' simulates connection matrices",
                  format->name, options->arguments[2]);
  else if (options->output == NULL || options->output[0] == '\0')
    runner_misuse(&import, NULL, NULL, "import needs -o PREFIX, what the names of its files begin with");
  else
    return options->nic == NULL || is_model(options->nic);
  return false;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* All input is read before anything is written. */
static sgf_import_t* read_files(const runner_options_t* options, const format_t* format, sgf_error_t* error)
{
  sgf_import_t* read = format->read(options->arguments[1], error);
  if (read == NULL || options->arguments[2] == NULL || format->read_flows(read, options->arguments[2], error) == SGF_OK)
    return read;
  sgf_import_free(read);
  return NULL;
}

/* What has been written, and what to do with it. */
static void say(const sgf_import_t* read, const format_t* format, const char* platform, const char* deployment)
{
  for (size_t i = 0; i < sgf_import_warning_count(read); i++)
    printf("warning: %s\n", sgf_import_warning(read, i));
  const size_t switches = sgf_import_switch_count(read);
  printf("%s: %s, %s%s, %s\n", platform, report_counted(sgf_import_host_count(read), "host").at,
         report_count(switches).at, switches == 1 ? " switch" : " switches",
         report_counted(sgf_import_cable_count(read), "cable").at);
  if (deployment != NULL)
    printf("%s: %s\nto run it: sgfabric run %s %s\n", deployment,
           report_counted(sgf_import_flow_count(read), "flow").at, platform, deployment);
  else if (format->read_flows != NULL)
    printf("to run a deployment on it: sgfabric run %s DEPLOYMENT\n", platform);
  else
    printf("to run a connection matrix on it: sgfabric cm FILE %s\n", platform);
}

int runner_import(const runner_options_t* options)
{
  const format_t* format = find_format(options->arguments[0]);
  if (format == NULL || !is_usable(options, format))
    return RUNNER_USAGE;
  sgf_error_t error  = {0};
  sgf_import_t* read = read_files(options, format, &error);
  if (read == NULL)
    return runner_fail(&error);

  char* platform      = report_format("%s.xml", options->output);
  char* deployment    = options->arguments[2] != NULL ? report_format("%s_d.xml", options->output) : NULL;
  sgf_status_t status = sgf_import_write_platform(read, options->nic, platform, &error);
  if (status == SGF_OK && deployment != NULL)
    status = sgf_import_write_deployment(read, deployment, &error);
  if (status == SGF_OK)
    say(read, format, platform, deployment);
  free(platform);
  free(deployment);
  sgf_import_free(read);
  return status == SGF_OK ? RUNNER_COMPLETE : runner_fail(&error);
}
