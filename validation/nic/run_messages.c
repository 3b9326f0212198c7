/* spec/uet-nic.md 8 and 11.6 in a simulation: what messages, their acknowledgements and their groups do, frame by
 * frame. */
#include "harness.h"
#include "run_taps_support.h"

static opp_simtime_t end_of(int64_t n)
{
  return run_packet_start(n + 1);
}

/* ---- What h0 sends ----------------------------------------------------------------------------------------------- */

enum { MOST = 4096 };

static struct {
  uint64_t message;
  uint32_t psn;
  uint8_t flags;
  uint16_t port;
} sent[MOST];
static size_t sent_count;
static size_t cut_number; /* the data packet that is cut on its way, from 1; 0: none */
static net_role_t cut_role;

static opp_simtime_t note(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  const uet_header_t* header = run_sent_data(msg, to_host);
  if (header == NULL)
    return 0;
  CU_ASSERT_FATAL(sent_count < MOST);
  sent[sent_count].message = header->message;
  sent[sent_count].psn     = header->psn;
  sent[sent_count].flags   = header->flags;
  sent[sent_count++].port  = net_frame(msg)->src_port;
  if (sent_count == cut_number) {
    net_frame(msg)->dscp    = net_role_dscp(cut_role);
    net_frame(msg)->closing = false;
    msg->bytes              = UET_TRIMMED_IP_BYTES + NET_ETHERNET_BYTES;
  }
  return 0;
}

/* ---- Acknowledgement requests (8.6) ------------------------------------------------------------------------------ */

enum { PACKETS = 256 };

static size_t flagged(size_t from, size_t until)
{
  size_t count = 0;
  for (size_t i = from; i < until; i++)
    count += (sent[i].flags & UET_FLAG_AR) != 0;
  return count;
}

/* 256 packets with N = 8, the first flag on packet `first`. */
static void every_eighth(const char* rule_first, const char* rule_last, size_t first)
{
  run_tap("h0", note);
  run_cable("100ns", RUN_SETTINGS("**.nic.AckRequestEveryNthPacket=8", rule_first, rule_last));
  run_write(0, 1, PACKETS * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  for (size_t i = 0; i < PACKETS - 1; i++)
    CU_ASSERT_EQUAL((sent[i].flags & UET_FLAG_AR) != 0, (i + 1) % 8 == first % 8);
}

#define FIRST(value) "**.nic.AckRequestFirstPacket=" value
#define LAST(value) "**.nic.AckRequestLastPacket=" value

static void without_loss(size_t acknowledgements)
{
  CU_ASSERT_EQUAL(sent_count, PACKETS);
  CU_ASSERT_EQUAL(flagged(0, PACKETS), acknowledgements);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), (acknowledgements + 1) * RUN_ACK); /* and that of the probe */
}

SGF_SCENARIO(UN_69_packets_1_9_to_249_and_the_last_one)
{
  every_eighth(FIRST("true"), LAST("true"), 1);
  without_loss(33);
}

SGF_SCENARIO(UN_71_packets_8_16_to_256)
{
  every_eighth(FIRST("false"), LAST("true"), 8);
  without_loss(32);
}

SGF_SCENARIO(UN_72_packets_8_16_to_256_without_the_rule_of_the_last)
{
  every_eighth(FIRST("false"), LAST("false"), 8);
  without_loss(32);
}

/* Packets 250 to 256 wait for a timer. That of packet 250 expires first; its retransmission is transmission 257, which
 * is flagged. While its acknowledgement is on the way those of four more expire. */
SGF_SCENARIO(UN_70_and_UN_75_the_last_packets_wait_for_a_timer)
{
  every_eighth(FIRST("true"), LAST("false"), 1);
  CU_ASSERT_EQUAL(flagged(0, PACKETS), 32);
  const opp_simtime_t around = run_back_on_a_cable(run_wire);
  const size_t again         = (size_t)((around - 1) / run_wire) + 1;
  CU_ASSERT_EQUAL(again, 5);
  CU_ASSERT_EQUAL_FATAL(sent_count, PACKETS + again);
  for (size_t i = 0; i < again; i++) {
    CU_ASSERT_EQUAL(sent[PACKETS + i].psn, 249 + i);
    CU_ASSERT(sent[PACKETS + i].flags & UET_FLAG_RETRANSMIT);
    CU_ASSERT_EQUAL((sent[PACKETS + i].flags & UET_FLAG_AR) != 0, i == 0);
  }
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), (33 + 1) * RUN_ACK);
  CU_ASSERT_EQUAL(run_written(0), end_of(250) + run_probe + 150 * OPP_US + around);
}

/* ---- Completions (8.13) ------------------------------------------------------------------------------------------ */

static opp_simtime_t all_fetched = -1;

static void watch_fetches(opp_simtime_t now)
{
  const uet_state_t* state = uet_state(run_nic(0));
  if (all_fetched < 0 && state->pdc_count > 0 && state->pdcs[0]->message != NULL &&
      state->pdcs[0]->next_psn == state->pdcs[0]->packet_count)
    all_fetched = now;
}

SGF_SCENARIO(UN_98_sent_received_acknowledged)
{
  run_cable("100ns", NULL);
  run_watch(watch_fetches);
  const size_t write   = run_write(0, 1, 10 * RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(all_fetched, run_doorbell); /* ten fit window and pool: before anything is on the wire */
  const opp_simtime_t out = run_probed_start_on_a_cable(11);
  CU_ASSERT_EQUAL(run_received(receive), out + run_delay + 8 * 4368 * OPP_US / 504320);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(out));
}

/* ---- NACKs (8.9) ------------------------------------------------------------------------------------------------- */

static const opp_simtime_t nack = 1240; /* 62 B on the wire */

/* The eighth of ten is cut: no acknowledgement of it and nothing of it in the host's memory. When the NACK is back,
 * which is not held, the wire is idle, and it is sent again at once. */
static void one_of_ten_is_cut(net_role_t role)
{
  run_tap("h0", note);
  run_cable("100ns", NULL);
  cut_number           = 8;
  cut_role             = role;
  const size_t write   = run_write(0, 1, 10 * RUN_MSS, 0);
  const size_t receive = run_receive(1, write);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 11);
  CU_ASSERT_EQUAL(sent[10].psn, 7);
  CU_ASSERT(sent[10].flags & UET_FLAG_RETRANSMIT);
  CU_ASSERT_EQUAL(run_link_bytes("h1", "h0"), (10 + 1) * RUN_ACK + UET_NACK_BYTES);
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_host(run_nic(1)->pcie), 10 * sgf_pcie_link_bytes(RUN_MSS));
  CU_ASSERT_EQUAL(uet_state(run_nic(0))->counters.timeouts, 0);
  const opp_simtime_t out = run_probed_start_on_a_cable(9) + run_delay + nack + run_delay + run_wire;
  CU_ASSERT_EQUAL(run_received(receive), out + run_delay + 8 * 4368 * OPP_US / 504320);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(out));
}

SGF_SCENARIO(UN_82_a_trimmed_packet_draws_a_NACK)
{
  one_of_ten_is_cut(NET_ROLE_TRIMMED);
}

SGF_SCENARIO(UN_83_a_packet_trimmed_on_the_last_hop_draws_a_NACK)
{
  one_of_ten_is_cut(NET_ROLE_TRIMMED_LAST_HOP);
}

static void is_charged_to_control(void)
{
  CU_ASSERT_EQUAL(run_nic(1)->ingress[0].peak, 0);
  CU_ASSERT_EQUAL(run_nic(1)->ingress[1].peak, UET_TRIMMED_IP_BYTES);
  CU_ASSERT_EQUAL(run_nic(1)->ingress[1].occupancy, 0); /* and processed */
}

SGF_SCENARIO(UN_53_a_trimmed_packet_is_charged_to_the_control_class)
{
  run_tap("h0", note);
  run_cable("100ns", NULL);
  cut_number = 1;
  cut_role   = NET_ROLE_TRIMMED;
  run_write(0, 1, RUN_MSS, 0);
  run_look(end_of(1) + run_delay + 1, is_charged_to_control);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
}

static opp_simtime_t first_answer[UET_PROBE + 1];

static opp_simtime_t note_answers(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const net_frame_t* frame = net_frame(msg);
  if (to_host && frame->type == NET_FRAME_IP && first_answer[uet_header_const(frame)->type] == 0)
    first_answer[uet_header_const(frame)->type] = now;
  return note(msg, now, to_host);
}

/* Over one lane an acknowledgement is held for more than a microsecond. */
SGF_SCENARIO(UN_79_a_NACK_does_not_wait_for_acknowledgements_that_are_held)
{
  run_tap("h0", note_answers);
  run_cable("100ns", RUN_SETTINGS("**.h1.nic.NicPCIeInterface.PhysicalLayer.LaneCount=1"));
  cut_number = 8;
  cut_role   = NET_ROLE_TRIMMED;
  run_write(0, 1, 10 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  const opp_simtime_t held = 8 * INT64_C(4184) * OPP_US / 31520;
  /* Both have the same way to the tap. */
  CU_ASSERT_EQUAL(first_answer[UET_ACK] - first_answer[UET_NACK], end_of(1) + held + run_ack - (end_of(8) + nack));
  CU_ASSERT(first_answer[UET_NACK] < first_answer[UET_ACK]);
}

/* ---- Retransmissions (8.11) -------------------------------------------------------------------------------------- */

static uint32_t next_segment;

static void note_next_segment(void)
{
  next_segment = uet_state(run_nic(0))->pdcs[0]->next_psn;
}

static opp_simtime_t lose_the_100th(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  const size_t before = sent_count;
  note(msg, now, to_host);
  return sent_count > before && sent_count == 100 ? RUN_LOST : 0;
}

/* The pool is full when its timer expires; as soon as there is room it goes ahead of the next segment. */
SGF_SCENARIO(UN_85_a_retransmission_goes_before_new_segments)
{
  run_tap("h0", lose_the_100th);
  run_cable("100ns", RUN_SETTINGS("**.nic.PassThrough=true"));
  run_write(0, 1, 3000 * RUN_MSS, 0);
  run_look(end_of(100) + run_probe + 150 * OPP_US - 1, note_next_segment);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 3001);
  size_t again = 0;
  while (!(sent[again].flags & UET_FLAG_RETRANSMIT))
    again++;
  CU_ASSERT_EQUAL(sent[again].psn, 99);
  CU_ASSERT_EQUAL(sent[again - 1].psn, next_segment - 1);
  CU_ASSERT_EQUAL(sent[again + 1].psn, next_segment);
}

/* ---- Codepoints (4.2) -------------------------------------------------------------------------------------------- */

static unsigned frames_of[UET_PROBE + 1];
static net_role_t first_role, repeated_role;

static opp_simtime_t check_marks(opp_msg_t* msg, opp_simtime_t now, bool to_host)
{
  (void)now;
  (void)to_host;
  const net_frame_t* frame   = net_frame(msg);
  const uet_header_t* header = uet_header_const(frame);
  net_role_t role            = NET_ROLE_CONTROL;
  if (header->type == UET_DATA)
    role = header->flags & UET_FLAG_RETRANSMIT ? repeated_role : first_role;
  CU_ASSERT_EQUAL(frame->ecn, NET_ECN_ECT1);
  CU_ASSERT_EQUAL(frame->dscp, net_role_dscp(role));
  frames_of[header->type]++;
  return header->type == UET_DATA && frames_of[UET_DATA] == 5 ? RUN_LOST : 0;
}

/* Data, one packet of it again, acknowledgements, a probe and its answer. */
static void roles_are(net_role_t first, net_role_t repeated, const char* trimming, const char* distinct)
{
  first_role    = first;
  repeated_role = repeated;
  run_tap("h0", check_marks);
  run_cable("100ns", RUN_SETTINGS(trimming, distinct));
  run_write(0, 1, 10 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(frames_of[UET_DATA], 11);
  CU_ASSERT_EQUAL(frames_of[UET_ACK], 11);
  CU_ASSERT_EQUAL(frames_of[UET_PROBE], 1);
}

#define TRIMMING(value) "**.nic.TrimmingEnabled=" value
#define DISTINCT(value) "**.nic.UseDistinctDSCPForRetransmits=" value

SGF_SCENARIO(UN_08_and_UN_09_roles_by_default)
{
  roles_are(NET_ROLE_NO_TRIM, NET_ROLE_TRIMMABLE_RTX, TRIMMING("false"), DISTINCT("true"));
}

SGF_SCENARIO(UN_08_roles_with_trimming)
{
  roles_are(NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE_RTX, TRIMMING("true"), DISTINCT("true"));
}

SGF_SCENARIO(UN_08_roles_without_either)
{
  roles_are(NET_ROLE_NO_TRIM, NET_ROLE_NO_TRIM, TRIMMING("false"), DISTINCT("false"));
}

SGF_SCENARIO(UN_08_roles_with_trimming_and_no_distinct_codepoint)
{
  roles_are(NET_ROLE_TRIMMABLE, NET_ROLE_TRIMMABLE, TRIMMING("true"), DISTINCT("false"));
}

/* ---- Groups (8.11) ----------------------------------------------------------------------------------------------- */

static opp_simtime_t base_rtts[8];
static double windows[8];
static unsigned bases;

static void watch_base(opp_simtime_t now)
{
  (void)now;
  const nscc_t* cc = run_congestion(1);
  if (cc == NULL || (bases > 0 && cc->base_rtt == base_rtts[bases - 1]))
    return;
  CU_ASSERT_FATAL(bases < 8);
  base_rtts[bases] = cc->base_rtt;
  windows[bases++] = cc->max_window;
}

/* The first acknowledgement shows that the way is short, the probe's, which is not held, that it is shorter yet. With
 * its message the group ends, and what it knew. */
SGF_SCENARIO(UN_91_a_group_begins_afresh)
{
  run_tap("h0", note);
  run_cable("100ns", NULL);
  run_watch(watch_base);
  run_write(0, 1, 4 * RUN_MSS, 0);
  run_write(0, 1, 4 * RUN_MSS, 1e-3);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(bases, 6);
  for (unsigned i = 0; i < 6; i += 3) {
    CU_ASSERT_EQUAL(base_rtts[i], 6 * OPP_US);
    CU_ASSERT_EQUAL(windows[i], 450000);
    CU_ASSERT_EQUAL(base_rtts[i + 1], run_back_on_a_cable(0) + OPP_US);
    CU_ASSERT_EQUAL(base_rtts[i + 2], run_back_on_a_cable(0) - run_hold + OPP_US);
  }
  CU_ASSERT_EQUAL_FATAL(sent_count, 8);
  CU_ASSERT_EQUAL(sent[3].port, 256 + 3);
  CU_ASSERT_EQUAL(sent[4].port, 256);
}

/* Once the first has filled the pool, four messages take turns whatever their destination. */
SGF_SCENARIO(UN_88_without_groups_each_PDC_gets_one_turn_in_four)
{
  run_tap("h0", note);
  run_rack(3, "100ns", RUN_SETTINGS("**.nic.PDCGroupsEnabled=false", "**.nic.PassThrough=true"));
  for (unsigned i = 0; i < 4; i++)
    run_write(0, i < 3 ? 1 : 2, 200 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL_FATAL(sent_count, 800);
  for (size_t i = 60; i < 600; i++)
    for (size_t j = i + 1; j < i + 4; j++)
      CU_ASSERT_NOT_EQUAL(sent[i].message, sent[j].message);
  CU_ASSERT_EQUAL(sent[60].message, sent[64].message);
}

/* ---- Prefetch buffer (8.12) -------------------------------------------------------------------------------------- */

static int64_t most_in_flight, fetched_unanswered;

static void watch_prefetch(opp_simtime_t now)
{
  (void)now;
  const uet_group_t* group = uet_state(run_nic(0))->groups[1];
  if (group != NULL && group->in_flight > most_in_flight)
    most_in_flight = group->in_flight;
}

static void look_at_doorbell(void)
{
  CU_ASSERT_EQUAL(sgf_pcie_bytes_to_nic(run_nic(0)->pcie), 62 * sgf_pcie_link_bytes(RUN_MSS));
}

static void look_before_the_first_answer(void)
{
  fetched_unanswered = sgf_pcie_bytes_to_nic(run_nic(0)->pcie);
}

SGF_SCENARIO(UN_95_and_UN_97_108_packets_are_fetched_and_107_in_flight)
{
  run_cable("20us", RUN_SETTINGS("**.nic.PrefetchBufferEnable=true"));
  run_watch(watch_prefetch);
  const size_t write = run_write(0, 1, 300 * RUN_MSS, 0);
  run_look(run_doorbell, look_at_doorbell); /* UN-95: 62 fit the buffer */
  run_look(39 * OPP_US, look_before_the_first_answer);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT(run_written(write) > 0);
  CU_ASSERT_EQUAL(fetched_unanswered, 108 * sgf_pcie_link_bytes(RUN_MSS));
  CU_ASSERT_EQUAL(most_in_flight, 447688);
}
