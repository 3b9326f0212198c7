/* Tokens, numbers, times. */
#include <inttypes.h>
#include <math.h>

#include "records/records_internal.h"

static bool is_plain(unsigned char c)
{
  return c > ' ' && c != '"' && c != '\\' && c != 127;
}

static void put_quoted(FILE* file, unsigned char c)
{
  static const char named[] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
  if (c == '"' || c == '\\')
    fprintf(file, "\\%c", c);
  else if (c < sizeof named && named[c] != '\0')
    fprintf(file, "\\%c", named[c]);
  else if (c < ' ' || c == 127)
    fprintf(file, "\\x%02X", c);
  else
    fputc(c, file);
}

void records_put_token(FILE* file, const char* text)
{
  bool bare = text[0] != '\0';
  for (const char* at = text; *at != '\0'; at++)
    bare = bare && is_plain((unsigned char)*at);
  if (bare) {
    fprintf(file, " %s", text);
    return;
  }
  fputs(" \"", file);
  for (const char* at = text; *at != '\0'; at++)
    put_quoted(file, (unsigned char)*at);
  fputc('"', file);
}

void records_put_number(FILE* file, double value)
{
  if (isnan(value))
    fputs("nan", file); /* some libraries print its sign */
  else
    fprintf(file, "%.14g", value);
}

void records_put_time(FILE* file, opp_simtime_t time)
{
  fprintf(file, "%" PRId64, time / OPP_S);
  opp_simtime_t rest = time % OPP_S;
  if (rest == 0)
    return;
  int digits = 12;
  for (; rest % 10 == 0; digits--)
    rest /= 10;
  fprintf(file, ".%0*" PRId64, digits, rest);
}

void records_put_attr(FILE* file, const char* name, const char* value)
{
  if (value == NULL)
    return;
  fputs("attr", file);
  records_put_token(file, name);
  records_put_token(file, value);
  fputc('\n', file);
}
