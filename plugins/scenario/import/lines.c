/* Lines and words of the files that are imported. */
#include "scenario/import/import_internal.h"

#include "attr/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

sgf_status_t import_fail_at(const import_reader_t* reader, int line, sgf_status_t status, const char* format, ...)
{
  char text[sizeof reader->error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sgf_error_set(reader->error, status, "%s", text);
  sgf_error_place(reader->error, reader->file, line);
  return status;
}

sgf_status_t import_open(import_reader_t* reader, const char* file, sgf_error_t* error)
{
  *reader = (import_reader_t){.file = file, .in = fopen(file, "r"), .error = error};
  return reader->in != NULL ? SGF_OK : import_fail(reader, SGF_IO, "%s", strerror(errno));
}

void import_close(import_reader_t* reader)
{
  if (reader->in != NULL)
    fclose(reader->in);
  free(reader->text);
  *reader = (import_reader_t){0};
}

sgf_status_t import_next_line(import_reader_t* reader, bool* more)
{
  *more = false;
  for (ssize_t length; (length = getline(&reader->text, &reader->room, reader->in)) >= 0;) {
    reader->line++;
    reader->rest = reader->text;
    if (strlen(reader->text) != (size_t)length)
      return import_fail(reader, SGF_SYNTAX, "a byte of value 0: this is no text");
    *more = sgf_has_word(reader->text);
    if (*more)
      return SGF_OK;
  }
  return feof(reader->in) ? SGF_OK : import_fail_at(reader, 0, SGF_IO, "%s", strerror(errno));
}

char* import_next_word(import_reader_t* reader)
{
  return sgf_next_word(&reader->rest);
}

sgf_status_t import_number(const import_reader_t* reader, const char* what, const char* word, uint64_t least,
                           uint64_t most, uint64_t* number)
{
  sgf_error_t reason = {0};
  if (sgf_word_number(word, what, least, most, number, &reason) == SGF_OK)
    return SGF_OK;
  return import_fail(reader, reason.status, "%s", reason.text);
}
