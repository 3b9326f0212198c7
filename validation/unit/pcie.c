/* The PCIe link against a naive model of it: buffers and waiting lines spelled out, one transfer at a time. */
#include "harness.h"

#include <sgfabric/pcie.h>
#include <stdlib.h>
#include <string.h>

static sgf_pcie_config_t default_config(void)
{
  const sgf_pcie_end_config_t end = {31520000000, 16, 16000, 16000, 256000, 256000};
  return (sgf_pcie_config_t){end, end};
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

/* A transmitter with its transmit buffer: transfers in order, the first one on the link. */
typedef struct direction {
  int64_t bps;
  int64_t header_size, data_size;
  transfer_t queue[MAX_TRANSFERS];
  int first, end;
  int64_t headers, data; /* bytes held */
  opp_simtime_t free_at;
  int64_t rest; /* of free_at, in 1 / bps ps */
  int64_t carried;
} direction_t;

typedef struct line {
  int ops[MAX_OPS];
  int first, end;
} line_t;

typedef struct naive {
  op_t* ops;
  direction_t up, down;
  line_t reads;   /* requests that wait for a header of the NIC's */
  line_t writes;  /* writes that wait for room in the NIC's buffers */
  line_t answers; /* completions that wait for room in the host's buffers */
  int requests_that_waited, writes_that_waited;
} naive_t;

static void start_first(direction_t* direction, opp_simtime_t now)
{
  if (now > direction->free_at) {
    direction->free_at = now;
    direction->rest    = 0;
  }
  int64_t work = direction->rest + 8 * direction->queue[direction->first].link_bytes * OPP_S;
  direction->free_at += work / direction->bps;
  direction->rest = work % direction->bps;
}

static void enter(direction_t* direction, opp_simtime_t now, transfer_t transfer)
{
  direction->queue[direction->end++] = transfer;
  direction->headers += 34;
  direction->data += transfer.payload;
  if (direction->end - direction->first == 1)
    start_first(direction, now);
}

static bool enter_payload(naive_t* naive, direction_t* direction, opp_simtime_t now, int op)
{
  int64_t left      = naive->ops[op].payload;
  int64_t transfers = left / 512 + (left % 512 > 0);
  if (direction->headers + 34 * transfers > direction->header_size || direction->data + left > direction->data_size)
    return false;
  for (; left > 512; left -= 512)
    enter(direction, now, (transfer_t){op, 512, 546, false});
  enter(direction, now, (transfer_t){op, left, left + 34, true});
  return true;
}

/* Let in what waits: requests first, then writes; completions at the host. */
static void let_in(naive_t* naive, opp_simtime_t now)
{
  direction_t* up = &naive->up;
  for (; naive->reads.first < naive->reads.end && up->headers + 34 <= up->header_size; naive->reads.first++)
    enter(up, now, (transfer_t){naive->reads.ops[naive->reads.first], 0, 98, true});
  while (naive->reads.first == naive->reads.end && naive->writes.first < naive->writes.end) {
    int op = naive->writes.ops[naive->writes.first];
    if (!enter_payload(naive, up, now, op))
      break;
    naive->ops[op].accepted = now;
    naive->writes.first++;
  }
  while (naive->answers.first < naive->answers.end &&
         enter_payload(naive, &naive->down, now, naive->answers.ops[naive->answers.first]))
    naive->answers.first++;
}

/* The transfer on the link has crossed. */
static void finish_first(naive_t* naive, direction_t* direction)
{
  transfer_t transfer = direction->queue[direction->first++];
  opp_simtime_t now   = direction->free_at;
  direction->headers -= 34;
  direction->data -= transfer.payload;
  direction->carried += transfer.link_bytes;
  if (direction->first < direction->end)
    start_first(direction, now);
  if (transfer.last && direction == &naive->up && naive->ops[transfer.op].read)
    naive->answers.ops[naive->answers.end++] = transfer.op;
  else if (transfer.last)
    naive->ops[transfer.op].done = now;
  let_in(naive, now);
}

static opp_simtime_t next_end(const direction_t* direction)
{
  return direction->first < direction->end ? direction->free_at : OPP_TIME_MAX;
}

/* Everything that happens up to and at `until`. */
static void naive_advance(naive_t* naive, opp_simtime_t until)
{
  for (;;) {
    opp_simtime_t up   = next_end(&naive->up);
    opp_simtime_t down = next_end(&naive->down);
    if ((up < down ? up : down) > until || (up == OPP_TIME_MAX && down == OPP_TIME_MAX))
      return;
    finish_first(naive, up <= down ? &naive->up : &naive->down);
  }
}

static void naive_ask(naive_t* naive, opp_simtime_t now, int op)
{
  line_t* line           = naive->ops[op].read ? &naive->reads : &naive->writes;
  line->ops[line->end++] = op;
  let_in(naive, now);
  naive->requests_that_waited += naive->reads.first < naive->reads.end && naive->ops[op].read;
  naive->writes_that_waited += naive->writes.first < naive->writes.end && !naive->ops[op].read;
}

static naive_t* naive_new(const sgf_pcie_config_t* config)
{
  naive_t* naive = calloc(1, sizeof *naive);
  CU_ASSERT_PTR_NOT_NULL_FATAL(naive);
  naive->ops              = calloc(MAX_OPS, sizeof *naive->ops);
  naive->up.bps           = config->nic.lane_bps * (int64_t)config->nic.lane_count;
  naive->up.header_size   = config->nic.tx_header_bytes;
  naive->up.data_size     = config->nic.tx_data_bytes;
  naive->down.bps         = config->host.lane_bps * (int64_t)config->host.lane_count;
  naive->down.header_size = config->host.tx_header_bytes;
  naive->down.data_size   = config->host.tx_data_bytes;
  CU_ASSERT_PTR_NOT_NULL_FATAL(naive->ops);
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
  int differences; /* in the dates and buffers of the link and of the naive model */
  int requests_that_waited, writes_that_waited;
} agreement_t;

/* The same random sequence of reads and writes on both. */
static agreement_t compare(const sgf_pcie_config_t* config, int64_t largest, int reads_percent, uint64_t seed)
{
  naive_t* naive  = naive_new(config);
  driver_t driver = {.pcie = new_link(config, largest), .ops = calloc(MAX_OPS, sizeof *driver.ops)};
  CU_ASSERT_PTR_NOT_NULL_FATAL(driver.ops);
  agreement_t result         = {0};
  opp_simtime_t segment_time = 8 * sgf_pcie_link_bytes(largest) * OPP_S / naive->up.bps + 1;
  opp_simtime_t now          = 0;

  for (int i = 0; i < MAX_OPS; i++) {
    now += draw_gap(&seed, i, segment_time);
    naive_advance(naive, now);
    drive(&driver, now);
    result.differences += sgf_pcie_tx_data_bytes(driver.pcie, now) != naive->up.data;
    result.differences += sgf_pcie_tx_header_bytes(driver.pcie, now) != naive->up.headers;
    op_t op       = {draw(&seed, 100) < reads_percent, draw_payload(&seed, largest), -1, -1};
    naive->ops[i] = driver.ops[i] = op;
    naive_ask(naive, now, i);
    drive_ask(&driver, i);
  }
  naive_advance(naive, OPP_TIME_MAX);
  drive(&driver, OPP_TIME_MAX);

  opp_simtime_t last = naive->up.free_at > naive->down.free_at ? naive->up.free_at : naive->down.free_at;
  for (int i = 0; i < MAX_OPS; i++)
    result.differences += driver.ops[i].accepted != naive->ops[i].accepted || driver.ops[i].done < 0 ||
                          driver.ops[i].done != naive->ops[i].done;
  CU_ASSERT_EQUAL(driver.broken_promises, 0);
  CU_ASSERT_EQUAL(sgf_pcie_tx_data_bytes(driver.pcie, last), 0);
  CU_ASSERT_EQUAL(sgf_pcie_tx_header_bytes(driver.pcie, last), 0);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(driver.pcie), naive->up.carried);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(driver.pcie), naive->down.carried);
  result.requests_that_waited = naive->requests_that_waited;
  result.writes_that_waited   = naive->writes_that_waited;
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

/* ---- Single behaviours ----------------------------------------------------------------------------------- */

SGF_TEST(a_transfer_carries_at_most_512_bytes)
{
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(1), 1 + 34);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(512), 512 + 34);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(513), 513 + 2 * 34);
  CU_ASSERT_EQUAL(sgf_pcie_link_bytes(4096), 4096 + 8 * 34);
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

SGF_TEST(a_segment_of_nothing_is_refused)
{
  sgf_pcie_config_t config = default_config();
  sgf_error_t error        = {0};
  CU_ASSERT_PTR_NULL(sgf_pcie_new(&config, 0, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
}
