#include "study_support.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fabric/fabric_support.h"

/* ---- Platforms --------------------------------------------------------------------------------------------------- */

static const char head[] = "<?xml version=\"1.0\"?>\n"
                           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                           "<platform version=\"4.1\">\n";

static void add_link(text_t* text, const char* id, study_link_t link)
{
  text_add(text, "<link id=\"%s\" bandwidth=\"%s\" latency=\"%s\" sharing_policy=\"SPLITDUPLEX\"/>\n", id,
           link.bandwidth != NULL ? link.bandwidth : "400Gbps", link.latency != NULL ? link.latency : "100ns");
}

/* Hosts first..first + count - 1, cabled to the switch of the zone. */
static void add_hosts(text_t* text, unsigned first, unsigned count, const char* router, study_link_t link,
                      const char* host_props)
{
  for (unsigned h = first; h < first + count; h++)
    text_add(text, "<host id=\"h%u\" speed=\"1Gf\">%s</host>\n", h, h == 0 ? host_props : "");
  if (strcmp(router, "tor") == 0)
    text_add(text, "<host id=\"bare\" speed=\"1Gf\">" P("nic", "none") "</host>\n");
  text_add(text, "<router id=\"%s\"/>\n", router);
  for (unsigned h = first; h < first + count; h++) {
    char id[16];
    snprintf(id, sizeof id, "c%u", h);
    add_link(text, id, link);
  }
  if (strcmp(router, "tor") == 0)
    add_link(text, "cbare", link);
  for (unsigned h = first; h < first + count; h++)
    text_add(text, "<route src=\"h%u\" dst=\"%s\"><link_ctn id=\"c%u\" direction=\"UP\"/></route>\n", h, router, h);
  if (strcmp(router, "tor") == 0)
    text_add(text, "<route src=\"bare\" dst=\"tor\"><link_ctn id=\"cbare\" direction=\"UP\"/></route>\n");
}

char* study_rack(unsigned hosts, study_link_t link, const char* props, const char* host_props)
{
  text_t text = {0};
  text_add(&text, "%s<zone id=\"rack\" routing=\"Dijkstra\">\n%s%s", head, P("nic", "uet"), props);
  add_hosts(&text, 0, hosts, "tor", link, host_props);
  text_add(&text, "</zone>\n</platform>\n");
  return text.chars;
}

char* study_leaf_spine(unsigned leaves, unsigned hosts_of_leaf, unsigned spines, study_link_t link, const char* props)
{
  text_t text = {0};
  text_add(&text, "%s<zone id=\"dc\" routing=\"Dijkstra\">\n%s%s", head, P("nic", "uet"), props);
  for (unsigned l = 0; l < leaves; l++) {
    char leaf[16];
    snprintf(leaf, sizeof leaf, "leaf%u", l);
    text_add(&text, "<zone id=\"rack%u\" routing=\"Dijkstra\">\n", l);
    add_hosts(&text, l * hosts_of_leaf, hosts_of_leaf, leaf, link, "");
    text_add(&text, "</zone>\n");
  }
  for (unsigned s = 0; s < spines; s++)
    text_add(&text, "<zone id=\"spinezone%u\" routing=\"None\"><router id=\"spine%u\"/></zone>\n", s, s);
  for (unsigned l = 0; l < leaves; l++)
    for (unsigned s = 0; s < spines; s++) {
      char id[32];
      snprintf(id, sizeof id, "up%u-%u", l, s);
      add_link(&text, id, link);
    }
  for (unsigned l = 0; l < leaves; l++)
    for (unsigned s = 0; s < spines; s++)
      text_add(&text,
               "<zoneRoute src=\"rack%u\" dst=\"spinezone%u\" gw_src=\"leaf%u\" gw_dst=\"spine%u\">"
               "<link_ctn id=\"up%u-%u\" direction=\"UP\"/></zoneRoute>\n",
               l, s, l, s, l, s);
  text_add(&text, "</zone>\n</platform>\n");
  return text.chars;
}

/* ---- The record, in the process of a study ----------------------------------------------------------------------- */

typedef struct notes {
  char name[32];
  text_t text;
  struct notes* next;
} notes_t;

static notes_t* all_notes; /* in order of name */

static text_t* notes_of(const char* name)
{
  notes_t** at = &all_notes;
  while (*at != NULL && strcmp((*at)->name, name) < 0)
    at = &(*at)->next;
  if (*at != NULL && strcmp((*at)->name, name) == 0)
    return &(*at)->text;
  notes_t* notes = calloc(1, sizeof *notes);
  if (notes == NULL)
    abort();
  snprintf(notes->name, sizeof notes->name, "%s", name);
  notes->next = *at;
  *at         = notes;
  return &notes->text;
}

opp_simtime_t study_now(void)
{
  return llround(simgrid_get_clock() * 1e12);
}

void study_note(const char* format, ...)
{
  const char* name = sg_actor_self_get_name();
  text_t* text     = notes_of(name);
  text_add(text, "%s: %lld ps: ", name, (long long)study_now());
  va_list args;
  va_start(args, format);
  text_add_list(text, format, args);
  va_end(args);
  text_add(text, "\n");
}

static void write_record(FILE* out)
{
  text_t text               = {0};
  sgf_error_t error         = {0};
  const sgf_status_t status = sg_fabric_finish_with(true, NULL, NULL, &error);
  text_add(&text, "end %s: %s\n", sgf_status_text(status), error.text);
  char* report = report_text(sg_fabric_get());
  text_add(&text, "%s", report);
  free(report);
  for (notes_t* notes = all_notes; notes != NULL;) {
    fputs(notes->text.chars, out);
    notes_t* next = notes->next;
    free(notes->text.chars);
    free(notes);
    notes = next;
  }
  all_notes = NULL;
  fputs(text.chars, out);
  free(text.chars);
  fprintf(out, "rounds %llu\n", (unsigned long long)sg_fabric_kernel_rounds());
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static void write_file(const char* path, const char* text)
{
  FILE* file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
    abort();
}

static _Noreturn void child(const char* platform, study_program_t program, sg_fabric_pace_t pace, FILE* out)
{
  char path[256];
  snprintf(path, sizeof path, SGF_BINARY_DIR "/study-%ld.xml", (long)getpid());
  write_file(path, platform);
  char name[]  = "study";
  char quiet[] = "--log=root.thres:critical";
  char* argv[] = {name, quiet, NULL};
  int argc     = 2;
  simgrid_init(&argc, argv);
  sg_fabric_plugin_init();
  sg_fabric_set_pace(pace);
  sg_fabric_load_platform(path);
  unlink(path);
  program();
  simgrid_run();
  write_record(out);
  fclose(out);
  exit(EXIT_SUCCESS);
}

/* The line "rounds N" at the end is not of the record: it is what the two differ in. */
static void take_rounds(study_result_t* result)
{
  char* line = strstr(result->record, "\nrounds ");
  if (line == NULL)
    return;
  result->rounds = strtoull(line + strlen("\nrounds "), NULL, 10);
  line[1]        = '\0';
}

study_result_t study_run(const char* platform, study_program_t program, sg_fabric_pace_t pace)
{
  int ends[2];
  fflush(NULL);
  if (pipe(ends) != 0)
    abort();
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child(platform, program, pace, fdopen(ends[1], "w"));
  }
  close(ends[1]);
  text_t text = {0};
  text_add(&text, "%s", "");
  FILE* in = fdopen(ends[0], "r");
  char line[1024];
  while (fgets(line, sizeof line, in) != NULL)
    text_add(&text, "%s", line);
  fclose(in);
  int status = 0;
  waitpid(pid, &status, 0);
  study_result_t result = {.record = text.chars, .status = status};
  take_rounds(&result);
  return result;
}

void study_free(study_result_t* result)
{
  free(result->record);
  *result = (study_result_t){0};
}

static void show_difference(const char* lazy, const char* reference)
{
  size_t line = 0;
  for (size_t i = 0; lazy[i] == reference[i] && lazy[i] != '\0'; i++)
    if (lazy[i] == '\n')
      line = i + 1;
  fprintf(stderr, "\n  lazy:      %.*s\n  reference: %.*s\n", (int)strcspn(lazy + line, "\n"), lazy + line,
          (int)strcspn(reference + line, "\n"), reference + line);
}

bool study_same(const char* platform, study_program_t program, study_result_t* lazy)
{
  *lazy                    = study_run(platform, program, SG_FABRIC_LAZY);
  study_result_t reference = study_run(platform, program, SG_FABRIC_REFERENCE);
  const bool ended         = lazy->status == 0 && reference.status == 0 && strstr(lazy->record, "\nlink ") != NULL;
  const bool same          = strcmp(lazy->record, reference.record) == 0;
  if (!ended)
    fprintf(stderr, "\n  status of the processes: lazy %d, reference %d\n", lazy->status, reference.status);
  if (!same)
    show_difference(lazy->record, reference.record);
  study_free(&reference);
  return ended && same;
}

opp_simtime_t study_date(const study_result_t* result, const char* actor, const char* text)
{
  const size_t length = strlen(actor);
  for (const char* line = result->record; line != NULL && *line != '\0';) {
    char* end = NULL;
    if (strncmp(line, actor, length) == 0 && line[length] == ':') {
      const long long date = strtoll(line + length + 1, &end, 10);
      if (strncmp(end, " ps: ", 5) == 0 && strncmp(end + 5, text, strlen(text)) == 0)
        return date;
    }
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  return -1;
}

bool study_has(const study_result_t* result, const char* text)
{
  return strstr(result->record, text) != NULL;
}

/* ---- In a program ------------------------------------------------------------------------------------------------ */

sg_actor_t study_actor(const char* name, const char* host, void (*code)(int, char**))
{
  return sg_actor_create(name, sg_host_by_name(host), code, 0, NULL);
}

void study_sleep(opp_simtime_t duration)
{
  sg_actor_sleep_for((double)duration * 1e-12);
}

void study_sleep_until(opp_simtime_t date)
{
  sg_actor_sleep_until((double)date * 1e-12);
}

sgf_status_t study_write(const char* dst, uint64_t bytes, uint64_t tag)
{
  const opp_simtime_t start = study_now();
  const sgf_status_t status = sgf_rdma_write(sg_host_by_name(dst), bytes, tag);
  study_note("wrote %llu B to %s since %lld: %s", (unsigned long long)bytes, dst, (long long)start,
             sgf_status_text(status));
  return status;
}

sgf_op_t* study_write_async(const char* dst, uint64_t bytes, uint64_t tag)
{
  return sgf_rdma_write_async(sg_host_by_name(dst), bytes, tag);
}

static void note_wait(const sgf_op_t* op, sgf_status_t status)
{
  if (sgf_op_done(op))
    study_note("waited: %s, %llu B %lld to %lld", sgf_status_text(status), (unsigned long long)sgf_op_bytes(op),
               (long long)sgf_op_start(op), (long long)sgf_op_end(op));
  else
    study_note("waited: %s", sgf_status_text(status));
}

sgf_status_t study_wait(sgf_op_t* op)
{
  const sgf_status_t status = sgf_op_wait(op);
  note_wait(op, status);
  return status;
}

sgf_status_t study_wait_for(sgf_op_t* op, opp_simtime_t timeout)
{
  const sgf_status_t status = sgf_op_wait_for(op, (double)timeout * 1e-12);
  note_wait(op, status);
  return status;
}

sgf_status_t study_recv(uint64_t tag)
{
  uint64_t bytes            = 0;
  sg_host_t src             = NULL;
  const sgf_status_t status = sgf_recv(tag, &bytes, &src);
  study_note("received %llu B from %s with tag %llu: %s", (unsigned long long)bytes,
             src != NULL ? sg_host_get_name(src) : "nobody", (unsigned long long)tag, sgf_status_text(status));
  return status;
}

sgf_status_t study_put(const char* box, uint64_t payload, uint64_t bytes)
{
  const opp_simtime_t start = study_now();
  const sgf_status_t status = sgf_mailbox_put(sgf_mailbox_by_name(box), (void*)(uintptr_t)payload, bytes);
  study_note("put %llu, %llu B, in %s since %lld: %s", (unsigned long long)payload, (unsigned long long)bytes, box,
             (long long)start, sgf_status_text(status));
  return status;
}

uint64_t study_get(const char* box)
{
  const opp_simtime_t start = study_now();
  const uint64_t payload    = (uint64_t)(uintptr_t)sgf_mailbox_get(sgf_mailbox_by_name(box));
  study_note("got %llu from %s since %lld", (unsigned long long)payload, box, (long long)start);
  return payload;
}

sgf_op_t* study_put_async(const char* box, uint64_t payload, uint64_t bytes)
{
  return sgf_mailbox_put_async(sgf_mailbox_by_name(box), (void*)(uintptr_t)payload, bytes);
}

sgf_op_t* study_get_async(const char* box)
{
  return sgf_mailbox_get_async(sgf_mailbox_by_name(box), NULL);
}

uint64_t study_payload(const sgf_op_t* op)
{
  return (uint64_t)(uintptr_t)sgf_op_payload(op);
}

/* The generator splitmix64 (Steele, Lea, Flood 2014). */
uint64_t study_random(study_random_t* random, uint64_t below)
{
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z          = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z          = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}
