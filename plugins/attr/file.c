/* Text files and the words of their lines. */
#include "attr/file.h"

#include "attr/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 16 };

static const char spaces[] = " \t\r\n\v\f";

char* sgf_read_stream(FILE* stream, size_t most, size_t* size)
{
  size_t room = FIRST_ROOM;
  char* text  = sgf_realloc(NULL, room, 1);
  *size       = 0;
  for (size_t got; *size <= most && (got = fread(text + *size, 1, room - *size - 1, stream)) > 0;) {
    *size += got;
    if (*size + 1 == room)
      text = sgf_realloc(text, room *= 2, 1);
  }
  text[*size] = '\0';
  if (!ferror(stream))
    return text;
  const int reason = errno;
  free(text);
  errno = reason;
  return NULL;
}

bool sgf_has_word(const char* line)
{
  return line[strspn(line, spaces)] != '\0';
}

char* sgf_next_word(char** rest)
{
  char* word = *rest + strspn(*rest, spaces);
  if (*word == '\0')
    return NULL;
  *rest = word + strcspn(word, spaces);
  if (**rest != '\0')
    *(*rest)++ = '\0';
  return word;
}

sgf_status_t sgf_word_number(const char* word, const char* what, uint64_t least, uint64_t most, uint64_t* number,
                             sgf_error_t* reason)
{
  if (word == NULL)
    return sgf_error_set(reason, SGF_SYNTAX, "%s needs a number", what);
  if (sgf_parse_uint(word, what, number, reason) != SGF_OK)
    return reason->status;
  if (*number < least || *number > most)
    return sgf_error_set(reason, SGF_RANGE, "%s %.64s is not within %llu..%llu", what, word, (unsigned long long)least,
                         (unsigned long long)most);
  return SGF_OK;
}
