/* The UET transport's parts: segmentation, receiving ends, packet records, timers, PDCs. */
#include "harness.h"

#include "attr/alloc.h"
#include "nic/uet/uet.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_HOST = 0x0a000001, HOSTS = UET_MAX_RECEIVER_PDCS + 1 }; /* more senders than a NIC has receiving ends */

/* ---- A NIC that nothing answers
 * -------------------------------------------------------------------------------------- */

typedef struct owner {
  opp_sim_t* sim;
  nic_t* nic;
  size_t acknowledged;
  nic_message_t* last;
  nic_message_t* next; /* posted when the next message is acknowledged */
  uint64_t progress;
} owner_t;

static void drop(opp_module_t* self, opp_msg_t* msg)
{
  (void)self;
  opp_msg_delete(msg);
}

static const opp_module_type_t sink_type = {.name = "sink", .handle_message = drop};

static void ignore_sent(void* user, nic_message_t* message)
{
  (void)user;
  (void)message;
}

static void acknowledged(void* user, nic_message_t* message)
{
  owner_t* owner = user;
  owner->acknowledged++;
  owner->last = message;
  if (owner->next != NULL) {
    nic_message_t* next = owner->next;
    owner->next         = NULL;
    uet_post(owner->nic, next);
  }
}

static void delivered(void* user, nic_t* nic, const nic_delivery_t* delivery)
{
  (void)user;
  (void)nic;
  (void)delivery;
}

static void ignore_warning(void* user, const char* text)
{
  (void)user;
  (void)text;
}

static owner_t* owner_new(const char* base_rtt)
{
  uet_block_t block = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&uet_attributes, &block, NULL), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&uet_attributes, &block, "InitialBaseRTT", base_rtt, NULL), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(
      sgf_attr_set_value(&uet_attributes, &block, "EgressBufferManager.TotalBufferSize", "100MB", NULL), SGF_OK);
  owner_t* owner       = sgf_calloc(1, sizeof *owner);
  owner->sim           = opp_sim_new(1);
  opp_module_t* module = opp_module_new(owner->sim, NULL, "nic", -1, &nic_module_type);
  opp_module_t* peer   = opp_module_new(owner->sim, NULL, "sink", -1, &sink_type);
  opp_gate_add(module, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_add(peer, "port", OPP_GATE_INOUT, true, 1);
  opp_gate_connect(opp_gate(module, "port$o", 0), opp_gate(peer, "port$i", 0),
                   opp_channel_datarate(owner->sim, 400000000000, 0));
  opp_gate_connect(opp_gate(peer, "port$o", 0), opp_gate(module, "port$i", 0),
                   opp_channel_datarate(owner->sim, 400000000000, 0));
  const nic_owner_t reports = {owner, ignore_sent, acknowledged, delivered, &owner->progress};
  sgf_error_t error         = {0};
  CU_ASSERT_EQUAL_FATAL(
      nic_setup(module, &uet_transport, &block, FIRST_HOST, FIRST_HOST, HOSTS, reports, ignore_warning, NULL, &error),
      SGF_OK);
  CU_ASSERT_EQUAL_FATAL(opp_sim_initialize(owner->sim), SGF_OK);
  owner->nic = nic_of(module);
  return owner;
}

static void owner_free(owner_t* owner)
{
  opp_sim_free(owner->sim);
  free(owner);
}

static nic_message_t message_of(uint64_t number, uint64_t bytes)
{
  return (nic_message_t){.number = number, .bytes = bytes, .dst = FIRST_HOST + 1};
}

/* Everything before `expected` and the packet `psn` have arrived. */
static void acknowledge(owner_t* owner, uint16_t pdc, uint64_t message, uint32_t psn, uint32_t expected)
{
  net_frame_t frame   = {0};
  *uet_header(&frame) = (uet_header_t){.type     = UET_ACK,
                                       .message  = message,
                                       .psn      = psn,
                                       .src_pdc  = UET_FIRST_RECEIVER_PDC,
                                       .dst_pdc  = pdc,
                                       .expected = expected,
                                       .ack      = {.base = expected}};
  uet_acknowledged(owner->nic, &frame);
}

/* ---- Segmentation (8.2) ------------------------------------------------------------------------------------------ */

SGF_TEST(segments_are_full_but_the_last_and_add_up)
{
  static const uint64_t sizes[] = {1, 2, 4095, 4096, 4097, 8192, 1 << 20, 1000003};
  static const uint64_t mss[]   = {1, 7, 1000, 4096, 9000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t m = 0; m < sizeof mss / sizeof *mss; m++) {
      uint64_t left    = sizes[s];
      uint32_t packets = 0;
      for (; left > 0; packets++) { /* the rule as it is written: min(MSS, bytes left) */
        const uint64_t next = left < mss[m] ? left : mss[m];
        if (nic_packet_payload(sizes[s], mss[m], packets) != (int64_t)next)
          CU_FAIL("wrong payload");
        left -= next;
      }
      CU_ASSERT_EQUAL(nic_packet_count(sizes[s], mss[m]), packets);
    }
}

SGF_TEST(no_bytes_are_one_packet_without_payload)
{
  CU_ASSERT_EQUAL(nic_packet_count(0, 4096), 1);
  CU_ASSERT_EQUAL(nic_packet_payload(0, 4096, 0), 0);
}

SGF_TEST(a_message_beyond_32_bits_is_segmented_without_overflow)
{
  const uint64_t bytes = UINT64_C(1) << 42;
  CU_ASSERT_EQUAL(nic_packet_count(bytes + 1, 4096), (UINT64_C(1) << 30) + 1);
  CU_ASSERT_EQUAL(nic_packet_payload(bytes + 1, 4096, (1 << 30) - 1), 4096);
  CU_ASSERT_EQUAL(nic_packet_payload(bytes + 1, 4096, 1 << 30), 1);
}

/* ---- Receiving ends (8.1)
 * -------------------------------------------------------------------------------------------- */

static uet_end_t* end_for(owner_t* owner, uint32_t src, uint16_t peer, uint16_t dst_pdc, uint64_t message)
{
  const net_frame_t frame   = {.src = src};
  const uet_header_t header = {.src_pdc = peer, .dst_pdc = dst_pdc, .message = message};
  return uet_end_for(owner->nic, &frame, &header);
}

SGF_TEST(each_sender_and_PDC_has_an_end_and_keeps_it)
{
  enum { SENDERS = 50, PDCS = 40 };
  owner_t* owner = owner_new("6us");
  for (uint32_t src = 0; src < SENDERS; src++)
    for (uint16_t peer = 1; peer <= PDCS; peer++)
      CU_ASSERT_EQUAL(end_for(owner, FIRST_HOST + src, peer, 0, 1)->id, UET_FIRST_RECEIVER_PDC + src * PDCS + peer - 1);
  for (uint32_t src = 0; src < SENDERS; src++)
    for (uint16_t peer = 1; peer <= PDCS; peer++) {
      const uet_end_t* end = uet_end_find(uet_state(owner->nic), FIRST_HOST + src, peer);
      CU_ASSERT_PTR_NOT_NULL_FATAL(end);
      CU_ASSERT(end->src == FIRST_HOST + src && end->peer == peer);
      CU_ASSERT_PTR_EQUAL(end_for(owner, FIRST_HOST + src, peer, 0, 1), end);
      CU_ASSERT_PTR_EQUAL(end_for(owner, FIRST_HOST + src, peer, end->id, 1), end); /* once the sender knows its id */
    }
  CU_ASSERT_PTR_NULL(uet_end_find(uet_state(owner->nic), FIRST_HOST + SENDERS, 1));
  owner_free(owner);
}

SGF_TEST(an_end_starts_again_with_the_next_message_of_its_PDC)
{
  owner_t* owner = owner_new("6us");
  uet_end_t* end = end_for(owner, FIRST_HOST + 1, 5, 0, 10);
  nic_arrivals_mark(&end->arrivals, 0);
  nic_arrivals_mark(&end->arrivals, 7);
  CU_ASSERT_PTR_EQUAL(end_for(owner, FIRST_HOST + 1, 5, 0, 10), end);
  CU_ASSERT_EQUAL(end->arrivals.expected, 1);
  CU_ASSERT_PTR_EQUAL(end_for(owner, FIRST_HOST + 1, 5, 0, 12), end);
  CU_ASSERT(end->message == 12 && end->packet_count == 0);
  CU_ASSERT(end->arrivals.expected == 0 && end->arrivals.highest == 0);
  CU_ASSERT_FALSE(nic_arrivals_has(&end->arrivals, 7));
  CU_ASSERT_PTR_EQUAL(end_for(owner, FIRST_HOST + 1, 5, 0, 10), end); /* a late duplicate leaves it as it is */
  CU_ASSERT_EQUAL(end->message, 12);
  owner_free(owner);
}

SGF_TEST(ids_of_receiving_ends_run_out_with_an_error)
{
  owner_t* owner = owner_new("6us");
  for (uint32_t i = 0; i < UET_MAX_RECEIVER_PDCS; i++)
    if (end_for(owner, FIRST_HOST + i, 1, 0, 1) == NULL)
      CU_FAIL_FATAL("no end");
  CU_ASSERT_EQUAL(uet_end_find(uet_state(owner->nic), FIRST_HOST + UET_MAX_RECEIVER_PDCS - 1, 1)->id, 65535);
  CU_ASSERT_EQUAL(opp_sim_error(owner->sim)->status, SGF_OK);
  CU_ASSERT_PTR_NULL(end_for(owner, FIRST_HOST + UET_MAX_RECEIVER_PDCS, 1, 0, 1));
  CU_ASSERT_NOT_EQUAL(opp_sim_error(owner->sim)->status, SGF_OK);
  owner_free(owner);
}

/* ---- Packet records
 * --------------------------------------------------------------------------------------------------- */

static size_t list_length(const nic_timed_list_t* list)
{
  size_t length               = 0;
  const nic_timed_t* previous = NULL;
  for (const nic_timed_t* packet = list->first; packet != NULL; previous = packet, packet = packet->next) {
    CU_ASSERT_PTR_EQUAL(packet->previous, previous);
    length++;
  }
  CU_ASSERT_PTR_EQUAL(list->last, previous);
  return length;
}

SGF_TEST(packets_leave_a_list_from_any_place)
{
  nic_timed_t packets[5] = {0};
  nic_timed_list_t list  = {0};
  for (int i = 0; i < 5; i++)
    nic_timed_append(&list, &packets[i]);
  CU_ASSERT_EQUAL(list_length(&list), 5);
  nic_timed_remove(&list, &packets[2]);
  CU_ASSERT_EQUAL(list_length(&list), 4);
  nic_timed_remove(&list, &packets[0]);
  CU_ASSERT_PTR_EQUAL(list.first, &packets[1]);
  nic_timed_remove(&list, &packets[4]);
  CU_ASSERT_PTR_EQUAL(list.last, &packets[3]);
  nic_timed_append(&list, &packets[2]);
  CU_ASSERT_EQUAL(list_length(&list), 3);
  CU_ASSERT_PTR_EQUAL(list.last, &packets[2]);
  nic_timed_remove(&list, &packets[1]);
  nic_timed_remove(&list, &packets[3]);
  nic_timed_remove(&list, &packets[2]);
  CU_ASSERT_PTR_NULL(list.first);
  CU_ASSERT_PTR_NULL(list.last);
}

SGF_TEST(records_are_distinct_and_blank)
{
  enum { RECORDS = 1000 };
  static const uet_packet_t blank;
  owner_t* owner          = owner_new("6us");
  nic_timed_list_t in_use = {0};
  for (uint32_t i = 0; i < RECORDS; i++) {
    uet_packet_t* packet = uet_packet_new(uet_state(owner->nic));
    CU_ASSERT_EQUAL(memcmp(packet, &blank, sizeof blank), 0);
    packet->psn = i;
    nic_timed_append(&in_use, &packet->timed);
  }
  CU_ASSERT_EQUAL(list_length(&in_use), RECORDS); /* and nothing was handed out twice: */
  uint32_t psn = 0;
  for (nic_timed_t* timed = in_use.first; timed != NULL; timed = timed->next)
    CU_ASSERT_EQUAL(uet_packet_of(timed)->psn, psn++);
  owner_free(owner);
}

/* ---- Timeouts (8.10)
 * --------------------------------------------------------------------------------------------------- */

SGF_TEST(timeouts_double_level_by_level_up_to_the_cap)
{
  for (uint64_t cap = 0; cap <= 15; cap++) {
    const uet_config_t config = {.initial_rto = 150 * OPP_US, .max_backoff = cap};
    opp_simtime_t expected    = 150 * OPP_US;
    for (unsigned r = 0; r < 20; r++) {
      unsigned level;
      CU_ASSERT_EQUAL(uet_rto(&config, r, &level), expected);
      CU_ASSERT_EQUAL(level, r < cap ? r : cap);
      CU_ASSERT(level < NIC_RTO_LEVELS);
      if (r < cap)
        expected *= 2;
    }
  }
}

SGF_TEST(a_fixed_timeout_has_one_level)
{
  const uet_config_t config = {.fixed_rto_enable = true, .fixed_rto = 7, .initial_rto = 150 * OPP_US, .max_backoff = 5};
  for (unsigned r = 0; r < 10; r++) {
    unsigned level = 99;
    CU_ASSERT_EQUAL(uet_rto(&config, r, &level), 7);
    CU_ASSERT_EQUAL(level, 0);
  }
}

SGF_TEST(the_longest_timeout_does_not_overflow)
{
  const uet_config_t config = {.initial_rto = 100 * OPP_S, .max_backoff = 15};
  unsigned level;
  CU_ASSERT_EQUAL(uet_rto(&config, NIC_RTO_LEVELS, &level), 100 * OPP_S * 32768);
}

/* ---- Sending ends
 * ------------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 33) % limit);
}

/* Packets are acknowledged one by one in a random order; more of them than the ring has places at first. */
SGF_TEST(acknowledgements_in_any_order_agree_with_a_naive_record)
{
  enum { PACKETS = 700 };
  owner_t* owner        = owner_new("60us"); /* a window of 4.5 MB */
  nic_message_t message = message_of(1, PACKETS * 4096);
  uet_post(owner->nic, &message);
  uet_transmit(owner->nic);
  const uet_pdc_t* pdc = message.sending;
  CU_ASSERT_EQUAL_FATAL(pdc->next_psn, PACKETS);
  CU_ASSERT(pdc->ring_size >= PACKETS);
  uint32_t order[PACKETS];
  bool done[PACKETS] = {false};
  for (uint32_t i = 0; i < PACKETS; i++) {
    const uint32_t at = random_below(i + 1);
    order[i]          = order[at];
    order[at]         = i;
  }
  for (uint32_t i = 0; i < PACKETS; i++) {
    CU_ASSERT_EQUAL(pdc->acknowledged, i);
    CU_ASSERT_EQUAL(pdc->group->in_flight, (int64_t)(PACKETS - i) * 4184);
    uint32_t base = 0;
    while (base < PACKETS && done[base])
      base++;
    CU_ASSERT_EQUAL(pdc->base, base);
    acknowledge(owner, pdc->id, 1, order[i], 0);
    if (i + 1 < PACKETS) {
      acknowledge(owner, pdc->id, 1, order[i], 0); /* once more changes nothing */
      CU_ASSERT_EQUAL(pdc->acknowledged, i + 1);
    }
    done[order[i]] = true;
  }
  CU_ASSERT_EQUAL(owner->acknowledged, 1);
  CU_ASSERT_PTR_EQUAL(owner->last, &message);
  CU_ASSERT_EQUAL(owner->progress, PACKETS);
  owner_free(owner);
}

SGF_TEST(a_cumulative_acknowledgement_beyond_what_was_sent_is_cut)
{
  owner_t* owner        = owner_new("56ns"); /* a window of one packet */
  nic_message_t message = message_of(1, 3 * 4096);
  uet_post(owner->nic, &message);
  uet_transmit(owner->nic);
  const uet_pdc_t* pdc = message.sending;
  CU_ASSERT_EQUAL(pdc->next_psn, 1);
  acknowledge(owner, pdc->id, 1, 2, 3);
  CU_ASSERT_EQUAL(pdc->acknowledged, 1);
  CU_ASSERT_EQUAL(pdc->next_psn, 2); /* and the next packet goes */
  CU_ASSERT_EQUAL(pdc->group->in_flight, 4184);
  owner_free(owner);
}

SGF_TEST(a_PDC_is_used_again_with_its_id_and_nothing_else)
{
  owner_t* owner       = owner_new("6us");
  nic_message_t first  = message_of(1, 4096);
  nic_message_t second = message_of(2, 2 * 4096);
  uet_post(owner->nic, &first);
  uet_transmit(owner->nic);
  const uint16_t id = ((uet_pdc_t*)first.sending)->id;
  CU_ASSERT_EQUAL(id, 1);
  acknowledge(owner, id, 1, 0, 1);
  CU_ASSERT_PTR_NULL(first.sending);
  CU_ASSERT_PTR_NULL(uet_sending_pdc(owner->nic, id, 1));
  uet_post(owner->nic, &second);
  const uet_pdc_t* pdc = second.sending;
  CU_ASSERT_EQUAL(pdc->id, id);
  CU_ASSERT(pdc->peer == 0 && pdc->base == 0 && pdc->next_psn == 0 && pdc->acknowledged == 0);
  CU_ASSERT_PTR_EQUAL(uet_sending_pdc(owner->nic, id, 2), pdc);
  acknowledge(owner, id, 1, 0, 1); /* a late one, of the first message */
  CU_ASSERT_EQUAL(pdc->acknowledged, 0);
  acknowledge(owner, 2, 2, 0, 1); /* of a PDC that never was */
  acknowledge(owner, 0, 2, 0, 1);
  CU_ASSERT_EQUAL(pdc->acknowledged, 0);
  owner_free(owner);
}

SGF_TEST(posts_beyond_32767_wait_for_a_PDC_in_order)
{
  enum { WAITING = 5 };
  owner_t* owner          = owner_new("6us");
  nic_message_t* messages = sgf_calloc(UET_MAX_SENDER_PDCS + WAITING + 1, sizeof *messages);
  for (uint32_t i = 0; i < UET_MAX_SENDER_PDCS + WAITING + 1; i++)
    messages[i] = message_of(i + 1, 0);
  for (uint32_t i = 0; i < UET_MAX_SENDER_PDCS + WAITING; i++)
    uet_post(owner->nic, &messages[i]);
  CU_ASSERT_EQUAL(((uet_pdc_t*)messages[UET_MAX_SENDER_PDCS - 1].sending)->id, 32767);
  nic_message_t* waiting = &messages[UET_MAX_SENDER_PDCS];
  for (uint32_t i = 0; i < WAITING; i++)
    CU_ASSERT_PTR_NULL(waiting[i].sending);
  char line[256];
  uet_waits(owner->nic, &waiting[0], line, sizeof line);
  CU_ASSERT_PTR_NOT_NULL(strstr(line, "PDC"));

  uet_transmit(owner->nic); /* as many as the window takes */
  CU_ASSERT_EQUAL(((uet_pdc_t*)messages[0].sending)->group->in_flight, 450000 / 88 * 88);
  owner->next = &waiting[WAITING]; /* posted while the first is being closed: last in the queue */
  for (uint16_t i = 0; i <= WAITING; i++) {
    const uint16_t id = (uint16_t)(WAITING + 1 - i); /* PDCs close in descending order */
    acknowledge(owner, id, id, 0, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(waiting[i].sending);
    CU_ASSERT_EQUAL(((uet_pdc_t*)waiting[i].sending)->id, id);
    if (i < WAITING)
      CU_ASSERT_PTR_NULL(waiting[i + 1].sending);
  }
  CU_ASSERT_EQUAL(owner->acknowledged, WAITING + 1);
  CU_ASSERT_PTR_NULL(uet_state(owner->nic)->waiting_first);
  owner_free(owner);
  free(messages);
}

/* While others take their time at their own rates, a message that waits for one of their PDCs is not stuck. */
SGF_TEST(a_post_that_waits_for_a_PDC_of_a_paced_message_is_not_stuck)
{
  owner_t* owner          = owner_new("6us");
  nic_message_t* messages = sgf_calloc(UET_MAX_SENDER_PDCS + 1, sizeof *messages);
  for (uint32_t i = 0; i <= UET_MAX_SENDER_PDCS; i++) {
    messages[i]          = message_of(i + 1, 2 * 4096);
    messages[i].rate_bps = 1000;
    uet_post(owner->nic, &messages[i]);
  }
  const nic_message_t* waiting = &messages[UET_MAX_SENDER_PDCS];
  nic_progress_t progress      = {0};
  uet_progress_sent(owner->nic, waiting, &progress);
  CU_ASSERT_EQUAL(progress.resumes_at, 0); /* no packet has gone yet */
  CU_ASSERT_EQUAL_FATAL(opp_sim_run(owner->sim, OPP_US), OPP_RUN_LIMIT);
  CU_ASSERT_PTR_NULL(waiting->sending);
  uet_progress_sent(owner->nic, waiting, &progress);
  CU_ASSERT_EQUAL(progress.resumes_at, OPP_US);
  owner_free(owner);
  free(messages);
}
