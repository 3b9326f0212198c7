/* The PCIe link against a naive model of it: buffers and waiting lines spelled out, one transfer and one event at a
 * time. */
#include "harness.h"

#include <sgfabric/pcie.h>
#include <stdlib.h>
#include <string.h>

static sgf_pcie_config_t default_config(void)
{
  const sgf_pcie_end_config_t end = {31520000000, 16, 16000, 16000, 256000, 256000, 0};
  return (sgf_pcie_config_t){.nic = end, .host = end};
}

static sgf_pcie_t* new_link(const sgf_pcie_config_t* config, int64_t largest_segment)
{
  sgf_error_t error = {0};
  sgf_pcie_t* pcie  = sgf_pcie_new(config, largest_segment, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pcie);
  return pcie;
}

/* ---- The naive model ------------------------------------------------------------------------------------- */

enum { MAX_OPS = 3000, MAX_TRANSFERS = 16 * MAX_OPS };

/* One asked-for read or write, and what became of it. */
typedef struct op {
  bool read;
  int64_t payload;
  opp_simtime_t accepted; /* writes */
  opp_simtime_t done;     /* the last transfer of the payload has crossed */
} op_t;

typedef struct transfer {
  int op;
  int64_t payload;
  int64_t link_bytes;
  bool last;
} transfer_t;

/* Works one piece at a time at a rate; 0: at once. The part of a picosecond left over is kept while it is not idle. */
typedef struct worker {
  int64_t bps;
  opp_simtime_t free_at;
  int64_t rest; /* of free_at, in 1 / bps ps */
} worker_t;

/* Transmit buffer, lanes, receive buffer and consumer, in this order; transfers move from queue[0] to its end. */
typedef struct direction {
  worker_t lanes, consumer;
  int64_t header_size, data_size;       /* of the transmit buffer */
  int64_t rx_header_size, rx_data_size; /* of the receive buffer */
  transfer_t queue[MAX_TRANSFERS];
  int consumed, crossed, end; /* transfers [consumed, crossed) are in the receive buffer; then one may be on the link */
  bool busy;
  int64_t headers, data, rx_headers, rx_data; /* bytes held */
  int64_t header_peak, data_peak, rx_header_peak, rx_data_peak;
  int64_t carried;
  opp_simtime_t started, blocked_since; /* blocked_since -1: it is not */
  opp_simtime_t busy_time, blocked_time;
} direction_t;

typedef struct line {
  int ops[MAX_OPS];
  int first, end;
} line_t;

typedef struct naive {
  op_t* ops;
  direction_t up, down;
  line_t reads;           /* requests that wait for a header of the NIC's */
  line_t writes;          /* writes that wait for room in the NIC's buffers */
  line_t answers;         /* completions that wait for room in the host's buffers */
  int64_t request_bytes;  /* of one read request */
  int64_t request_let_in; /* of the first that waits, what does not any more */
  int requests_that_waited, writes_that_waited;
  opp_simtime_t write_wait, writes_wait_since; /* writes_wait_since -1: none does */
} naive_t;

static void raise(int64_t* peak, int64_t value)
{
  if (value > *peak)
    *peak = value;
}

static void work(worker_t* worker, opp_simtime_t now, int64_t bytes)
{
  if (now > worker->free_at) {
    worker->free_at = now;
    worker->rest    = 0;
  }
  if (worker->bps == 0)
    return;
  const int64_t amount = worker->rest + 8 * bytes * OPP_S;
  worker->free_at += amount / worker->bps;
  worker->rest = amount % worker->bps;
}

static void enter(direction_t* direction, transfer_t transfer)
{
  direction->queue[direction->end++] = transfer;
  direction->headers += 34;
  direction->data += transfer.payload;
  raise(&direction->header_peak, direction->headers);
  raise(&direction->data_peak, direction->data);
}

static bool enter_payload(naive_t* naive, direction_t* direction, int op)
{
  int64_t left      = naive->ops[op].payload;
  int64_t transfers = left / 512 + (left % 512 > 0);
  if (direction->headers + 34 * transfers > direction->header_size || direction->data + left > direction->data_size)
    return false;
  for (; left > 512; left -= 512)
    enter(direction, (transfer_t){op, 512, 546, false});
  enter(direction, (transfer_t){op, left, left + 34, true});
  return true;
}

/* One transfer of the first request that waits. */
static void let_in_request(naive_t* naive)
{
  const int64_t left     = naive->request_bytes - naive->request_let_in;
  const int64_t transfer = left < 512 ? left : 512;
  enter(&naive->up, (transfer_t){naive->reads.ops[naive->reads.first], 0, transfer + 34, transfer == left});
  naive->request_let_in = transfer == left ? 0 : naive->request_let_in + transfer;
  naive->reads.first += transfer == left;
}

/* Let in what waits: requests first, then writes; completions at the host. */
static void let_in(naive_t* naive, opp_simtime_t now)
{
  direction_t* up = &naive->up;
  while (naive->reads.first < naive->reads.end && up->headers + 34 <= up->header_size)
    let_in_request(naive);
  while (naive->reads.first == naive->reads.end && naive->writes.first < naive->writes.end) {
    int op = naive->writes.ops[naive->writes.first];
    if (!enter_payload(naive, up, op))
      break;
    naive->ops[op].accepted = now;
    naive->writes.first++;
  }
  while (naive->answers.first < naive->answers.end &&
         enter_payload(naive, &naive->down, naive->answers.ops[naive->answers.first]))
    naive->answers.first++;
}

/* The consumer has done with the first transfer in the receive buffer, if there is one, and begins with the next. */
static void consume(naive_t* naive, direction_t* direction, opp_simtime_t now)
{
  while (direction->consumed < direction->crossed && direction->consumer.free_at <= now) {
    const transfer_t transfer = direction->queue[direction->consumed++];
    direction->rx_headers -= 34;
    direction->rx_data -= transfer.payload;
    if (direction == &naive->up && naive->ops[transfer.op].read && transfer.last)
      naive->answers.ops[naive->answers.end++] = transfer.op;
    if (direction->consumed < direction->crossed)
      work(&direction->consumer, now, direction->queue[direction->consumed].payload);
  }
}

/* The transfer on the link has crossed. */
static void cross(naive_t* naive, direction_t* direction, opp_simtime_t now)
{
  if (!direction->busy || direction->lanes.free_at > now)
    return;
  const transfer_t transfer = direction->queue[direction->crossed++];
  direction->busy           = false;
  direction->headers -= 34;
  direction->data -= transfer.payload;
  direction->carried += transfer.link_bytes;
  direction->busy_time += now - direction->started;
  if (transfer.last && (direction == &naive->down || !naive->ops[transfer.op].read))
    naive->ops[transfer.op].done = now;
  if (direction->crossed - direction->consumed == 1)
    work(&direction->consumer, now, transfer.payload);
}

static void start(direction_t* direction, opp_simtime_t now)
{
  if (direction->busy || direction->crossed == direction->end)
    return;
  const transfer_t* transfer = &direction->queue[direction->crossed];
  if (direction->rx_headers + 34 > direction->rx_header_size ||
      direction->rx_data + transfer->payload > direction->rx_data_size) {
    if (direction->blocked_since < 0)
      direction->blocked_since = now;
    return;
  }
  if (direction->blocked_since >= 0)
    direction->blocked_time += now - direction->blocked_since;
  direction->blocked_since = -1;
  direction->busy          = true;
  direction->started       = now;
  direction->rx_headers += 34;
  direction->rx_data += transfer->payload;
  raise(&direction->rx_header_peak, direction->rx_headers);
  raise(&direction->rx_data_peak, direction->rx_data);
  work(&direction->lanes, now, transfer->link_bytes);
}

/* Everything that happens at `now`. */
static void settle(naive_t* naive, opp_simtime_t now)
{
  direction_t* const directions[] = {&naive->up, &naive->down};
  for (int i = 0; i < 2; i++) {
    consume(naive, directions[i], now);
    cross(naive, directions[i], now);
    consume(naive, directions[i], now);
  }
  let_in(naive, now);
  start(&naive->up, now);
  start(&naive->down, now);
  if (naive->writes_wait_since >= 0)
    naive->write_wait += now - naive->writes_wait_since;
  naive->writes_wait_since = naive->writes.first < naive->writes.end ? now : -1;
}

static opp_simtime_t next_of(const direction_t* direction)
{
  opp_simtime_t next = direction->busy ? direction->lanes.free_at : OPP_TIME_MAX;
  if (direction->consumed < direction->crossed && direction->consumer.free_at < next)
    next = direction->consumer.free_at;
  return next;
}

/* Everything that happens up to and at `until`. */
static void naive_advance(naive_t* naive, opp_simtime_t until)
{
  for (;;) {
    const opp_simtime_t up   = next_of(&naive->up);
    const opp_simtime_t down = next_of(&naive->down);
    const opp_simtime_t next = up < down ? up : down;
    if (next > until || next == OPP_TIME_MAX)
      return;
    settle(naive, next);
  }
}

static void naive_ask(naive_t* naive, opp_simtime_t now, int op)
{
  line_t* line           = naive->ops[op].read ? &naive->reads : &naive->writes;
  line->ops[line->end++] = op;
  settle(naive, now);
  naive->requests_that_waited += naive->reads.first < naive->reads.end && naive->ops[op].read;
  naive->writes_that_waited += naive->writes.first < naive->writes.end && !naive->ops[op].read;
}

static void init_direction(direction_t* direction, const sgf_pcie_end_config_t* from, const sgf_pcie_end_config_t* to)
{
  direction->lanes.bps      = from->lane_bps * (int64_t)from->lane_count;
  direction->consumer.bps   = to->consumption_bps;
  direction->header_size    = from->tx_header_bytes;
  direction->data_size      = from->tx_data_bytes;
  direction->rx_header_size = to->rx_header_bytes;
  direction->rx_data_size   = to->rx_data_bytes;
  direction->blocked_since  = -1;
}

static naive_t* naive_new(const sgf_pcie_config_t* config)
{
  naive_t* naive = calloc(1, sizeof *naive);
  CU_ASSERT_PTR_NOT_NULL_FATAL(naive);
  naive->ops = calloc(MAX_OPS, sizeof *naive->ops);
  CU_ASSERT_PTR_NOT_NULL_FATAL(naive->ops);
  init_direction(&naive->up, &config->nic, &config->host);
  init_direction(&naive->down, &config->host, &config->nic);
  naive->request_bytes     = config->read_request_bytes > 0 ? config->read_request_bytes : 64;
  naive->writes_wait_since = -1;
  return naive;
}

static void naive_free(naive_t* naive)
{
  free(naive->ops);
  free(naive);
}

/* ---- The link, driven as a NIC drives it ----------------------------------------------------------------- */

typedef struct driver {
  sgf_pcie_t* pcie;
  op_t* ops;
  line_t writes;
  opp_simtime_t now;
  int broken_promises; /* no room at the date that sgf_pcie_write_room gave */
} driver_t;

/* Accept the waiting writes whose date is not after `until`. */
static void drive(driver_t* driver, opp_simtime_t until)
{
  for (; driver->writes.first < driver->writes.end; driver->writes.first++) {
    op_t* op           = &driver->ops[driver->writes.ops[driver->writes.first]];
    opp_simtime_t date = sgf_pcie_write_room(driver->pcie, driver->now, op->payload);
    if (date > until)
      break;
    driver->broken_promises += date < driver->now || sgf_pcie_write_room(driver->pcie, date, op->payload) != date;
    driver->now  = date;
    op->accepted = date;
    op->done     = sgf_pcie_write(driver->pcie, date, op->payload);
  }
  driver->now = until < OPP_TIME_MAX ? until : driver->now;
}

static void drive_ask(driver_t* driver, int op)
{
  if (driver->ops[op].read)
    driver->ops[op].done = sgf_pcie_read(driver->pcie, driver->now, driver->ops[op].payload);
  else
    driver->writes.ops[driver->writes.end++] = op;
  drive(driver, driver->now);
}

/* splitmix64 */
static int64_t draw(uint64_t* state, int64_t limit)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z          = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (int64_t)((z ^ (z >> 31)) % (uint64_t)limit);
}

static int64_t draw_payload(uint64_t* random, int64_t largest)
{
  int64_t payload = draw(random, 3) == 0 ? largest : 1 + draw(random, largest);
  if (draw(random, 4) == 0 && payload >= 512)
    payload -= payload % 512;
  return payload;
}

/* Bursts, a trickle near the rate of the link, and pauses that let it fall idle, in turn. */
static opp_simtime_t draw_gap(uint64_t* random, int op, opp_simtime_t segment_time)
{
  switch (op / 300 % 3) {
    case 0:
      return 0;
    case 1:
      return draw(random, 2 * segment_time);
    default:
      return draw(random, 5) == 0 ? 20 * segment_time : draw(random, segment_time);
  }
}

typedef struct agreement {
  int differences; /* in the dates, buffers and statistics of the link and of the naive model */
  int requests_that_waited, writes_that_waited;
  opp_simtime_t to_host_waited, to_nic_waited; /* for room at the far end */
} agreement_t;

static int time_differences(const sgf_pcie_stats_t* stats, const direction_t* direction, opp_simtime_t now)
{
  const opp_simtime_t busy    = direction->busy ? now - direction->started : 0;
  const opp_simtime_t blocked = direction->blocked_since >= 0 ? now - direction->blocked_since : 0;
  return (stats->busy != direction->busy_time + busy) + (stats->credit_wait != direction->blocked_time + blocked);
}

/* What the link holds and how its time has been spent at `now`. */
static int differences_at(sgf_pcie_t* pcie, const naive_t* naive, opp_simtime_t now)
{
  const sgf_pcie_stats_t nic     = sgf_pcie_stats(pcie, SGF_PCIE_NIC, now);
  const sgf_pcie_stats_t host    = sgf_pcie_stats(pcie, SGF_PCIE_HOST, now);
  const opp_simtime_t write_wait = naive->writes_wait_since >= 0 ? now - naive->writes_wait_since : 0;
  int differences                = time_differences(&nic, &naive->up, now) + time_differences(&host, &naive->down, now);
  differences += sgf_pcie_tx_data_bytes(pcie, now) != naive->up.data;
  differences += sgf_pcie_tx_header_bytes(pcie, now) != naive->up.headers;
  differences += nic.tx_data_peak != naive->up.data_peak;
  differences += nic.tx_header_peak != naive->up.header_peak;
  differences += nic.write_wait != naive->write_wait + write_wait;
  return differences;
}

/* The counts when all is done. */
static void check_counts(sgf_pcie_t* pcie, const naive_t* naive, int reads, opp_simtime_t end)
{
  const sgf_pcie_stats_t nic  = sgf_pcie_stats(pcie, SGF_PCIE_NIC, end);
  const sgf_pcie_stats_t host = sgf_pcie_stats(pcie, SGF_PCIE_HOST, end);
  CU_ASSERT_EQUAL(nic.link_bytes, naive->up.carried);
  CU_ASSERT_EQUAL(host.link_bytes, naive->down.carried);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(pcie), naive->up.carried);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(pcie), naive->down.carried);
  CU_ASSERT_EQUAL(nic.transfers, naive->up.end);
  CU_ASSERT_EQUAL(host.transfers, naive->down.end);
  CU_ASSERT_EQUAL(nic.reads, reads);
  CU_ASSERT_EQUAL(nic.writes, MAX_OPS - reads);
  CU_ASSERT_EQUAL(host.rx_header_peak, naive->up.rx_header_peak);
  CU_ASSERT_EQUAL(host.rx_data_peak, naive->up.rx_data_peak);
  CU_ASSERT_EQUAL(nic.rx_header_peak, naive->down.rx_header_peak);
  CU_ASSERT_EQUAL(nic.rx_data_peak, naive->down.rx_data_peak);
  CU_ASSERT_EQUAL(host.reads + host.writes + host.write_wait + host.tx_header_peak + host.tx_data_peak, 0);
}

/* The same random sequence of reads and writes on both. */
static agreement_t compare(const sgf_pcie_config_t* config, int64_t largest, int reads_percent, uint64_t seed)
{
  naive_t* naive  = naive_new(config);
  driver_t driver = {.pcie = new_link(config, largest), .ops = calloc(MAX_OPS, sizeof *driver.ops)};
  CU_ASSERT_PTR_NOT_NULL_FATAL(driver.ops);
  agreement_t result         = {0};
  opp_simtime_t segment_time = 8 * sgf_pcie_link_bytes(largest) * OPP_S / naive->up.lanes.bps + 1;
  opp_simtime_t now          = 0;
  int reads                  = 0;

  for (int i = 0; i < MAX_OPS; i++) {
    now += draw_gap(&seed, i, segment_time);
    naive_advance(naive, now);
    drive(&driver, now);
    result.differences += differences_at(driver.pcie, naive, now);
    op_t op       = {draw(&seed, 100) < reads_percent, draw_payload(&seed, largest), -1, -1};
    naive->ops[i] = driver.ops[i] = op;
    reads += op.read;
    naive_ask(naive, now, i);
    drive_ask(&driver, i);
  }
  naive_advance(naive, OPP_TIME_MAX);
  drive(&driver, OPP_TIME_MAX);

  opp_simtime_t end = naive->up.lanes.free_at;
  end               = naive->down.lanes.free_at > end ? naive->down.lanes.free_at : end;
  for (int i = 0; i < MAX_OPS; i++)
    result.differences += driver.ops[i].accepted != naive->ops[i].accepted || driver.ops[i].done < 0 ||
                          driver.ops[i].done != naive->ops[i].done;
  result.differences += differences_at(driver.pcie, naive, end);
  CU_ASSERT_EQUAL(driver.broken_promises, 0);
  CU_ASSERT_EQUAL(sgf_pcie_tx_data_bytes(driver.pcie, end), 0);
  CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(driver.pcie, end), 0);
  check_counts(driver.pcie, naive, reads, end);
  result.requests_that_waited = naive->requests_that_waited;
  result.writes_that_waited   = naive->writes_that_waited;
  result.to_host_waited       = naive->up.blocked_time;
  result.to_nic_waited        = naive->down.blocked_time;
  sgf_pcie_free(driver.pcie);
  free(driver.ops);
  naive_free(naive);
  return result;
}

SGF_TEST(default_buffers_agree_with_the_naive_model)
{
  sgf_pcie_config_t config = default_config();
  for (int reads_percent = 0; reads_percent <= 100; reads_percent += 25) {
    agreement_t result = compare(&config, 4096, reads_percent, (uint64_t)reads_percent + 1);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(reads_percent == 100 || result.writes_that_waited > 0);
  }
}

SGF_TEST(header_buffers_that_bind_agree_with_the_naive_model)
{
  sgf_pcie_config_t config    = default_config();
  config.nic.lane_count       = 13;
  config.host.tx_data_bytes   = 4096;
  config.host.tx_header_bytes = 8 * 34;
  for (int headers = 8; headers <= 40; headers += 4) {
    config.nic.tx_header_bytes = 34 * headers + headers % 34;
    agreement_t result         = compare(&config, 4096, 60, 1000 + (uint64_t)headers);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.writes_that_waited > 0);
    CU_ASSERT(result.requests_that_waited > 0);
  }
}

SGF_TEST(a_data_buffer_that_binds_agrees_with_the_naive_model)
{
  sgf_pcie_config_t config = default_config();
  for (int64_t bytes = 4096; bytes < 20000; bytes += 1777) {
    config.nic.tx_data_bytes = bytes;
    agreement_t result       = compare(&config, 4096, 30, 2000 + (uint64_t)bytes);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.writes_that_waited > 0);
  }
}

SGF_TEST(one_header_for_everything_agrees_with_the_naive_model)
{
  sgf_pcie_config_t config   = default_config();
  config.nic.tx_header_bytes = 34;
  config.nic.tx_data_bytes   = 512;
  agreement_t result         = compare(&config, 512, 50, 3000);
  CU_ASSERT_EQUAL(result.differences, 0);
  CU_ASSERT(result.writes_that_waited > 0);
  CU_ASSERT(result.requests_that_waited > 0);
}

SGF_TEST(rates_without_round_numbers_agree_with_the_naive_model)
{
  sgf_pcie_config_t config = default_config();
  config.nic.lane_bps      = 31520000007;
  config.nic.lane_count    = 13;
  config.host.lane_bps     = 7879999993;
  config.host.lane_count   = 7;
  CU_ASSERT_EQUAL(compare(&config, 9000, 50, 4000).differences, 0);
  config.nic.lane_bps = 1000003;
  CU_ASSERT_EQUAL(compare(&config, 1, 50, 4001).differences, 0);
}

static const int64_t request_sizes[] = {1, 64, 511, 512, 513, 600, 1024, 1025, 2500};
enum { REQUEST_SIZES = sizeof request_sizes / sizeof *request_sizes };

SGF_TEST(read_requests_of_any_size_agree_with_the_naive_model)
{
  for (int i = 0; i < REQUEST_SIZES; i++) {
    sgf_pcie_config_t config  = default_config();
    config.read_request_bytes = request_sizes[i];
    CU_ASSERT_EQUAL(compare(&config, 4096, 50, 4100 + (uint64_t)i).differences, 0);
    for (int headers = 8; headers <= 17; headers += 3) {
      config.nic.tx_header_bytes = 34 * headers;
      agreement_t result         = compare(&config, 4096, 50, 4200 + (uint64_t)(10 * i + headers));
      CU_ASSERT_EQUAL(result.differences, 0);
      CU_ASSERT(result.writes_that_waited > 0);
      CU_ASSERT(result.requests_that_waited > 0);
    }
  }
}

/* A request of more transfers than there are headers gets through all the same. */
SGF_TEST(read_requests_larger_than_the_buffers_agree_with_the_naive_model)
{
  sgf_pcie_config_t config  = default_config();
  config.read_request_bytes = 2500;
  config.nic.tx_data_bytes  = 512;
  for (int headers = 1; headers <= 4; headers++) {
    config.nic.tx_header_bytes = 34 * headers;
    agreement_t result         = compare(&config, 512, 50, 4300 + (uint64_t)headers);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.writes_that_waited > 0);
    CU_ASSERT(result.requests_that_waited > 0);
  }
}

/* ---- Ends that take their time: the receive buffers fill, and the link waits for room (UN-183) --------------- */

/* Below the payload rate of the link, with a remainder. */
static const int64_t slow_bps = 300000000007;

SGF_TEST(a_host_that_takes_its_time_agrees_with_the_naive_model)
{
  sgf_pcie_config_t config    = default_config();
  config.host.consumption_bps = slow_bps;
  for (int reads_percent = 0; reads_percent <= 75; reads_percent += 25) {
    agreement_t result = compare(&config, 4096, reads_percent, 5000 + (uint64_t)reads_percent);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.writes_that_waited > 0);
    CU_ASSERT(reads_percent > 25 || result.to_host_waited > 0);
    CU_ASSERT_EQUAL(result.to_nic_waited, 0);
  }
}

SGF_TEST(a_nic_that_takes_its_time_agrees_with_the_naive_model)
{
  sgf_pcie_config_t config   = default_config();
  config.nic.consumption_bps = slow_bps;
  for (int64_t bytes = 512; bytes < 9000; bytes += 1111) {
    config.nic.rx_data_bytes = bytes;
    agreement_t result       = compare(&config, 4096, 60, 6000 + (uint64_t)bytes);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.to_nic_waited > 0);
    CU_ASSERT_EQUAL(result.to_host_waited, 0);
  }
}

SGF_TEST(receive_headers_that_bind_agree_with_the_naive_model)
{
  sgf_pcie_config_t config    = default_config();
  config.host.consumption_bps = config.nic.consumption_bps = slow_bps;
  for (int headers = 1; headers <= 33; headers += 4) {
    config.host.rx_header_bytes = config.nic.rx_header_bytes = 34 * headers + headers % 34;
    agreement_t result                                       = compare(&config, 4096, 50, 7000 + (uint64_t)headers);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.to_host_waited > 0);
    CU_ASSERT(result.to_nic_waited > 0);
  }
}

/* Transmit buffers at their least beside receive buffers of any size, slow and fast ends. */
SGF_TEST(all_buffers_that_bind_agree_with_the_naive_model)
{
  static const int64_t rates[] = {1000003, 7879999993, slow_bps, 1000000000039, 8000000000000000};
  uint64_t random              = 8000;
  int requests_that_waited     = 0;
  int runs_that_stood          = 0;
  for (int i = 0; i < 60; i++) {
    sgf_pcie_config_t config    = default_config();
    config.nic.lane_bps         = 31520000007;
    config.host.lane_count      = 13;
    config.nic.tx_header_bytes  = 34 * (8 + draw(&random, 30));
    config.nic.tx_data_bytes    = 4096 + draw(&random, 8000);
    config.host.tx_header_bytes = 8 * 34;
    config.host.tx_data_bytes   = 4096;
    config.host.rx_header_bytes = 34 * (1 + draw(&random, 20));
    config.host.rx_data_bytes   = 512 + draw(&random, 8000);
    config.nic.rx_header_bytes  = 34 * (1 + draw(&random, 20));
    config.nic.rx_data_bytes    = 512 + draw(&random, 8000);
    config.host.consumption_bps = rates[draw(&random, 5)];
    config.nic.consumption_bps  = draw(&random, 3) == 0 ? 0 : rates[draw(&random, 5)];
    agreement_t result          = compare(&config, 4096, (int)draw(&random, 101), 8001 + (uint64_t)i);
    CU_ASSERT_EQUAL(result.differences, 0);
    requests_that_waited += result.requests_that_waited;
    runs_that_stood += result.to_host_waited > 0 && result.to_nic_waited > 0;
  }
  CU_ASSERT(requests_that_waited > 0);
  CU_ASSERT(runs_that_stood > 0);
}

SGF_TEST(read_requests_of_any_size_to_ends_that_take_their_time_agree_with_the_naive_model)
{
  for (int i = 0; i < REQUEST_SIZES; i++) {
    sgf_pcie_config_t config    = default_config();
    config.read_request_bytes   = request_sizes[i];
    config.nic.tx_header_bytes  = 34 * 8;
    config.host.rx_header_bytes = 34 * (1 + i);
    config.host.consumption_bps = slow_bps;
    config.nic.consumption_bps  = i % 2 == 0 ? 0 : slow_bps;
    agreement_t result          = compare(&config, 4096, 50, 8500 + (uint64_t)i);
    CU_ASSERT_EQUAL(result.differences, 0);
    CU_ASSERT(result.requests_that_waited > 0);
  }
}

/* An end that is fast enough is one that consumes at once. */
SGF_TEST(an_end_faster_than_the_link_changes_no_date)
{
  sgf_pcie_config_t at_once = default_config();
  sgf_pcie_config_t fast    = default_config();
  fast.nic.consumption_bps = fast.host.consumption_bps = (int64_t)1 << 62;
  sgf_pcie_t* a                                        = new_link(&at_once, 4096);
  sgf_pcie_t* b                                        = new_link(&fast, 4096);
  uint64_t random                                      = 9000;
  for (opp_simtime_t now = 0; now < 100 * OPP_US; now += draw(&random, 100000)) {
    int64_t payload = draw_payload(&random, 4096);
    CU_ASSERT_EQUAL(sgf_pcie_read(a, now, payload), sgf_pcie_read(b, now, payload));
    CU_ASSERT_EQUAL(sgf_pcie_write(a, now, payload), sgf_pcie_write(b, now, payload));
  }
  CU_ASSERT_EQUAL(sgf_pcie_stats(b, SGF_PCIE_NIC, OPP_MS).credit_wait, 0);
  CU_ASSERT_EQUAL(sgf_pcie_stats(b, SGF_PCIE_NIC, OPP_MS).busy, sgf_pcie_stats(a, SGF_PCIE_NIC, OPP_MS).busy);
  CU_ASSERT_EQUAL(sgf_pcie_stats(b, SGF_PCIE_HOST, OPP_MS).busy, sgf_pcie_stats(a, SGF_PCIE_HOST, OPP_MS).busy);
  sgf_pcie_free(a);
  sgf_pcie_free(b);
}

/* ---- Single behaviours ----------------------------------------------------------------------------------- */

SGF_TEST(a_transfer_carries_at_most_512_bytes)
{
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(1), 1 + 34);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(512), 512 + 34);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(513), 513 + 2 * 34);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(4096), 4096 + 8 * 34);
}

SGF_TEST(MR_14_a_default_read_request_takes_98_bytes)
{
  sgf_pcie_config_t config = default_config();
  sgf_pcie_t* pcie         = new_link(&config, 4096);
  sgf_pcie_read(pcie, 0, 4096);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(pcie), 64 + 34);
  CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, 1553), 34); /* 1,554.57 ps, rounded down */
  CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, 1554), 0);
  sgf_pcie_free(pcie);
}

/* 668 B at 504.32 Gb/s are 10,596.4 ps, of which the first 546 B take 8,661.1; the fetched 4,368 B take 69,289.3. */
SGF_TEST(MR_21_a_read_request_of_600_bytes_is_two_transfers)
{
  for (int takes_its_time = 0; takes_its_time <= 1; takes_its_time++) {
    sgf_pcie_config_t config    = default_config();
    config.read_request_bytes   = 600;
    config.host.consumption_bps = takes_its_time ? slow_bps : 0;
    sgf_pcie_t* pcie            = new_link(&config, 4096);
    CU_ASSERT_EQUAL(sgf_pcie_read(pcie, 0, 4096), 10596 + 69289);
    CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(pcie), 600 + 2 * 34);
    CU_ASSERT_EQUAL(sgf_pcie_stats(pcie, SGF_PCIE_NIC, 0).transfers, 2);
    CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, 8660), 2 * 34);
    CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, 8661), 34);
    CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, 10595), 34);
    CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, 10596), 0);
    CU_ASSERT_EQUAL(sgf_pcie_stats(pcie, SGF_PCIE_NIC, 10596).tx_data_peak, 0); /* a request is no payload */
    CU_ASSERT_EQUAL(sgf_pcie_stats(pcie, SGF_PCIE_HOST, 10596).rx_data_peak, 0);
    sgf_pcie_free(pcie);
  }
}

/* What is fetched does not change what asks for it. */
SGF_TEST(a_read_request_has_the_same_size_for_every_payload)
{
  sgf_pcie_config_t config  = default_config();
  config.read_request_bytes = 513;
  sgf_pcie_t* pcie          = new_link(&config, 9000);
  sgf_pcie_read(pcie, 0, 1);
  sgf_pcie_read(pcie, OPP_US, 9000);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(pcie), 2 * (513 + 2 * 34));
  sgf_pcie_free(pcie);
}

SGF_TEST(space_comes_back_transfer_by_transfer)
{
  sgf_pcie_config_t config = default_config();
  config.nic.lane_bps      = 546 * 8 * (int64_t)1000000; /* a full transfer takes 1 us */
  config.nic.lane_count    = 1;
  sgf_pcie_t* pcie         = new_link(&config, 4096);
  CU_ASSERT_EQUAL(sgf_pcie_write(pcie, 0, 4096), 8 * OPP_US);
  CU_ASSERT_EQUAL(sgf_pcie_tx_data_bytes(pcie, OPP_US - 1), 4096);
  CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, OPP_US - 1), 8 * 34);
  for (int sent = 1; sent <= 8; sent++) {
    CU_ASSERT_EQUAL(sgf_pcie_tx_data_bytes(pcie, sent * OPP_US), 4096 - 512 * sent);
    CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(pcie, sent * OPP_US), 34 * (8 - sent));
  }
  sgf_pcie_free(pcie);
}

SGF_TEST(a_write_without_room_is_not_taken)
{
  sgf_pcie_config_t config   = default_config();
  config.nic.tx_header_bytes = 8 * 34;
  sgf_pcie_t* pcie           = new_link(&config, 4096);
  opp_simtime_t first_end    = sgf_pcie_write(pcie, 0, 4096);
  int64_t carried            = sgf_pcie_bytes_to_host(pcie);
  CU_ASSERT_EQUAL(sgf_pcie_write(pcie, 0, 1), OPP_TIME_MAX);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(pcie), carried);
  CU_ASSERT_EQUAL(sgf_pcie_tx_data_bytes(pcie, 0), 4096);
  CU_ASSERT_EQUAL(sgf_pcie_write_room(pcie, 0, 4096), first_end);
  CU_ASSERT_EQUAL(sgf_pcie_write_room(pcie, 0, 4097), OPP_TIME_MAX);
  sgf_pcie_free(pcie);
}

SGF_TEST(a_request_that_waits_delays_the_write_behind_it)
{
  sgf_pcie_config_t config   = default_config();
  config.nic.lane_bps        = 546 * 8 * (int64_t)1000000;
  config.nic.lane_count      = 1;
  config.nic.tx_header_bytes = 2 * 34;
  sgf_pcie_t* pcie           = new_link(&config, 1024);
  sgf_pcie_write(pcie, 0, 1024);
  CU_ASSERT_EQUAL(sgf_pcie_write_room(pcie, 0, 512), OPP_US);
  sgf_pcie_read(pcie, 0, 1024); /* takes the header that comes free at 1 us */
  CU_ASSERT_EQUAL(sgf_pcie_write_room(pcie, 0, 512), 2 * OPP_US);
  sgf_pcie_read(pcie, 0, 1024); /* and this one the header that comes free at 2 us */
  opp_simtime_t request_end = 2 * OPP_US + 8 * 98 * OPP_S / config.nic.lane_bps;
  CU_ASSERT_EQUAL(sgf_pcie_write_room(pcie, 0, 512), request_end);
  sgf_pcie_free(pcie);
}

/* ---- Configuration --------------------------------------------------------------------------------------- */

static const sgf_attr_section_t sections[] = {{&sgf_pcie_attributes, 0}};
static const sgf_attr_set_t attribute_set  = {"pcie", sections, 1, sizeof(sgf_pcie_config_t)};

SGF_TEST(the_table_has_the_documented_defaults)
{
  sgf_pcie_config_t config;
  sgf_pcie_config_t expected = default_config();
  sgf_error_t error          = {0};
  memset(&config, 0xff, sizeof config);
  CU_ASSERT_EQUAL(sgf_attr_defaults(&attribute_set, &config, &error), SGF_OK);
  CU_ASSERT_EQUAL(memcmp(&config, &expected, sizeof config), 0);
}

/* RoCE and MRC NICs have the attribute, each in a place of its own; UET NICs do not, and then it is 64 B. */
SGF_TEST(ReadRequestSize_is_an_attribute_of_those_that_list_it)
{
  static const struct {
    const sgf_attr_table_t* table;
    const char* path;
  } places[] = {{&sgf_pcie_handler_attributes, "HostInterface/NICSide/NICPCIeHandler/ReadRequestSize"},
                {&sgf_pcie_read_attributes, "HostInterface/NICSide/ReadRequestSize"}};
  for (size_t i = 0; i < 2; i++) {
    const sgf_attr_section_t both[] = {{&sgf_pcie_attributes, 0}, {places[i].table, 0}};
    const sgf_attr_set_t set        = {"pcie", both, 2, sizeof(sgf_pcie_config_t)};
    sgf_pcie_config_t config;
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(places[i].table->count, 1);
    CU_ASSERT_STRING_EQUAL(places[i].table->attrs[0].path, places[i].path);
    CU_ASSERT_EQUAL(sgf_attr_defaults(&set, &config, &error), SGF_OK);
    CU_ASSERT_EQUAL(config.read_request_bytes, 64);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&set, &config, "ReadRequestSize", "600B", &error), SGF_OK);
    CU_ASSERT_EQUAL(config.read_request_bytes, 600);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&set, &config, "ReadRequestSize", "1B", &error), SGF_OK);
    CU_ASSERT_EQUAL(sgf_attr_set_value(&set, &config, "ReadRequestSize", "0B", &error), SGF_RANGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "ReadRequestSize"));
  }
  for (size_t i = 0; i < sgf_pcie_attributes.count; i++)
    CU_ASSERT_PTR_NULL(strstr(sgf_pcie_attributes.attrs[i].path, "ReadRequestSize"));
}

SGF_TEST(the_shorthand_sets_both_ends)
{
  const char* const lane_rates[] = {"7.88Gbps", "15.76Gbps", "31.52Gbps", "63.04Gbps", "126.08Gbps"};
  for (int generation = 3; generation <= 7; generation++) {
    for (int lanes = 1; lanes <= 16; lanes++) {
      char text[] = "gen0 x00";
      text[3]     = (char)('0' + generation);
      text[6]     = (char)('0' + lanes / 10);
      text[7]     = (char)('0' + lanes % 10);

      sgf_pcie_config_t config   = default_config();
      sgf_pcie_config_t expected = default_config();
      sgf_error_t error          = {0};
      CU_ASSERT_EQUAL(sgf_parse_datarate(lane_rates[generation - 3], "rate", &expected.nic.lane_bps, &error), SGF_OK);
      expected.host.lane_bps  = expected.nic.lane_bps;
      expected.nic.lane_count = expected.host.lane_count = (uint64_t)lanes;
      CU_ASSERT_EQUAL(sgf_pcie_set_shorthand(&config, text, &error), SGF_OK);
      CU_ASSERT_EQUAL(memcmp(&config, &expected, sizeof config), 0);
    }
  }
}

SGF_TEST(a_bad_shorthand_changes_nothing)
{
  static const struct {
    const char* text;
    sgf_status_t status;
  } bad[] = {
      {"", SGF_SYNTAX},          {"gen5", SGF_SYNTAX},       {"gen5 ", SGF_SYNTAX},     {"gen5 16", SGF_SYNTAX},
      {"gen5 x", SGF_SYNTAX},    {"gen x16", SGF_SYNTAX},    {"5 x16", SGF_SYNTAX},     {"gen5x16", SGF_SYNTAX},
      {"Gen5 x16", SGF_SYNTAX},  {"gen5 x16 ", SGF_SYNTAX},  {" gen5 x16", SGF_SYNTAX}, {"gen5 x-1", SGF_SYNTAX},
      {"gen5 x8.5", SGF_SYNTAX}, {"gen5.0 x16", SGF_SYNTAX}, {"gen2 x16", SGF_RANGE},   {"gen8 x16", SGF_RANGE},
      {"gen0 x16", SGF_RANGE},   {"gen5 x0", SGF_RANGE},     {"gen5 x17", SGF_RANGE},   {"gen5 x4294967300", SGF_RANGE},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    sgf_pcie_config_t config = default_config();
    sgf_pcie_config_t before = config;
    sgf_error_t error        = {0};
    CU_ASSERT_EQUAL(sgf_pcie_set_shorthand(&config, bad[i].text, &error), bad[i].status);
    CU_ASSERT_EQUAL(error.status, bad[i].status);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, bad[i].text));
    CU_ASSERT_EQUAL(memcmp(&config, &before, sizeof config), 0);
  }
}

/* One byte below what a buffer needs is refused by name; the need itself is enough. */
static void check_least_sizes(int64_t largest, int64_t headers, int64_t transfer)
{
  const struct {
    size_t offset;
    int64_t least;
    const char* name;
  } buffers[] = {
      {offsetof(sgf_pcie_config_t, nic.tx_header_bytes), headers,
       "NicPCIeInterface/TransactionLayer/TXHeaderBufferSize"},
      {offsetof(sgf_pcie_config_t, nic.tx_data_bytes), largest, "NicPCIeInterface/TransactionLayer/TXDataBufferSize"},
      {offsetof(sgf_pcie_config_t, nic.rx_header_bytes), 34, "NicPCIeInterface/TransactionLayer/RXHeaderBufferSize"},
      {offsetof(sgf_pcie_config_t, nic.rx_data_bytes), transfer, "NicPCIeInterface/TransactionLayer/RXDataBufferSize"},
      {offsetof(sgf_pcie_config_t, host.tx_header_bytes), headers,
       "HostPCIeInterface/TransactionLayer/TXHeaderBufferSize"},
      {offsetof(sgf_pcie_config_t, host.tx_data_bytes), largest, "HostPCIeInterface/TransactionLayer/TXDataBufferSize"},
      {offsetof(sgf_pcie_config_t, host.rx_header_bytes), 34, "HostPCIeInterface/TransactionLayer/RXHeaderBufferSize"},
      {offsetof(sgf_pcie_config_t, host.rx_data_bytes), transfer,
       "HostPCIeInterface/TransactionLayer/RXDataBufferSize"},
  };
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
    sgf_pcie_config_t config = default_config();
    int64_t* size            = (int64_t*)(void*)((char*)&config + buffers[i].offset);
    sgf_error_t error        = {0};
    *size                    = buffers[i].least - 1;
    CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, largest, &error));
    CU_ASSERT_EQUAL(error.status, SGF_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, buffers[i].name));
    *size = buffers[i].least;
    sgf_pcie_free(new_link(&config, largest));
  }
}

SGF_TEST(buffers_too_small_are_refused_by_name)
{
  check_least_sizes(4096, 8 * 34, 512);
  check_least_sizes(1000, 2 * 34, 512);
  check_least_sizes(100, 34, 100);
}

SGF_TEST(lanes_that_carry_nothing_are_refused_by_name)
{
  sgf_pcie_config_t config = default_config();
  sgf_error_t error        = {0};
  config.nic.lane_bps      = 0;
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 4096, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "NicPCIeInterface/PhysicalLayer/LaneBps"));

  sgf_error_clear(&error);
  config                 = default_config();
  config.host.lane_count = 17;
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 4096, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HostPCIeInterface/PhysicalLayer/LaneCount"));

  sgf_error_clear(&error);
  config               = default_config();
  config.host.lane_bps = INT64_MAX;
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 4096, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
}

SGF_TEST(a_negative_consumption_is_refused_by_name)
{
  sgf_pcie_config_t config    = default_config();
  sgf_error_t error           = {0};
  config.host.consumption_bps = -1;
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 4096, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "HostPCIeInterface/TransactionLayer/ConsumptionBps"));

  sgf_error_clear(&error);
  config                     = default_config();
  config.nic.consumption_bps = -1;
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 4096, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "NicPCIeInterface/TransactionLayer/ConsumptionBps"));
}

SGF_TEST(a_read_request_of_no_size_is_refused_by_name)
{
  static const int64_t sizes[] = {-1, 1000000001};
  for (size_t i = 0; i < 2; i++) {
    sgf_pcie_config_t config  = default_config();
    sgf_error_t error         = {0};
    config.read_request_bytes = sizes[i];
    CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 4096, &error));
    CU_ASSERT_EQUAL(error.status, SGF_RANGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "ReadRequestSize"));
  }
}

SGF_TEST(a_segment_of_nothing_is_refused)
{
  sgf_pcie_config_t config = default_config();
  sgf_error_t error        = {0};
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 0, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
}
