#include "runner/command_support.h"

#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND SGF_BINARY_DIR "/sgfabric"

enum { MAX_ARGS = 64, OUTPUT_SIZE = 8 << 20 };

static size_t append_all(char** argv, size_t count, const char* const* args)
{
  for (; *args; args++) {
    CU_ASSERT_FATAL(count + 1 < MAX_ARGS);
    argv[count++] = (char*)*args;
  }
  argv[count] = NULL;
  return count;
}

static int run(char** argv, char** out)
{
  *out = malloc(OUTPUT_SIZE);
  CU_ASSERT_PTR_NOT_NULL_FATAL(*out);
  return sgf_test_run(argv, *out, OUTPUT_SIZE);
}

int command_run(const char* const* args, char** out)
{
  char* argv[MAX_ARGS];
  append_all(argv, append_all(argv, 0, ARGS(COMMAND)), args);
  return run(argv, out);
}

json_t* command_json(const char* const* args, int* status)
{
  char* argv[MAX_ARGS];
  size_t count = append_all(argv, 0, ARGS("/bin/sh", "-c", "exec \"$0\" \"$@\" --json 2>/dev/null", COMMAND));
  append_all(argv, count, args);
  char* out;
  *status      = run(argv, &out);
  json_t* root = json_loads(out, JSON_REJECT_DUPLICATES, NULL);
  if (!root)
    printf("\nnot JSON, exit status %d: %.2000s\n", *status, out);
  free(out);
  return root;
}

json_t* command_object(const char* const* args)
{
  int status;
  json_t* root = command_json(args, &status);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  return root;
}

void command_expect(const char* const* args, int status, const char* word)
{
  char* out;
  CU_ASSERT_EQUAL(command_run(args, &out), status);
  text_expect(out, word);
  free(out);
}

char* command_words(const char* const* args)
{
  char* out = NULL;
  CU_ASSERT_EQUAL(command_run(args, &out), 0);
  char* text = calloc(strlen(out) + 2, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  size_t used  = 0;
  text[used++] = '\n';
  for (const char* at = out; *at != '\0'; at++)
    if (*at != ' ' || (text[used - 1] != ' ' && text[used - 1] != '\n'))
      text[used++] = *at;
  free(out);
  return text;
}

/* ---- What is said ------------------------------------------------------------------------------------------------ */

json_int_t member_integer(const json_t* object, const char* key)
{
  const json_t* value = json_object_get(object, key);
  CU_ASSERT_FATAL(json_is_integer(value));
  return json_integer_value(value);
}

double member_real(const json_t* object, const char* key)
{
  const json_t* value = json_object_get(object, key);
  CU_ASSERT_FATAL(json_is_real(value));
  return json_real_value(value);
}

const char* member_text(const json_t* object, const char* key)
{
  const json_t* value = json_object_get(object, key);
  CU_ASSERT_FATAL(json_is_string(value));
  return json_string_value(value);
}

void text_expect(const char* text, const char* word)
{
  const bool found = strstr(text, word) != NULL;
  if (!found)
    printf("\nno \"%s\" in:\n%s\n", word, text);
  CU_ASSERT(found);
}

const char* text_line(const char* text, const char* line)
{
  char whole[512];
  const int length = snprintf(whole, sizeof whole, "\n%s\n", line);
  CU_ASSERT_FATAL(length > 0 && (size_t)length < sizeof whole);
  const char* at = strstr(text, whole);
  if (at == NULL)
    printf("\nno line \"%s\" in:%s\n", line, text);
  return at;
}

char* text_read(const char* path)
{
  FILE* file = fopen(path, "rb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  CU_ASSERT_FATAL(size > 0);
  char* text = calloc((size_t)size + 1, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  rewind(file);
  CU_ASSERT_EQUAL(fread(text, 1, (size_t)size, file), (size_t)size);
  fclose(file);
  return text;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add_line(rack_t* rack, const char* format, ...)
{
  CU_ASSERT_FATAL(rack->count < RACK_MAX_LINES);
  va_list args;
  va_start(args, format);
  vsnprintf(rack->lines[rack->count++], RACK_LINE_SIZE, format, args);
  va_end(args);
}

rack_t rack_of(size_t hosts)
{
  rack_t rack = {.hosts = hosts};
  add_line(&rack, "<?xml version=\"1.0\"?>");
  add_line(&rack, "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">");
  add_line(&rack, "<platform version=\"4.1\">");
  add_line(&rack, "  <zone id=\"rack0\" routing=\"Dijkstra\">");
  add_line(&rack, "    <prop id=\"nic\" value=\"uet\"/>");
  add_line(&rack, "    <prop id=\"nic.IngressBufferManager.TotalBufferSize\" value=\"4MB\"/>");
  for (size_t i = 0; i < hosts; i++)
    add_line(&rack, "    <host id=\"gpu%zu\" speed=\"1Tf\"/>", i);
  add_line(&rack, "    <router id=\"tor0\"/>");
  for (size_t i = 0; i < hosts; i++)
    add_line(&rack, "    <link id=\"c%zu\" bandwidth=\"400Gbps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>",
             i);
  for (size_t i = 0; i < hosts; i++)
    add_line(&rack, "    <route src=\"gpu%zu\" dst=\"tor0\"><link_ctn id=\"c%zu\" direction=\"UP\"/></route>", i, i);
  add_line(&rack, "  </zone>");
  add_line(&rack, "</platform>");
  return rack;
}

size_t rack_route_line(const rack_t* rack, size_t host)
{
  return RACK_FIRST_HOST + 2 * rack->hosts + 1 + host;
}

char* text_write(const char* text, const char* name)
{
  const char* form = SGF_BINARY_DIR "/validation/runner/%s";
  size_t size      = strlen(form) + strlen(name) + 1;
  char* path       = malloc(size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(path);
  snprintf(path, size, SGF_BINARY_DIR "/validation/runner/%s", name);
  FILE* file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT(fputs(text, file) >= 0);
  CU_ASSERT_EQUAL(fclose(file), 0);
  return path;
}

char* rack_write(const rack_t* rack, const char* name)
{
  static char text[RACK_MAX_LINES * (RACK_LINE_SIZE + 1) + 1];
  text[0] = '\0';
  for (size_t i = 0; i < rack->count; i++) {
    strcat(text, rack->lines[i]);
    strcat(text, "\n");
  }
  return text_write(text, name);
}

char* deployment_write(const char* actors, const char* name)
{
  static char text[4096];
  snprintf(text, sizeof text,
           "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n%s\n</platform>\n",
           actors);
  return text_write(text, name);
}

json_t* actors_run(size_t hosts, const char* actors, const char* const* options, const char* name, int status)
{
  rack_t rack = rack_of(hosts);
  char file[64];
  snprintf(file, sizeof file, "%s.xml", name);
  char* platform = rack_write(&rack, file);
  snprintf(file, sizeof file, "%s_d.xml", name);
  char* deployment = deployment_write(actors, file);
  const char* argv[MAX_ARGS];
  append_all((char**)argv, append_all((char**)argv, 0, ARGS("run", platform, deployment)), options);
  int ended;
  json_t* root = command_json(argv, &ended);
  CU_ASSERT_EQUAL(ended, status);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT_EQUAL(json_is_true(json_object_get(root, "complete")), status == 0);
  free(platform);
  free(deployment);
  return root;
}
