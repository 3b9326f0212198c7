/* Patterns of paths (spec/opp.md section 2). */
#include "harness.h"

#include "opp/pattern.h"

#include <sgfabric/opp_ini.h>

#include <string.h>

static bool matches(const char* text, const char* name)
{
  sgf_error_t error      = {0};
  opp_pattern_t* pattern = opp_pattern_new(text, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pattern);
  bool result = opp_pattern_matches(pattern, name);
  opp_pattern_free(pattern);
  return result;
}

SGF_TEST(a_name_matches_itself_alone)
{
  CU_ASSERT_TRUE(matches("net.rack0.gpu0", "net.rack0.gpu0"));
  CU_ASSERT_FALSE(matches("net.rack0.gpu0", "net.rack0.gpu01"));
  CU_ASSERT_FALSE(matches("net.rack0.gpu0", "xnet.rack0.gpu0"));
  CU_ASSERT_FALSE(matches("gpu", "GPU"));
  CU_ASSERT_TRUE(matches("", ""));
  CU_ASSERT_FALSE(matches("", "a"));
  CU_ASSERT_FALSE(matches("a", ""));
}

SGF_TEST(a_question_mark_is_one_character_but_a_dot)
{
  CU_ASSERT_TRUE(matches("gpu?", "gpu0"));
  CU_ASSERT_FALSE(matches("gpu?", "gpu"));
  CU_ASSERT_FALSE(matches("gpu?", "gpu10"));
  CU_ASSERT_FALSE(matches("rack?gpu", "rack.gpu"));
}

SGF_TEST(a_star_stops_at_dots_and_two_do_not)
{
  CU_ASSERT_TRUE(matches("net.*.gpu0", "net.rack0.gpu0"));
  CU_ASSERT_TRUE(matches("net.rack*.gpu0", "net.rack.gpu0"));
  CU_ASSERT_FALSE(matches("net.*.gpu0", "net.dc.rack0.gpu0"));
  CU_ASSERT_FALSE(matches("*", "net.rack0"));
  CU_ASSERT_TRUE(matches("**", "net.rack0"));
  CU_ASSERT_TRUE(matches("**.gpu0", "net.dc.rack0.gpu0"));
  CU_ASSERT_FALSE(matches("**.gpu0", "gpu0"));
  CU_ASSERT_TRUE(matches("**gpu0", "gpu0"));
  CU_ASSERT_TRUE(matches("net.**.gpu*", "net.a.b.gpu17"));
  CU_ASSERT_TRUE(matches("**", ""));
}

SGF_TEST(sets_hold_characters_and_ranges_of_them)
{
  CU_ASSERT_TRUE(matches("rack{a-f}", "racka"));
  CU_ASSERT_TRUE(matches("rack{a-f}", "rackf"));
  CU_ASSERT_FALSE(matches("rack{a-f}", "rackg"));
  CU_ASSERT_FALSE(matches("rack{a-f}", "rackab"));
  CU_ASSERT_TRUE(matches("rack{a-cx0-3}", "rackx"));
  CU_ASSERT_TRUE(matches("rack{a-cx0-3}", "rack2"));
  CU_ASSERT_FALSE(matches("rack{a-cx0-3}", "rackd"));
  CU_ASSERT_TRUE(matches("rack{^a-f}", "rackg"));
  CU_ASSERT_FALSE(matches("rack{^a-f}", "racka"));
  CU_ASSERT_FALSE(matches("rack{^a-f}0", "rack.0"));
}

SGF_TEST(numeric_ranges_take_whole_numbers)
{
  CU_ASSERT_TRUE(matches("gpu{38..150}", "gpu38"));
  CU_ASSERT_TRUE(matches("gpu{38..150}", "gpu150"));
  CU_ASSERT_TRUE(matches("gpu{38..150}", "gpu099"));
  CU_ASSERT_FALSE(matches("gpu{38..150}", "gpu37"));
  CU_ASSERT_FALSE(matches("gpu{38..150}", "gpu151"));
  CU_ASSERT_FALSE(matches("gpu{0..3}", "gpu13"));
  CU_ASSERT_FALSE(matches("gpu*{0..3}", "gpu13"));
  CU_ASSERT_TRUE(matches("gpu{0..3}x", "gpu3x"));
  CU_ASSERT_TRUE(matches("gpu1{0..9}", "gpu13"));
  CU_ASSERT_FALSE(matches("gpu{0..18446744073709551614}", "gpu99999999999999999999999"));
  CU_ASSERT_TRUE(matches("host[38..150]", "host[40]"));
  CU_ASSERT_FALSE(matches("host[38..150]", "host[37]"));
  CU_ASSERT_FALSE(matches("host[38..150]", "host40"));
  CU_ASSERT_TRUE(matches("host[7]", "host[7]"));
  CU_ASSERT_TRUE(matches("host[*]", "host[7]"));
}

SGF_TEST(either_end_of_a_range_may_be_left_out)
{
  CU_ASSERT_TRUE(matches("gpu{10..}", "gpu10"));
  CU_ASSERT_TRUE(matches("gpu{10..}", "gpu99999999999999999999999"));
  CU_ASSERT_FALSE(matches("gpu{10..}", "gpu9"));
  CU_ASSERT_TRUE(matches("gpu{..99}", "gpu0"));
  CU_ASSERT_FALSE(matches("gpu{..99}", "gpu100"));
  CU_ASSERT_TRUE(matches("gpu{..}", "gpu7"));
  CU_ASSERT_FALSE(matches("gpu{..}", "gpux"));
  CU_ASSERT_TRUE(matches("queue[12..]", "queue[12]"));
  CU_ASSERT_FALSE(matches("queue[12..]", "queue[11]"));
  CU_ASSERT_TRUE(matches("queue[..3]", "queue[3]"));
}

SGF_TEST(a_brace_that_comes_first_is_in_its_set)
{
  CU_ASSERT_TRUE(matches("a{}x}b", "a}b"));
  CU_ASSERT_TRUE(matches("a{}x}b", "axb"));
  CU_ASSERT_FALSE(matches("a{^}x}b", "a}b"));
  CU_ASSERT_TRUE(matches("a{^}x}b", "ayb"));
}

SGF_TEST(a_backslash_takes_the_meaning_of_what_follows)
{
  CU_ASSERT_TRUE(matches("a\\*b", "a*b"));
  CU_ASSERT_FALSE(matches("a\\*b", "axb"));
  CU_ASSERT_TRUE(matches("a\\{b", "a{b"));
  CU_ASSERT_TRUE(matches("\\\\", "\\"));
}

SGF_TEST(malformed_patterns_are_refused)
{
  static const char* const malformed[] = {"gpu{0..3", "{", "a\\", "gpu{5..3}", "host[5..3]", "{}", "{^}"};
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    sgf_error_t error = {0};
    CU_ASSERT_PTR_NULL(opp_pattern_new(malformed[i], &error));
    CU_ASSERT_EQUAL(error.status, SGF_SYNTAX);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, malformed[i]));
  }
}

SGF_TEST(only_patterns_without_wildcards_are_names)
{
  static const struct {
    const char* text;
    bool is_name;
  } cases[] = {{"gpu0", true},   {"a\\*", true},     {"gpu?", false}, {"*", false},
               {"{a-b}", false}, {"h[1..2]", false}, {"h[1]", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    opp_pattern_t* pattern = opp_pattern_new(cases[i].text, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pattern);
    CU_ASSERT_EQUAL(opp_pattern_is_name(pattern), cases[i].is_name);
    opp_pattern_free(pattern);
  }
}

SGF_TEST(many_stars_take_no_time)
{
  char pattern[128] = "";
  char name[201]    = "";
  for (int i = 0; i < 40; i++)
    strcat(pattern, "**a");
  memset(name, 'a', sizeof name - 1);
  strcat(pattern, "b");
  CU_ASSERT_FALSE(matches(pattern, name));
}

SGF_TEST(a_malformed_pattern_matches_nothing)
{
  CU_ASSERT_TRUE(opp_ini_matches("**.gpu{0..3}.nic", "net.gpu2.nic"));
  CU_ASSERT_FALSE(opp_ini_matches("**.gpu{0..3}.nic", "net.gpu4.nic"));
  CU_ASSERT_FALSE(opp_ini_matches("gpu{", "gpu{"));
}
