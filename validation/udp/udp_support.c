/* A udp NIC on the bench: see udp_support.h. */
#include "udp_support.h"

#include "harness.h"

static int kind(const net_frame_t* frame)
{
  (void)frame; /* there is one */
  return 0;
}

static const bench_transport_t transport = {.nic = &udp_transport, .kind = kind};

bench_t* udp_bench(const char* const* settings)
{
  return bench_of(&transport, 400000000000, bench_delay, settings);
}

sgf_status_t udp_refusal(const char* const* settings, sgf_error_t* error)
{
  return bench_refusal_of(&transport, 400000000000, settings, error);
}

void udp_datagram(bench_t* bench, uint64_t message, uint64_t bytes, uint32_t payload)
{
  opp_msg_t* msg              = bench_frame_from(bench, 1, payload + UDP_LEAST_HEADERS);
  *udp_header(net_frame(msg)) = (udp_header_t){.message = message, .bytes = bytes, .tag = 7, .payload = payload};
  bench_feed(bench, msg);
}

const udp_header_t* udp_nth(const bench_t* bench, size_t n)
{
  CU_ASSERT_FATAL(n < bench->count);
  return udp_header_const(&bench->log[n].frame);
}
