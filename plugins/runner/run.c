/* `sgfabric run`: one run of the command line, or the runs of an ini file. */
#include "runner_internal.h"

void runner_run_help(void)
{
  puts("Usage: sgfabric run PLATFORM DEPLOYMENT [OPTION]... [-- SIMGRID OPTION...]\n"
       "       sgfabric run -f INI [PLATFORM DEPLOYMENT] [OPTION]... [-- SIMGRID OPTION...]\n"
       "Simulates the actors of a SimGrid deployment file on the fabric of a SimGrid platform file.\n\n"
       "  --set PATTERN=VALUE    set an attribute over the files, such as '**.pcie=\"gen5 x8\"'; may be repeated\n"
       "  --seed N               seed of the fabric's random streams (default 1; with an ini file its seed-set)\n"
       "  --json                 print one JSON object, for several runs an array of them, and no tables\n"
       "  --results DIR          write CSV records to DIR (default: none, or result-dir of the ini file)\n"
       "  --no-drain             end with the last actor, with messages in flight if there are any\n"
       "  --victims              show flows that waited for pauses which they did not cause, and what they would "
       "take\n"
       "                         without the flows that did\n"
       "  --without SRC->DST     with --victims: without these flows, such as 'gpu0->gpu*'\n"
       "  --pace lazy|reference  reference: a kernel round for each event, slow, for comparing (default lazy)\n"
       "  --help                 this text\n"
       "  -- OPTION...           to SimGrid, such as --log=root.thres:error or --cfg=...\n\n"
       "An ini file in OMNeT++'s grammar names platform and deployment, sets attributes and describes runs:\n"
       "  -f INI                 read INI\n"
       "  -c CONFIG              its section [Config CONFIG] (default General)\n"
       "  -r RUNS                these runs, such as 0..5,8 (default all)\n"
       "  -j N                   up to N of them at a time, each in a process of its own (default 1)\n"
       "  -q runs                list the runs with their variables and simulate none\n"
       "  --table                one table with a row for each run, and nothing else\n\n"
       "Functions of a deployment's actors (hosts: those with a NIC; sizes as 2MB, times as 10us):");
  char usage[96];
  const char* help;
  for (size_t i = 0; sg_fabric_actor_usage(i, usage, sizeof usage, &help) != NULL; i++)
    printf("  %-38s %s\n", usage, help);
  puts("\nExit status: 0 everything was delivered, 1 bad input or not everything, 2 wrong use.");
}

static const runner_command_t run = {.name = "run"}; /* whose help a slip leads to */

int runner_run(const runner_options_t* options)
{
  if (options->table && (options->ini == NULL || options->json || options->victims || options->query != NULL))
    return runner_misuse(&run, NULL, NULL, "--table is of the runs of an ini file (-f), without --json, --victims, -q");
  if (options->ini != NULL)
    return runner_study(options);
  runner_job_t job;
  runner_job_of_options(&job, options);
  int status = runner_job_simulate(&job);
  runner_job_free(&job);
  return status;
}
