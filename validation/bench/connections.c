/* Memory of connections: what a fabric's heap grows by for each.
 *   connections PLATFORM
 * Each host writes to the next one: one connection a host. Readings of the heap, less that before any traffic, divided
 * by their number: after a message of 1 byte each (idle: the two ends of a PDC, kept to be used again, and what one
 * packet and its acknowledgement needed); 10 us into 2 MB each (active: a full window of packet records and frames).
 * The same traffic once more must take no more than the record of its flow: it asserts that. */
#include <malloc.h>
#include <sgfabric/scenario.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 1, LARGE = 2000000 };
#define MID (10 * OPP_US)

static size_t heap_bytes(void)
{
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static void write_to_the_next(sgf_fabric_t* fabric, uint64_t bytes, opp_simtime_t date)
{
  const size_t hosts = sgf_fabric_host_count(fabric);
  for (size_t i = 0; i < hosts; i++)
    sgf_op_unref(sgf_op_write(fabric, sgf_fabric_host(fabric, i), sgf_fabric_host(fabric, (i + 1) % hosts), bytes, 0,
                              date, 0, NULL));
}

/* The heap in the midst of it, and after it. */
static void round_of_writes(sgf_fabric_t* fabric, uint64_t bytes, size_t* active, size_t* idle)
{
  const opp_simtime_t date = sgf_engine_clock(fabric) + 1;
  write_to_the_next(fabric, bytes, date);
  sgf_engine_advance(fabric, date + MID);
  *active = heap_bytes();
  sgf_engine_drain(fabric);
  *idle = heap_bytes();
}

int main(int argc, char** argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: %s PLATFORM\n", argv[0]);
    return 2;
  }
  sgf_error_t error        = {0};
  sgf_scenario_t* scenario = sgf_scenario_load(argv[1], NULL, 0, 1, &error);
  if (scenario == NULL) {
    fprintf(stderr, "connections: %s:%d: %s\n", error.file, error.line, error.text);
    return 1;
  }
  sgf_fabric_t* fabric = sgf_scenario_fabric(scenario);
  const size_t hosts   = sgf_fabric_host_count(fabric);
  const size_t before  = heap_bytes();
  size_t between, idle, active, after, after_again;
  round_of_writes(fabric, SMALL, &between, &idle);
  round_of_writes(fabric, LARGE, &active, &after);
  round_of_writes(fabric, LARGE, &between, &after_again);
  printf("connections           %8zu\n", hosts);
  printf("idle, bytes each      %8zu\n", (idle - before) / hosts);
  printf("active, bytes each    %8zu\n", (active - before) / hosts);
  printf("again, bytes each     %8zu\n", (after_again - after) / hosts);
  sgf_scenario_free(scenario);
  const size_t flow_record = 3 * sizeof(sgf_flow_t); /* the array of them doubles, and its pages are whole */
  if (after_again > after && (after_again - after) / hosts > flow_record) {
    fprintf(stderr, "connections: the second round took memory of its own\n");
    return 1;
  }
  return 0;
}
