/* Topologies of HPCC's: "nodes switches links", the ids of the switches, and a line for each link. A host and the one
 * switch that it hangs from are told apart by the list of ids alone. */
#include "scenario/import/import_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "attr/alloc.h"

enum { NODES, SWITCHES, LINKS, COUNTS };
static const char* const count_names[] = {"nodes", "switches", "links"};

enum { SRC, DST, RATE, DELAY, ERROR, LINK_WORDS };
static const char* const link_names[] = {"src", "dst", "rate", "delay", "error"};
static const char link_form[]         = "src dst rate delay error";

typedef struct hpcc {
  import_reader_t reader;
  sgf_import_t* import;
  uint64_t counts[COUNTS];
  int counts_line;
  int* first_links; /* of each node: the line of its first link, 0: none yet */
} hpcc_t;

/* ---- Head -------------------------------------------------------------------------------------------------------- */

static sgf_status_t read_counts(hpcc_t* hpcc)
{
  static const uint64_t least[] = {1, 0, 1};
  import_reader_t* reader       = &hpcc->reader;
  bool more;
  sgf_status_t status = import_next_line(reader, &more);
  if (status == SGF_OK && !more)
    return import_fail_at(reader, 1, SGF_SYNTAX, "the file is empty; its first line is \"nodes switches links\"");
  hpcc->counts_line = reader->line;
  for (size_t i = 0; status == SGF_OK && i < COUNTS; i++) {
    const uint64_t most = i == NODES ? IMPORT_MAX_NODES : i == SWITCHES ? hpcc->counts[NODES] - 1 : IMPORT_MAX_CABLES;
    status = import_number(reader, count_names[i], import_next_word(reader), least[i], most, &hpcc->counts[i]);
  }
  const char* word = status == SGF_OK ? import_next_word(reader) : NULL;
  if (word != NULL)
    return import_fail(reader, SGF_SYNTAX, "\"%.64s\" behind \"nodes switches links\"", word);
  return status;
}

static sgf_status_t read_id(const import_reader_t* reader, const char* what, const char* word, uint64_t nodes,
                            size_t* id)
{
  uint64_t number           = 0;
  const sgf_status_t status = import_number(reader, what, word, 0, nodes - 1, &number);
  *id                       = (size_t)number;
  return status;
}

/* Every node is a host until the line of switches says otherwise. */
static sgf_status_t read_switches(hpcc_t* hpcc)
{
  import_reader_t* reader = &hpcc->reader;
  const size_t count      = (size_t)hpcc->counts[SWITCHES];
  bool more               = true;
  sgf_status_t status     = count > 0 ? import_next_line(reader, &more) : SGF_OK;
  if (status == SGF_OK && !more)
    return import_fail(reader, SGF_SYNTAX, "switches %zu, and no line with their ids follows", count);
  size_t found = 0;
  for (const char* word; status == SGF_OK && count > 0 && (word = import_next_word(reader)) != NULL; found++) {
    size_t id = 0;
    status    = read_id(reader, "switch", word, hpcc->counts[NODES], &id);
    if (status == SGF_OK && hpcc->import->nodes[id].is_switch)
      return import_fail(reader, SGF_SYNTAX, "switch %zu is said twice", id);
    if (status == SGF_OK)
      hpcc->import->nodes[id] = (import_node_t){"s", id, true, 0};
  }
  if (status == SGF_OK && found != count)
    return import_fail(reader, SGF_RANGE, "line %d says switches %zu, and %zu of their ids are here", hpcc->counts_line,
                       count, found);
  return status;
}

/* ---- Links ------------------------------------------------------------------------------------------------------- */

/* ns-3 writes Gb/s or Gbps. */
static sgf_status_t read_rate(const import_reader_t* reader, const char* word, int64_t* bps)
{
  static const char slash[] = "b/s";
  const size_t length       = strlen(word);
  char* text                = sgf_strdup(word);
  if (length >= strlen(slash) && strcmp(text + length - strlen(slash), slash) == 0)
    memcpy(text + length - strlen(slash), "bps", strlen(slash));
  sgf_error_t reason = {0};
  if (sgf_parse_datarate(text, link_names[RATE], bps, &reason) == SGF_OK && *bps == 0)
    sgf_error_set(&reason, SGF_RANGE, "rate = \"%.64s\": a link has a rate above 0", word);
  free(text);
  return reason.status == SGF_OK ? SGF_OK : import_fail(reader, reason.status, "%s", reason.text);
}

static sgf_status_t read_delay(const import_reader_t* reader, const char* word, int64_t* delay)
{
  sgf_error_t reason = {0};
  if (sgf_parse_timeval(word, link_names[DELAY], delay, &reason) == SGF_OK && *delay > IMPORT_LONGEST_DELAY)
    sgf_error_set(&reason, SGF_RANGE, "delay = \"%.64s\": at most 1000s", word);
  return reason.status == SGF_OK ? SGF_OK : import_fail(reader, reason.status, "%s", reason.text);
}

static sgf_status_t check_error_rate(const import_reader_t* reader, const char* word)
{
  sgf_error_t reason = {0};
  sgf_decimal_t rate = {0};
  if (sgf_parse_decimal(word, link_names[ERROR], &rate, &reason) != SGF_OK)
    return import_fail(reader, reason.status, "%s", reason.text);
  if (rate.digits != 0)
    return import_fail(reader, SGF_RULE, "error = \"%.64s\": cables lose nothing here, so that only 0 is possible",
                       word);
  return SGF_OK;
}

/* A host has one NIC, which has one cable. */
static sgf_status_t check_end(const hpcc_t* hpcc, size_t node)
{
  if (hpcc->import->nodes[node].is_switch || hpcc->first_links[node] == 0)
    return SGF_OK;
  return import_fail(&hpcc->reader, SGF_TOPOLOGY, "host %zu has a link in line %d already, and a host takes one", node,
                     hpcc->first_links[node]);
}

static sgf_status_t read_link(hpcc_t* hpcc)
{
  import_reader_t* reader = &hpcc->reader;
  const char* words[LINK_WORDS];
  for (size_t i = 0; i < LINK_WORDS; i++)
    if ((words[i] = import_next_word(reader)) == NULL)
      return import_fail(reader, SGF_SYNTAX, "a link is \"%s\", and %s is missing", link_form, link_names[i]);
  const char* more = import_next_word(reader);
  if (more != NULL)
    return import_fail(reader, SGF_SYNTAX, "\"%.64s\" behind the link \"%s\"", more, link_form);

  import_cable_t cable = {.count = 1, .line = reader->line};
  sgf_status_t status  = read_id(reader, link_names[SRC], words[SRC], hpcc->counts[NODES], &cable.below);
  if (status == SGF_OK)
    status = read_id(reader, link_names[DST], words[DST], hpcc->counts[NODES], &cable.above);
  if (status == SGF_OK && cable.below == cable.above)
    return import_fail(reader, SGF_TOPOLOGY, "a link from node %zu to itself", cable.below);
  if (status == SGF_OK)
    status = read_rate(reader, words[RATE], &cable.bps);
  if (status == SGF_OK)
    status = read_delay(reader, words[DELAY], &cable.delay);
  if (status == SGF_OK)
    status = check_error_rate(reader, words[ERROR]);
  if (status == SGF_OK)
    status = check_end(hpcc, cable.below);
  if (status == SGF_OK)
    status = check_end(hpcc, cable.above);
  if (status != SGF_OK)
    return status;
  import_add_cable(hpcc->import, &cable);
  const size_t ends[] = {cable.below, cable.above};
  for (size_t i = 0; i < 2; i++)
    if (hpcc->first_links[ends[i]] == 0)
      hpcc->first_links[ends[i]] = reader->line;
  return SGF_OK;
}

/* What follows the last link. */
static sgf_status_t refuse_more(hpcc_t* hpcc)
{
  const char* word = import_next_word(&hpcc->reader);
  if (isdigit((unsigned char)word[0]))
    return import_fail(&hpcc->reader, SGF_RANGE, "one link more than the %llu of line %d",
                       (unsigned long long)hpcc->counts[LINKS], hpcc->counts_line);
  return import_fail(&hpcc->reader, SGF_SYNTAX, "text behind the last link: \"%.64s\"", word);
}

static sgf_status_t read_links(hpcc_t* hpcc)
{
  bool more;
  sgf_status_t status;
  while ((status = import_next_line(&hpcc->reader, &more)) == SGF_OK && more) {
    status = hpcc->import->cable_count < hpcc->counts[LINKS] ? read_link(hpcc) : refuse_more(hpcc);
    if (status != SGF_OK)
      return status;
  }
  if (status == SGF_OK && hpcc->import->cable_count != hpcc->counts[LINKS])
    return import_fail_at(&hpcc->reader, hpcc->counts_line, SGF_RANGE, "links %llu, and there are %zu",
                          (unsigned long long)hpcc->counts[LINKS], hpcc->import->cable_count);
  return status;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static size_t lower_end(const import_cable_t* cable)
{
  return cable->below < cable->above ? cable->below : cable->above;
}

static size_t upper_end(const import_cable_t* cable)
{
  return cable->below < cable->above ? cable->above : cable->below;
}

static int compare(size_t a, size_t b)
{
  return (a > b) - (a < b);
}

/* By pair of ends, then by line. */
static int compare_cables(const void* a, const void* b)
{
  const import_cable_t* const* left  = a;
  const import_cable_t* const* right = b;
  int order                          = compare(lower_end(*left), lower_end(*right));
  if (order == 0)
    order = compare(upper_end(*left), upper_end(*right));
  return order != 0 ? order : (*left)->line - (*right)->line;
}

/* HPCC keeps one link of a pair of nodes, the last one, and forgets the others: not what was meant. */
static sgf_status_t check_pairs(const hpcc_t* hpcc)
{
  const size_t count            = hpcc->import->cable_count;
  const import_cable_t** sorted = sgf_calloc(count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    sorted[i] = &hpcc->import->cables[i];
  qsort(sorted, count, sizeof *sorted, compare_cables);
  sgf_status_t status = SGF_OK;
  for (size_t i = 1; i < count && status == SGF_OK; i++)
    if (lower_end(sorted[i]) == lower_end(sorted[i - 1]) && upper_end(sorted[i]) == upper_end(sorted[i - 1]))
      status = import_fail_at(&hpcc->reader, sorted[i]->line, SGF_TOPOLOGY,
                              "nodes %zu and %zu have a link in line %d already, and HPCC knows one between two nodes",
                              sorted[i]->below, sorted[i]->above, sorted[i - 1]->line);
  free(sorted);
  return status;
}

static sgf_status_t check_ports(const hpcc_t* hpcc)
{
  for (size_t i = 0; i < hpcc->import->node_count; i++)
    if (hpcc->import->nodes[i].ports > IMPORT_MAX_PORTS)
      return import_fail_at(&hpcc->reader, hpcc->first_links[i], SGF_TOPOLOGY, "switch %zu has %zu links, more than %d",
                            i, hpcc->import->nodes[i].ports, IMPORT_MAX_PORTS);
  return SGF_OK;
}

static sgf_status_t read_topology(hpcc_t* hpcc)
{
  sgf_status_t status = read_counts(hpcc);
  for (size_t i = 0; status == SGF_OK && i < hpcc->counts[NODES]; i++)
    import_add_node(hpcc->import, "h", i, false);
  hpcc->first_links = sgf_calloc(hpcc->import->node_count, sizeof *hpcc->first_links);
  if (status == SGF_OK)
    status = read_switches(hpcc);
  if (status == SGF_OK)
    status = read_links(hpcc);
  if (status == SGF_OK)
    status = check_pairs(hpcc);
  if (status == SGF_OK)
    status = check_ports(hpcc);
  return status == SGF_OK ? import_check_connected(hpcc->import, &hpcc->reader, hpcc->counts_line) : status;
}

sgf_import_t* sgf_import_hpcc(const char* topology, sgf_error_t* error)
{
  sgf_error_t own = {0};
  hpcc_t hpcc     = {.import = import_new("hpcc", "roce")};
  if (import_open(&hpcc.reader, topology, error != NULL ? error : &own) != SGF_OK || read_topology(&hpcc) != SGF_OK) {
    sgf_import_free(hpcc.import);
    hpcc.import = NULL;
  }
  free(hpcc.first_links);
  import_close(&hpcc.reader);
  return hpcc.import;
}
