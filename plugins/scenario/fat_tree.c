/* FAT_TREE clusters: SimGrid's topo_parameters to switches and cables.
 *
 * "L;m1,...,mL;w1,...,wL;p1,...,pL": L levels of switches above the hosts, which are level 0. A switch of level i has
 * m_i children; a node of level i - 1 has w_i parents, and p_i parallel cables to each. A node is known by L digits.
 * For a node of level l, digit i (from 1) counts to w_i where i <= l, and to m_i above; the first digit runs fastest
 * along a level. A node of level l - 1 and one of level l are joined if they agree in every digit but the l-th. */
#include "scenario_internal.h"

#include "attr/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 16, MAX_COUNT = 1 << 16, MAX_PARALLEL = 1024, MAX_LINKS = 1 << 20 };

typedef struct shape {
  size_t levels;
  size_t children[MAX_LEVELS]; /* m */
  size_t parents[MAX_LEVELS];  /* w */
  size_t cables[MAX_LEVELS];   /* p */
} shape_t;

/* ---- topo_parameters --------------------------------------------------------------------------------------------- */

typedef struct scanner {
  sgf_error_t* error;
  const char* text; /* the whole */
  const char* at;
} scanner_t;

static sgf_status_t refuse_form(const scanner_t* scanner)
{
  return sgf_error_set(
      scanner->error, SGF_SYNTAX,
      "topo_parameters = \"%s\": write \"levels;children,...;parents,...;cables,...\" with a number for "
      "each level in each list, from the hosts up",
      scanner->text);
}

static void skip_blanks(scanner_t* scanner)
{
  while (isspace((unsigned char)*scanner->at))
    scanner->at++;
}

/* A number and the separator behind it; `separator` gets '\0' at the end of the text. */
static sgf_status_t take_number(scanner_t* scanner, size_t limit, const char* what, size_t* number, char* separator)
{
  skip_blanks(scanner);
  if (!isdigit((unsigned char)*scanner->at))
    return refuse_form(scanner);
  *number = 0;
  for (; isdigit((unsigned char)*scanner->at); scanner->at++)
    if (*number <= limit)
      *number = 10 * *number + (size_t)(*scanner->at - '0');
  if (*number == 0 || *number > limit)
    return sgf_error_set(scanner->error, SGF_RANGE, "topo_parameters = \"%s\": the number of %s must be within 1..%zu",
                         scanner->text, what, limit);
  skip_blanks(scanner);
  *separator = *scanner->at;
  if (*separator != '\0')
    scanner->at++;
  return *separator == '\0' || *separator == ',' || *separator == ';' ? SGF_OK : refuse_form(scanner);
}

static sgf_status_t take_list(scanner_t* scanner, size_t levels, size_t limit, const char* what, size_t* numbers,
                              char* separator)
{
  size_t count = 0;
  do {
    size_t number       = 0;
    sgf_status_t status = take_number(scanner, limit, what, &number, separator);
    if (status != SGF_OK)
      return status;
    if (count < levels)
      numbers[count] = number;
    count++;
  } while (*separator == ',');
  if (count != levels)
    return sgf_error_set(scanner->error, SGF_SYNTAX,
                         "topo_parameters = \"%s\": %zu levels, but the list of %s has %zu numbers", scanner->text,
                         levels, what, count);
  return SGF_OK;
}

static sgf_status_t read_shape(sgf_reader_t* reader, const char* text, shape_t* shape)
{
  scanner_t scanner   = {reader->error, text, text};
  char separator      = '\0';
  sgf_status_t status = take_number(&scanner, MAX_LEVELS, "levels", &shape->levels, &separator);
  const struct {
    const char* what;
    size_t limit;
    size_t* numbers;
  } lists[] = {{"children", MAX_COUNT, shape->children},
               {"parents", MAX_COUNT, shape->parents},
               {"cables", MAX_PARALLEL, shape->cables}};
  for (size_t i = 0; status == SGF_OK && i < sizeof lists / sizeof *lists; i++)
    status = separator == ';'
                 ? take_list(&scanner, shape->levels, lists[i].limit, lists[i].what, lists[i].numbers, &separator)
                 : refuse_form(&scanner);
  return status == SGF_OK && separator != '\0' ? refuse_form(&scanner) : status;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

/* Nodes of a level, or something beyond MAX_LINKS. */
static size_t nodes_of_level(const shape_t* shape, size_t level)
{
  size_t nodes = 1;
  for (size_t i = 0; i < shape->levels && nodes <= MAX_LINKS; i++)
    nodes *= i < level ? shape->parents[i] : shape->children[i];
  return nodes;
}

static sgf_status_t check_size(sgf_reader_t* reader, const shape_t* shape, const char* text, size_t host_count)
{
  size_t hosts = nodes_of_level(shape, 0);
  if (hosts <= MAX_LINKS && hosts != host_count)
    return sgf_error_set(reader->error, SGF_TOPOLOGY,
                         "topo_parameters = \"%s\" describe a tree of %zu hosts, but radical names %zu", text, hosts,
                         host_count);
  size_t links = 0;
  for (size_t level = 0; level < shape->levels && links <= MAX_LINKS; level++)
    links += nodes_of_level(shape, level) * shape->parents[level];
  if (links > MAX_LINKS)
    return sgf_error_set(reader->error, SGF_RANGE, "topo_parameters = \"%s\": more than %d links", text, MAX_LINKS);
  return SGF_OK;
}

/* ---- Switches and cables ----------------------------------------------------------------------------------------- */

static sgf_node_t** add_switches(sgf_reader_t* reader, const shape_t* shape, sgf_node_t* cluster, size_t level)
{
  size_t count          = nodes_of_level(shape, level);
  sgf_node_t** switches = sgf_calloc(count, sizeof(sgf_node_t*));
  for (size_t i = 0; i < count; i++) {
    const char* id       = sgf_platform_text(reader->platform, "%s.l%zu.%zu", cluster->id, level, i);
    const char* name     = id + strlen(cluster->id) + 1; /* below the cluster */
    switches[i]          = sgf_reader_add_node(reader, SGF_NODE_ROUTER, id, name, cluster->line, cluster);
    switches[i]->is_ours = true;
  }
  return switches;
}

/* Join the nodes of `level` to those of the next. Their numbers are made of a low part, the digit in which they may
 * differ, and a high part. */
static void connect_levels(sgf_reader_t* reader, const shape_t* shape, sgf_node_t* cluster, size_t level,
                           sgf_node_t** below, sgf_node_t** above, const sgf_cabling_t* cabling)
{
  size_t children = shape->children[level];
  size_t parents  = shape->parents[level];
  size_t count    = nodes_of_level(shape, level);
  size_t weight   = 1; /* of that digit */
  for (size_t i = 0; i < level; i++)
    weight *= shape->parents[i];
  for (size_t node = 0; node < count; node++) {
    size_t low  = node % weight;
    size_t high = node / (weight * children);
    for (size_t digit = 0; digit < parents; digit++) {
      sgf_node_t* parent = above[low + weight * (digit + parents * high)];
      sgf_link_t* link   = sgf_cluster_connect(reader, cluster, below[node], parent, NULL, cabling);
      link->parallel     = (unsigned)shape->cables[level];
    }
  }
}

sgf_status_t sgf_fat_tree_build(sgf_reader_t* reader, sgf_node_t* cluster, sgf_node_t** hosts, size_t host_count,
                                const char* parameters, const sgf_cabling_t* cabling)
{
  shape_t shape       = {0};
  sgf_status_t status = read_shape(reader, parameters, &shape);
  if (status == SGF_OK)
    status = check_size(reader, &shape, parameters, host_count);
  if (status != SGF_OK)
    return status;
  cluster->cluster->cables_of_host = (unsigned)(shape.parents[0] * shape.cables[0]);

  sgf_node_t** below = hosts;
  for (size_t level = 0; level < shape.levels; level++) {
    sgf_node_t** above = add_switches(reader, &shape, cluster, level + 1);
    connect_levels(reader, &shape, cluster, level, below, above, cabling);
    if (below != hosts)
      free(below);
    below = above;
  }
  free(below);
  return SGF_OK;
}
