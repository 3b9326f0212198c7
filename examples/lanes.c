/* A receive pool over time, ready to plot (lanes.gp): what a NIC does while its PCIe link falls behind its cable.
 *
 *   lanes examples/lanes.xml examples/lanes_d.xml [PATTERN=VALUE]...     such as '**.receiver.pcie=gen5 x14' */
#include <inttypes.h>
#include <sgfabric/sgfabric.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>

#define INTERVAL (10 * OPP_US)

/* One row: the pool, what acknowledgements say of it now, and what has happened so far. */
static opp_simtime_t print_row(void* receiver, opp_simtime_t now)
{
  const sgf_nic_stats_t nic       = sgf_nic_stats(receiver);
  const sgf_port_stats_t port     = sgf_device_port_stats(receiver, 0);
  const sgf_class_stats_t class_0 = sgf_device_class_stats(receiver, 0, 0);
  printf("%.3f,%" PRId64 ",%.3f,%.3f,%u,%" PRIu64 ",%" PRIu64 "\n", (double)now / OPP_US, nic.pool_bytes,
         100.0 * (double)nic.pool_bytes / (double)nic.pool_size, (double)nic.ack_hold / OPP_NS, nic.penalty,
         class_0.pauses_sent, port.rx_drops);
  return now + INTERVAL;
}

int main(int argc, char* argv[])
{
  sgf_error_t error = {0};
  simgrid_init(&argc, argv);
  if (argc < 3) {
    fprintf(stderr, "usage: %s PLATFORM DEPLOYMENT [PATTERN=VALUE]...\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  for (int i = 3; i < argc; i++)
    sg_fabric_set(argv[i]);
  sg_fabric_load_platform(argv[1]);
  if (sg_fabric_load_deployment(argv[2], &error) != SGF_OK) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }
  sgf_fabric_t* fabric = sg_fabric_get();
  puts("time_us,pool_B,pool_percent,ack_hold_ns,penalty,pauses,drops");
  sgf_fabric_add_clock(fabric, INTERVAL, print_row, sgf_fabric_find(fabric, "receiver"));
  simgrid_run();
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
