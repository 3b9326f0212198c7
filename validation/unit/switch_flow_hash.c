/* Flow hashes, by figures that are computed here in another way. Their properties are in validation/switch. */
#include "harness.h"

#include <zlib.h>

#include "switch/flow_hash.h"

static uint16_t salted(const net_frame_t* frame, uint32_t salt)
{
  return switch_flow_hash(SWITCH_HASH_CRC32_WITH_SALT, frame, salt, 0);
}

static net_frame_t udp_frame(uint16_t src_port)
{
  return (net_frame_t){
      .src = 0x0a000001, .dst = 0x0a000102, .src_port = src_port, .dst_port = 4793, .protocol = NET_PROTOCOL_UDP};
}

/* The finalizer of MurmurHash3, up to its last step, which folds the upper half into the lower one. */
static uint32_t murmur3_mix(uint32_t h)
{
  h ^= h >> 16;
  h *= UINT32_C(2246822507);
  h ^= h >> 13;
  h *= UINT32_C(3266489909);
  return h;
}

SGF_TEST(the_flow_hash_is_a_salted_crc_finalized_and_folded)
{
  CU_ASSERT_EQUAL(crc32(0, (const unsigned char*)"123456789", 9), UINT32_C(0xcbf43926)); /* the published check value */
  const unsigned char tuple[13] = {17, 0x01, 0x02, 0x12, 0xb9, 10, 0, 0, 1, 10, 0, 1, 2};
  const net_frame_t frame       = udp_frame(0x0102);
  static const uint32_t salts[] = {0, 1, 0xdeadbeef};
  for (size_t i = 0; i < 3; i++) {
    const uint32_t crc  = (uint32_t)crc32(salts[i], tuple, sizeof tuple);
    const uint32_t hash = murmur3_mix(crc ^ salts[i]);
    CU_ASSERT_EQUAL(salted(&frame, salts[i]), (hash >> 16) ^ (hash & 0xffff));
  }
}

SGF_TEST(every_field_of_the_flow_counts)
{
  const net_frame_t frame = udp_frame(256);
  net_frame_t other[4]    = {frame, frame, frame, frame};
  other[0].src++;
  other[1].dst++;
  other[2].src_port++;
  other[3].dst_port++;
  for (size_t i = 0; i < 4; i++)
    CU_ASSERT_NOT_EQUAL(salted(&other[i], 7), salted(&frame, 7));
  net_frame_t marked = frame; /* and no other */
  marked.ecn         = NET_ECN_CE;
  marked.dscp        = 9;
  marked.in_port     = 3;
  CU_ASSERT_EQUAL(salted(&marked, 7), salted(&frame, 7));
}

SGF_TEST(what_is_neither_udp_nor_tcp_is_one_flow)
{
  net_frame_t frame  = udp_frame(256);
  const uint16_t udp = salted(&frame, switch_hash_salt(5));
  frame.protocol     = NET_PROTOCOL_TCP;
  CU_ASSERT_NOT_EQUAL(salted(&frame, switch_hash_salt(5)), 0);
  CU_ASSERT_NOT_EQUAL(salted(&frame, switch_hash_salt(5)), udp);
  frame.protocol = 1;
  CU_ASSERT_EQUAL(salted(&frame, switch_hash_salt(5)), 0);
}

/* SW-67: repeated runs agree, switches differ. */
SGF_TEST(switches_have_salts_of_their_own)
{
  enum { SWITCHES = 1000 };
  static uint32_t salts[SWITCHES];
  const net_frame_t frame = udp_frame(256);
  int equal_hashes        = 0;
  for (uint32_t i = 0; i < SWITCHES; i++) {
    salts[i] = switch_hash_salt(i + 1);
    CU_ASSERT_EQUAL(switch_hash_salt(i + 1), salts[i]);
    for (uint32_t j = 0; j < i; j++)
      CU_ASSERT_NOT_EQUAL_FATAL(salts[i], salts[j]);
    if (i > 0)
      equal_hashes += salted(&frame, salts[i]) == salted(&frame, salts[i - 1]);
  }
  CU_ASSERT(equal_hashes <= 2); /* 1000 / 65536 are expected */
}

/* SW-68: of the flows that one tier sends to a member, the next tier uses all members alike. Without the finalizer it
 * uses one. */
typedef uint16_t hash_fn(const net_frame_t* frame, uint32_t salt);

static uint16_t seeded_only(const net_frame_t* frame, uint32_t salt)
{
  const uint16_t halves[] = {frame->src_port,
                             frame->dst_port,
                             (uint16_t)(frame->src >> 16),
                             (uint16_t)frame->src,
                             (uint16_t)(frame->dst >> 16),
                             (uint16_t)frame->dst};
  unsigned char tuple[13] = {frame->protocol};
  for (size_t i = 0; i < 6; i++) {
    tuple[1 + 2 * i] = (unsigned char)(halves[i] >> 8);
    tuple[2 + 2 * i] = (unsigned char)halves[i];
  }
  const uint32_t crc = (uint32_t)crc32(salt, tuple, sizeof tuple);
  return (uint16_t)(crc ^ crc >> 16);
}

/* Of the flows that tier 1 sends to member 0: how many members tier 2 uses, and how evenly. */
static void spread(hash_fn* hash, unsigned members, size_t* used, double* chi_square)
{
  enum { FLOWS = 16000 };
  unsigned count[16] = {0};
  unsigned flows     = 0;
  for (unsigned i = 0; i < FLOWS; i++) {
    net_frame_t frame = udp_frame((uint16_t)i);
    frame.dst += i / 512;
    if (hash(&frame, switch_hash_salt(1)) % members == 0) {
      flows++;
      count[hash(&frame, switch_hash_salt(2)) % members]++;
    }
  }
  const double expected = (double)flows / members;
  *used                 = 0;
  *chi_square           = 0;
  for (unsigned m = 0; m < members; m++) {
    *used += count[m] > 0;
    *chi_square += (count[m] - expected) * (count[m] - expected) / expected;
  }
}

SGF_TEST(the_salt_and_the_finalizer_keep_tiers_apart)
{
  /* 0.1 % points of chi-square with 3, 7 and 15 degrees of freedom */
  static const struct {
    unsigned members;
    double limit;
  } sets[] = {{4, 16.27}, {8, 24.32}, {16, 37.70}};
  for (size_t i = 0; i < 3; i++) {
    size_t used;
    double chi_square;
    spread(salted, sets[i].members, &used, &chi_square);
    CU_ASSERT_EQUAL(used, sets[i].members);
    CU_ASSERT(chi_square < sets[i].limit);
    spread(seeded_only, sets[i].members, &used, &chi_square);
    CU_ASSERT_EQUAL(used, 1);
  }
}

/* The unsalted CRC, folded. */
SGF_TEST(crc32_is_the_xor_of_both_halves)
{
  const unsigned char tuple[13] = {17, 0x01, 0x02, 0x12, 0xb9, 10, 0, 0, 1, 10, 0, 1, 2};
  const net_frame_t frame       = udp_frame(0x0102);
  const uint32_t crc            = (uint32_t)crc32(0, tuple, sizeof tuple);
  CU_ASSERT_EQUAL(switch_flow_hash(SWITCH_HASH_CRC32, &frame, 7, 4), (crc >> 16) ^ (crc & 0xffff));
}

SGF_TEST(the_fold_takes_16_bits_at_a_time)
{
  const net_frame_t frame = udp_frame(0x0102);
  const uint16_t expected = 0x0102 ^ 4793 ^ 0x0a00 ^ 0x0001 ^ 0x0a00 ^ 0x0102;
  CU_ASSERT_EQUAL(switch_flow_hash(SWITCH_HASH_FOLD, &frame, 7, 4), expected);
}

/* 10.0.0.1 + 0xf5ffffff = 0x00000000 with the carry lost: nothing of the source address is left. */
SGF_TEST(the_salt_is_added_to_the_source_address)
{
  const net_frame_t frame = udp_frame(0x0102);
  const uint16_t rest     = 0x0102 ^ 4793 ^ 0x0a00 ^ 0x0102;
  CU_ASSERT_EQUAL(switch_flow_hash(SWITCH_HASH_FOLD_WITH_SALT, &frame, 0, 4), rest ^ 0x0a00 ^ 0x0001);
  CU_ASSERT_EQUAL(switch_flow_hash(SWITCH_HASH_FOLD_WITH_SALT, &frame, UINT32_C(0xf5ffffff), 4), rest);
  CU_ASSERT_EQUAL(switch_flow_hash(SWITCH_HASH_FOLD_WITH_SALT, &frame, 0xffff, 4), rest ^ 0x0a01);
}
