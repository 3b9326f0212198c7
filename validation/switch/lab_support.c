#include "lab_support.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "attr/alloc.h"

/* ---- Peers ------------------------------------------------------------------------------------------------------- */

typedef struct peer {
  lab_t* lab;
  unsigned port;
} peer_t;

static void note(opp_module_t* self, opp_msg_t* msg)
{
  const peer_t* peer       = opp_module_state(self);
  lab_t* lab               = peer->lab;
  const net_frame_t* frame = net_frame(msg);
  const bool is_pfc        = frame->type == NET_FRAME_PFC;

  lab->records                      = sgf_realloc(lab->records, lab->record_count + 1, sizeof *lab->records);
  lab->records[lab->record_count++] = (lab_record_t){
      .date    = opp_now(self),
      .port    = peer->port,
      .is_pfc  = is_pfc,
      .bytes   = msg->bytes,
      .tc      = frame->dscp / 8U,
      .dscp    = frame->dscp,
      .ecn     = frame->ecn,
      .classes = is_pfc ? frame->pfc.classes : 0,
      .quanta  = is_pfc ? frame->pfc.quanta : 0,
      .number  = is_pfc ? 0 : (uint32_t)frame->transport[0],
  };
  opp_msg_delete(msg);
}

static const opp_module_type_t peer_type = {.name = "peer", .state_size = sizeof(peer_t), .handle_message = note};

/* ---- Life -------------------------------------------------------------------------------------------------------- */

static switch_block_t configure(const char* const* settings)
{
  switch_block_t block;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  for (; *settings; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&switch_attributes, &block, settings[0], settings[1], &error), SGF_OK);
  return block;
}

static void connect(lab_t* lab, unsigned port, int64_t gbps, opp_simtime_t delay)
{
  opp_module_t* peer               = opp_module_new(lab->sim, NULL, "peer", (int)port, &peer_type);
  *(peer_t*)opp_module_state(peer) = (peer_t){lab, port};
  lab->peers[port]                 = peer;
  opp_gate_add(peer, "port", OPP_GATE_INOUT, false, 1);
  opp_gate_connect(opp_gate(lab->module, "port$o", (int)port), opp_gate(peer, "port$i", 0),
                   opp_channel_datarate(lab->sim, gbps * LAB_BPS_PER_GBPS, delay));
  opp_gate_connect(opp_gate(peer, "port$o", 0), opp_gate(lab->module, "port$i", (int)port),
                   opp_channel_datarate(lab->sim, gbps * LAB_BPS_PER_GBPS, delay));
}

/* A switch with `ports` cables to peers, which is not set up. */
static lab_t* unpack(unsigned ports, int64_t gbps, opp_simtime_t delay)
{
  lab_t* lab  = sgf_calloc(1, sizeof *lab);
  lab->sim    = opp_sim_new(1);
  lab->module = opp_module_new(lab->sim, NULL, "switch", -1, &switch_module_type);
  lab->peers  = sgf_calloc(ports, sizeof(opp_module_t*));
  opp_gate_add(lab->module, "port", OPP_GATE_INOUT, true, (int)ports);
  for (unsigned port = 0; port < ports; port++)
    connect(lab, port, gbps, delay);
  return lab;
}

lab_t* lab_new(unsigned ports, int64_t gbps, opp_simtime_t delay, uint32_t node_id, const char* const* settings)
{
  const switch_block_t block = configure(settings);
  lab_t* lab                 = unpack(ports, gbps, delay);
  sgf_error_t error          = {0};
  CU_ASSERT_EQUAL_FATAL(switch_setup(lab->module, &block, node_id, LAB_FIRST_HOST, 2 * ports, &error), SGF_OK);
  lab->state  = switch_state(lab->module);
  lab->buffer = lab->state->buffer;
  for (uint16_t port = 0; port < ports; port++)
    switch_set_route(lab->state, port, &port, 1);
  CU_ASSERT_EQUAL_FATAL(opp_sim_initialize(lab->sim), SGF_OK);
  return lab;
}

lab_t* lab_d128(const char* const* settings)
{
  return lab_new(128, 400, LAB_DELAY, 1, settings);
}

sgf_status_t lab_refusal(const char* const* settings, sgf_error_t* error)
{
  const switch_block_t block = configure(settings);
  lab_t* lab                 = unpack(128, 400, LAB_DELAY);
  const sgf_status_t status  = switch_setup(lab->module, &block, 1, LAB_FIRST_HOST, 256, error);
  CU_ASSERT_NOT_EQUAL(status, SGF_OK);
  lab_free(lab);
  return status;
}

void lab_free(lab_t* lab)
{
  CU_ASSERT_EQUAL(opp_sim_error(lab->sim)->status, SGF_OK);
  opp_sim_free(lab->sim);
  free(lab->peers);
  free(lab->records);
  free(lab);
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

opp_simtime_t lab_now(const lab_t* lab)
{
  return opp_sim_clock(lab->sim);
}

void lab_run(lab_t* lab, opp_simtime_t date)
{
  opp_sim_run(lab->sim, date);
}

void lab_run_held(lab_t* lab, unsigned port, unsigned tc, opp_simtime_t date)
{
  for (opp_simtime_t next = lab_now(lab) + 40 * OPP_US; next < date; next += 40 * OPP_US) {
    lab_run(lab, next);
    lab_hold(lab, port, tc);
  }
  lab_run(lab, date);
}

void lab_settle(lab_t* lab)
{
  lab_run(lab, lab_now(lab) + 4 * OPP_US);
}

void lab_depart(lab_t* lab, unsigned port, unsigned count)
{
  net_port_t* out = &lab->state->ports[port].out;
  for (unsigned i = 0; i < count; i++) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(out->on_wire);
    lab_run(lab, opp_channel_finish_time(out->cable));
  }
}

opp_simtime_t lab_wire_time(const lab_t* lab, int64_t bytes)
{
  return opp_rate_duration(opp_rate(net_port_bps(&lab->state->ports[0].out)), 8 * bytes);
}

opp_simtime_t lab_pfc_way(const lab_t* lab)
{
  return lab_wire_time(lab, PFC_FRAME_BYTES) + net_port_delay(&lab->state->ports[0].out);
}

opp_simtime_t lab_packet_way(const lab_t* lab)
{
  return lab_wire_time(lab, LAB_PACKET + NET_ETHERNET_BYTES) + net_port_delay(&lab->state->ports[0].out);
}

/* ---- Arrivals ---------------------------------------------------------------------------------------------------- */

/* The frame is at the switch now, with all that this entails at this instant. */
static void arrive(lab_t* lab, unsigned port, opp_msg_t* msg)
{
  opp_send_direct(lab->peers[port], msg, opp_gate(lab->module, "port$i", (int)port));
  lab_run(lab, lab_now(lab));
}

net_frame_t lab_fields(uint32_t host, unsigned tc)
{
  return (net_frame_t){
      .src      = LAB_FIRST_HOST,
      .dst      = LAB_FIRST_HOST + host,
      .src_port = 49152,
      .dst_port = 4793,
      .type     = NET_FRAME_IP,
      .protocol = NET_PROTOCOL_UDP,
      .dscp     = (uint8_t)(8 * tc),
  };
}

static opp_msg_t* packet_of(lab_t* lab, unsigned port, const net_frame_t* fields, uint32_t charge)
{
  opp_msg_t* msg               = opp_frame_new(lab->peers[port], 0, charge + NET_ETHERNET_BYTES);
  *net_frame(msg)              = *fields;
  net_frame(msg)->transport[0] = ++lab->last_number;
  return msg;
}

void lab_packet(lab_t* lab, unsigned port, const net_frame_t* fields, uint32_t charge)
{
  arrive(lab, port, packet_of(lab, port, fields, charge));
}

void lab_packet_for(lab_t* lab, unsigned port, uint32_t host, unsigned tc, opp_simtime_t date)
{
  const net_frame_t fields = lab_fields(host, tc);
  lab_run(lab, date - lab_packet_way(lab));
  opp_send(lab->peers[port], packet_of(lab, port, &fields, LAB_PACKET), opp_gate(lab->peers[port], "port$o", 0));
}

void lab_packets(lab_t* lab, unsigned port, uint32_t host, unsigned tc, unsigned count)
{
  const net_frame_t fields = lab_fields(host, tc);
  for (unsigned i = 0; i < count; i++)
    lab_packet(lab, port, &fields, LAB_PACKET);
}

void lab_pfc_group(lab_t* lab, unsigned port, uint8_t classes, uint16_t quanta)
{
  opp_msg_t* msg  = opp_frame_new(lab->peers[port], 0, PFC_FRAME_BYTES);
  *net_frame(msg) = (net_frame_t){.type = NET_FRAME_PFC, .pfc = {.quanta = quanta, .classes = classes}};
  arrive(lab, port, msg);
}

void lab_pfc(lab_t* lab, unsigned port, unsigned tc, uint16_t quanta)
{
  lab_pfc_group(lab, port, (uint8_t)(1U << tc), quanta);
}

void lab_hold(lab_t* lab, unsigned port, unsigned tc)
{
  lab_pfc(lab, port, tc, PFC_MAX_QUANTA);
}

void lab_release(lab_t* lab, unsigned port, unsigned tc)
{
  lab_pfc(lab, port, tc, 0);
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

static bool is_pfc_for(const lab_record_t* record, unsigned port, unsigned tc, uint16_t quanta)
{
  return record->port == port && record->classes >> tc & 1 && record->quanta == quanta;
}

static unsigned count_pfc(const lab_t* lab, unsigned port, unsigned tc, uint16_t quanta)
{
  unsigned count = 0;
  for (size_t i = 0; i < lab->record_count; i++)
    count += is_pfc_for(&lab->records[i], port, tc, quanta);
  return count;
}

unsigned lab_pauses(const lab_t* lab, unsigned port, unsigned tc)
{
  return count_pfc(lab, port, tc, PFC_MAX_QUANTA);
}

unsigned lab_resumes(const lab_t* lab, unsigned port, unsigned tc)
{
  return count_pfc(lab, port, tc, 0);
}

unsigned lab_pfc_frames(const lab_t* lab)
{
  unsigned count = 0;
  for (size_t i = 0; i < lab->record_count; i++)
    count += lab->records[i].is_pfc;
  return count;
}

opp_simtime_t lab_pfc_date(const lab_t* lab, unsigned port, unsigned tc, uint16_t quanta, unsigned n)
{
  for (size_t i = 0; i < lab->record_count; i++)
    if (is_pfc_for(&lab->records[i], port, tc, quanta) && n-- == 0)
      return lab->records[i].date;
  return -1;
}

static bool is_packet_at(const lab_record_t* record, unsigned port)
{
  return !record->is_pfc && record->port == port;
}

lab_record_t lab_nth_packet(const lab_t* lab, unsigned port, unsigned n)
{
  for (size_t i = 0; i < lab->record_count; i++)
    if (is_packet_at(&lab->records[i], port) && n-- == 0)
      return lab->records[i];
  return (lab_record_t){0};
}

unsigned lab_packet_count(const lab_t* lab, unsigned port)
{
  unsigned count = 0;
  for (size_t i = 0; i < lab->record_count; i++)
    count += is_packet_at(&lab->records[i], port);
  return count;
}

uint64_t lab_drops(const lab_t* lab)
{
  uint64_t drops = 0;
  for (unsigned cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
    drops += lab->state->drops[cause];
  return drops;
}

bool lab_holds(const lab_t* lab, unsigned port, unsigned pool, int64_t occupancy, int64_t headroom)
{
  return sgf_sb_occupancy(lab->buffer, port, pool) == occupancy && sgf_sb_headroom(lab->buffer, port, pool) == headroom;
}
