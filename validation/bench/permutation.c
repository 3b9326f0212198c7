/* A permutation on a fat tree: the speed of the whole packet level, in plain C and inside SimGrid.
 *
 *   permutation plain|simgrid PLATFORM [NIC [BYTES [SEED]]]
 *
 * Every host of the platform has a NIC of the kind NIC (uet) and writes BYTES (2,000,000) to another one, drawn from
 * SEED (7). Prints packet-hops, events,
 * kernel rounds, CPU seconds of the run, hops per CPU second and the peak of memory. Counts are the same on every
 * machine: for the scenarios in `known` they are asserted, so that a figure is always one of the same work. */
#include <inttypes.h>
#include <sgfabric/scenario.h>
#include <sgfabric/simgrid.h>
#include <sgfabric/workload.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct scenario {
  const char* platform; /* end of its path */
  const char* nic;
  uint64_t bytes;
  uint64_t seed;
  uint64_t packet_hops;
  uint64_t events;
  uint64_t kernel_rounds; /* inside SimGrid */
} scenario_t;

static const scenario_t known[] = {
    {"fat_tree_128.xml", "uet", 2000000, 7, 713440, 1552320, 141},
    {"fat_tree_1024.xml", "uet", 2000000, 7, 5893720, 12790960, 1022},
    {"fat_tree_128.xml", "roce", 2000000, 7, 377539, 820015, 211},
    {"fat_tree_128.xml", "mrc", 2000000, 7, 712380, 1487844, 151},
    {"fat_tree_128.xml", "udp", 2000000, 7, 356353, 775565, 557},
};

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(sgf_status_t status, const sgf_error_t* error)
{
  if (status == SGF_OK)
    return;
  fprintf(stderr, "permutation: %s: %s\n", sgf_status_text(status), error->text);
  exit(EXIT_FAILURE);
}

/* ---- Plain C ----------------------------------------------------------------------------------------------------- */

static double run_plain(const char* platform, const char* assignment, uint64_t bytes, uint64_t seed,
                        sgf_fabric_t** fabric)
{
  sgf_error_t error          = {0};
  sgf_messages_t messages    = {0};
  const sgf_assignment_t nic = {.text = assignment};
  sgf_scenario_t* scenario   = sgf_scenario_load(platform, &nic, 1, 1, &error);
  check(error.status, &error);
  *fabric = sgf_scenario_fabric(scenario);
  sgf_workload_permutation(&messages, sgf_fabric_host_count(*fabric), bytes, seed);

  const double start = cpu_seconds();
  check(sgf_workload_post(&messages, *fabric, 0, &error), &error);
  sgf_engine_drain(*fabric);
  const double used = cpu_seconds() - start;
  check(sgf_fabric_check_end(*fabric, NULL, NULL, &error), &error);
  sgf_messages_free(&messages);
  return used;
}

/* ---- Inside SimGrid ---------------------------------------------------------------------------------------------- */

/* writer <host> <bytes> */
static void writer(int argc, char* argv[])
{
  (void)argc;
  const sgf_status_t status = sgf_rdma_write(sg_host_by_name(argv[1]), strtoull(argv[2], NULL, 10), 0);
  if (status != SGF_OK)
    fprintf(stderr, "permutation: a write to %s: %s\n", argv[1], sgf_status_text(status));
}

static double run_simgrid(const char* platform, const char* assignment, uint64_t bytes, uint64_t seed,
                          sgf_fabric_t** fabric)
{
  char name[]             = "permutation";
  char* arguments[]       = {name, NULL};
  int count               = 1;
  sgf_messages_t messages = {0};
  simgrid_init(&count, arguments);
  sg_fabric_plugin_init();
  sg_fabric_set(assignment);
  sg_fabric_load_platform(platform);
  *fabric = sg_fabric_get();
  sgf_workload_permutation(&messages, sgf_fabric_host_count(*fabric), bytes, seed);

  const double start = cpu_seconds();
  for (size_t i = 0; i < messages.count; i++) {
    const sgf_message_t* message = &messages.items[i];
    char size[32];
    snprintf(size, sizeof size, "%" PRIu64, message->bytes);
    const char* argv[] = {"writer", sgf_device_name(sgf_fabric_host(*fabric, message->dst)), size};
    sg_actor_create_("writer", sg_host_by_name(sgf_device_name(sgf_fabric_host(*fabric, message->src))), writer, 3,
                     argv);
  }
  simgrid_run();
  const sgf_status_t status = sg_fabric_finish();
  const double used         = cpu_seconds() - start;
  if (status != SGF_OK)
    exit(EXIT_FAILURE);
  sgf_messages_free(&messages);
  return used;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static bool ends_with(const char* text, const char* end)
{
  const size_t length = strlen(text);
  return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static bool is_expected(const char* what, uint64_t found, uint64_t expected)
{
  if (found == expected)
    return true;
  fprintf(stderr, "permutation: %" PRIu64 " %s, expected %" PRIu64 "\n", found, what, expected);
  return false;
}

static bool counts_are_known(const char* platform, const char* nic, uint64_t bytes, uint64_t seed,
                             const sgf_fabric_t* fabric, bool in_simgrid)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (ends_with(platform, known[i].platform) && strcmp(nic, known[i].nic) == 0 && known[i].bytes == bytes &&
        known[i].seed == seed)
      return is_expected("packet-hops", sgf_fabric_packet_hops(fabric), known[i].packet_hops) &&
             is_expected("events", sgf_fabric_event_count(fabric), known[i].events) &&
             (!in_simgrid || is_expected("kernel rounds", sg_fabric_kernel_rounds(), known[i].kernel_rounds));
  return true;
}

static void print(const sgf_fabric_t* fabric, double used)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const double hops = (double)sgf_fabric_packet_hops(fabric);
  printf("packet-hops      %12.0f\n", hops);
  printf("events           %12" PRIu64 "  (%.2f a hop)\n", sgf_fabric_event_count(fabric),
         (double)sgf_fabric_event_count(fabric) / hops);
  printf("kernel rounds    %12" PRIu64 "\n", sg_fabric_kernel_rounds());
  printf("simulated        %12.6f ms\n", (double)sgf_engine_clock(fabric) * 1e-9);
  printf("run              %12.3f CPU s\n", used);
  printf("hops per CPU s   %12.0f\n", hops / used);
  printf("peak memory      %12.1f MB\n", (double)usage.ru_maxrss / 1e3 * 1.024);
}

int main(int argc, char** argv)
{
  const bool in_simgrid = argc > 1 && strcmp(argv[1], "simgrid") == 0;
  if (argc < 3 || (!in_simgrid && strcmp(argv[1], "plain") != 0)) {
    fprintf(stderr, "usage: %s plain|simgrid PLATFORM [NIC [BYTES [SEED]]]\n", argv[0]);
    return 2;
  }
  const char* nic      = argc > 3 ? argv[3] : "uet";
  const uint64_t bytes = argc > 4 ? strtoull(argv[4], NULL, 10) : 2000000;
  const uint64_t seed  = argc > 5 ? strtoull(argv[5], NULL, 10) : 7;
  char assignment[64];
  snprintf(assignment, sizeof assignment, "**.nic=%s", nic);
  sgf_fabric_t* fabric;
  const double used = (in_simgrid ? run_simgrid : run_plain)(argv[2], assignment, bytes, seed, &fabric);
  print(fabric, used);
  return counts_are_known(argv[2], nic, bytes, seed, fabric, in_simgrid) ? EXIT_SUCCESS : EXIT_FAILURE;
}
