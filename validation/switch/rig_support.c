#include "rig_support.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "attr/alloc.h"

/* ---- Peers ------------------------------------------------------------------------------------------------------- */

typedef struct peer {
  rig_t* rig;
  unsigned port;
} peer_t;

static void note(opp_module_t* self, opp_msg_t* msg)
{
  const peer_t* peer       = opp_module_state(self);
  rig_t* rig               = peer->rig;
  const net_frame_t* frame = net_frame(msg);
  const bool is_pfc        = frame->type == NET_FRAME_PFC;

  rig->records                      = sgf_realloc(rig->records, rig->record_count + 1, sizeof *rig->records);
  rig->records[rig->record_count++] = (rig_record_t){
      .date   = opp_now(self),
      .port   = peer->port,
      .is_pfc = is_pfc,
      .tc     = is_pfc ? frame->pfc.tc : frame->dscp / 8U,
      .quanta = is_pfc ? frame->pfc.quanta : 0,
      .number = is_pfc ? 0 : (uint32_t)frame->transport[0],
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

static void connect(rig_t* rig, unsigned port, int64_t gbps, opp_simtime_t delay)
{
  opp_module_t* peer               = opp_module_new(rig->sim, NULL, "peer", (int)port, &peer_type);
  *(peer_t*)opp_module_state(peer) = (peer_t){rig, port};
  rig->peers[port]                 = peer;
  opp_gate_add(peer, "port", OPP_GATE_INOUT, false, 1);
  opp_gate_connect(opp_gate(rig->module, "port$o", (int)port), opp_gate(peer, "port$i", 0),
                   opp_channel_datarate(rig->sim, gbps * RIG_BPS_PER_GBPS, delay));
  opp_gate_connect(opp_gate(peer, "port$o", 0), opp_gate(rig->module, "port$i", (int)port),
                   opp_channel_datarate(rig->sim, gbps * RIG_BPS_PER_GBPS, delay));
}

rig_t* rig_new(unsigned ports, int64_t gbps, opp_simtime_t delay, uint32_t node_id, const char* const* settings)
{
  const switch_block_t block = configure(settings);
  rig_t* rig                 = sgf_calloc(1, sizeof *rig);
  rig->sim                   = opp_sim_new(1);
  rig->module                = opp_module_new(rig->sim, NULL, "switch", -1, &switch_module_type);
  rig->peers                 = sgf_calloc(ports, sizeof(opp_module_t*));
  opp_gate_add(rig->module, "port", OPP_GATE_INOUT, true, (int)ports);
  for (unsigned port = 0; port < ports; port++)
    connect(rig, port, gbps, delay);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(switch_setup(rig->module, &block, node_id, RIG_FIRST_HOST, 2 * ports, &error), SGF_OK);
  rig->state  = switch_state(rig->module);
  rig->buffer = rig->state->buffer;
  for (uint16_t port = 0; port < ports; port++)
    switch_set_route(rig->state, port, &port, 1);
  CU_ASSERT_EQUAL_FATAL(opp_sim_initialize(rig->sim), SGF_OK);
  return rig;
}

rig_t* rig_d128(const char* const* settings)
{
  return rig_new(128, 400, RIG_DELAY, 1, settings);
}

void rig_free(rig_t* rig)
{
  CU_ASSERT_EQUAL(opp_sim_error(rig->sim)->status, SGF_OK);
  opp_sim_free(rig->sim);
  free(rig->peers);
  free(rig->records);
  free(rig);
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

opp_simtime_t rig_now(const rig_t* rig)
{
  return opp_sim_clock(rig->sim);
}

void rig_run(rig_t* rig, opp_simtime_t date)
{
  opp_sim_run(rig->sim, date);
}

void rig_run_held(rig_t* rig, unsigned port, unsigned tc, opp_simtime_t date)
{
  for (opp_simtime_t next = rig_now(rig) + 40 * OPP_US; next < date; next += 40 * OPP_US) {
    rig_run(rig, next);
    rig_hold(rig, port, tc);
  }
  rig_run(rig, date);
}

void rig_settle(rig_t* rig)
{
  rig_run(rig, rig_now(rig) + 4 * OPP_US);
}

void rig_depart(rig_t* rig, unsigned port, unsigned count)
{
  net_port_t* out = &rig->state->ports[port].out;
  for (unsigned i = 0; i < count; i++) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(out->on_wire);
    rig_run(rig, opp_channel_finish_time(out->cable));
  }
}

opp_simtime_t rig_wire_time(const rig_t* rig, int64_t bytes)
{
  return opp_rate_duration(opp_rate(net_port_bps(&rig->state->ports[0].out)), 8 * bytes);
}

opp_simtime_t rig_pfc_way(const rig_t* rig)
{
  return rig_wire_time(rig, PFC_FRAME_BYTES) + net_port_delay(&rig->state->ports[0].out);
}

opp_simtime_t rig_packet_way(const rig_t* rig)
{
  return rig_wire_time(rig, RIG_PACKET + NET_ETHERNET_BYTES) + net_port_delay(&rig->state->ports[0].out);
}

/* ---- Arrivals ---------------------------------------------------------------------------------------------------- */

/* The frame is at the switch now, with all that this entails at this instant. */
static void arrive(rig_t* rig, unsigned port, opp_msg_t* msg)
{
  opp_send_direct(rig->peers[port], msg, opp_gate(rig->module, "port$i", (int)port));
  rig_run(rig, rig_now(rig));
}

net_frame_t rig_fields(uint32_t host, unsigned tc)
{
  return (net_frame_t){
      .src      = RIG_FIRST_HOST,
      .dst      = RIG_FIRST_HOST + host,
      .src_port = 49152,
      .dst_port = 4793,
      .type     = NET_FRAME_IP,
      .protocol = NET_PROTOCOL_UDP,
      .dscp     = (uint8_t)(8 * tc),
  };
}

static opp_msg_t* packet_of(rig_t* rig, unsigned port, const net_frame_t* fields, uint32_t charge)
{
  opp_msg_t* msg               = opp_frame_new(rig->peers[port], 0, charge + NET_ETHERNET_BYTES);
  *net_frame(msg)              = *fields;
  net_frame(msg)->transport[0] = ++rig->last_number;
  return msg;
}

void rig_packet(rig_t* rig, unsigned port, const net_frame_t* fields, uint32_t charge)
{
  arrive(rig, port, packet_of(rig, port, fields, charge));
}

void rig_packet_for(rig_t* rig, unsigned port, uint32_t host, unsigned tc, opp_simtime_t date)
{
  const net_frame_t fields = rig_fields(host, tc);
  rig_run(rig, date - rig_packet_way(rig));
  opp_send(rig->peers[port], packet_of(rig, port, &fields, RIG_PACKET), opp_gate(rig->peers[port], "port$o", 0));
}

void rig_packets(rig_t* rig, unsigned port, uint32_t host, unsigned tc, unsigned count)
{
  const net_frame_t fields = rig_fields(host, tc);
  for (unsigned i = 0; i < count; i++)
    rig_packet(rig, port, &fields, RIG_PACKET);
}

void rig_pfc(rig_t* rig, unsigned port, unsigned tc, uint16_t quanta)
{
  opp_msg_t* msg  = opp_frame_new(rig->peers[port], 0, PFC_FRAME_BYTES);
  *net_frame(msg) = (net_frame_t){.type = NET_FRAME_PFC, .pfc = {.quanta = quanta, .tc = (uint8_t)tc}};
  arrive(rig, port, msg);
}

void rig_hold(rig_t* rig, unsigned port, unsigned tc)
{
  rig_pfc(rig, port, tc, PFC_MAX_QUANTA);
}

void rig_release(rig_t* rig, unsigned port, unsigned tc)
{
  rig_pfc(rig, port, tc, 0);
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

static bool is_pfc_for(const rig_record_t* record, unsigned port, unsigned tc, uint16_t quanta)
{
  return record->is_pfc && record->port == port && record->tc == tc && record->quanta == quanta;
}

static unsigned count_pfc(const rig_t* rig, unsigned port, unsigned tc, uint16_t quanta)
{
  unsigned count = 0;
  for (size_t i = 0; i < rig->record_count; i++)
    count += is_pfc_for(&rig->records[i], port, tc, quanta);
  return count;
}

unsigned rig_pauses(const rig_t* rig, unsigned port, unsigned tc)
{
  return count_pfc(rig, port, tc, PFC_MAX_QUANTA);
}

unsigned rig_resumes(const rig_t* rig, unsigned port, unsigned tc)
{
  return count_pfc(rig, port, tc, 0);
}

unsigned rig_pfc_frames(const rig_t* rig)
{
  unsigned count = 0;
  for (size_t i = 0; i < rig->record_count; i++)
    count += rig->records[i].is_pfc;
  return count;
}

opp_simtime_t rig_pfc_date(const rig_t* rig, unsigned port, unsigned tc, uint16_t quanta, unsigned n)
{
  for (size_t i = 0; i < rig->record_count; i++)
    if (is_pfc_for(&rig->records[i], port, tc, quanta) && n-- == 0)
      return rig->records[i].date;
  return -1;
}

static bool is_packet_at(const rig_record_t* record, unsigned port)
{
  return !record->is_pfc && record->port == port;
}

rig_record_t rig_nth_packet(const rig_t* rig, unsigned port, unsigned n)
{
  for (size_t i = 0; i < rig->record_count; i++)
    if (is_packet_at(&rig->records[i], port) && n-- == 0)
      return rig->records[i];
  return (rig_record_t){0};
}

unsigned rig_packet_count(const rig_t* rig, unsigned port)
{
  unsigned count = 0;
  for (size_t i = 0; i < rig->record_count; i++)
    count += is_packet_at(&rig->records[i], port);
  return count;
}

uint64_t rig_drops(const rig_t* rig)
{
  uint64_t drops = 0;
  for (unsigned cause = 0; cause < SWITCH_DROP_CAUSES; cause++)
    drops += rig->state->drops[cause];
  return drops;
}

bool rig_holds(const rig_t* rig, unsigned port, unsigned pool, int64_t occupancy, int64_t headroom)
{
  return sgf_sb_occupancy(rig->buffer, port, pool) == occupancy && sgf_sb_headroom(rig->buffer, port, pool) == headroom;
}
