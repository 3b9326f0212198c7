/* Columns that several records have (spec/records.md 1.5). */
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

const char* results_port_class(const sgf_device_t* device)
{
  return sgf_device_is_switch(device) ? "SwitchEthNetDevice" : "NicEthNetDevice";
}

const char* results_direction(const sgf_device_t* device, unsigned port)
{
  return sgf_device_port_is_uplink(device, port) ? "ul" : "dl";
}

void results_pdc(sgf_pdc_id_t pdc, char text[RESULTS_PDC_SIZE])
{
  snprintf(text, RESULTS_PDC_SIZE, "%u.%u.%u.%u:%u", pdc.address >> 24 & 255U, pdc.address >> 16 & 255U,
           pdc.address >> 8 & 255U, pdc.address & 255U, pdc.id);
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

double results_gbps(uint64_t bytes, opp_simtime_t time)
{
  return (double)bytes * 8 / ((double)time / (double)OPP_NS);
}
