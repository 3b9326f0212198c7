#include "shared_buffer_support.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static const sgf_attr_section_t sections[] = {{&sgf_shared_buffer_attributes, 0}};
const sgf_attr_set_t sb_attributes         = {"switch", sections, 1, sizeof(sgf_shared_buffer_config_t)};

sgf_shared_buffer_config_t sb_configure(const char* const* settings)
{
  sgf_shared_buffer_config_t config;
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL_FATAL(sgf_attr_defaults(&sb_attributes, &config, &error), SGF_OK);
  for (; *settings; settings += 2)
    CU_ASSERT_EQUAL_FATAL(sgf_attr_set_value(&sb_attributes, &config, settings[0], settings[1], &error), SGF_OK);
  return config;
}

sgf_shared_buffer_t* sb_start(unsigned ports, const char* const* settings)
{
  sgf_shared_buffer_config_t config = sb_configure(settings);
  sgf_error_t error                 = {0};
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, ports, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sb);
  CU_ASSERT_EQUAL(error.status, SGF_OK);
  return sb;
}

sgf_shared_buffer_t* sb_d128(void)
{
  return sb_start(128, SB_SETTINGS(NULL));
}

bool sb_stops(unsigned ports, const char* const* settings, const char* attribute)
{
  sgf_shared_buffer_config_t config = sb_configure(settings);
  sgf_error_t error                 = {0};
  sgf_shared_buffer_t* sb           = sgf_sb_new(&config, ports, &error);
  bool stopped                      = !sb;
  sgf_sb_free(sb);
  return stopped && error.status == SGF_RULE && strstr(error.text, attribute);
}

bool sb_arrive_all(sgf_shared_buffer_t* sb, unsigned port, unsigned tc, unsigned count, sgf_sb_arrival_t expected)
{
  bool as_expected = true;
  for (unsigned i = 0; i < count; i++)
    as_expected = sgf_sb_arrive(sb, port, tc, SB_PACKET) == expected && as_expected;
  return as_expected;
}

static bool is_kept(sgf_sb_arrival_t arrival)
{
  return arrival == SGF_SB_TO_POOL || arrival == SGF_SB_TO_POOL_PAUSE || arrival == SGF_SB_TO_HEADROOM;
}

sgf_sb_queueing_t sb_queue(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, int64_t charge)
{
  sgf_sb_queueing_t verdict = sgf_sb_queue(sb, out, tc, charge, SGF_SB_LIMIT_NORMAL);
  if (verdict != SGF_SB_QUEUED)
    CU_ASSERT_FALSE(sgf_sb_discard(sb, in, tc, charge));
  return verdict;
}

bool sb_forward(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc)
{
  return is_kept(sgf_sb_arrive(sb, in, tc, SB_PACKET)) && sb_queue(sb, in, out, tc, SB_PACKET) == SGF_SB_QUEUED;
}

bool sb_forward_all(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, unsigned count)
{
  bool all = true;
  for (unsigned i = 0; i < count; i++)
    all = sb_forward(sb, in, out, tc) && all;
  return all;
}

unsigned sb_fill(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc)
{
  unsigned queued = 0;
  while (sb_forward(sb, in, out, tc))
    queued++;
  return queued;
}

void sb_fill_in_turn(sgf_shared_buffer_t* sb, unsigned n, unsigned tc)
{
  unsigned queued;
  do {
    queued = 0;
    for (unsigned out = 0; out < n; out++)
      queued += sb_forward(sb, 0, out, tc);
  } while (queued > 0);
}

unsigned sb_depart(sgf_shared_buffer_t* sb, unsigned in, unsigned out, unsigned tc, unsigned count)
{
  unsigned resumes = 0;
  for (unsigned i = 0; i < count; i++)
    resumes += sgf_sb_depart(sb, in, tc, out, tc, SB_PACKET);
  return resumes;
}

sgf_shared_buffer_t* sb_after_burst_of_240(const char* const* settings)
{
  sgf_shared_buffer_t* sb = sb_start(128, settings);
  CU_ASSERT(sb_forward_all(sb, 0, 1, 0, 240));
  return sb;
}

bool sb_port0_holds(const sgf_shared_buffer_t* sb, int64_t occupancy, int64_t headroom)
{
  return sgf_sb_occupancy(sb, 0, 0) == occupancy && sgf_sb_headroom(sb, 0, 0) == headroom;
}

bool sb_ecn_band_is(const sgf_shared_buffer_t* sb, unsigned pool, int64_t lower, int64_t upper)
{
  int64_t limit = sgf_sb_static_limit(sb, pool);
  return sgf_decimal_of((sgf_decimal_t){2, 10}, limit) == lower &&
         sgf_decimal_of((sgf_decimal_t){8, 10}, limit) == upper;
}

bool sb_within_a_packet(int64_t bytes, int64_t level)
{
  return llabs(bytes - level) <= SB_PACKET;
}
