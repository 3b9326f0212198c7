/* The per-packet monitor: spec/records.md 10, spec/uet-nic.md 2.8 and 3.1. */
#include "csv_support.h"
#include "fabric/fabric_support.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_PACKETS "nic.EnableUETMonitor", "true"
#define TRIMMING                                                                                                       \
  "switch.PacketTrimmer.TrimmingEnabled", "true", "nic.TrimmingEnabled", "true", "switch.UETPolicyEnabled", "true",    \
      "switch.EnablePFC", "[0, 0, 0, 0, 0, 0, 0, 0]", "switch.TotalSharedBufferSize", "5MB"

enum { SENDERS = 8 };

static csv_table_t finish(fabric_rig_t* rig, sgf_results_t* results, const char* simulation)
{
  csv_run_until(rig->fabric, 500 * OPP_US);
  csv_finish(results, 500 * OPP_US);
  rig_free(rig);
  return csv_read_table(CSV_FOLDER, simulation, CSV_UET_MONITOR);
}

/* `senders` hosts write `bytes` each to the last host. */
static csv_table_t record_incast(const char* simulation, unsigned senders, uint64_t bytes, const char* const* settings)
{
  fabric_rig_t rig       = rig_star(senders + 1, 100 * OPP_NS, 1, settings);
  sgf_results_t* results = csv_start(rig.fabric, simulation, NULL);
  for (unsigned src = 0; src < senders; src++)
    sgf_op_unref(rig_write(&rig, src, senders, bytes, 0, 0));
  return finish(&rig, results, simulation);
}

static size_t count_rows(const csv_table_t* table, const char* const* pairs)
{
  size_t count = 0;
  for (size_t row = csv_find(table, 0, pairs); row < table->row_count; row = csv_find(table, row + 1, pairs))
    count++;
  return count;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* Two packets to h1, each acknowledged, and a probe. What does not apply is empty. */
SGF_TEST(every_packet_of_a_message_at_both_ends)
{
  enum { VALUES = 16 };
  static const char* const columns[VALUES] = {
      "FEP_ID",     "job_ID", "packet_size",   "local_PDC_ID", "remote_PDC_ID",   "RTT_ns", "direction", "packet_type",
      "ECN_marked", "M_Flag", "bytes_fetched", "PSN",          "bytes_in_flight", "AR_bit", "CACK_PSN",  "DSCP_type"};
#define H0 "10.0.0.1:1"
#define H1 "10.0.0.2:32769"
#define OPENING "10.0.0.2:0"
  static const char* const expected[][VALUES] = {
      {"0", "1", "4202", H0, OPENING, "", "Tx", "RUD_REQUEST", "", "", "8368", "0", "8368", "1", "", "NO_TRIM"},
      {"0", "1", "4202", H0, OPENING, "", "Tx", "RUD_REQUEST", "", "", "8368", "1", "8368", "1", "", "NO_TRIM"},
      {"1", "0", "4202", H1, H0, "", "Rx", "RUD_REQUEST", "0", "", "", "0", "", "1", "", "NO_TRIM"},
      {"1", "0", "78", H1, H0, "", "Tx", "ACK_CC", "", "0", "", "0", "", "", "0", "CONTROL"},
      {"1", "0", "4202", H1, H0, "", "Rx", "RUD_REQUEST", "0", "", "", "1", "", "1", "", "NO_TRIM"},
      {"1", "0", "78", H1, H0, "", "Tx", "ACK_CC", "", "0", "", "1", "", "", "1", "CONTROL"},
      {"0", "1", "78", H0, H1, "553", "Rx", "ACK_CC", "0", "0", "4184", "0", "4184", "", "0", "CONTROL"},
      {"0", "1", "62", H0, H1, "", "Tx", "CTRL", "", "", "4184", "0", "4184", "", "", "CONTROL"},
      {"0", "1", "78", H0, H1, "553", "Rx", "ACK_CC", "0", "0", "0", "1", "0", "", "1", "CONTROL"},
      {"1", "0", "62", H1, H0, "", "Rx", "CTRL", "0", "", "", "0", "", "", "", "CONTROL"},
      {"1", "0", "78", H1, H0, "", "Tx", "ACK_CC", "", "0", "", "0", "", "", "-1", "CONTROL"},
      {"0", "0", "78", H0, H1, "", "Rx", "ACK_CC", "0", "0", "", "0", "", "", "-1", "CONTROL"},
  };
  csv_table_t table = record_incast("every_packet", 1, 8192, SETTINGS(ALL_PACKETS));
  csv_check_cells(&table, sizeof expected / sizeof *expected, columns, VALUES, &expected[0][0]);
  /* Sent and received it is the same packet; the entropy value comes back. */
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "packet_UID"), csv_at(&table, 2, "packet_UID"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 3, "packet_UID"), csv_at(&table, 6, "packet_UID"));
  CU_ASSERT_STRING_NOT_EQUAL(csv_at(&table, 3, "packet_UID"), csv_at(&table, 10, "packet_UID"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "entropy_value"), csv_at(&table, 3, "entropy_value"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 7, "entropy_value"), "1"); /* of a probe: the id of its sender's end */
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 9, "entropy_value"), "1");
  csv_free_table(&table);
}

static unsigned set_bits(const char* bitmap)
{
  unsigned count = bitmap[1] != ']';
  for (; *bitmap != '\0'; bitmap++)
    count += *bitmap == ':';
  return count;
}

/* A trimmed packet arrives in 62 B, draws a NACK at once, and is sent again; what overtakes it is in bitmaps. */
SGF_TEST(trims_nacks_and_retransmissions)
{
  csv_table_t table  = record_incast("trims", SENDERS, 400000, SETTINGS(ALL_PACKETS, TRIMMING));
  const size_t trims = count_rows(&table, WHERE("direction", "Rx", "DSCP_type", "TRIMMED_LAST_HOP"));
  CU_ASSERT(trims > 0);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("direction", "Rx", "DSCP_type", "TRIMMED_LAST_HOP", "packet_size", "62")),
                  trims);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("packet_type", "NACK", "direction", "Tx", "nack_code", "UET_TRIMMED_LASTHOP",
                                           "FEP_ID", "8")),
                  trims);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("packet_type", "NACK", "direction", "Rx")), trims);
  CU_ASSERT_EQUAL(count_rows(&table, WHERE("direction", "ReTx", "DSCP_type", "TRIMMABLE_RTX")),
                  count_rows(&table, WHERE("direction", "ReTx")));
  CU_ASSERT(count_rows(&table, WHERE("direction", "ReTx")) > 0);
  const size_t trim = csv_find(&table, 0, WHERE("DSCP_type", "TRIMMED_LAST_HOP"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, trim + 1, "packet_type"), "NACK");
  CU_ASSERT_STRING_EQUAL(csv_at(&table, trim + 1, "sim_time_ns"), csv_at(&table, trim, "sim_time_ns"));
  CU_ASSERT_STRING_EQUAL(csv_at(&table, trim + 1, "PSN"), csv_at(&table, trim, "PSN"));
  unsigned most = 0;
  for (size_t row = 0; row < table.row_count; row++) {
    const unsigned bits = set_bits(csv_at(&table, row, "ACK_bitmap_PSNs"));
    CU_ASSERT(bits == 0 || strcmp(csv_at(&table, row, "packet_type"), "ACK_CC") == 0);
    most = bits > most ? bits : most;
  }
  CU_ASSERT(most > 1 && most <= 64);
  csv_free_table(&table);
}

/* ---- Packets and events ------------------------------------------------------------------------------------------ */

/* The last row of the monitor of whole data packets that a PDC's end has received before or at `date`, and how many. */
static size_t last_data_of(const csv_table_t* packets, const char* local, const char* remote, size_t* count)
{
  const char* const* of =
      WHERE("local_PDC_ID", local, "remote_PDC_ID", remote, "direction", "Rx", "packet_type", "RUD_REQUEST");
  size_t last = packets->row_count;
  *count      = 0;
  for (size_t row = csv_find(packets, 0, of); row < packets->row_count; row = csv_find(packets, row + 1, of))
    if (strncmp(csv_at(packets, row, "DSCP_type"), "TRIMMED", 7) != 0) {
      last = row;
      ++*count;
    }
  return last;
}

/* 20 packets of eight senders each, all in their first windows. With those of h0 the queue has room again when their
 * end comes, which so overtakes packets that were trimmed: these complete the message. */
SGF_TEST(UN_98_and_UN_99_events_come_with_the_packets_that_cause_them)
{
  enum { PACKETS = 20 };
  csv_table_t packets = record_incast("UN_98", SENDERS, PACKETS * 4096,
                                      SETTINGS(ALL_PACKETS, TRIMMING, "nic.EnableEventLogging", "true"));
  csv_table_t events  = csv_read_table(CSV_FOLDER, "UN_98", CSV_UET_EVENTS);
  const char* done[]  = {"ev_type", "RECV_COMPLETE", NULL};
  unsigned overtaking = 0;
  size_t count        = 0;
  for (size_t row = csv_find(&events, 0, done); row < events.row_count; row = csv_find(&events, row + 1, done)) {
    const char* local  = csv_at(&events, row, "local_PDC_ID");
    const char* remote = csv_at(&events, row, "remote_PDC_ID");
    size_t received;
    const size_t last = last_data_of(&packets, local, remote, &received);
    CU_ASSERT_EQUAL(received, PACKETS);
    CU_ASSERT_STRING_EQUAL(csv_at(&events, row, "sim_time_ns"), csv_at(&packets, last, "sim_time_ns"));
    overtaking += csv_integer_at(&packets, last, "PSN") != PACKETS - 1;
    /* At the sender: acknowledged with the last acknowledgement of data, fetched before that leaves. */
    const size_t complete = csv_find(&events, row, WHERE("local_PDC_ID", remote, "ev_type", "WQE_COMPLETE"));
    const size_t fetched  = csv_find(&events, 0, WHERE("local_PDC_ID", remote, "ev_type", "SEND_COMPLETE"));
    const size_t ack =
        csv_find(&packets, last,
                 WHERE("local_PDC_ID", remote, "direction", "Rx", "packet_type", "ACK_CC", "bytes_fetched", "0"));
    const size_t end = csv_find(&packets, 0, WHERE("local_PDC_ID", remote, "direction", "Tx", "PSN", "19"));
    CU_ASSERT_STRING_EQUAL(csv_at(&events, complete, "sim_time_ns"), csv_at(&packets, ack, "sim_time_ns"));
    CU_ASSERT(csv_integer_at(&events, fetched, "sim_time_ns") < csv_integer_at(&packets, end, "sim_time_ns"));
    count++;
  }
  CU_ASSERT_EQUAL(count, SENDERS);
  CU_ASSERT(overtaking > 0);
  csv_free_table(&packets);
  csv_free_table(&events);
}

/* ---- Filters ----------------------------------------------------------------------------------------------------- */

/* Three hosts write two packets each to h3: 12 rows a connection. */
static size_t filtered(const char* attribute, const char* value, const char* fep_id)
{
  csv_table_t table  = record_incast("filtered", 3, 8192, SETTINGS(ALL_PACKETS, attribute, value));
  const size_t count = table.row_count;
  if (fep_id != NULL) {
    CU_ASSERT_EQUAL(count_rows(&table, WHERE("FEP_ID", fep_id)), count / 2);
    CU_ASSERT_EQUAL(count_rows(&table, WHERE("FEP_ID", "3")), count / 2);
  }
  csv_free_table(&table);
  return count;
}

SGF_TEST(filters_select_connections_with_both_their_ends)
{
  CU_ASSERT_EQUAL(filtered("nic.FilterOnFepId", "All", NULL), 36);
  CU_ASSERT_EQUAL(filtered("nic.FilterOnFepId", "1", "1"), 12);
  CU_ASSERT_EQUAL(filtered("nic.FilterOnFepId", "3", NULL), 36 - 2 * 3); /* not what is sent before h3 hears of it */
  CU_ASSERT_EQUAL(filtered("nic.FilterOnFepId", "01", NULL), 0);         /* to the letter */
  CU_ASSERT_EQUAL(filtered("nic.FilterOnLocalIp", "10.0.0.3", "2"), 12);
  CU_ASSERT_EQUAL(filtered("nic.FilterOnRemoteIp", "10.0.0.4", NULL), 36);
  CU_ASSERT_EQUAL(filtered("nic.FilterOnPdc", "10.0.0.1:1", "0"), 12);
  CU_ASSERT_EQUAL(filtered("nic.FilterOnPdc", "10.0.0.4:40000", NULL), 0);
  CU_ASSERT_EQUAL(filtered("nic.FilterOnPdc", "10.0.0.1", NULL), 0);
}

SGF_TEST(filters_combine_with_and)
{
  csv_table_t table = record_incast("both", 3, 8192,
                                    SETTINGS(ALL_PACKETS, "nic.FilterOnFepId", "1", "nic.FilterOnLocalIp", "10.0.0.1"));
  CU_ASSERT_EQUAL(table.row_count, 0);
  csv_free_table(&table);
  table = record_incast("both", 3, 8192,
                        SETTINGS(ALL_PACKETS, "nic.FilterOnFepId", "1", "nic.FilterOnLocalIp", "10.0.0.2"));
  CU_ASSERT_EQUAL(table.row_count, 12);
  csv_free_table(&table);
}

static sgf_status_t seal_with(const char* attribute, const char* value, sgf_error_t* error)
{
  sgf_fabric_t* fabric = sgf_fabric_new(1);
  sgf_device_t* tor    = rig_switch(fabric, "tor0");
  for (unsigned i = 0; i < 2; i++) {
    sgf_device_t* host = rig_host(fabric, i == 0 ? "h0" : "h1");
    sgf_device_set(host, "nic", attribute, value, error);
    rig_connect(fabric, host, tor);
  }
  if (error->status == SGF_OK)
    sgf_fabric_seal(fabric, error);
  sgf_fabric_free(fabric);
  return error->status;
}

SGF_TEST(a_filter_that_a_shell_would_touch_is_refused)
{
  static const char* const names[] = {"FilterOnFepId", "FilterOnLocalIp", "FilterOnRemoteIp", "FilterOnPdc"};
  static const char marks[]        = "[](){}'\"`;$*?#~!&<>|\\/,=@%^+";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (size_t m = 0; marks[m] != '\0'; m++) {
      sgf_error_t error = {0};
      char value[8];
      snprintf(value, sizeof value, "10%c1", marks[m]);
      CU_ASSERT_NOT_EQUAL(seal_with(names[i], value, &error), SGF_OK);
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, names[i]));
    }
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(seal_with("FilterOnPdc", "aZ 0.9:-_", &error), SGF_OK);
}

/* ---- Triggers ---------------------------------------------------------------------------------------------------- */

/* Distinct connections with rows: each has one sending end. */
static size_t connections(const csv_table_t* table)
{
  size_t count = 0;
  for (unsigned host = 0; host < SENDERS; host++) {
    char id[8];
    snprintf(id, sizeof id, "%u", host);
    count += csv_find(table, 0, WHERE("FEP_ID", id)) < table->row_count;
  }
  return count;
}

static csv_table_t triggered(const char* const* settings)
{
  return record_incast("triggered", SENDERS, 400000, settings);
}

#define RTT_TRIGGER "nic.TriggerLoggingOnRttEnable", "true", "nic.TriggerLoggingOnRttThreshold"

SGF_TEST(a_round_trip_selects_its_connection_from_then_on)
{
  csv_table_t table = triggered(SETTINGS(RTT_TRIGGER, "5us"));
  CU_ASSERT_EQUAL(connections(&table), 1); /* the limit */
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "packet_type"), "ACK_CC");
  CU_ASSERT(csv_integer_at(&table, 0, "RTT_ns") >= 5000);
  csv_free_table(&table);
  table = triggered(SETTINGS(RTT_TRIGGER, "5us", "nic.TriggeredLoggingPDCLimit", "3"));
  CU_ASSERT_EQUAL(connections(&table), 3);
  csv_free_table(&table);
  table = triggered(SETTINGS(RTT_TRIGGER, "5us", "nic.TriggeredLoggingPDCLimit", "0"));
  CU_ASSERT_EQUAL(table.row_count, 0);
  csv_free_table(&table);
  table = triggered(SETTINGS(RTT_TRIGGER, "1s", "nic.TriggeredLoggingPDCLimit", "100"));
  CU_ASSERT_EQUAL(table.row_count, 0);
  csv_free_table(&table);
}

/* Without a slow host there is no penalty, and only a threshold of 0 is reached, by the first packet of data. */
SGF_TEST(a_penalty_selects_its_connection)
{
  csv_table_t table = triggered(SETTINGS("nic.TriggerLoggingOnCWindPen", "true"));
  CU_ASSERT_EQUAL(table.row_count, 0);
  csv_free_table(&table);
  table = triggered(SETTINGS("nic.TriggerLoggingOnCWindPen", "true", "nic.TriggerLoggingOnCWindPenThreshold", "0"));
  CU_ASSERT_EQUAL(connections(&table), 1);
  CU_ASSERT_STRING_EQUAL(csv_at(&table, 0, "packet_type"), "RUD_REQUEST");
  csv_free_table(&table);
  table = triggered(SETTINGS("nic.TriggerLoggingOnCWindPen", "true", "nic.TriggerLoggingOnCWindPenThreshold", "20",
                             "h8:nic.NicPCIeInterface/PhysicalLayer/LaneBps", "10Gbps",
                             "h8:nic.IngressBufferManager.TotalBufferSize", "1MB"));
  CU_ASSERT_EQUAL(connections(&table), 1);
  CU_ASSERT(csv_integer_at(&table, 0, "receiver_congestion_window_penalty") >= 20);
  csv_free_table(&table);
}

/* What a filter selects does not use up the triggers' limit. */
SGF_TEST(filters_and_triggers_together)
{
  csv_table_t table = triggered(SETTINGS(ALL_PACKETS, "nic.FilterOnFepId", "2", RTT_TRIGGER, "5us"));
  CU_ASSERT_EQUAL(connections(&table), 2);
  CU_ASSERT(csv_find(&table, 0, WHERE("FEP_ID", "2")) < table.row_count);
  csv_free_table(&table);
}

SGF_TEST(without_monitor_and_triggers_there_is_no_file)
{
  fabric_rig_t rig       = rig_star(2, 100 * OPP_NS, 1, SETTINGS("nic.FilterOnFepId", "1"));
  sgf_results_t* results = csv_start(rig.fabric, "triggered", NULL);
  csv_run_until(rig.fabric, OPP_US);
  csv_finish(results, OPP_US);
  rig_free(&rig);
  CU_ASSERT_FALSE(csv_exists(CSV_FOLDER, "triggered", CSV_UET_MONITOR));
}
