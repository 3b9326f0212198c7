/* Flows of HPCC's: their number, and a line "src dst pg dport bytes start" for each, the start in seconds. */
#include "scenario/import/import_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"

enum { SRC, DST, PG, DPORT, BYTES, START, FLOW_WORDS };
static const char* const flow_names[] = {"src", "dst", "pg", "dport", "bytes", "start"};
static const char flow_form[]         = "src dst pg dport bytes start";

enum { HIGHEST_CLASS = SGF_LIST_ENTRIES - 1, HIGHEST_PORT = 65535, MAX_FLOWS = 1 << 24 };

/* Far enough from the end of time for what follows a start: 53 days. */
static const int64_t latest_start = INT64_MAX / 2;

typedef struct flows {
  import_reader_t reader;
  sgf_import_t* import;
  uint64_t count;
  int count_line;
  int64_t last_start; /* and where it is written; 0: no flow yet */
  int last_line;
  uint64_t pg; /* of the first flow */
  bool pgs_differ;
} flows_t;

static sgf_status_t read_count(flows_t* flows)
{
  import_reader_t* reader = &flows->reader;
  bool more;
  const sgf_status_t status = import_next_line(reader, &more);
  if (status != SGF_OK)
    return status;
  if (!more)
    return import_fail_at(reader, 1, SGF_SYNTAX, "the file is empty; its first line is the number of flows");
  flows->count_line = reader->line;
  if (import_number(reader, "flows", import_next_word(reader), 1, MAX_FLOWS, &flows->count) != SGF_OK)
    return reader->error->status;
  const char* word = import_next_word(reader);
  if (word != NULL)
    return import_fail(reader, SGF_SYNTAX, "\"%.64s\" behind the number of flows", word);
  return SGF_OK;
}

static sgf_status_t read_host(const flows_t* flows, size_t word, const char* text, size_t* node)
{
  uint64_t number = 0;
  const sgf_status_t status =
      import_number(&flows->reader, flow_names[word], text, 0, flows->import->node_count - 1, &number);
  *node = (size_t)number;
  if (status == SGF_OK && flows->import->nodes[*node].is_switch)
    return import_fail(&flows->reader, SGF_RULE, "%s %zu is a switch", flow_names[word], *node);
  return status;
}

/* Digits, and digits behind a point if there is one. */
static bool is_plain_number(const char* text)
{
  static const char digits[] = "0123456789";
  const size_t whole         = strspn(text, digits);
  const size_t fraction      = text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;
  return whole > 0 && text[whole + (fraction > 0 ? 1 + fraction : 0)] == '\0';
}

/* Seconds, exact: "2.000000001". */
static sgf_status_t read_start(flows_t* flows, const char* text, int64_t* start)
{
  const import_reader_t* reader = &flows->reader;
  char seconds[64];
  if (!is_plain_number(text) || strlen(text) > sizeof seconds - 2)
    return import_fail(reader, SGF_SYNTAX, "start = \"%.64s\": seconds, such as 2.000001, and no unit", text);
  snprintf(seconds, sizeof seconds, "%.*ss", (int)sizeof seconds - 2, text);
  sgf_error_t reason = {0};
  if (sgf_parse_timeval(seconds, flow_names[START], start, &reason) == SGF_OK && *start > latest_start)
    sgf_error_set(&reason, SGF_RANGE, "start = \"%s\": at most %llds", seconds,
                  (long long)(latest_start / 1000000000000));
  if (reason.status != SGF_OK)
    return import_fail(reader, reason.status, "%s", reason.text);
  if (*start < flows->last_start)
    return import_fail(reader, SGF_RANGE,
                       "start %.64s is before that of line %d: HPCC takes flows in order of their start", text,
                       flows->last_line);
  flows->last_start = *start;
  flows->last_line  = reader->line;
  return SGF_OK;
}

/* Classes are those of a NIC: one pg for all says nothing, several would. */
static sgf_status_t read_class(flows_t* flows, const char* text)
{
  uint64_t pg               = 0;
  const sgf_status_t status = import_number(&flows->reader, flow_names[PG], text, 0, HIGHEST_CLASS, &pg);
  if (status != SGF_OK)
    return status;
  if (flows->import->flow_count == 0)
    flows->pg = pg;
  if (pg != flows->pg && !flows->pgs_differ) {
    flows->pgs_differ = true;
    import_warn(flows->import, &flows->reader, flows->reader.line,
                "pg %llu, and %llu before it: without effect, all flows are in the class of their NIC",
                (unsigned long long)pg, (unsigned long long)flows->pg);
  }
  return SGF_OK;
}

static sgf_status_t read_flow(flows_t* flows)
{
  import_reader_t* reader = &flows->reader;
  const char* words[FLOW_WORDS];
  for (size_t i = 0; i < FLOW_WORDS; i++)
    if ((words[i] = import_next_word(reader)) == NULL)
      return import_fail(reader, SGF_SYNTAX, "a flow is \"%s\", and %s is missing", flow_form, flow_names[i]);
  const char* more = import_next_word(reader);
  if (more != NULL)
    return import_fail(reader, SGF_SYNTAX, "\"%.64s\" behind the flow \"%s\"", more, flow_form);

  import_flow_t flow  = {0};
  uint64_t port       = 0;
  sgf_status_t status = read_host(flows, SRC, words[SRC], &flow.src);
  if (status == SGF_OK)
    status = read_host(flows, DST, words[DST], &flow.dst);
  if (status == SGF_OK && flow.src == flow.dst)
    return import_fail(reader, SGF_RULE, "a flow from host %zu to itself", flow.src);
  if (status == SGF_OK)
    status = read_class(flows, words[PG]);
  if (status == SGF_OK)
    status = import_number(reader, flow_names[DPORT], words[DPORT], 0, HIGHEST_PORT, &port);
  if (status == SGF_OK) /* the largest size of an actor's argument */
    status = import_number(reader, flow_names[BYTES], words[BYTES], 1, UINT32_MAX, &flow.bytes);
  if (status == SGF_OK)
    status = read_start(flows, words[START], &flow.start);
  if (status == SGF_OK)
    import_add_flow(flows->import, &flow);
  return status;
}

/* What follows the last flow. */
static sgf_status_t refuse_more(flows_t* flows)
{
  const char* word = import_next_word(&flows->reader);
  if (isdigit((unsigned char)word[0]))
    return import_fail(&flows->reader, SGF_RANGE, "one flow more than the %llu of line %d",
                       (unsigned long long)flows->count, flows->count_line);
  return import_fail(&flows->reader, SGF_SYNTAX, "text behind the last flow: \"%.64s\"", word);
}

static sgf_status_t read_flows(flows_t* flows)
{
  bool more;
  sgf_status_t status = read_count(flows);
  while (status == SGF_OK && (status = import_next_line(&flows->reader, &more)) == SGF_OK && more)
    status = flows->import->flow_count < flows->count ? read_flow(flows) : refuse_more(flows);
  if (status == SGF_OK && flows->import->flow_count != flows->count)
    return import_fail_at(&flows->reader, flows->count_line, SGF_RANGE, "flows %llu, and there are %zu",
                          (unsigned long long)flows->count, flows->import->flow_count);
  return status;
}

/* ---- Queue pairs ------------------------------------------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* By hosts, then in order of the file, which is that of the addresses. */
static int compare_flows(const void* a, const void* b)
{
  const import_flow_t* left  = *(const import_flow_t* const*)a;
  const import_flow_t* right = *(const import_flow_t* const*)b;
  int order                  = compare(left->src, right->src);
  if (order == 0)
    order = compare(left->dst, right->dst);
  return order != 0 ? order : compare((uintptr_t)left, (uintptr_t)right);
}

/* HPCC gives every flow a queue pair of its own: those between two hosts are numbered. */
static void number_queue_pairs(sgf_import_t* import)
{
  import_flow_t** sorted = sgf_calloc(import->flow_count, sizeof *sorted);
  for (size_t i = 0; i < import->flow_count; i++)
    sorted[i] = &import->flows[i];
  qsort(sorted, import->flow_count, sizeof *sorted, compare_flows);
  for (size_t i = 1; i < import->flow_count; i++)
    if (sorted[i]->src == sorted[i - 1]->src && sorted[i]->dst == sorted[i - 1]->dst)
      sorted[i]->queue_pair = sorted[i - 1]->queue_pair + 1;
  free(sorted);
}

sgf_status_t sgf_import_hpcc_flows(sgf_import_t* import, const char* file, sgf_error_t* error)
{
  sgf_error_t own     = {0};
  flows_t flows       = {.import = import};
  sgf_status_t status = import_open(&flows.reader, file, error != NULL ? error : &own);
  if (status == SGF_OK)
    status = read_flows(&flows);
  if (status == SGF_OK)
    number_queue_pairs(import);
  import_close(&flows.reader);
  return status;
}
