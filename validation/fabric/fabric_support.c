#include "fabric_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text -------------------------------------------------------------------------------------------------------- */

void text_add_list(text_t* text, const char* format, va_list args)
{
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char* more = realloc(text->chars, text->size + (size_t)length + 1);
  if (more == NULL)
    abort();
  text->chars = more;
  vsnprintf(more + text->size, (size_t)length + 1, format, args);
  text->size += (size_t)length;
}

void text_add(text_t* text, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  text_add_list(text, format, args);
  va_end(args);
}

static void add_report(text_t* text, const sgf_report_t* report)
{
  text_add(text, "clock %lld hops %llu events %llu retransmissions %llu\n", (long long)report->clock,
           (unsigned long long)report->packet_hops, (unsigned long long)report->events,
           (unsigned long long)report->retransmissions);
  for (size_t i = 0; i < report->flow_count; i++)
    text_add(text, "flow %s %s %llu %lld %lld\n", report->flows[i].src, report->flows[i].dst,
             (unsigned long long)report->flows[i].bytes, (long long)report->flows[i].start,
             (long long)report->flows[i].end);
  for (size_t i = 0; i < report->drop_count; i++)
    text_add(text, "drops %s %llu\n", report->drops[i].cause, (unsigned long long)report->drops[i].count);
  for (size_t i = 0; i < report->pause_count; i++) {
    const sgf_pause_count_t* pause = &report->pauses[i];
    text_add(text, "pauses %s port %u tc %u peer %s: %llu %llu %llu %llu %lld\n", pause->device, pause->port, pause->tc,
             pause->peer, (unsigned long long)pause->sent, (unsigned long long)pause->resumes_sent,
             (unsigned long long)pause->received, (unsigned long long)pause->resumes_received,
             (long long)pause->paused);
  }
  for (size_t i = 0; i < report->pool_count; i++)
    text_add(text, "pool %s %s: %lld %lld\n", report->pools[i].owner, report->pools[i].pool,
             (long long)report->pools[i].size, (long long)report->pools[i].peak);
  for (size_t i = 0; i < report->link_count; i++)
    text_add(text, "link %s port %u: %llu %llu %lld\n", report->links[i].from, report->links[i].port,
             (unsigned long long)report->links[i].frames, (unsigned long long)report->links[i].bytes,
             (long long)report->links[i].busy);
}

char* report_text(const sgf_fabric_t* fabric)
{
  text_t text          = {0};
  sgf_report_t* report = sgf_report_new(fabric);
  add_report(&text, report);
  sgf_report_free(report);
  return text.chars;
}

/* ---- Building ---------------------------------------------------------------------------------------------------- */

static void must(sgf_status_t status, const sgf_error_t* error)
{
  if (status == SGF_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  abort();
}

sgf_device_t* rig_host(sgf_fabric_t* fabric, const char* name)
{
  sgf_error_t error    = {0};
  sgf_device_t* device = sgf_fabric_add_nic(fabric, name, name, "uet", &error);
  must(error.status, &error);
  return device;
}

sgf_device_t* rig_switch(sgf_fabric_t* fabric, const char* name)
{
  sgf_error_t error    = {0};
  sgf_device_t* device = sgf_fabric_add_switch(fabric, name, name, &error);
  must(error.status, &error);
  return device;
}

static void cable(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b, opp_simtime_t delay, unsigned count)
{
  sgf_error_t error = {0};
  must(sgf_fabric_connect(fabric, a, b, "cable", 400 * GBPS, delay, count, &error), &error);
}

void rig_connect(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b)
{
  cable(fabric, a, b, 100 * OPP_NS, 1);
}

static void add_host(fabric_rig_t* rig)
{
  char name[16];
  snprintf(name, sizeof name, "h%u", rig->host_count);
  rig->hosts[rig->host_count++] = rig_host(rig->fabric, name);
}

static void add_switch(fabric_rig_t* rig, const char* kind, unsigned number)
{
  char name[16];
  snprintf(name, sizeof name, "%s%u", kind, number);
  rig->switches[rig->switch_count++] = rig_switch(rig->fabric, name);
}

static void apply(sgf_device_t* device, const char* name, const char* value)
{
  const char* colon = strchr(name, ':');
  if (colon != NULL) {
    const size_t length = (size_t)(colon - name);
    if (strlen(sgf_device_name(device)) != length || strncmp(sgf_device_name(device), name, length) != 0)
      return;
    name = colon + 1;
  }
  const bool is_for_switch = strncmp(name, "switch", 6) == 0;
  if (is_for_switch != sgf_device_is_switch(device))
    return;
  const char* dot = strchr(name, '.');
  char prefix[16];
  snprintf(prefix, sizeof prefix, "%.*s", dot != NULL ? (int)(dot - name) : (int)strlen(name), name);
  sgf_error_t error = {0};
  must(sgf_device_set(device, prefix, dot != NULL ? dot + 1 : "", value, &error), &error);
}

static void finish(fabric_rig_t* rig, const char* const* settings)
{
  for (; settings[0] != NULL; settings += 2)
    for (size_t d = 0; d < sgf_fabric_device_count(rig->fabric); d++)
      apply(sgf_fabric_device(rig->fabric, d), settings[0], settings[1]);
  sgf_error_t error = {0};
  must(sgf_fabric_seal(rig->fabric, &error), &error);
}

fabric_rig_t rig_star(unsigned hosts, opp_simtime_t delay, uint64_t seed, const char* const* settings)
{
  fabric_rig_t rig = {.fabric = sgf_fabric_new(seed)};
  for (unsigned h = 0; h < hosts; h++)
    add_host(&rig);
  add_switch(&rig, "tor", 0);
  for (unsigned h = 0; h < hosts; h++)
    cable(rig.fabric, rig.hosts[h], rig.switches[0], delay, 1);
  finish(&rig, settings);
  return rig;
}

fabric_rig_t rig_leaf_spine(unsigned leaves, unsigned hosts_of_leaf, unsigned spines, unsigned parallel, uint64_t seed,
                            const char* const* settings)
{
  fabric_rig_t rig = {.fabric = sgf_fabric_new(seed)};
  for (unsigned h = 0; h < leaves * hosts_of_leaf; h++)
    add_host(&rig);
  for (unsigned l = 0; l < leaves; l++)
    add_switch(&rig, "leaf", l);
  for (unsigned s = 0; s < spines; s++)
    add_switch(&rig, "spine", s);
  for (unsigned h = 0; h < rig.host_count; h++)
    cable(rig.fabric, rig.hosts[h], rig.switches[h / hosts_of_leaf], 100 * OPP_NS, 1);
  for (unsigned l = 0; l < leaves; l++)
    for (unsigned s = 0; s < spines; s++)
      cable(rig.fabric, rig.switches[l], rig.switches[leaves + s], 100 * OPP_NS, parallel);
  finish(&rig, settings);
  return rig;
}

void rig_free(fabric_rig_t* rig)
{
  sgf_fabric_free(rig->fabric);
  *rig = (fabric_rig_t){0};
}

sgf_op_t* rig_write(const fabric_rig_t* rig, unsigned src, unsigned dst, uint64_t bytes, uint64_t tag,
                    opp_simtime_t date)
{
  sgf_error_t error = {0};
  sgf_op_t* op      = sgf_op_write(rig->fabric, rig->hosts[src], rig->hosts[dst], bytes, tag, date, 0, &error);
  must(error.status, &error);
  return op;
}
