#include <sgfabric/error.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* sgf_status_text(sgf_status_t status)
{
  switch (status) {
#define STATUS_TEXT(name, text)                                                                                        \
  case SGF_##name:                                                                                                     \
    return text;
    SGF_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
  }
  return "not a status";
}

/* Names and values come from the user's files and may hold anything; an error is one line all the same. */
static void keep_on_one_line(char* text)
{
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      *text = ' ';
}

sgf_status_t sgf_error_set(sgf_error_t* error, sgf_status_t status, const char* format, ...)
{
  if (error == NULL || error->status != SGF_OK)
    return status;
  error->status = status;
  va_list args;
  va_start(args, format);
  int length = vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  if (length >= (int)sizeof error->text)
    memcpy(error->text + sizeof error->text - sizeof "...", "...", sizeof "...");
  keep_on_one_line(error->text);
  return status;
}

void sgf_error_place(sgf_error_t* error, const char* file, int line)
{
  if (error == NULL || error->status == SGF_OK || error->file[0] != '\0' || error->line != 0)
    return;
  snprintf(error->file, sizeof error->file, "%s", file != NULL ? file : "");
  error->line = line;
}

void sgf_error_clear(sgf_error_t* error)
{
  if (error != NULL)
    *error = (sgf_error_t){0};
}
