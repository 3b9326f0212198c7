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
