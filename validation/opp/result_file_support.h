/* A strict parser of OMNeT++'s result files, version 3 (spec/opp.md section 3). What OMNeT++'s loader forgives, or
 * drops without a word, is refused. */
#ifndef SGF_VALIDATION_RESULT_FILE_SUPPORT_H
#define SGF_VALIDATION_RESULT_FILE_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum result_file_kind { RESULT_FILE_SCA, RESULT_FILE_VEC } result_file_kind_t;

/* What a file holds, or why it is refused. */
typedef struct result_file {
  size_t runs;
  size_t attrs; /* of all items */
  size_t itervars;
  size_t configs;
  size_t scalars;
  size_t statistics;
  size_t bins;
  size_t vectors;
  size_t values;
  size_t line;       /* of the fault */
  const char* fault; /* NULL: the file is good */
} result_file_t;

result_file_t result_file_parse(const char* text, result_file_kind_t kind);

/* The text of a file, to be freed; NULL: it cannot be read. */
char* result_file_text(const char* path);

#endif
