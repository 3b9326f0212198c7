/* The fabric without SimGrid: two hosts, one switch, one write. */
#include <inttypes.h>
#include <sgfabric/sgfabric.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  sgf_error_t error    = {0};
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* a      = sgf_fabric_add_nic(fabric, "a", "rack.a", "uet", &error);
  sgf_device_t* b      = sgf_fabric_add_nic(fabric, "b", "rack.b", "uet", &error);
  sgf_device_t* tor    = sgf_fabric_add_switch(fabric, "tor", "rack.tor", &error);
  sgf_device_set(tor, "switch", "StaticPoolXoffThreshold", "400KB", &error);
  sgf_device_set(b, "pcie", "", "gen5 x8", &error);
  sgf_fabric_connect(fabric, a, tor, "a-tor", 400000000000, 100 * OPP_NS, 1, &error);
  sgf_fabric_connect(fabric, b, tor, "b-tor", 400000000000, 100 * OPP_NS, 1, &error);
  sgf_fabric_seal(fabric, &error);
  if (error.status != SGF_OK) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }

  sgf_op_t* write = sgf_op_write(fabric, a, b, 1000000, 0, 0, 0, &error);
  sgf_op_set_awaited(write, true);
  while (!sgf_op_done(write))
    sgf_engine_advance(fabric, OPP_TIME_MAX);
  printf("%" PRIu64 " bytes acknowledged after %" PRId64 " ps\n", sgf_op_bytes(write), sgf_op_end(write));

  sgf_engine_drain(fabric);
  const sgf_status_t status = sgf_fabric_check_end(fabric, NULL, NULL, &error);
  sgf_op_unref(write);
  sgf_fabric_free(fabric);
  return status == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
