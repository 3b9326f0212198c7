#include "balance_support.h"

#include <CUnit/CUnit.h>

const char* const hash_method_names[HASH_METHODS] = {
    [SWITCH_HASH_DPR]               = "dpr",
    [SWITCH_HASH_FOLD]              = "hash",
    [SWITCH_HASH_FOLD_WITH_SALT]    = "hashWithSalt",
    [SWITCH_HASH_CRC32]             = "crc32",
    [SWITCH_HASH_CRC32_WITH_SALT]   = "crc32WithSalt",
    [SWITCH_HASH_DPR_WITH_FALLBACK] = "dprWithFallback",
};

switch_balance_config_t balance_configure(const char* const* settings)
{
  switch_block_t block;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&switch_attributes, &block, &error), SGF_OK);
  for (; *settings; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&switch_attributes, &block, settings[0], settings[1], &error), SGF_OK);
  return block.balance;
}

net_frame_t flow_number(unsigned i)
{
  net_frame_t flow = lab_fields(i / FLOW_SOURCES % FLOW_DESTS, FLOW_CLASS);
  flow.src         = LAB_FIRST_HOST + i % FLOW_SOURCES;
  flow.src_port    = (uint16_t)(49152 + i / (FLOW_SOURCES * FLOW_DESTS));
  return flow;
}

lab_t* tier_new(uint32_t node_id, unsigned members, const char* const* settings)
{
  lab_t* lab = lab_new(TIER_PORTS, 400, LAB_DELAY, node_id, settings);
  uint16_t ports[TIER_PORTS];
  for (unsigned m = 0; m < members; m++)
    ports[m] = (uint16_t)(TIER_MEMBER + m);
  for (uint32_t host = 0; host < TIER_HOSTS; host++)
    switch_set_route(lab->state, host, ports, members);
  return lab;
}

unsigned tier_member_of(lab_t* lab, const net_frame_t* flow)
{
  lab_packet(lab, 0, flow, FLOW_SMALL);
  for (unsigned port = 0; port < TIER_PORTS; port++)
    if (lab->state->ports[port].out.on_wire != NULL) {
      lab_settle(lab);
      return port - TIER_MEMBER;
    }
  CU_FAIL_FATAL("the packet leaves nowhere");
  return TIER_PORTS;
}
