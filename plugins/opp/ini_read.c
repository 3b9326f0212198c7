/* Files, with what they include, to sections of lines. */
#include "ini.h"

#include "attr/alloc.h"
#include "attr/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { NO_SECTION = -1, MOST_FILES = 1000, DEEPEST_INCLUDE = 50, LARGEST_FILE = 1 << 26 };

/* A file that is being read. */
typedef struct source {
  const struct source* includer;
  const char* name;
  dev_t device; /* with the inode, what file it is */
  ino_t inode;
  char* text;
  const char* at; /* what is left of it */
  int line;       /* number of the line before */
  ptrdiff_t section;
  size_t* headings; /* sections it has begun */
  size_t heading_count;
} source_t;

/* A line with those that continue it. */
typedef struct logical {
  opp_ini_text_t text;
  int line; /* number of the first */
} logical_t;

static sgf_status_t read_source(opp_ini_t* ini, const char* name, const source_t* includer, sgf_error_t* error);

/* ---- Characters -------------------------------------------------------------------------------------------------- */

/* All of a stream, terminated, to be freed also if it is refused. */
static sgf_status_t read_stream(FILE* stream, const char* name, char** text, sgf_error_t* error)
{
  size_t size = 0;
  *text       = sgf_read_stream(stream, LARGEST_FILE, &size);
  if (size > LARGEST_FILE)
    return sgf_error_set(error, SGF_RANGE, "\"%s\" is larger than %d bytes", name, LARGEST_FILE);
  if (*text == NULL)
    return sgf_error_set(error, SGF_IO, "cannot read \"%s\"", name);
  if (strlen(*text) == size)
    return SGF_OK;
  int line = 1;
  for (const char* at = *text; *at != '\0'; at++)
    line += *at == '\n';
  sgf_error_set(error, SGF_SYNTAX, "a zero byte: not a text file");
  sgf_error_place(error, name, line);
  return SGF_SYNTAX;
}

/* Add the next line of the file without white space at its end. */
static void add_line(source_t* source, opp_ini_text_t* text)
{
  const char* begin = source->at;
  const char* end   = begin + strcspn(begin, "\n");
  source->at        = *end == '\n' ? end + 1 : end;
  source->line++;
  while (end > begin && opp_ini_is_space(end[-1]))
    end--;
  opp_ini_text_add_span(text, (opp_ini_span_t){begin, (size_t)(end - begin)});
}

/* The next line; a backslash at the end of one is replaced by the line behind it. */
static sgf_status_t take_line(source_t* source, logical_t* logical, sgf_error_t* error)
{
  opp_ini_text_t* text = &logical->text;
  text->length         = 0;
  add_line(source, text);
  logical->line = source->line;
  while (text->length > 0 && text->at[text->length - 1] == '\\') {
    if (*source->at == '\0')
      return sgf_error_set(error, SGF_SYNTAX, "a \\ continues the line, and nothing follows");
    text->at[--text->length] = '\0';
    add_line(source, text);
  }
  return SGF_OK;
}

/* Where the line ends or its comment begins. NULL: in a string. */
static const char* content_end(const char* line)
{
  const char* end = line + strlen(line);
  while (line < end && *line != '#') {
    if (*line != '"') {
      line++;
      continue;
    }
    line = opp_ini_string_end(line, end);
    if (line == NULL)
      return NULL;
  }
  return line;
}

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

static bool is_config_name(opp_ini_span_t name)
{
  if (name.length == 0 || !opp_ini_starts_name(name.at[0]))
    return false;
  for (size_t i = 1; i < name.length; i++)
    if (!opp_ini_is_in_name(name.at[i]) && name.at[i] != '-' && name.at[i] != '@')
      return false;
  return true;
}

static size_t add_config(opp_ini_t* ini, opp_ini_span_t name)
{
  ini->configs                      = opp_ini_grow(ini->configs, ini->config_count, sizeof *ini->configs);
  ini->configs[ini->config_count++] = (opp_ini_config_t){.name = opp_ini_span_copy(name)};
  return ini->config_count - 1;
}

/* "[General]", "[Config Name]", or "[Name]" as OMNeT++ 6 allows. */
static sgf_status_t begin_section(opp_ini_t* ini, source_t* source, opp_ini_span_t line, sgf_error_t* error)
{
  static const char prefix[] = "Config";
  const char* end            = line.at + line.length - 1;
  if (*end != ']' || line.length < 2)
    return sgf_error_set(error, SGF_SYNTAX, "section \"%.*s\": expected ] at the end of the line", (int)line.length,
                         line.at);
  opp_ini_span_t name = opp_ini_span_between(line.at + 1, end);
  size_t length       = sizeof prefix - 1;
  if (name.length > length && memcmp(name.at, prefix, length) == 0 && opp_ini_is_space(name.at[length]))
    name = opp_ini_span_between(name.at + length, end);
  if (!is_config_name(name) || opp_ini_span_is(name, prefix))
    return sgf_error_set(error, SGF_SYNTAX,
                         "section \"%.*s\": a name has letters, digits, _, - and @, and begins with a letter or _",
                         (int)line.length, line.at);

  ptrdiff_t found = opp_ini_find(ini, name);
  size_t section  = found != OPP_INI_NONE ? (size_t)found : add_config(ini, name);
  for (size_t i = 0; i < source->heading_count; i++)
    if (source->headings[i] == section)
      return sgf_error_set(error, SGF_RULE, "section \"%.*s\" twice in this file", (int)line.length, line.at);
  source->headings = opp_ini_grow(source->headings, source->heading_count, sizeof *source->headings);
  source->headings[source->heading_count++] = section;
  source->section                           = (ptrdiff_t)section;
  return SGF_OK;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* A file's name is relative to the file that includes it. */
static sgf_status_t include(opp_ini_t* ini, const source_t* source, opp_ini_span_t name, sgf_error_t* error)
{
  if (name.length >= 2 && name.at[0] == '"' && name.at[name.length - 1] == '"')
    name = (opp_ini_span_t){name.at + 1, name.length - 2};
  opp_ini_text_t path = {NULL, 0, 0};
  const char* slash   = strrchr(source->name, '/');
  if (name.length > 0 && name.at[0] != '/' && slash != NULL)
    opp_ini_text_add_span(&path, (opp_ini_span_t){source->name, (size_t)(slash - source->name) + 1});
  opp_ini_text_add_span(&path, name);
  sgf_status_t status = read_source(ini, path.at, source, error);
  free(path.at);
  return status;
}

static sgf_status_t add_entry(opp_ini_t* ini, const source_t* source, const logical_t* logical, opp_ini_span_t content,
                              sgf_error_t* error)
{
  const char* end   = content.at + content.length;
  const char* equal = memchr(content.at, '=', content.length);
  if (equal == NULL)
    return sgf_error_set(error, SGF_SYNTAX, "\"%.*s\": expected key = value", (int)content.length, content.at);
  opp_ini_span_t key   = opp_ini_span_between(content.at, equal);
  opp_ini_span_t value = opp_ini_span_between(equal + 1, end);
  if (key.length == 0)
    return sgf_error_set(error, SGF_SYNTAX, "\"%.*s\": no key", (int)content.length, content.at);
  if (value.length == 0)
    return sgf_error_set(error, SGF_SYNTAX, "%.*s has no value", (int)key.length, key.at);

  opp_ini_config_t* config = &ini->configs[source->section != NO_SECTION ? source->section : 0];
  config->lines            = opp_ini_grow(config->lines, config->line_count, sizeof *config->lines);
  opp_ini_line_t* line     = &config->lines[config->line_count++];
  *line                    = (opp_ini_line_t){
                         .key = opp_ini_span_copy(key), .text = opp_ini_span_copy(value), .file = source->name, .line = logical->line};
  sgf_status_t status = opp_ini_key_check(line, error);
  return status == SGF_OK ? opp_ini_value_parse(line->text, &line->value, error) : status;
}

static sgf_status_t read_line(opp_ini_t* ini, source_t* source, const logical_t* logical, sgf_error_t* error)
{
  static const char word[] = "include";
  size_t length            = sizeof word - 1;
  const char* line         = logical->text.at;
  while (opp_ini_is_space(*line))
    line++;
  if (*line == '\0' || *line == '#')
    return SGF_OK;
  if (*line == ';')
    return sgf_error_set(error, SGF_SYNTAX, "a comment begins with #, not with ;");
  const char* end = content_end(line);
  if (end == NULL)
    return sgf_error_set(error, SGF_SYNTAX, "a string without its closing quote: %s", line);
  opp_ini_span_t content = opp_ini_span_between(line, end);
  if (*line == '[')
    return begin_section(ini, source, content, error);
  bool is_include     = content.length > length && memcmp(line, word, length) == 0 && opp_ini_is_space(line[length]);
  opp_ini_span_t name = opp_ini_span_between(line + (is_include ? length : 0), end);
  if (is_include && *name.at != '=')
    return include(ini, source, name, error);
  return add_entry(ini, source, logical, content, error);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Refuse a file that includes itself, directly or through others. */
static sgf_status_t identify(source_t* source, FILE* stream, sgf_error_t* error)
{
  struct stat status;
  if (fstat(fileno(stream), &status) != 0)
    return sgf_error_set(error, SGF_IO, "cannot read \"%s\"", source->name);
  source->device = status.st_dev;
  source->inode  = status.st_ino;
  int depth      = 0;
  for (const source_t* outer = source->includer; outer != NULL; outer = outer->includer) {
    if (outer->device == source->device && outer->inode == source->inode)
      return sgf_error_set(error, SGF_RULE, "\"%s\" includes itself, directly or through others", source->name);
    if (++depth > DEEPEST_INCLUDE)
      return sgf_error_set(error, SGF_RANGE, "more than %d files include each other", DEEPEST_INCLUDE);
  }
  return SGF_OK;
}

static sgf_status_t read_lines(opp_ini_t* ini, source_t* source, sgf_error_t* error)
{
  static const char mark[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 with it */
  source->at               = source->text + (strncmp(source->text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0);
  logical_t logical        = {{NULL, 0, 0}, 0};
  sgf_status_t status      = SGF_OK;
  while (*source->at != '\0' && status == SGF_OK) {
    status = take_line(source, &logical, error);
    if (status == SGF_OK)
      status = read_line(ini, source, &logical, error);
    sgf_error_place(error, source->name, logical.line);
  }
  free(logical.text.at);
  return status;
}

/* Lines before the first section of an included file belong to the section that it is included in; sections of it do
 * not end that one. */
static sgf_status_t read_source(opp_ini_t* ini, const char* name, const source_t* includer, sgf_error_t* error)
{
  if (ini->file_count >= MOST_FILES)
    return sgf_error_set(error, SGF_RANGE, "more than %d files are included", MOST_FILES);
  FILE* stream = fopen(name, "rb");
  if (stream == NULL)
    return sgf_error_set(error, SGF_IO, "cannot open \"%s\"", name);
  ini->files                    = opp_ini_grow(ini->files, ini->file_count, sizeof *ini->files);
  ini->files[ini->file_count++] = sgf_strdup(name);

  source_t source     = {.includer = includer,
                         .name     = ini->files[ini->file_count - 1],
                         .section  = includer != NULL ? includer->section : NO_SECTION};
  sgf_status_t status = identify(&source, stream, error);
  if (status == SGF_OK)
    status = read_stream(stream, source.name, &source.text, error);
  fclose(stream);
  if (status == SGF_OK)
    status = read_lines(ini, &source, error);
  free(source.text);
  free(source.headings);
  return status;
}

opp_ini_t* opp_ini_read(const char* file, sgf_error_t* error)
{
  opp_ini_t* ini = sgf_calloc(1, sizeof *ini);
  add_config(ini, opp_ini_span("General"));
  sgf_status_t status = read_source(ini, file, NULL, error);
  if (status == SGF_OK)
    status = opp_ini_chains(ini, error);
  sgf_error_place(error, file, 0);
  if (status == SGF_OK)
    return ini;
  opp_ini_free(ini);
  return NULL;
}

static void free_config(opp_ini_config_t* config)
{
  for (size_t i = 0; i < config->line_count; i++) {
    opp_ini_line_t* line = &config->lines[i];
    opp_ini_value_free(&line->value);
    opp_pattern_free(line->pattern);
    free(line->key);
    free(line->text);
  }
  free(config->lines);
  free(config->chain);
  free(config->description);
  free(config->name);
}

void opp_ini_free(opp_ini_t* ini)
{
  if (ini == NULL)
    return;
  for (size_t i = 0; i < ini->config_count; i++)
    free_config(&ini->configs[i]);
  free(ini->configs);
  for (size_t i = 0; i < ini->file_count; i++)
    free(ini->files[i]);
  free(ini->files);
  free(ini);
}
