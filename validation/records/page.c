/* The table of columns in plugins/records/README.md is true: each record has a row, and each column that a row numbers
 * has that place in the record.
 *
 *   | `nd-stats` | port (`component_name` 3, `ifid` 6) and interval | `total_packets_tx` 11, ... | */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/results_internal.h"

enum { TEXT_SIZE = 1 << 16, LEAST_COLUMNS = 4 };

static char* read_page(void)
{
  FILE* file = fopen(SGF_SOURCE_DIR "/plugins/records/README.md", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  char* text        = calloc(1, TEXT_SIZE);
  const size_t size = fread(text, 1, TEXT_SIZE - 1, file);
  fclose(file);
  CU_ASSERT_FATAL(size > 0 && size < TEXT_SIZE - 1);
  return text;
}

static bool is_column(const csv_record_t* record, const char* name, size_t length, unsigned long number)
{
  const char* column = number >= 1 && number <= record->count ? record->columns[number - 1].name : "";
  return strlen(column) == length && strncmp(column, name, length) == 0;
}

/* Check the columns of a row that are followed by their number. Returns how many there are. */
static unsigned check_row(const csv_record_t* record, const char* row)
{
  unsigned count = 0;
  for (const char* name; (name = strchr(row, '`')) != NULL; row = strchr(name + 1, '`') + 1) {
    name++;
    const size_t length = strcspn(name, "`");
    CU_ASSERT_EQUAL_FATAL(name[length], '`');
    char* end                  = NULL;
    const unsigned long number = strtoul(name + length + 1, &end, 10);
    if (end == name + length + 1)
      continue; /* an attribute, or a value */
    if (!is_column(record, name, length, number))
      printf("\n  %s: column %lu is not %.*s", record->name, number, (int)length, name);
    CU_ASSERT(is_column(record, name, length, number));
    count++;
  }
  return count;
}

SGF_TEST(the_page_numbers_the_columns_of_every_record_as_they_are)
{
  char* page = read_page();
  for (size_t i = 0; i < results_part_count; i++) {
    char start[64];
    snprintf(start, sizeof start, "\n| `%s` | ", results_parts[i]->record->name);
    char* row = strstr(page, start);
    if (row == NULL)
      printf("\n  no row: %s", results_parts[i]->record->name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    row += strlen(start);
    const size_t length = strcspn(row, "\n");
    char* copy          = strndup(row, length);
    CU_ASSERT(check_row(results_parts[i]->record, copy) >= LEAST_COLUMNS);
    free(copy);
  }
  free(page);
}
