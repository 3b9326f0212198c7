/* Columns that several records have (spec/records.md 1.5). */
#include <inttypes.h>
#include <stdio.h>

#include "records/results_internal.h"

void results_time_utc(csv_t* csv, const results_run_t* run)
{
  csv_text(csv, run->time_utc);
}

void results_sim_time(csv_t* csv, const results_run_t* run)
{
  csv_real(csv, (double)run->date / (double)OPP_S);
}

const char* results_component_type(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? "Switch" : "NIC";
}

void results_fill_port(csv_t* csv, const results_run_t* run, const sgf_device_t* device, unsigned port)
{
  csv_text(csv, run->job_id);
  results_time_utc(csv, run);
  results_sim_time(csv, run);
  csv_count(csv, sgf_device_node_id(device));
  csv_text(csv, sgf_device_name(device));
  csv_text(csv, results_component_type(device));
  csv_count(csv, port);
  csv_text(csv, results_direction(device, port));
}

const char* results_port_class(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? "SwitchEthNetDevice" : "NicEthNetDevice";
}

const char* results_direction(const sgf_device_t* device, unsigned port)
{
  return sgf_device_port_is_uplink(device, port) ? "ul" : "dl";
}

void results_ip(uint32_t address, char text[RESULTS_IP_SIZE])
{
  snprintf(text, RESULTS_IP_SIZE, "%u.%u.%u.%u", address >> 24 & 255U, address >> 16 & 255U, address >> 8 & 255U,
           address & 255U);
}

void results_pdc(sgf_pdc_id_t pdc, char text[RESULTS_PDC_SIZE])
{
  char address[RESULTS_IP_SIZE];
  results_ip(pdc.address, address);
  snprintf(text, RESULTS_PDC_SIZE, "%s:%u", address, pdc.id);
}

void results_fill_pdc(csv_t* csv, sgf_pdc_id_t pdc)
{
  char text[RESULTS_PDC_SIZE];
  results_pdc(pdc, text);
  csv_text(csv, text);
}

void results_count_if(csv_t* csv, bool applies, uint64_t value)
{
  if (applies)
    csv_count(csv, value);
  else
    csv_empty(csv);
}

void results_bitmap(csv_t* csv, uint32_t base, uint64_t bitmap)
{
  char text[64 * 11 + 3];
  size_t used = 0;
  for (uint64_t bits = bitmap; bits != 0; bits &= bits - 1)
    used += (size_t)snprintf(text + used, sizeof text - used, "%c%" PRIu32, used == 0 ? '[' : ':',
                             base + (uint32_t)__builtin_ctzll(bits));
  snprintf(text + used, sizeof text - used, "%s", used == 0 ? "[]" : "]");
  csv_text(csv, text);
}

void results_twins(csv_t* csv, uint64_t now, uint64_t before)
{
  csv_count(csv, now);
  csv_count(csv, now - before);
}

size_t results_port_count(const results_run_t* run)
{
  size_t ports = 0;
  for (size_t i = 0; i < run->device_count; i++)
    ports += sgf_device_port_count(run->devices[i]);
  return ports;
}

double results_us(opp_simtime_t time)
{
  return (double)time / (double)OPP_US;
}

double results_ratio(double part, double whole)
{
  return whole > 0 ? part / whole : 0;
}

double results_mean(const sgf_samples_t* samples)
{
  return results_ratio((double)samples->sum, (double)samples->count);
}

double results_mean_us(const sgf_samples_t* samples)
{
  return results_mean(samples) / (double)OPP_US;
}

double results_gbps(uint64_t bytes, opp_simtime_t time)
{
  return (double)bytes * 8 / ((double)time / (double)OPP_NS);
}
