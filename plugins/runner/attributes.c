/* `sgfabric attributes`: the tables of the models, for a terminal or as a page of the documentation. */
#include "runner_internal.h"

#include <string.h>

void runner_attributes_help(void)
{
  puts("Usage: sgfabric attributes [PREFIX] [OPTION]...\n"
       "Prints the attributes that a property under PREFIX (nic, pcie, switch, fabric or record) may set; without "
       "PREFIX "
       "all.\n\n"
       "  --markdown  as a page of the documentation\n"
       "  --help      this text\n\n"
       "Exit status: 0, or 2 wrong use.");
}

static const char* const prefixes[] = {"nic", "pcie", "switch", "fabric", "record"};
enum { PREFIXES = sizeof prefixes / sizeof *prefixes };

static const char* const type_names[] = {
    [SGF_ATTR_UINT]         = "whole number",
    [SGF_ATTR_BYTES]        = "size",
    [SGF_ATTR_DATARATE]     = "data rate",
    [SGF_ATTR_TIMEVAL]      = "time",
    [SGF_ATTR_DECIMAL]      = "number",
    [SGF_ATTR_BOOL]         = "true or false",
    [SGF_ATTR_CHOICE]       = "name",
    [SGF_ATTR_INT_LIST]     = "list of 8 whole numbers",
    [SGF_ATTR_DECIMAL_LIST] = "list of 8 numbers",
    [SGF_ATTR_TEXT]         = "text",
};

/* "0..1", or "one of StrictPriority, RoundRobin". */
static void print_range(const sgf_attr_t* attr)
{
  if (attr->type != SGF_ATTR_CHOICE) {
    fputs(attr->range, stdout);
    return;
  }
  fputs(strchr(attr->range, '|') != NULL ? "one of " : "only ", stdout);
  for (const char* at = attr->range; *at != '\0'; at++)
    if (*at == '|')
      fputs(", ", stdout);
    else
      putchar(*at);
}

/* How each attribute of a set, and the line above them, is printed. */
typedef struct style {
  void (*head)(const char* prefix, const char* model);
  void (*attribute)(const sgf_attr_t* attr);
} style_t;

static void print_head(const char* prefix, const char* model)
{
  printf("%s%s%s%s\n", prefix, model ? " (model " : "", model ? model : "", model ? ")" : "");
}

static void print_attribute(const sgf_attr_t* attr)
{
  printf("  %s\n      %s", attr->path, type_names[attr->type]);
  if (*attr->initial != '\0')
    printf(", default %s", attr->initial);
  if (*attr->range != '\0')
    fputs(", ", stdout);
  print_range(attr);
  printf("\n      %s\n", attr->help);
}

static void print_markdown_head(const char* prefix, const char* model)
{
  printf("\n## `%s`%s%s%s\n\n", prefix, model ? ", model `" : "", model ? model : "", model ? "`" : "");
  puts("| Attribute | Type | Default | Range | Meaning |\n| --- | --- | --- | --- | --- |");
}

static void print_markdown_attribute(const sgf_attr_t* attr)
{
  printf("| `%s` | %s | %s | ", attr->path, type_names[attr->type], attr->initial);
  print_range(attr);
  printf(" | %s |\n", attr->help);
}

static const style_t plain    = {print_head, print_attribute};
static const style_t markdown = {print_markdown_head, print_markdown_attribute};

static void print_set(const style_t* style, const sgf_attr_set_t* set, const char* prefix, const char* model)
{
  style->head(prefix, model);
  for (size_t i = 0; i < set->count; i++)
    for (size_t j = 0; j < set->sections[i].table->count; j++)
      style->attribute(&set->sections[i].table->attrs[j]);
}

/* A NIC's attributes depend on its model; those of PCIe are the same for all models. */
static void print_prefix(const style_t* style, const char* prefix)
{
  size_t models            = 0;
  const char* const* names = sgf_nic_model_names(&models);
  if (strcmp(prefix, "fabric") == 0)
    print_set(style, &sgf_scenario_attributes, prefix, NULL);
  else if (strcmp(prefix, "record") == 0)
    print_set(style, &sgf_results_attributes, prefix, NULL);
  else if (strcmp(prefix, "nic") != 0)
    print_set(style, sgf_attributes_of(prefix, names[0]), prefix, NULL);
  else
    for (size_t i = 0; i < models; i++)
      print_set(style, sgf_attributes_of(prefix, names[i]), prefix, names[i]);
}

static int refuse_prefix(const char* prefix)
{
  static const runner_command_t attributes = {.name = "attributes"};
  const char* words[PREFIXES + 1]          = {NULL};
  memcpy(words, prefixes, sizeof prefixes);
  return runner_misuse(&attributes, prefix, words,
                       "no attributes are under %s; prefixes are nic, pcie, switch, record and fabric", prefix);
}

int runner_attributes(const runner_options_t* options)
{
  const char* wanted = options->arguments[0];
  size_t known       = 0;
  while (wanted != NULL && known < PREFIXES && strcmp(prefixes[known], wanted) != 0)
    known++;
  if (known == PREFIXES)
    return refuse_prefix(wanted);
  if (options->markdown)
    puts("# Attributes\n\n"
         "This page is what `sgfabric attributes --markdown` prints. A property of a platform is named by a prefix and "
         "any\n"
         "suffix of the path that no other attribute of the prefix ends in, `.` or `/` between components:\n"
         "`nic.IngressBufferManager.TotalBufferSize`. A list has an entry for each traffic class or pool.");
  for (size_t i = 0; i < PREFIXES; i++)
    if (wanted == NULL || i == known)
      print_prefix(options->markdown ? &markdown : &plain, prefixes[i]);
  return RUNNER_COMPLETE;
}
