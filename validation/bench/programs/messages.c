/* An ordinary SimGrid program, which knows nothing of sgfabric.
 *
 *   messages PLATFORM FILE
 *
 * Each line of FILE, "SRC DST BYTES COUNT", is an actor on SRC that puts COUNT messages into a mailbox, one after
 * another, and one on DST that gets them. Prints the CPU seconds of the simulation, and when the last message arrived
 * in ps. */
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_STREAMS = 4096 };

typedef struct stream {
  char src[64], dst[64];
  unsigned long bytes;
  unsigned count;
  sg_mailbox_t mailbox;
} stream_t;

static stream_t streams[MOST_STREAMS];

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* sender <number of the stream> */
static void sender(int argc, char* argv[])
{
  (void)argc;
  const stream_t* stream = &streams[atoi(argv[1])];
  for (unsigned i = 0; i < stream->count; i++)
    sg_mailbox_put(stream->mailbox, argv, (long)stream->bytes);
}

/* receiver <number of the stream> */
static void receiver(int argc, char* argv[])
{
  (void)argc;
  const stream_t* stream = &streams[atoi(argv[1])];
  for (unsigned i = 0; i < stream->count; i++)
    sg_mailbox_get(stream->mailbox);
}

static void start(const char* name, const char* host, void (*run)(int, char*[]), int number)
{
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  const char* arguments[] = {name, text};
  sg_actor_create_(name, sg_host_by_name(host), run, 2, arguments);
}

static void start_all(FILE* file)
{
  stream_t* stream = streams;
  for (int i = 0; i < MOST_STREAMS; i++, stream++) {
    if (fscanf(file, "%63s %63s %lu %u", stream->src, stream->dst, &stream->bytes, &stream->count) != 4)
      return;
    char name[32];
    snprintf(name, sizeof name, "stream%d", i);
    stream->mailbox = sg_mailbox_by_name(name);
    start("sender", stream->src, sender, i);
    start("receiver", stream->dst, receiver, i);
  }
}

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  FILE* file = argc > 2 ? fopen(argv[2], "r") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: %s PLATFORM FILE\n", argv[0]);
    return 2;
  }
  simgrid_load_platform(argv[1]);
  start_all(file);
  fclose(file);
  const double begin = cpu_seconds();
  simgrid_run();
  printf("cpu_s %.9f\nend_ps %lld\n", cpu_seconds() - begin, llround(simgrid_get_clock() * 1e12));
  return 0;
}
