/* What every NIC has, without a transport: pools, rules at start, reservations, control frames that wait, writes in
 * order, the end.
 *
 * The transport here is a script: it notes what it is told and does nothing by itself. */
#include "harness.h"

#include "nic/nic.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_HOST = 0x0a000001, DATA_HEADERS = 106 };

/* ---- A transport that takes notes -------------------------------------------------------------------------------- */

typedef struct notes {
  unsigned serialised;
  unsigned rooms[NET_CLASSES];
  unsigned arrived;
  uint16_t written[64]; /* source ports of the frames whose writes were accepted, in order */
  size_t written_count;
} notes_t;

static notes_t* notes_of(nic_t* nic)
{
  return nic->state;
}

static sgf_status_t setup(nic_t* nic, const void* block, sgf_error_t* error)
{
  (void)nic;
  (void)block;
  (void)error;
  return SGF_OK;
}

static void destroy(nic_t* nic)
{
  (void)nic;
}

static int64_t largest_payload(const void* block)
{
  (void)block;
  return 4096;
}

static int64_t largest_frame(const void* block)
{
  return largest_payload(block) + DATA_HEADERS;
}

static unsigned receive_class(const nic_t* nic, const net_frame_t* frame)
{
  (void)nic;
  return net_role_of_dscp(frame->dscp) == NET_ROLE_CONTROL;
}

static void received(nic_t* nic, opp_msg_t* msg)
{
  notes_of(nic)->arrived++;
  if (net_frame(msg)->tc == 0) {
    nic_write(nic, msg);
    return;
  }
  nic_release(nic, net_frame(msg));
  opp_msg_delete(msg);
}

static int64_t payload_of(const opp_msg_t* msg)
{
  return (int64_t)msg->bytes - DATA_HEADERS;
}

static void written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date)
{
  notes_t* notes = notes_of(nic);
  CU_ASSERT(date > nic_now(nic));
  notes->written[notes->written_count++] = net_frame(msg)->src_port;
  opp_msg_delete(msg);
}

static void serialised(nic_t* nic, opp_msg_t* msg)
{
  (void)msg;
  notes_of(nic)->serialised++;
}

static void room(nic_t* nic, unsigned tc)
{
  notes_of(nic)->rooms[tc]++;
}

static const sgf_attr_section_t sections[] = {
    {&nic_link_attributes, offsetof(nic_block_t, common)},
    {&nic_size_attributes, offsetof(nic_block_t, common)},
    {&nic_class_attributes, offsetof(nic_block_t, common)},
    {&nic_best_effort_attributes, offsetof(nic_block_t, common)},
    {&sgf_pcie_attributes, offsetof(nic_block_t, pcie)},
};
static const sgf_attr_set_t attributes = {"nic", sections, sizeof sections / sizeof *sections, sizeof(nic_block_t)};

static nic_classes_t classes(const void* block)
{
  (void)block;
  return (nic_classes_t){.data = 0, .control = 1};
}

static const nic_transport_t script = {
    .name            = "script",
    .traits          = {.least_pools = 2, .least_control_pool = 78, .pause_bytes = PFC_FRAME_BYTES},
    .classes         = classes,
    .attributes      = &attributes,
    .state_size      = sizeof(notes_t),
    .setup           = setup,
    .destroy         = destroy,
    .largest_payload = largest_payload,
    .largest_frame   = largest_frame,
    .fetched         = nic_queue,
    .receive_class   = receive_class,
    .received        = received,
    .payload         = payload_of,
    .written         = written,
    .serialised      = serialised,
    .room            = room,
};

/* ---- A NIC with it ----------------------------------------------------------------------------------------------- */

static void drop(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  opp_msg_delete(msg);
}

static const opp_module_type_t sink_type = {.name = "sink", .handle_message = drop};

static void count_warning(void* count, const char* text)
{
  CU_ASSERT(text[0] != '\0');
  ++*(int*)count;
}

#define SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

static nic_block_t block_of(const char* const* settings)
{
  nic_block_t block = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&attributes, &block, NULL), SGF_OK);
  for (; settings != NULL && settings[0] != NULL; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&attributes, &block, settings[0], settings[1], NULL), SGF_OK);
  return block;
}

static opp_sim_t* sim;

static nic_t* nic_new(const char* const* settings)
{
  static int warnings;
  static uint64_t progress;
  const nic_block_t block = block_of(settings);
  sim                     = opp_sim_new(1);
  opp_module_t* module    = opp_module_new(sim, NULL, "nic", -1, &nic_module_type);
  opp_module_t* peer      = opp_module_new(sim, NULL, "sink", -1, &sink_type);
  opp_gate_add(module, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_add(peer, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_connect(opp_gate(module, "port$o", 0), opp_gate(peer, "port$i", 0),
                   opp_channel_datarate(sim, 400000000000, 100000));
  opp_gate_connect(opp_gate(peer, "port$o", 0), opp_gate(module, "port$i", 0),
                   opp_channel_datarate(sim, 400000000000, 100000));
  sgf_error_t error       = {0};
  const nic_owner_t owner = {.progress = &progress};
  CU_ASSERT_EQUAL_FATAL(
      nic_setup(module, &script, &block, FIRST_HOST, FIRST_HOST, 2, owner, count_warning, &warnings, &error), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(opp_sim_initialize(sim), SGF_OK);
  return nic_of(module);
}

static void nic_free(void)
{
  CU_ASSERT_EQUAL(opp_sim_error(sim)->status, SGF_OK);
  opp_sim_free(sim);
}

static void run_for(opp_simtime_t time)
{
  opp_sim_run(sim, opp_sim_clock(sim) + time);
}

static opp_msg_t* frame(nic_t* nic, net_role_t role, unsigned tc, uint32_t bytes, uint16_t number)
{
  opp_msg_t* msg           = opp_frame_new(nic->module, 0, bytes);
  net_frame(msg)->src      = FIRST_HOST;
  net_frame(msg)->dst      = FIRST_HOST + 1;
  net_frame(msg)->src_port = number;
  net_frame(msg)->dscp     = net_role_dscp(role);
  net_frame(msg)->tc       = (uint8_t)tc;
  return msg;
}

/* ---- Pools at start ---------------------------------------------------------------------------------------------- */

/* The pools of a configuration; `warnings` may be NULL. */
static sgf_status_t pools_of(nic_t* nic, const char* const* settings, int* warnings, sgf_error_t* error)
{
  int ignored             = 0;
  const nic_block_t block = block_of(settings);
  nic->transport          = &script;
  return nic_pools_setup(nic, &block.common, classes(&block), largest_frame(&block), count_warning,
                         warnings != NULL ? warnings : &ignored, error);
}

SGF_TEST(a_pool_is_the_decimal_share_floored_to_bytes)
{
  static const struct {
    const char* share;
    const char* total;
    int64_t bytes;
  } cases[] = {
      {"[0.1, 0.9, 0, 0, 0, 0, 0, 0]", "4MB", 400000},
      {"[0.7, 0.3, 0, 0, 0, 0, 0, 0]", "1000001B", 700000},
      {"[0.29, 0.1, 0, 0, 0, 0, 0, 0]", "100B", 29},
      {"[0.333333333, 0.1, 0, 0, 0, 0, 0, 0]", "3000000000B", 999999999},
      {"[1, 1, 0, 0, 0, 0, 0, 0]", "4294967295B", 4294967295},
      {"[0.0009, 0.1, 0, 0, 0, 0, 0, 0]", "1111B", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    nic_t nic         = {0};
    sgf_error_t error = {0};
    CU_ASSERT_EQUAL(pools_of(&nic,
                             SETTINGS("IngressBufferManager.PoolAllocationVector", cases[i].share,
                                      "IngressBufferManager.TotalBufferSize", cases[i].total),
                             NULL, &error),
                    SGF_OK);
    CU_ASSERT_EQUAL(nic.ingress[0].size, cases[i].bytes);
  }
}

SGF_TEST(thresholds_are_floored_too)
{
  nic_t nic         = {0};
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(pools_of(&nic,
                           SETTINGS("IngressBufferManager.TotalBufferSize", "1111B", "PFCEnableVector",
                                    "[1, 0, 0, 0, 0, 0, 0, 0]", "PfcStaticXoffThreshold", "[0.8, 0, 0, 0, 0, 0, 0, 0]"),
                           NULL, &error),
                  SGF_OK);
  CU_ASSERT_EQUAL(nic.ingress[0].size, 999); /* 999.9 */
  CU_ASSERT_EQUAL(nic.ingress[0].xoff, 799); /* 799.2 */
  CU_ASSERT_EQUAL(nic.ingress[0].xon, 399);  /* 399.6 */
  CU_ASSERT_TRUE(nic.ingress[0].pfc_enabled);
  CU_ASSERT_FALSE(nic.ingress[1].pfc_enabled);
}

SGF_TEST(shares_that_are_refused)
{
  static const char* const managers[] = {"IngressBufferManager.PoolAllocationVector",
                                         "EgressBufferManager.PoolAllocationVector"};
  static const struct {
    const char* share;
    const char* says;
  } cases[] = {
      {"[0, 0, 0, 0, 0, 0, 0, 0]", "0 non-zero entries"}, {"[1, 0, 0, 0, 0, 0, 0, 0]", "1 non-zero entry"},
      {"[0, 1, 0, 0, 0, 0, 0, 0]", "1 non-zero entry"},   {"[0, 0.5, 0.5, 0, 0, 0, 0, 0]", "entry 2"},
      {"[0.4, 0.3, 0, 0, 0, 0, 0, 0.3]", "entry 7"},
  };
  for (int m = 0; m < 2; m++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      nic_t nic         = {0};
      sgf_error_t error = {0};
      CU_ASSERT_EQUAL(pools_of(&nic, SETTINGS(managers[m], cases[i].share), NULL, &error), SGF_RULE);
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].says));
      CU_ASSERT_EQUAL(strncmp(error.text, managers[m], strlen(managers[m])), 0);
    }
}

SGF_TEST(eight_pools_are_allowed_and_a_zero_with_decimals_is_zero)
{
  nic_t nic         = {0};
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(
      pools_of(&nic,
               SETTINGS("EgressBufferManager.PoolAllocationVector", "[0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]",
                        "IngressBufferManager.PoolAllocationVector", "[0.9, 0.1, 0.0, 0.00, 0, 0, 0, 0]"),
               NULL, &error),
      SGF_OK);
  CU_ASSERT_EQUAL(nic.egress[7].size, 25600);
  CU_ASSERT_EQUAL(nic.ingress[2].size, 0);
}

SGF_TEST(what_is_accepted_with_a_warning)
{
  static const struct {
    const char* attribute;
    const char* value;
  } cases[] = {
      {"EgressBufferManager.TotalBufferSize", "4668B"},          /* data pool of 4,201 B */
      {"PFCEnableVector", "[0, 0, 0, 1, 0, 0, 0, 0]"},           /* no pool there */
      {"PfcXonResumeThreshold", "[0.8, 0.4, 0, 0, 0, 0, 0, 0]"}, /* equal to Xoff */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    nic_t nic         = {0};
    sgf_error_t error = {0};
    int warnings      = 0;
    CU_ASSERT_EQUAL(
        pools_of(&nic, SETTINGS("PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]", cases[i].attribute, cases[i].value),
                 &warnings, &error),
        SGF_OK);
    CU_ASSERT_EQUAL(warnings, 1);
  }
  int warnings = 0;
  nic_t nic    = {0};
  CU_ASSERT_EQUAL(pools_of(&nic, SETTINGS("EgressBufferManager.TotalBufferSize", "4669B"), &warnings, NULL), SGF_OK);
  CU_ASSERT_EQUAL(nic.egress[0].size, 4202);
  CU_ASSERT_EQUAL(warnings, 0);
}

/* ---- Reservations and control frames ----------------------------------------------------------------------------- */

SGF_TEST(a_reservation_fits_to_the_byte)
{
  nic_t nic          = {0};
  nic.egress[3].size = 100;
  CU_ASSERT_TRUE(nic_reserve(&nic, 3, 60));
  CU_ASSERT_FALSE(nic_reserve(&nic, 3, 41));
  CU_ASSERT_EQUAL(nic.egress[3].reserved, 60);
  CU_ASSERT_TRUE(nic_reserve(&nic, 3, 40));
  CU_ASSERT_FALSE(nic_reserve(&nic, 3, 1));
  CU_ASSERT_EQUAL(nic.egress[3].peak, 100);
  CU_ASSERT_FALSE(nic_reserve(&nic, 4, 1)); /* no pool */
}

SGF_TEST(control_frames_wait_for_room_in_order_and_none_is_dropped)
{
  enum { FRAMES = 10 };
  nic_t* nic =
      nic_new(SETTINGS("EgressBufferManager.TotalBufferSize", "1600B")); /* control pool of 160 B: two of 78 B */
  for (uint16_t i = 0; i < FRAMES; i++)
    nic_send_control(nic, frame(nic, NET_ROLE_CONTROL, 1, 78, i));
  CU_ASSERT_EQUAL(nic->egress[1].reserved, 2 * 78);
  CU_ASSERT_EQUAL(net_frame(nic->waiting_control[1].first)->src_port, 2);
  nic_send_control(nic, frame(nic, NET_ROLE_CONTROL, 1, 1, FRAMES)); /* would fit, but others wait */
  CU_ASSERT_EQUAL(nic->egress[1].reserved, 2 * 78);
  CU_ASSERT_EQUAL(net_frame(nic->waiting_control[1].last)->src_port, FRAMES);
  for (unsigned i = 1; i <= 3; i++) {
    run_for(1560);
    CU_ASSERT_EQUAL(notes_of(nic)->serialised, i);
    CU_ASSERT_EQUAL(net_frame(nic->waiting_control[1].first)->src_port, 2 + i);
  }
  char what[256];
  CU_ASSERT_FALSE(nic_is_empty(nic, what, sizeof what));
  run_for(OPP_US);
  CU_ASSERT_EQUAL(notes_of(nic)->serialised, FRAMES + 1);
  CU_ASSERT_EQUAL(notes_of(nic)->rooms[1], FRAMES + 1);
  CU_ASSERT_EQUAL(nic->egress[1].peak, 2 * 78 + 1); /* with the short one */
  CU_ASSERT_TRUE(nic_is_empty(nic, what, sizeof what));
  nic_free();
}

SGF_TEST(a_frame_to_oneself_turns_round_without_the_cable)
{
  nic_t* nic          = nic_new(NULL);
  opp_msg_t* msg      = frame(nic, NET_ROLE_NO_TRIM, 0, DATA_HEADERS + 1, 7);
  net_frame(msg)->dst = FIRST_HOST;
  CU_ASSERT_TRUE(nic_reserve(nic, 0, msg->bytes));
  nic_fetch(nic, msg, 1);
  run_for(OPP_US);
  CU_ASSERT_EQUAL(nic->port.frames, 0);
  CU_ASSERT_EQUAL(notes_of(nic)->serialised, 1);
  CU_ASSERT_EQUAL(notes_of(nic)->arrived, 1);
  CU_ASSERT_EQUAL(notes_of(nic)->written_count, 1);
  CU_ASSERT_EQUAL(nic->egress[0].reserved, 0);
  CU_ASSERT_EQUAL(nic->ingress[0].peak, 89);
  nic_free();
}

SGF_TEST(frames_are_queued_in_the_order_of_their_fetches)
{
  nic_t* nic = nic_new(NULL);
  for (uint16_t i = 0; i < 5; i++) {
    opp_msg_t* msg = frame(nic, NET_ROLE_NO_TRIM, 0, DATA_HEADERS + (i % 2 == 0 ? 4096 : 1), i);
    CU_ASSERT_TRUE(nic_reserve(nic, 0, msg->bytes));
    nic_fetch(nic, msg, i % 2 == 0 ? 4096 : 1);
  }
  CU_ASSERT_TRUE(net_port_is_empty(&nic->port));
  run_for(250 * OPP_NS); /* the third has come and waits behind those before it */
  uint16_t number = net_frame(nic->port.on_wire)->src_port;
  for (const opp_msg_t* msg = nic->port.queues[0].first; msg != NULL; msg = msg->next)
    CU_ASSERT_EQUAL(net_frame((opp_msg_t*)msg)->src_port, ++number);
  CU_ASSERT_EQUAL(number, 4);
  run_for(OPP_US);
  nic_free();
}

/* ---- Receiving --------------------------------------------------------------------------------------------------- */

SGF_TEST(writes_wait_in_order_and_the_pool_is_released_write_by_write)
{
  enum { FRAMES = 20 };
  /* PCIe takes one full write at a time: 8 headers. */
  nic_t* nic = nic_new(
      SETTINGS("NICSide/PCIeGen3.0/NicDeviceLayer/NicPCIeInterface/TransactionLayer/TXHeaderBufferSize", "272B"));
  for (uint16_t i = 0; i < FRAMES; i++)
    nic_arrive(nic, frame(nic, NET_ROLE_NO_TRIM, 0, DATA_HEADERS + 4096, i));
  CU_ASSERT_EQUAL(notes_of(nic)->written_count, 1);
  CU_ASSERT_EQUAL(nic->ingress[0].occupancy, (FRAMES - 1) * 4184);
  char what[256];
  CU_ASSERT_FALSE(nic_is_empty(nic, what, sizeof what));
  CU_ASSERT_PTR_NOT_NULL(strstr(what, "receive pool 0"));
  for (unsigned i = 1; i < FRAMES; i++) {
    opp_sim_run(sim, 8 * 4368 * (opp_simtime_t)i * OPP_US / 504320);
    CU_ASSERT_EQUAL(notes_of(nic)->written_count, 1 + i);
    CU_ASSERT_EQUAL(nic->ingress[0].occupancy, (FRAMES - 1 - i) * 4184);
  }
  for (uint16_t i = 0; i < FRAMES; i++)
    CU_ASSERT_EQUAL(notes_of(nic)->written[i], i);
  CU_ASSERT_TRUE(nic_is_empty(nic, what, sizeof what));
  nic_free();
}

SGF_TEST(a_dropped_frame_is_counted_and_not_passed_on)
{
  nic_t* nic = nic_new(SETTINGS("IngressBufferManager.TotalBufferSize", "1000B")); /* control pool of 100 B */
  nic_arrive(nic, frame(nic, NET_ROLE_CONTROL, 0, 118, 0));
  CU_ASSERT_EQUAL(notes_of(nic)->arrived, 1);
  nic_arrive(nic, frame(nic, NET_ROLE_CONTROL, 0, 119, 1));
  CU_ASSERT_EQUAL(notes_of(nic)->arrived, 1);
  CU_ASSERT_EQUAL(nic->rx_drops, 1);
  CU_ASSERT_EQUAL(nic->ingress[1].peak, 100);
  CU_ASSERT_EQUAL(nic->ingress[1].occupancy, 0);
  nic_free();
}
