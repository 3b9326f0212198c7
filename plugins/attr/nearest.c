/* What a mistyped name was meant to be. */
#include "alloc.h"
#include "attr_internal.h"

#include <ctype.h>
#include <stdlib.h>

/* Costs of a slip; two letters swapped count as one. A whole word left out costs as much as one letter: people write
 * XoffThreshold for PfcStaticXoffThreshold. A word too many costs its letters, or anything would be near to anything.
 */
enum { CASE_COST = 1, LETTER_COST = 4, WORD_COST = 4, LETTERS_PER_SLIP = 3 };

static bool is_separator(char c)
{
  return c == '.' || c == '/' || c == '_' || c == '-' || c == ' ';
}

static size_t change_cost(char a, char b)
{
  if (a == b || (is_separator(a) && is_separator(b)))
    return 0;
  return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE_COST : LETTER_COST;
}

/* Words as in "PFCEnableVector": PFC, Enable, Vector. */
static bool starts_word(sgf_text_t text, size_t i)
{
  if (i == 0 || is_separator(text.at[i - 1]))
    return true;
  if (!isupper((unsigned char)text.at[i]))
    return false;
  return !isupper((unsigned char)text.at[i - 1]) || (i + 1 < text.length && islower((unsigned char)text.at[i + 1]));
}

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Where the word that ends before `end` starts, or `end` if no word ends there. */
static size_t word_before(sgf_text_t text, size_t end)
{
  if (end < text.length && !starts_word(text, end))
    return end;
  size_t start = end - 1;
  while (!starts_word(text, start))
    start--;
  return start;
}

/* The table of an edit distance, of which three rows are kept: row[j] is the distance from the letters of the name so
 * far to the first j letters of the candidate. */
typedef struct table {
  sgf_text_t name;
  sgf_text_t candidate;
  const size_t* word_starts; /* of the candidate, by word_before */
  size_t* row;
  size_t* above;
  size_t* two_above;
} table_t;

static bool is_swap(const table_t* table, size_t i, size_t j)
{
  return i > 1 && j > 1 && table->name.at[i - 1] == table->candidate.at[j - 2] &&
         table->name.at[i - 2] == table->candidate.at[j - 1];
}

static size_t least_cost(const table_t* table, size_t i, size_t j)
{
  if (i == 0 && j == 0)
    return 0;
  size_t best = SIZE_MAX;
  if (i > 0) /* a letter too many */
    best = table->above[j] + LETTER_COST;
  if (j > 0) /* a letter left out, or a word */
    best = smaller(best, table->row[j - 1] + LETTER_COST);
  if (j > 0 && table->word_starts[j] < j)
    best = smaller(best, table->row[table->word_starts[j]] + WORD_COST);
  if (i > 0 && j > 0)
    best = smaller(best, table->above[j - 1] + change_cost(table->name.at[i - 1], table->candidate.at[j - 1]));
  if (is_swap(table, i, j))
    best = smaller(best, table->two_above[j - 2] + LETTER_COST);
  return best;
}

size_t sgf_name_distance(sgf_text_t name, sgf_text_t candidate)
{
  size_t columns      = candidate.length + 1;
  size_t* memory      = sgf_calloc(columns, 4 * sizeof *memory);
  size_t* word_starts = memory;
  for (size_t j = 1; j < columns; j++)
    word_starts[j] = word_before(candidate, j);

  table_t table = {name, candidate, word_starts, memory + columns, memory + 2 * columns, memory + 3 * columns};
  for (size_t i = 0; i <= name.length; i++) {
    size_t* oldest  = table.two_above;
    table.two_above = table.above;
    table.above     = table.row;
    table.row       = oldest;
    for (size_t j = 0; j < columns; j++)
      table.row[j] = least_cost(&table, i, j);
  }
  size_t distance = table.row[columns - 1];
  free(memory);
  return distance;
}

/* One letter in three may be wrong, and the case of a few. */
size_t sgf_name_reach(sgf_text_t name)
{
  return name.length / LETTERS_PER_SLIP * LETTER_COST + LETTER_COST - 1;
}

const char* sgf_nearest_name(const char* name, const char* const* names, size_t count)
{
  sgf_text_t written  = sgf_text_of(name);
  const char* nearest = NULL;
  size_t least        = sgf_name_reach(written) + 1;
  for (size_t i = 0; i < count; i++) {
    size_t distance = sgf_name_distance(written, sgf_text_of(names[i]));
    if (distance < least) {
      least   = distance;
      nearest = names[i];
    }
  }
  return nearest;
}
