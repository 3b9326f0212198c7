/* What the specifications accept but advise against (spec/switch.md 4.2, 4.3, 10.6; spec/uet-nic.md 3.5), said once for
 * all devices that it holds for. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sgfabric/explain.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"

/* ---- Warnings ---------------------------------------------------------------------------------------------------- */

void fabric_warn(sgf_fabric_t* fabric, const char* device, const char* text)
{
  for (size_t i = 0; i < fabric->warning_count; i++)
    if (strcmp(fabric->warnings[i].text, text) == 0) {
      fabric->warnings[i].devices++;
      return;
    }
  fabric->warnings = sgf_realloc(fabric->warnings, fabric->warning_count + 1, sizeof *fabric->warnings);
  fabric->warnings[fabric->warning_count++] =
      (fabric_warning_t){.text = sgf_strdup(text), .first = device, .devices = 1};
}

void fabric_write_warnings(sgf_fabric_t* fabric)
{
  for (size_t i = 0; i < fabric->warning_count; i++) {
    fabric_warning_t* warning = &fabric->warnings[i];
    const size_t size         = strlen(warning->first) + strlen(warning->text) + 64;
    warning->line             = sgf_calloc(size, 1);
    if (warning->devices == 1)
      snprintf(warning->line, size, "%s: %s", warning->first, warning->text);
    else
      snprintf(warning->line, size, "%s and %zu more: %s", warning->first, warning->devices - 1, warning->text);
  }
}

void fabric_free_warnings(sgf_fabric_t* fabric)
{
  for (size_t i = 0; i < fabric->warning_count; i++) {
    free(fabric->warnings[i].text);
    free(fabric->warnings[i].line);
  }
  free(fabric->warnings);
}

size_t sgf_fabric_warning_count(const sgf_fabric_t* fabric)
{
  return fabric->warning_count;
}

const char* sgf_fabric_warning(const sgf_fabric_t* fabric, size_t i)
{
  return fabric->warnings[i].line;
}

/* ---- Switches ---------------------------------------------------------------------------------------------------- */

static SGF_PRINTF(2, 3) void advise(const sgf_device_t* device, const char* format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fabric_warn(device->fabric, device->name, text);
}

/* Shares that do not sum to 1: the last pool takes the difference, but its ECN band and fixed limit do not (U-01). */
static void advise_shares(const sgf_device_t* device, const sgf_shared_buffer_config_t* config)
{
  const sgf_decimal_t one = {1, 1};
  sgf_decimal_t sum       = {0, 1};
  for (unsigned pool = 0; pool < SGF_SB_POOLS; pool++)
    sum = sgf_decimal_add(sum, config->pool_share[pool]);
  if (sgf_decimal_compare(sum, one) != 0)
    advise(device,
           "SharedBufferManager.PoolAllocationMap sums to %g, not to 1: the last pool takes the difference, its ECN "
           "band does not",
           sgf_decimal_value(sum));
}

static void advise_classes(const sgf_device_t* device, const sgf_shared_buffer_config_t* config)
{
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    const int64_t pool = config->pool_of_class[tc];
    if (config->enable_pfc[tc] == 1 && pool != tc)
      advise(device,
             "SharedBufferManager.TrafficClassPoolMapping puts class %u, which has PFC, in pool %" PRId64
             "; PFC presupposes class n in pool n",
             tc, pool);
    if (config->enable_pfc[tc] != 0 && config->enable_pfc[tc] != 1)
      advise(device, "SharedBufferManager.EnablePFC of class %u is %" PRId64 ", which counts as 0", tc,
             config->enable_pfc[tc]);
  }
}

/* The first two of the three lossless conditions; the third, other classes in the pool, is how the defaults are. */
static void advise_lossless(const sgf_device_t* device)
{
  const sgf_switch_facts_t facts = sgf_explain_switch(device);
  for (unsigned tc = 0; tc < SGF_SB_CLASSES; tc++) {
    const sgf_condition_t* conditions = facts.conditions[tc];
    if (!sgf_sb_lossless(switch_state(device->module)->buffer, tc))
      continue;
    if (!conditions[0].holds)
      advise(device,
             "SharedBufferManager.HeadRoomPerPortLimit is %" PRId64
             " B; a pause on the longest cable lets in up to %" PRId64 " B",
             conditions[0].given, conditions[0].needed);
    if (!conditions[1].holds)
      advise(device,
             "the pool of class %u holds %" PRId64 " B; all %u ports at their pause point need %" PRId64
             " B: it can drop before all have paused",
             tc, conditions[1].given, facts.connected_ports, conditions[1].needed);
  }
}

static void advise_switch(const sgf_device_t* device)
{
  const sgf_shared_buffer_config_t* config = &((const switch_block_t*)device->block)->buffer;
  advise_shares(device, config);
  advise_classes(device, config);
  if (config->xon >= config->xoff)
    advise(device, "SharedBufferManager.StaticPoolXonThreshold is not below StaticPoolXoffThreshold: pauses and "
                   "resumes may alternate");
  advise_lossless(device);
}

void fabric_advise(sgf_fabric_t* fabric)
{
  for (size_t d = 0; d < fabric->device_count; d++)
    if (sgf_device_is_switch(fabric->devices[d]))
      advise_switch(fabric->devices[d]);
}
