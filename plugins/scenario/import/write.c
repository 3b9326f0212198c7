/* What has been imported, as files of SimGrid's: one zone, an element for each device, cable and flow. */
#include "scenario/import/import_internal.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <string.h>

/* ---- The writer -------------------------------------------------------------------------------------------------- */

/* libxml2's writer on a file of ours: whether everything was written is seen when that is closed. */
typedef struct output {
  FILE* out;
  xmlTextWriter* xml;
} output_t;

enum { TEXT_SIZE = 80 };

static void begin(const output_t* output, const char* element)
{
  xmlTextWriterStartElement(output->xml, (const xmlChar*)element);
}

static void end(const output_t* output)
{
  xmlTextWriterEndElement(output->xml);
}

static void attribute(const output_t* output, const char* name, const char* value)
{
  xmlTextWriterWriteAttribute(output->xml, (const xmlChar*)name, (const xmlChar*)value);
}

static void element_with(const output_t* output, const char* element, const char* name, const char* value)
{
  begin(output, element);
  attribute(output, name, value);
  end(output);
}

static void property(const output_t* output, const char* id, const char* value)
{
  begin(output, "prop");
  attribute(output, "id", id);
  attribute(output, "value", value);
  end(output);
}

/* What both files begin with. SimGrid wants these two lines as they are. */
static sgf_status_t open_output(output_t* output, const char* file, const char* comment, sgf_error_t* error)
{
  output->out = fopen(file, "w");
  if (output->out == NULL) {
    sgf_error_set(error, SGF_IO, "cannot write it: %s", strerror(errno));
    sgf_error_place(error, file, 0);
    return SGF_IO;
  }
  fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n", output->out);
  xmlOutputBuffer* buffer = xmlOutputBufferCreateFile(output->out, NULL);
  output->xml             = buffer != NULL ? xmlNewTextWriter(buffer) : NULL;
  if (output->xml == NULL) {
    fclose(output->out);
    return sgf_error_set(error, SGF_IO, "libxml2 has no memory for a writer");
  }
  xmlTextWriterSetIndent(output->xml, 1);
  xmlTextWriterSetIndentString(output->xml, (const xmlChar*)"  ");
  xmlTextWriterWriteComment(output->xml, (const xmlChar*)comment);
  begin(output, "platform");
  attribute(output, "version", "4.1");
  return SGF_OK;
}

static sgf_status_t close_output(output_t* output, const char* file, sgf_error_t* error)
{
  const int ended = xmlTextWriterEndDocument(output->xml);
  xmlFreeTextWriter(output->xml); /* which leaves the file open */
  const bool failed = ferror(output->out) != 0 || ended < 0;
  if (fclose(output->out) == 0 && !failed)
    return SGF_OK;
  sgf_error_set(error, SGF_IO, "cannot write it: %s", strerror(errno != 0 ? errno : EIO));
  sgf_error_place(error, file, 0);
  return SGF_IO;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

typedef struct unit {
  const char* name;
  int64_t factor;
} unit_t;

/* Units of SimGrid's, the largest first; a value is written with the first one that keeps it whole. */
static const unit_t rate_units[] = {{"Gbps", 1000000000}, {"Mbps", 1000000}, {"bps", 1}};
static const unit_t time_units[] = {{"us", 1000000}, {"ns", 1000}, {"ps", 1}};

static const char* quantity(int64_t value, const unit_t* unit, char* text)
{
  while (value % unit->factor != 0)
    unit++;
  snprintf(text, TEXT_SIZE, "%lld%s", (long long)(value / unit->factor), unit->name);
  return text;
}

static const char* node_name(const sgf_import_t* import, size_t node, char* text)
{
  snprintf(text, TEXT_SIZE, "%s%zu", import->nodes[node].prefix, import->nodes[node].number);
  return text;
}

/* "h0-tor0"; cables of one pair are one link. */
static const char* cable_name(const sgf_import_t* import, const import_cable_t* cable, char* text)
{
  const import_node_t* below = &import->nodes[cable->below];
  const import_node_t* above = &import->nodes[cable->above];
  snprintf(text, TEXT_SIZE, "%s%zu-%s%zu", below->prefix, below->number, above->prefix, above->number);
  return text;
}

/* Picoseconds as seconds: "2.000001". */
static const char* seconds(int64_t ps, char* text)
{
  const int64_t second = 1000000000000;
  int length           = snprintf(text, TEXT_SIZE, "%lld.%012lld", (long long)(ps / second), (long long)(ps % second));
  while (text[length - 1] == '0')
    text[--length] = '\0';
  if (text[length - 1] == '.')
    text[--length] = '\0';
  return text;
}

/* ---- The platform ------------------------------------------------------------------------------------------------ */

static void write_device(const output_t* output, const sgf_import_t* import, size_t node)
{
  char text[TEXT_SIZE];
  begin(output, import->nodes[node].is_switch ? "router" : "host");
  attribute(output, "id", node_name(import, node, text));
  if (!import->nodes[node].is_switch)
    attribute(output, "speed", "1Tf");
  end(output);
}

static void write_link(const output_t* output, const sgf_import_t* import, const import_cable_t* cable)
{
  char text[TEXT_SIZE];
  begin(output, "link");
  attribute(output, "id", cable_name(import, cable, text));
  attribute(output, "bandwidth", quantity(cable->bps, rate_units, text));
  attribute(output, "latency", quantity(cable->delay, time_units, text));
  attribute(output, "sharing_policy", "SPLITDUPLEX");
  if (cable->count > 1) {
    snprintf(text, sizeof text, "%u", cable->count);
    property(output, "fabric.cables", text);
  }
  end(output);
}

static void write_route(const output_t* output, const sgf_import_t* import, const import_cable_t* cable)
{
  char text[TEXT_SIZE];
  begin(output, "route");
  attribute(output, "src", node_name(import, cable->below, text));
  attribute(output, "dst", node_name(import, cable->above, text));
  begin(output, "link_ctn");
  attribute(output, "id", cable_name(import, cable, text));
  attribute(output, "direction", "UP");
  end(output);
  end(output);
}

sgf_status_t sgf_import_write_platform(const sgf_import_t* import, const char* nic, const char* file,
                                       sgf_error_t* error)
{
  output_t output;
  char comment[TEXT_SIZE];
  snprintf(comment, sizeof comment, " Made by 'sgfabric import %s'. ", import->format);
  const sgf_status_t status = open_output(&output, file, comment, error);
  if (status != SGF_OK)
    return status;
  begin(&output, "zone");
  attribute(&output, "id", import->format);
  attribute(&output, "routing", "Dijkstra");
  property(&output, "nic", nic != NULL ? nic : import->nic);
  for (size_t i = 0; i < import->node_count; i++)
    write_device(&output, import, i);
  for (size_t i = 0; i < import->cable_count; i++)
    write_link(&output, import, &import->cables[i]);
  for (size_t i = 0; i < import->cable_count; i++)
    write_route(&output, import, &import->cables[i]);
  return close_output(&output, file, error);
}

/* ---- The deployment ---------------------------------------------------------------------------------------------- */

sgf_status_t sgf_import_write_deployment(const sgf_import_t* import, const char* file, sgf_error_t* error)
{
  output_t output;
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, " Made by 'sgfabric import %s': an actor for each flow. ", import->format);
  const sgf_status_t status = open_output(&output, file, text, error);
  if (status != SGF_OK)
    return status;
  for (size_t i = 0; i < import->flow_count; i++) {
    const import_flow_t* flow = &import->flows[i];
    begin(&output, "actor");
    attribute(&output, "host", node_name(import, flow->src, text));
    attribute(&output, "function", "flow");
    if (flow->start > 0)
      attribute(&output, "start_time", seconds(flow->start, text));
    element_with(&output, "argument", "value", node_name(import, flow->dst, text));
    snprintf(text, sizeof text, "%lluB", (unsigned long long)flow->bytes);
    element_with(&output, "argument", "value", text);
    if (flow->queue_pair > 0) {
      snprintf(text, sizeof text, "%u", (unsigned)flow->queue_pair);
      element_with(&output, "argument", "value", text);
    }
    end(&output);
  }
  return close_output(&output, file, error);
}
