/* A permutation on a fat tree: the speed of the whole packet level, without SimGrid.
 *
 *   permutation [HOSTS [BYTES [SEED]]]
 *
 * HOSTS is 128 (the default) or 1024, or any other k^3 / 4 with an even k: a three-tier fat tree of switches with k
 * ports. Every host writes BYTES (2 MB) to another one. Links of 400 Gb/s, 100 ns at the hosts and 500 ns between
 * switches, attributes at their defaults. Prints packet-hops, events, CPU seconds of the run, hops per CPU second and
 * the peak of memory. */
#include <sgfabric/workload.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { LONGEST_NAME = 48 };

static const int64_t link_rate = INT64_C(400000000000);

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
  exit(1);
}

static sgf_device_t* add_switch(sgf_fabric_t* fabric, const char* tier, unsigned number)
{
  sgf_error_t error = {0};
  char name[LONGEST_NAME];
  snprintf(name, sizeof name, "%s%u", tier, number);
  sgf_device_t* device = sgf_fabric_add_switch(fabric, name, name, &error);
  check(error.status, &error);
  return device;
}

static sgf_device_t* add_host(sgf_fabric_t* fabric, unsigned number)
{
  sgf_error_t error = {0};
  char name[LONGEST_NAME];
  snprintf(name, sizeof name, "host%u", number);
  sgf_device_t* device = sgf_fabric_add_nic(fabric, name, name, "uet", &error);
  check(error.status, &error);
  return device;
}

static void join(sgf_fabric_t* fabric, sgf_device_t* lower, sgf_device_t* upper, opp_simtime_t delay)
{
  sgf_error_t error = {0};
  check(sgf_fabric_connect(fabric, lower, upper, "cable", link_rate, delay, 1, &error), &error);
}

/* k pods of k/2 leaves and k/2 spines; k/2 hosts a leaf; spine s of each pod has the k/2 cores of group s above it. */
static void build_fat_tree(sgf_fabric_t* fabric, unsigned k)
{
  const unsigned half  = k / 2;
  sgf_device_t** cores = malloc((size_t)half * half * sizeof *cores);
  sgf_device_t** pod   = malloc(half * sizeof *pod);
  if (cores == NULL || pod == NULL)
    exit(1);
  for (unsigned c = 0; c < half * half; c++)
    cores[c] = add_switch(fabric, "core", c);
  for (unsigned p = 0; p < k; p++) {
    for (unsigned s = 0; s < half; s++) {
      pod[s] = add_switch(fabric, "spine", p * half + s);
      for (unsigned c = 0; c < half; c++)
        join(fabric, pod[s], cores[s * half + c], 500 * OPP_NS);
    }
    for (unsigned l = 0; l < half; l++) {
      const unsigned number = p * half + l;
      sgf_device_t* leaf    = add_switch(fabric, "leaf", number);
      for (unsigned s = 0; s < half; s++)
        join(fabric, leaf, pod[s], 500 * OPP_NS);
      for (unsigned h = 0; h < half; h++)
        join(fabric, add_host(fabric, number * half + h), leaf, 100 * OPP_NS);
    }
  }
  free(cores);
  free(pod);
}

static unsigned long argument(int argc, char** argv, int i, unsigned long otherwise)
{
  return argc > i ? strtoul(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char** argv)
{
  const unsigned long hosts = argument(argc, argv, 1, 128);
  const unsigned long bytes = argument(argc, argv, 2, 2000000);
  const unsigned long seed  = argument(argc, argv, 3, 7);
  unsigned k                = 2;
  while ((unsigned long)k * k * k / 4 < hosts)
    k += 2;
  if ((unsigned long)k * k * k / 4 != hosts) {
    fprintf(stderr, "permutation: there is no fat tree of %lu hosts; the next larger one has %u\n", hosts,
            k * k * k / 4);
    return 2;
  }

  sgf_error_t error       = {0};
  sgf_messages_t messages = {0};
  sgf_fabric_t* fabric    = sgf_fabric_new(seed);
  const double begin      = cpu_seconds();
  build_fat_tree(fabric, k);
  check(sgf_fabric_seal(fabric, &error), &error);
  sgf_workload_permutation(&messages, hosts, bytes, seed);
  check(sgf_workload_post(&messages, fabric, 0, &error), &error);
  sgf_messages_free(&messages);

  const double start = cpu_seconds();
  if (sgf_engine_advance(fabric, OPP_TIME_MAX) == SGF_ENGINE_ERROR)
    check(sgf_fabric_error(fabric)->status, sgf_fabric_error(fabric));
  const double used = cpu_seconds() - start;
  check(sgf_fabric_check_end(fabric, NULL, NULL, &error), &error);

  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const uint64_t hops   = sgf_fabric_packet_hops(fabric);
  const uint64_t events = sgf_fabric_event_count(fabric);
  printf("hosts %lu, bytes each %lu, seed %lu\n", hosts, bytes, seed);
  printf("packet-hops      %12" PRIu64 "\n", hops);
  printf("events           %12" PRIu64 "  (%.2f a hop)\n", events, (double)events / (double)hops);
  printf("simulated        %12.6f ms\n", (double)sgf_engine_clock(fabric) * 1e-9);
  printf("build            %12.3f CPU s\n", start - begin);
  printf("run              %12.3f CPU s\n", used);
  printf("hops per CPU s   %12.0f\n", (double)hops / used);
  printf("peak memory      %12.1f MB\n", (double)usage.ru_maxrss / 1e3 * 1.024);
  sgf_fabric_free(fabric);
  return 0;
}
