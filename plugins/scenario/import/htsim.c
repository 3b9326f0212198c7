/* Trees of htsim's: lines of a key and a number, three of the whole, then those of each tier behind "Tier N". Keys are
 * written in any case; empty lines and lines that begin with # say nothing. */
#include "scenario/import/import_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of a link and of a switch: a cable takes one of the first and two halves of the second. */
#define LONGEST_NS (IMPORT_LONGEST_DELAY / 2000)

/* What a line may begin with; the keys of a tier are in order of htsim_key_t. */
enum { NODES, TIERS, POD_SIZE, TIER, FIRST_OF_TIER, WORDS = FIRST_OF_TIER + HTSIM_KEYS };
static const char* const words[WORDS] = {"Nodes",
                                         "Tiers",
                                         "Podsize",
                                         "Tier",
                                         "Downlink_speed_Gbps",
                                         "Radix_Down",
                                         "Radix_Up",
                                         "Downlink_Latency_ns",
                                         "Switch_Latency_ns",
                                         "Oversubscribed",
                                         "Bundle",
                                         "Queue_Up",
                                         "Queue_Down"};

static const struct {
  uint64_t least;
  uint64_t most;
} bounds[WORDS] = {[NODES]                                = {1, 1 << 16},
                   [TIERS]                                = {2, HTSIM_MAX_TIERS},
                   [POD_SIZE]                             = {1, 1 << 16},
                   [TIER]                                 = {0, HTSIM_MAX_TIERS - 1},
                   [FIRST_OF_TIER + HTSIM_SPEED]          = {1, 1000000},
                   [FIRST_OF_TIER + HTSIM_RADIX_DOWN]     = {1, IMPORT_MAX_PORTS},
                   [FIRST_OF_TIER + HTSIM_RADIX_UP]       = {1, IMPORT_MAX_PORTS},
                   [FIRST_OF_TIER + HTSIM_LATENCY]        = {1, LONGEST_NS},
                   [FIRST_OF_TIER + HTSIM_SWITCH_LATENCY] = {0, LONGEST_NS},
                   [FIRST_OF_TIER + HTSIM_OVERSUBSCRIBED] = {1, IMPORT_MAX_PORTS},
                   [FIRST_OF_TIER + HTSIM_BUNDLE]         = {1, IMPORT_MAX_PARALLEL},
                   [FIRST_OF_TIER + HTSIM_QUEUE_UP]       = {1, UINT32_MAX},
                   [FIRST_OF_TIER + HTSIM_QUEUE_DOWN]     = {1, UINT32_MAX}};

typedef struct htsim {
  import_reader_t reader;
  sgf_import_t* import;
  htsim_tree_t tree;
  htsim_tier_t* tier; /* the one that lines are about; NULL: the whole */
} htsim_t;

static size_t number_of(const htsim_t* htsim, const htsim_tier_t* tier)
{
  return (size_t)(tier - htsim->tree.tiers);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static sgf_status_t refuse_word(const import_reader_t* reader, const char* word)
{
  const char* nearest = sgf_nearest_name(word, words, WORDS);
  return import_fail(reader, SGF_UNKNOWN, "unknown word \"%.64s\"%s%s%s", word,
                     nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "?" : "");
}

/* The one number that follows a word. */
static sgf_status_t read_value(htsim_t* htsim, size_t word, uint64_t* number)
{
  import_reader_t* reader = &htsim->reader;
  const sgf_status_t status =
      import_number(reader, words[word], import_next_word(reader), bounds[word].least, bounds[word].most, number);
  const char* more = status == SGF_OK ? import_next_word(reader) : NULL;
  if (more != NULL)
    return import_fail(reader, SGF_SYNTAX, "%s is followed by one number, and not by \"%.64s\" too", words[word], more);
  return status;
}

/* What has been said of the whole by the line of the first tier, or by the end of the file. */
static sgf_status_t check_whole(const htsim_t* htsim)
{
  const htsim_value_t* const given[] = {&htsim->tree.nodes, &htsim->tree.tier_count, &htsim->tree.pod_size};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    if (given[i]->line == 0)
      return import_fail_at(&htsim->reader, htsim->reader.line > 0 ? htsim->reader.line : 1, SGF_SYNTAX,
                            "there is no line \"%s N\" before the first tier", words[i]);
  return SGF_OK;
}

/* "Tier N": the lines behind it are about this tier. */
static sgf_status_t begin_tier(htsim_t* htsim)
{
  const import_reader_t* reader = &htsim->reader;
  const htsim_tree_t* tree      = &htsim->tree;
  uint64_t number               = 0;
  sgf_status_t status           = check_whole(htsim);
  if (status == SGF_OK)
    status = read_value(htsim, TIER, &number);
  if (status != SGF_OK)
    return status;
  if (number >= tree->tier_count.number)
    return import_fail(reader, SGF_RANGE, "Tier %llu, and line %d says Tiers %llu, which count from 0",
                       (unsigned long long)number, tree->tier_count.line, (unsigned long long)tree->tier_count.number);
  htsim->tier = &htsim->tree.tiers[number];
  if (htsim->tier->line > 0)
    return import_fail(reader, SGF_SYNTAX, "Tier %llu is said twice, first in line %d", (unsigned long long)number,
                       htsim->tier->line);
  htsim->tier->line = reader->line;
  return SGF_OK;
}

static sgf_status_t read_key(htsim_t* htsim, size_t word)
{
  const import_reader_t* reader = &htsim->reader;
  htsim_tree_t* tree            = &htsim->tree;
  htsim_value_t* const whole[]  = {&tree->nodes, &tree->tier_count, &tree->pod_size};
  if (word >= FIRST_OF_TIER && htsim->tier == NULL)
    return import_fail(reader, SGF_SYNTAX, "%s, and no line \"Tier N\" before it", words[word]);
  if (word < TIER && htsim->tier != NULL)
    return import_fail(reader, SGF_SYNTAX, "%s comes before the first tier", words[word]);
  htsim_value_t* value = word < TIER ? whole[word] : &htsim->tier->values[word - FIRST_OF_TIER];
  if (value->line > 0)
    return import_fail(reader, SGF_SYNTAX, "%s is said twice, first in line %d", words[word], value->line);
  value->line = reader->line;
  return read_value(htsim, word, &value->number);
}

static sgf_status_t read_line(htsim_t* htsim)
{
  const char* first = import_next_word(&htsim->reader);
  if (first[0] == '#')
    return SGF_OK;
  size_t word = 0;
  while (word < WORDS && strcasecmp(first, words[word]) != 0)
    word++;
  if (word == WORDS)
    return refuse_word(&htsim->reader, first);
  return word == TIER ? begin_tier(htsim) : read_key(htsim, word);
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static bool is_top(const htsim_t* htsim, const htsim_tier_t* tier)
{
  return number_of(htsim, tier) + 1 == htsim->tree.tier_count.number;
}

/* What a tier has to say, and what the top one cannot. */
static sgf_status_t check_tier(const htsim_t* htsim, const htsim_tier_t* tier)
{
  static const htsim_key_t needed[]  = {HTSIM_SPEED, HTSIM_RADIX_DOWN, HTSIM_LATENCY, HTSIM_RADIX_UP};
  static const htsim_key_t upwards[] = {HTSIM_RADIX_UP, HTSIM_OVERSUBSCRIBED, HTSIM_QUEUE_UP};
  const size_t count                 = sizeof needed / sizeof *needed;
  const import_reader_t* reader      = &htsim->reader;
  for (size_t i = 0; i < count - (size_t)is_top(htsim, tier); i++)
    if (tier->values[needed[i]].line == 0)
      return import_fail_at(reader, tier->line, SGF_SYNTAX, "tier %zu has no line \"%s N\"", number_of(htsim, tier),
                            words[FIRST_OF_TIER + needed[i]]);
  for (size_t i = 0; is_top(htsim, tier) && i < sizeof upwards / sizeof *upwards; i++) {
    const htsim_value_t* value = &tier->values[upwards[i]];
    if (value->line > 0 && (upwards[i] != HTSIM_OVERSUBSCRIBED || value->number != 1))
      return import_fail_at(reader, value->line, SGF_RULE, "%s: tier %zu is the top one and has no links upwards",
                            words[FIRST_OF_TIER + upwards[i]], number_of(htsim, tier));
  }
  return SGF_OK;
}

static void warn_of_tier(htsim_t* htsim, const htsim_tier_t* tier)
{
  for (htsim_key_t key = HTSIM_QUEUE_UP; key <= HTSIM_QUEUE_DOWN; key++)
    if (tier->values[key].line > 0)
      import_warn(htsim->import, &htsim->reader, tier->values[key].line,
                  "%s has no effect: the ports of a switch share its buffer", words[FIRST_OF_TIER + key]);
  const htsim_value_t* latency = &tier->values[HTSIM_SWITCH_LATENCY];
  if (latency->number > 0)
    import_warn(htsim->import, &htsim->reader, latency->line,
                "Switch_Latency_ns: switches forward at once; each cable of tier %zu takes half of the %llu ns more",
                number_of(htsim, tier), (unsigned long long)latency->number);
}

static sgf_status_t check_tiers(htsim_t* htsim)
{
  const htsim_tree_t* tree = &htsim->tree;
  sgf_status_t status      = check_whole(htsim);
  for (size_t i = 0; status == SGF_OK && i < tree->tier_count.number; i++) {
    if (tree->tiers[i].line == 0)
      return import_fail_at(&htsim->reader, tree->tier_count.line, SGF_RANGE, "Tiers %llu, and there is no tier %zu",
                            (unsigned long long)tree->tier_count.number, i);
    status = check_tier(htsim, &tree->tiers[i]);
    warn_of_tier(htsim, &tree->tiers[i]);
  }
  return status;
}

static sgf_status_t read_tree(htsim_t* htsim)
{
  for (size_t i = 0; i < HTSIM_MAX_TIERS; i++) {
    htsim->tree.tiers[i].values[HTSIM_OVERSUBSCRIBED].number = 1;
    htsim->tree.tiers[i].values[HTSIM_BUNDLE].number         = 1;
  }
  bool more;
  sgf_status_t status;
  while ((status = import_next_line(&htsim->reader, &more)) == SGF_OK && more)
    if ((status = read_line(htsim)) != SGF_OK)
      return status;
  if (status == SGF_OK)
    status = check_tiers(htsim);
  return status == SGF_OK ? htsim_build(&htsim->reader, &htsim->tree, htsim->import) : status;
}

sgf_import_t* sgf_import_htsim(const char* topology, sgf_error_t* error)
{
  sgf_error_t own = {0};
  htsim_t htsim   = {.import = import_new("htsim", "uet")};
  if (import_open(&htsim.reader, topology, error != NULL ? error : &own) != SGF_OK || read_tree(&htsim) != SGF_OK) {
    sgf_import_free(htsim.import);
    htsim.import = NULL;
  }
  import_close(&htsim.reader);
  return htsim.import;
}
