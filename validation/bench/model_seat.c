/* What the model seat costs: an unmodified SimGrid program over the fabric, and the engine alone with the same
 * messages, in turn, each time in processes of their own.
 *
 *   model_seat PLATFORM [ROUNDS]
 *
 * permutation   every host of the platform sends 2 MB to another one, drawn from seed 7 as in permutation.c
 * messages      100,000 messages of 0 bytes from the first host to the second, each when the one before has arrived
 *
 * The program is programs/messages.c, run by `sgfabric exec`; both lie where this one does in the build folder. CPU
 * seconds are those of simgrid_run(), actors and their stacks included; of the engine alone they are those of posting
 * and running until all is acknowledged. Medians of the rounds (5 unless given), that of the differences is of the
 * pairs; beside them the least, which other work on the machine disturbs least. For comparison: the same program
 * without the fabric, over SimGrid's own network model, and over its Constant model on hosts without links, which does
 * next to nothing: what is left there is SimGrid's actors, mailboxes and kernel, which cost the same with any network.
 *
 * What the two have done is asserted, so that a figure is always one of the same work: packet-hops, events, and the
 * date of the last arrival are the same, and SimGrid's kernel asks no more than twice for each message. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <sgfabric/scenario.h>
#include <sgfabric/workload.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROUNDS = 101, SEED = 7, MEGABYTES_2 = 2000000, EMPTY_MESSAGES = 100000 };

typedef struct figures {
  double cpu_s;
  uint64_t packet_hops;
  uint64_t events;
  uint64_t kernel_rounds; /* 0: no SimGrid */
  opp_simtime_t end;      /* last arrival */
} figures_t;

typedef struct bench {
  const char* name;
  char* platform;
  char* bare_platform;
  char* folder;            /* of this program */
  char* work;              /* of files that are written */
  size_t count;            /* of messages */
  sgf_messages_t messages; /* at once, from 0; or one after another: `chained` times the first */
  size_t chained;
} bench_t;

static void fail(const char* format, ...) SGF_PRINTF(1, 2) __attribute__((noreturn));

static void fail(const char* format, ...)
{
  va_list args;
  va_start(args, format);
  fputs("model_seat: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(EXIT_FAILURE);
}

static char* text_of(const char* format, ...) SGF_PRINTF(1, 2);

static char* text_of(const char* format, ...)
{
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  char* copy = strdup(text);
  if (copy == NULL)
    fail("out of memory");
  return copy;
}

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- The engine alone -------------------------------------------------------------------------------------------- */

static sgf_op_t* post(sgf_fabric_t* fabric, const sgf_message_t* message, opp_simtime_t date)
{
  sgf_error_t error = {0};
  sgf_op_t* op      = sgf_op_message(fabric);
  if (sgf_op_post(op, sgf_fabric_host(fabric, message->src), sgf_fabric_host(fabric, message->dst), message->bytes,
                  date, 0, &error) != SGF_OK)
    fail("%s", error.text);
  sgf_op_set_awaited(op, true);
  return op;
}

/* Until something arrives. Its date. */
static opp_simtime_t arrival(sgf_fabric_t* fabric)
{
  if (sgf_engine_advance(fabric, OPP_TIME_MAX) != SGF_ENGINE_COMPLETION)
    fail("the engine alone did not complete");
  while (sgf_engine_completed(fabric) != NULL)
    continue;
  return sgf_engine_clock(fabric);
}

static opp_simtime_t run_at_once(sgf_fabric_t* fabric, const bench_t* bench)
{
  sgf_op_t** ops    = calloc(bench->count, sizeof(sgf_op_t*));
  opp_simtime_t end = 0;
  for (size_t i = 0; i < bench->count; i++)
    ops[i] = post(fabric, &bench->messages.items[i], 0);
  for (size_t i = 0; i < bench->count; i++) {
    while (!sgf_op_done(ops[i]))
      end = arrival(fabric);
    sgf_op_unref(ops[i]);
  }
  free(ops);
  return end;
}

static opp_simtime_t run_chained(sgf_fabric_t* fabric, const bench_t* bench)
{
  opp_simtime_t end = 0;
  for (size_t i = 0; i < bench->count; i++) {
    sgf_op_t* op = post(fabric, &bench->messages.items[0], end);
    end          = arrival(fabric);
    sgf_op_unref(op);
    sgf_engine_advance(fabric, end); /* what else happens then comes before the next post */
  }
  return end;
}

static figures_t run_engine(const bench_t* bench)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(bench->platform, NULL, 0, 1, &error);
  if (scenario == NULL)
    fail("%s", error.text);
  sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  figures_t figures    = {0};
  const double start   = cpu_seconds();
  figures.end          = (bench->chained ? run_chained : run_at_once)(fabric, bench);
  sgf_engine_drain(fabric);
  figures.cpu_s       = cpu_seconds() - start;
  figures.packet_hops = sgf_fabric_packet_hops(fabric);
  figures.events      = sgf_fabric_event_count(fabric);
  if (sgf_fabric_check_end(fabric, NULL, NULL, &error) != SGF_OK)
    fail("%s", error.text);
  return figures;
}

/* In a process of its own, as the SimGrid program is: memory is as new to it. */
static figures_t engine(const bench_t* bench)
{
  int ends[2];
  if (pipe(ends) != 0)
    fail("no pipe");
  fflush(NULL);
  if (fork() == 0) {
    const figures_t figures = run_engine(bench);
    _exit(write(ends[1], &figures, sizeof figures) == sizeof figures ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  figures_t figures;
  close(ends[1]);
  if (read(ends[0], &figures, sizeof figures) != sizeof figures)
    fail("the engine alone came to nothing");
  close(ends[0]);
  wait(NULL);
  return figures;
}

/* ---- The SimGrid program ----------------------------------------------------------------------------------------- */

static void write_streams(const bench_t* bench, sgf_fabric_t* fabric)
{
  char* path = text_of("%s/streams", bench->work);
  FILE* file = fopen(path, "w");
  if (file == NULL)
    fail("%s cannot be written", path);
  for (size_t i = 0; i < bench->messages.count; i++) {
    const sgf_message_t* message = &bench->messages.items[i];
    fprintf(file, "%s %s %" PRIu64 " %zu\n", sgf_device_name(sgf_fabric_host(fabric, message->src)),
            sgf_device_name(sgf_fabric_host(fabric, message->dst)), message->bytes,
            bench->chained ? bench->chained : 1);
  }
  fclose(file);
  free(path);
}

/* The same hosts without links. */
static char* write_bare_platform(const bench_t* bench, const sgf_fabric_t* fabric)
{
  char* path = text_of("%s/bare.xml", bench->work);
  FILE* file = fopen(path, "w");
  if (file == NULL)
    fail("%s cannot be written", path);
  fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\"><zone id=\"net\" routing=\"None\">\n",
        file);
  for (size_t i = 0; i < sgf_fabric_host_count(fabric); i++)
    fprintf(file, "<host id=\"%s\" speed=\"1Tf\"/>\n", sgf_device_name(sgf_fabric_host(fabric, i)));
  fputs("</zone></platform>\n", file);
  fclose(file);
  return path;
}

/* CPU seconds and end of the program on a platform, started by `command`. */
static figures_t program(const bench_t* bench, const char* command, const char* platform, const char* options)
{
  figures_t figures = {0};
  long long end;
  char* line = text_of("%s %s/messages %s %s/streams %s", command, bench->folder, platform, bench->work, options);
  FILE* out  = popen(line, "r");
  if (out == NULL || fscanf(out, "cpu_s %lf end_ps %lld", &figures.cpu_s, &end) != 2 || pclose(out) != 0)
    fail("%s", line);
  free(line);
  figures.end = end;
  return figures;
}

static figures_t seat(const bench_t* bench)
{
  char* json_file   = text_of("%s/seat.json", bench->work);
  char* command     = text_of("%s/../../sgfabric exec --json %s --", bench->folder, json_file);
  figures_t figures = program(bench, command, bench->platform, "");
  json_t* root      = json_load_file(json_file, 0, NULL);
  if (!json_is_true(json_object_get(root, "complete")))
    fail("the run of the program is not complete");
  figures.packet_hops   = (uint64_t)json_integer_value(json_object_get(root, "packet_hops"));
  figures.events        = (uint64_t)json_integer_value(json_object_get(root, "events"));
  figures.kernel_rounds = (uint64_t)json_integer_value(json_object_get(root, "kernel_rounds"));
  json_decref(root);
  free(command);
  free(json_file);
  return figures;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static void compare(const bench_t* bench, const figures_t* alone, const figures_t* seated)
{
  if (alone->packet_hops != seated->packet_hops || alone->events != seated->events || alone->end != seated->end)
    fail("%s: the engine alone: %" PRIu64 " packet-hops, %" PRIu64 " events, end at %" PRId64
         " ps; the program: %" PRIu64 ", %" PRIu64 ", %" PRId64,
         bench->name, alone->packet_hops, alone->events, alone->end, seated->packet_hops, seated->events, seated->end);
  if (seated->kernel_rounds > 2 * bench->count)
    fail("%s: %" PRIu64 " kernel rounds for %zu messages", bench->name, seated->kernel_rounds, bench->count);
}

static int by_value(const void* a, const void* b)
{
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int count)
{
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

/* One row, in microseconds for each message: the median and the least of the rounds. */
static void print(const char* what, double median_s, double least_s, const bench_t* bench)
{
  const double us = 1e6 / (double)bench->count;
  printf("  %-20s %10.3f %10.3f\n", what, median_s * us, least_s * us);
}

static void run(const bench_t* bench, int rounds)
{
  static const char constant[] = "--cfg=network/model:Constant --log=xbt_cfg.thres:warning";
  double alone_s[MOST_ROUNDS], seat_s[MOST_ROUNDS], more_s[MOST_ROUNDS], simgrid_s[MOST_ROUNDS];
  double bare_s[MOST_ROUNDS], own_s[MOST_ROUNDS];
  figures_t alone, seated;
  for (int i = 0; i < rounds; i++) {
    alone        = engine(bench);
    seated       = seat(bench);
    simgrid_s[i] = program(bench, "", bench->platform, "").cpu_s;
    bare_s[i]    = program(bench, "", bench->bare_platform, constant).cpu_s;
    compare(bench, &alone, &seated);
    alone_s[i] = alone.cpu_s;
    seat_s[i]  = seated.cpu_s;
    more_s[i]  = seated.cpu_s - alone.cpu_s;
    own_s[i]   = more_s[i] - bare_s[i];
  }
  const double alone_median = median(alone_s, rounds); /* which sorts: the least is the first */
  const double seat_median  = median(seat_s, rounds);
  const double more_median  = median(more_s, rounds);
  const double with_median  = median(simgrid_s, rounds);
  const double bare_median  = median(bare_s, rounds);
  const double own_median   = median(own_s, rounds);
  const double more_least   = seat_s[0] - alone_s[0];
  printf("%s: %zu messages, %" PRIu64 " packet-hops, %" PRIu64 " events, end at %.6f ms, %" PRIu64 " kernel rounds\n",
         bench->name, bench->count, seated.packet_hops, seated.events, (double)seated.end * 1e-9, seated.kernel_rounds);
  printf("  CPU us a message         median      least\n");
  print("engine alone", alone_median, alone_s[0], bench);
  print("model seat", seat_median, seat_s[0], bench);
  print("difference", more_median, more_least, bench);
  print("SimGrid's own model", with_median, simgrid_s[0], bench);
  print("SimGrid, no network", bare_median, bare_s[0], bench);
  print("the seat's own", own_median, more_least - bare_s[0], bench);
  printf("  more than the engine alone: %.1f %% (least: %.1f %%)\n", 100.0 * more_median / alone_median,
         100.0 * more_least / alone_s[0]);
}

/* ---- The two ----------------------------------------------------------------------------------------------------- */

static void bench_platform(bench_t* bench, int rounds)
{
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(bench->platform, NULL, 0, 1, &error);
  if (scenario == NULL)
    fail("%s", error.text);
  sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);

  bench->bare_platform = write_bare_platform(bench, fabric);

  bench->name = "permutation, 2 MB";
  sgf_workload_permutation(&bench->messages, sgf_fabric_host_count(fabric), MEGABYTES_2, SEED);
  bench->count = bench->messages.count;
  write_streams(bench, fabric);
  run(bench, rounds);

  bench->name              = "messages of 0 B, one after another";
  bench->messages.items[0] = (sgf_message_t){0, 1, 0};
  bench->messages.count    = 1;
  bench->count = bench->chained = EMPTY_MESSAGES;
  write_streams(bench, fabric);
  run(bench, rounds);
  free(bench->bare_platform);
  sgf_messages_free(&bench->messages);
  sgf_scenario_free(scenario);
}

int main(int argc, char** argv)
{
  char work[] = "/tmp/model_seat-XXXXXX";
  if (argc < 2) {
    fprintf(stderr, "usage: %s PLATFORM [ROUNDS]\n", argv[0]);
    return 2;
  }
  const int wanted  = argc > 2 ? atoi(argv[2]) : 5;
  const int rounds  = wanted < 1 ? 1 : wanted > MOST_ROUNDS ? MOST_ROUNDS : wanted;
  const char* slash = strrchr(argv[0], '/');
  bench_t bench     = {.platform = argv[1],
                       .folder   = text_of("%.*s", slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : "."),
                       .work     = mkdtemp(work)};
  if (bench.work == NULL)
    fail("%s cannot be made", work);
  bench_platform(&bench, rounds);
  char* line = text_of("rm -r %s", work);
  return system(line) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
