/* Expressions of constraints and ranges. */
#include "harness.h"

#include "opp/ini.h"

#include <stdio.h>

SGF_TEST(arithmetic_follows_precedence)
{
  static const struct {
    const char* text;
    double number;
  } cases[] = {
      {"1", 1},
      {"0.5", 0.5},
      {"1e3", 1000},
      {"1E-3", 0.001},
      {"2.5e+2", 250},
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"10-4-3", 3},
      {"24/4/2", 3},
      {"7%4", 3},
      {"2^3^2", 512},
      {"-2^2", 4},
      {"--3", 3},
      {"+3 - -2", 5},
      {" 1 +\t1 ", 2},
      {"sqrt(16)", 4},
      {"pow(2, 10)", 1024},
      {"min(3, 2)", 2},
      {"max(3, 2)", 3},
      {"floor(2.7)", 2},
      {"ceil(2.2)", 3},
      {"abs(-4)", 4},
      {"log2(8)", 3},
      {"fmod(7, 4)", 3},
      {"true ? 1 : 2", 1},
      {"1 > 2 ? 1 : 2", 2},
      {"false ? 1 : false ? 2 : 3", 3},
      {"2*10+5", 25},
      {"round(0.1*30)", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    opp_ini_result_t result;
    CU_ASSERT_EQUAL(opp_ini_evaluate(cases[i].text, &result, &error), SGF_OK);
    if (error.status != SGF_OK || result.number != cases[i].number)
      printf("\n  %s: %g, %s\n", cases[i].text, result.number, error.text);
    CU_ASSERT_EQUAL(result.type, OPP_INI_NUMBER);
    CU_ASSERT_EQUAL(result.number, cases[i].number);
  }
}

SGF_TEST(comparisons_are_true_or_false)
{
  static const struct {
    const char* text;
    bool truth;
  } cases[] = {
      {"1 < 2", true},
      {"2 < 2", false},
      {"2 <= 2", true},
      {"3 >= 4", false},
      {"1 == 1.0", true},
      {"1 = 1", true},
      {"1 != 1", false},
      {"true", true},
      {"!true", false},
      {"!(1 > 2)", true},
      {"1 < 2 && 2 < 3", true},
      {"1 < 2 && 3 < 3", false},
      {"1 > 2 || 2 < 3", true},
      {"true || false && false", true}, /* && binds tighter */
      {"1 + 1 == 2", true},
      {"1 < 2 == true", true},
      {"\"tcp\" == \"tcp\"", true},
      {"\"tcp\" == \"udp\"", false},
      {"\"a\" < \"b\"", true},
      {"\"ab\" > \"a\"", true},
      {"10us > 9999ns", true},
      {"1ms == 1000us", true},
      {"4KiB == 4096B", true},
      {"400Gbps > 100Gbps + 200Gbps", true},
      {"2 * 5us == 10us", true},
      {"10us / 5us == 2", true},
      {"10us / 2 == 5us", true},
      {"-1us < 0us", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    opp_ini_result_t result;
    CU_ASSERT_EQUAL(opp_ini_evaluate(cases[i].text, &result, &error), SGF_OK);
    if (error.status != SGF_OK || result.truth != cases[i].truth)
      printf("\n  %s: %d, %s\n", cases[i].text, result.truth, error.text);
    CU_ASSERT_EQUAL(result.type, OPP_INI_BOOL);
    CU_ASSERT_EQUAL(result.truth, cases[i].truth);
  }
}

SGF_TEST(faulty_expressions_are_refused_with_the_place)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    const char* words;
  } cases[] = {
      {"", SGF_SYNTAX, "expected a value"},
      {"1 +", SGF_SYNTAX, "expected a value"},
      {"(1", SGF_SYNTAX, "expected )"},
      {"1 2", SGF_SYNTAX, "expected an operator at \"2\""},
      {"1 & 2", SGF_SYNTAX, "expected an operator at \"& 2\""},
      {"tcp == \"tcp\"", SGF_UNKNOWN, "string in quotes at \"tcp"},
      {"\"tcp", SGF_SYNTAX, "closing quote"},
      {"sin(1)", SGF_UNKNOWN, "function"},
      {"sqrt 4", SGF_SYNTAX, "expected ("},
      {"pow(2)", SGF_SYNTAX, "second argument"},
      {"sqrt(4us)", SGF_UNIT, "without a unit"},
      {"1 + true", SGF_UNIT, "do not mix"},
      {"1 && 2", SGF_UNIT, "&&"},
      {"true + true", SGF_UNIT, "&&"},
      {"\"a\" + \"b\"", SGF_UNIT, "only be compared"},
      {"1us < 5", SGF_UNIT, "units"},
      {"1us < 5KB", SGF_UNIT, "units"},
      {"1us * 1us", SGF_UNIT, "units"},
      {"5parsecs", SGF_UNIT, "no time, size or rate at \"5parsecs\""},
      {"1e", SGF_UNIT, "1e"},
      {"1/0", SGF_RANGE, "finite"},
      {"0/0 == 1", SGF_RANGE, "finite"},
      {"sqrt(-1) < 1", SGF_RANGE, "finite"},
      {"1e999", SGF_RANGE, "finite"},
      {"!1", SGF_UNIT, "!"},
      {"-true", SGF_UNIT, "sign"},
      {"1 ? 2 : 3", SGF_UNIT, "?"},
      {"true ? 2", SGF_SYNTAX, "expected :"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    opp_ini_result_t result;
    CU_ASSERT_EQUAL(opp_ini_evaluate(cases[i].text, &result, &error), cases[i].status);
    if (error.status != cases[i].status || strstr(error.text, cases[i].words) == NULL)
      printf("\n  %s: status %d, %s\n", cases[i].text, (int)error.status, error.text);
    CU_ASSERT_EQUAL(error.status, cases[i].status);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].words));
  }
}

SGF_TEST(deep_nesting_is_refused)
{
  char text[100001];
  opp_ini_result_t result;
  static const char deep[] = "(-!";
  for (size_t i = 0; i < sizeof deep - 1; i++) {
    memset(text, deep[i], sizeof text - 1);
    text[sizeof text - 1] = '\0';
    sgf_error_t error     = {0};
    CU_ASSERT_EQUAL(opp_ini_evaluate(text, &result, &error), SGF_SYNTAX);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nested"));
  }
}

SGF_TEST(whole_numbers_are_from_zero_on)
{
  static const struct {
    const char* text;
    bool is_whole;
    uint64_t value;
  } cases[] = {{"0", true, 0},       {"7", true, 7},
               {"3+100", true, 103}, {"9007199254740992", true, UINT64_C(9007199254740992)},
               {"-1", false, 0},     {"1.5", false, 0},
               {"1us", false, 0},    {"true", false, 0},
               {"1e16", false, 0},   {"five", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t value      = 0;
    sgf_error_t error   = {0};
    sgf_status_t status = opp_ini_whole(cases[i].text, "repeat", &value, &error);
    CU_ASSERT_EQUAL(status == SGF_OK, cases[i].is_whole);
    CU_ASSERT_EQUAL(value, cases[i].value);
    CU_ASSERT_EQUAL(error.status, status);
  }
}
