/* Iteration variables: which runs a configuration has, in which order. */
#include "opp_ini_support.h"

/* "1 a|1 b" as ini_runs writes the values of the variables; with repetitions if asked for. */
typedef struct study {
  const char* text;
  const char* runs;
} study_t;

static void check(const study_t* studies, size_t count, bool with_repetition)
{
  for (size_t i = 0; i < count; i++) {
    opp_ini_t* ini = ini_of(studies[i].text);
    ini_equal(ini_runs(ini, "General", with_repetition), studies[i].runs);
    opp_ini_free(ini);
  }
}

SGF_TEST(values_are_listed_and_ranges_stepped_through)
{
  static const study_t studies[] = {
      {"**.x = 1\n", ""},
      {"**.x = ${1, 2, 5, 10..50 step 10}\n", "1|2|5|10|20|30|40|50"},
      {"**.x = ${n = 1, 2, 5..10 step 5}\n", "1|2|5|10"},
      {"**.x = ${n=1..3}\n", "1|2|3"},
      {"**.x = ${n=3..1 step -1}\n", "3|2|1"},
      {"**.x = ${n=0..7 step 3}\n", "0|3|6"},
      {"**.x = ${n=-2..2 step 2}\n", "-2|0|2"},
      {"**.x = ${0.1..0.5 step 0.1}\n", "0.1|0.2|0.3|0.4|0.5"},
      {"**.x = ${-0.3..0.3 step 0.1}\n", "-0.3|-0.2|-0.1|0|0.1|0.2|0.3"},
      {"**.x = ${10.1..10.7 step 0.1}\n", "10.1|10.2|10.3|10.4|10.5|10.6|10.7"},
      {"**.x = ${1..9 step 4.0}\n", "1|5|9"},
      {"**.x = ${1e6..3e6 step 1e6}\n", "1000000|2000000|3000000"},
      {"**.x = ${1e-9..3e-9 step 1e-9}\n", "0.000000001|0.000000002|0.000000003"},
      {"**.x = ${0.05..0.2 step 0.05}\n", "0.05|0.1|0.15|0.2"},
      {"**.x = ${0..1 step 1/4}\n", "0|0.25|0.5|0.75|1"},
      {"**.x = ${2*3..(4+4)}\n", "6|7|8"},
      {"**.x = ${4294967294..4294967296}\n", "4294967294|4294967295|4294967296"},
      {"**.x = ${5}\n", "5"},
      {"**.x = ${\"a b\", \"c,d\", \"e}f\"}\n", "\"a b\"|\"c,d\"|\"e}f\""},
      {"**.x = ${\"../a.xml\", \"../b.xml\"}\n", "\"../a.xml\"|\"../b.xml\""},
      {"**.x = ${uniform(0,3)}\n", "uniform(0,3)"},
      {"**.x = ${a, b, [1, 2], {3, 4}}\n", "a|b|[1, 2]|{3, 4}"},
      {"**.x = ${foo\\,bar\\}baz, \"\\\"q\\\"\", b\\\\c}\n", "foo,bar}baz|\"\\\"q\\\"\"|b\\c"},
      {"**.x = ${ proto = tcp , udp }\n", "tcp|udp"},
      {"**.x = ${size = 4KiB, 1MB}\n", "4KiB|1MB"},
      {"**.x = ${i=1..3, 1s+, -}001s\n", "1|2|3|1s+|-"},
      {"**.x = ${default, 5}\n", "default|5"},
  };
  check(studies, sizeof studies / sizeof *studies, false);
}

SGF_TEST(the_last_variable_varies_fastest_and_the_repetition_faster_still)
{
  static const study_t studies[] = {
      {"**.x = 1\n", " #0"},
      {"repeat = 3\n", " #0| #1| #2"},
      {"**.a = ${1, 2}\n**.b = ${x, y}\n", "1 x #0|1 y #0|2 x #0|2 y #0"},
      {"repeat = 2\n**.a = ${1, 2}\n**.b = ${x, y}\n", "1 x #0|1 x #1|1 y #0|1 y #1|2 x #0|2 x #1|2 y #0|2 y #1"},
      {"**.a = ${1, 2}-${x, y}\n", "1 x #0|1 y #0|2 x #0|2 y #0"},
      {"seed-set = ${5,6,8..11}\n", "5 #0|6 #0|8 #0|9 #0|10 #0|11 #0"},
  };
  check(studies, sizeof studies / sizeof *studies, true);
}

SGF_TEST(the_nesting_order_can_be_chosen)
{
  static const study_t studies[] = {
      {"iteration-nesting-order = b, a\n**.a = ${a=1,2}\n**.b = ${b=x,y}\n", "x 1 #0|x 2 #0|y 1 #0|y 2 #0"},
      {"iteration-nesting-order = *, a\n**.a = ${a=1,2}\n**.b = ${b=x,y}\n", "x 1 #0|x 2 #0|y 1 #0|y 2 #0"},
      {"iteration-nesting-order = b\n**.a = ${a=1,2}\n**.b = ${b=x,y}\n", "x 1 #0|x 2 #0|y 1 #0|y 2 #0"},
      {"iteration-nesting-order = repetition, *\n**.a = ${a=1,2}\nrepeat = 2\n", "1 #0|2 #0|1 #1|2 #1"},
      {"iteration-nesting-order = *\n**.a = ${a=1,2}\n**.b = ${b=x}\n", "1 x #0|2 x #0"},
  };
  check(studies, sizeof studies / sizeof *studies, true);
}

SGF_TEST(parallel_iterations_follow_their_leader)
{
  static const study_t studies[] = {
      {"**.plan = ${plan= \"A\", \"B\", \"C\"}\n**.hosts = ${hosts= 10, 20, 50 ! plan}\n**.load = ${0.2, 0.3, 0.3 ! "
       "plan}\n",
       "\"A\" 10 0.2|\"B\" 20 0.3|\"C\" 50 0.3"},
      {"**.a = ${a = 1, 2, 3}\n**.b = ${b = 4, 5, 6 ! a}\n**.c = ${x, y}\n", "1 4 x|1 4 y|2 5 x|2 5 y|3 6 x|3 6 y"},
      {"**.b = ${b = 4, 5, 6 ! a}\n**.a = ${a = 1, 2}\n", "1 4|2 5"}, /* the leader's loop is outside */
      {"**.a = ${a = 1, 2}\n**.b = ${b = 3..4 ! a}\n**.c = ${c = 5, 6 ! b}\n", "1 3 5|2 4 6"},
      {"repeat = 2\n**.s = ${53542, 45732 ! repetition}\n", "53542|45732"},
      {"**.x = ${x = \"a!\", \"b! c\"}\n", "\"a!\"|\"b! c\""}, /* no leader */
  };
  check(studies, sizeof studies / sizeof *studies, false);
}

SGF_TEST(iterations_refer_to_outer_ones)
{
  static const study_t studies[] = {
      {"**.a = ${i=1..3}\n**.b = ${j=1..$i}\n", "1 1|2 1|2 2|3 1|3 2|3 3"},
      {"**.a = ${i=1..2}\n**.b = ${j=${i}..2}\n", "1 1|1 2|2 2"},
      {"**.a = ${i=1..3}\n**.b = ${j=$i+1..3}\n", "1 2|1 3|2 3"},      /* no values for the last i, and no runs */
      {"**.a = ${laststep=2}\n**.b = ${j=1..$laststep}\n", "2 1|2 2"}, /* no "step" */
      /* k - i - j, as in the manual */
      {"**.foo = ${i=0..$k}\n**.bar = ${j=$i..$k}\n**.baz = ${k=1..1}\n", "1 0 0|1 0 1|1 1 1"},
      {"**.foo = \"${i=Jo}\"\n**.bar = ${\"Hi $i\", \"Hi ${i}hn\"}\n", "Jo \"Hi Jo\"|Jo \"Hi John\""},
      {"**.a = ${n=2,4}\n**.b = ${m=2*$n, x$n$n}\n", "2 2*2|2 x22|4 2*4|4 x44"}, /* text, not a number */
      {"repeat = 2\n**.a = ${a = $repetition..1}\n", "0|1|1"},
  };
  check(studies, sizeof studies / sizeof *studies, false);
}

SGF_TEST(a_constraint_chooses_runs)
{
  static const study_t studies[] = {
      {"**.n = ${n=10..40 step 10}\n**.m = ${m=2..6 step 2}\nconstraint = $m <= sqrt($n)\n",
       "10 2|20 2|20 4|30 2|30 4|40 2|40 4|40 6"},
      {"**.a = ${a=1..3}\n**.b = ${b=1..3}\nconstraint = ${a} < ${b}\n", "1 2|1 3|2 3"},
      {"**.a = ${a=1..3}\n**.b = ${b=1..3}\nconstraint = ($a) != ($b) && !($a + $b == 3)\n", "1 3|2 3|3 1|3 2"},
      {"**.p = ${p=\"tcp\",\"udp\"}\n**.n = ${n=1,2}\nconstraint = $p == \"tcp\" || $n == 1\n",
       "\"tcp\" 1|\"tcp\" 2|\"udp\" 1"},
      {"**.p = ${p=tcp,udp}\nconstraint = \"$p\" == \"udp\"\n", "udp"},
      {"**.d = ${d=500ns,1us,2us}\nconstraint = $d >= 1us\n", "1us|2us"},
      {"**.a = ${a=1,2}\nrepeat = 3\nconstraint = $repetition <= $a - 1\n", "1|2|2"},
      {"**.a = ${a=1,2}\nconstraint = $a > 5\n", ""},
      {"**.i = ${i=10}\n**.j = ${j=$i+5}\nconstraint = $i+50 < 2*$j\n", ""}, /* 60 < 2*10+5: text is replaced */
      {"**.i = ${i=10}\n**.j = ${j=$i+5}\nconstraint = ($i)+10 < 2*($j)\n", "10 10+5"},
  };
  check(studies, sizeof studies / sizeof *studies, false);
  opp_ini_t* ini = ini_of("**.a = ${a=1,2}\nconstraint = $a > 5\n");
  CU_ASSERT_EQUAL(opp_ini_run_count(ini, "General", NULL), 0);
  opp_ini_free(ini);
}

SGF_TEST(variables_come_from_all_sections_that_are_fallen_back_to)
{
  opp_ini_t* ini = ini_of("[General]\n**.g = ${g=1,2}\n[Config A]\n**.a = ${a=x,y}\n[Config B]\nextends = A\n"
                          "**.a = ${b=p,q}\nrepeat = 1\n");
  ini_equal(ini_runs(ini, "A", false), "x 1|x 2|y 1|y 2");
  /* an overridden line has its loop still, as in OMNeT++ */
  ini_equal(ini_runs(ini, "B", false), "p x 1|p x 2|p y 1|p y 2|q x 1|q x 2|q y 1|q y 2");
  opp_ini_free(ini);
}

SGF_TEST(malformed_iterations_are_refused_where_they_are_read)
{
  static const struct {
    const char* value;
    const char* words;
  } cases[] = {
      {"${", "${ without }"},
      {"${a = 1, 2", "${ without }"},
      {"${}", "nothing in the braces"},
      {"${ }", "nothing"},
      {"${a =}", "empty value"},
      {"${1,,2}", "empty value"},
      {"${a = ${b = 1, 2}, 3}", "an iteration inside"},
      {"${1, 2,}", "empty value"},
      {"${a b}", "expected = or }"},
      {"${a == 3}", "expected = or }"},
      {"${1..}", "a range is"},
      {"${..5}", "a range is"},
      {"${1..5 step}", "a range is"},
      {"${../a.xml}", "quotes"},
      {"${! a}", "empty value"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128];
    sgf_error_t error = {0};
    snprintf(text, sizeof text, "[General]\n**.x = %s\n", cases[i].value);
    CU_ASSERT_PTR_NULL(ini_read(text, &error));
    ini_check_error(&error, SGF_SYNTAX, 2, cases[i].words);
  }
}

SGF_TEST(studies_that_do_not_fit_together_are_refused)
{
  static const struct {
    const char* text;
    sgf_status_t status;
    int line;
    const char* words;
  } cases[] = {
      {"**.a = ${a=1}\n**.b = ${a=2}\n", SGF_RULE, 2, "${a} twice"},
      {"**.a = ${runnumber=1}\n", SGF_RULE, 1, "predefined"},
      {"repeat = 2\n**.a = ${repetition=1}\n", SGF_RULE, 0, "${repetition} twice"},
      {"**.a = ${rate=1,2}\n**.b = ${rat}\n", SGF_UNKNOWN, 2,
       "no variable ${rat} in configuration General; did you mean rate?"},
      {"**.b = ${confignam}\n", SGF_UNKNOWN, 1, "did you mean configname?"},
      {"\nresult-dir = ${datetime}\n", SGF_RULE, 2, "${datetime}"},
      {"**.a = ${a=1,2}\n**.b = ${b=1..$c}\n", SGF_UNKNOWN, 2, "${c}"},
      {"**.a = ${a=1..$runnumber}\n", SGF_RULE, 1, "not known yet"},
      {"**.a = ${i=0..$j}\n**.b = ${j=0..$k}\n**.c = ${k=0..$i}\n", SGF_RULE, 1, "refers to itself"},
      {"**.a = ${i=0..$i}\n", SGF_RULE, 1, "${i} refers to itself"},
      {"**.a = ${a=1,2 ! b}\n**.b = ${b=1,2 ! a}\n", SGF_RULE, 1, "refers to itself"},
      {"**.a = ${rate=1,2}\n**.b = ${b=1,2 ! rat}\n", SGF_UNKNOWN, 2, "did you mean rate?"},
      {"**.a = ${a=1,2,3}\n**.b = ${b=1,2 ! a}\n", SGF_RANGE, 2, "a has more values"},
      {"**.a = ${1..5 step 0}\n", SGF_RANGE, 1, "other than 0"},
      {"**.a = ${1us..3us}\n", SGF_UNIT, 1, "unit goes behind"},
      {"**.a = ${a..b}, 1\n", SGF_SYNTAX, 1, "expected ="},
      {"**.a = ${x=a..b}\n", SGF_UNKNOWN, 1, "at \"a\""},
      {"**.a = ${0..1000000}\n", SGF_RANGE, 1, "1000000 values"},
      {"**.a = ${0..1e300}\n", SGF_RANGE, 1, "below 1e15"},
      {"**.a = ${1..1001}\n**.b = ${1..1000}\n", SGF_RANGE, 2, "1000000 combinations"},
      {"\nrepeat = 0\n", SGF_RANGE, 2, "repeat = 0"},
      {"repeat = 2000000\n", SGF_RANGE, 1, "repeat = 2000000"},
      {"repeat = -1\n", SGF_RANGE, 1, "not a whole number"},
      {"repeat = few\n", SGF_UNKNOWN, 1, "few"},
      {"**.a = ${a=1,2}\nconstraint = $a <\n", SGF_SYNTAX, 2, "expected a value"},
      {"**.a = ${a=1,2}\nconstraint = $a + 1\n", SGF_UNIT, 2, "neither true nor false"},
      {"**.a = ${rate=1,2}\nconstraint = $rat > 1\n", SGF_UNKNOWN, 2, "did you mean rate?"},
      {"**.p = ${p=tcp,udp}\nconstraint = $p == \"tcp\"\n", SGF_UNKNOWN, 2, "string in quotes at \"tcp"},
      {"iteration-nesting-order = rat\n**.a = ${rate=1,2}\n", SGF_UNKNOWN, 1, "did you mean rate?"},
      {"iteration-nesting-order = *, *\n**.a = ${rate=1,2}\n", SGF_SYNTAX, 1, "two *"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sgf_error_t error = {0};
    opp_ini_t* ini    = ini_read(cases[i].text, &error);
    if (ini != NULL)
      CU_ASSERT_EQUAL(opp_ini_run_count(ini, "General", &error), 0);
    ini_check_error(&error, cases[i].status, cases[i].line, cases[i].words);
    opp_ini_free(ini);
  }
}

SGF_TEST(unknown_configurations_and_runs_are_refused)
{
  opp_ini_t* ini    = ini_of("[Config Incast]\n**.a = ${1,2}\n");
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(opp_ini_run_count(ini, "incast", &error), 0);
  ini_check_error(&error, SGF_UNKNOWN, 0, "no configuration \"incast\"; did you mean Incast?");
  sgf_error_clear(&error);
  CU_ASSERT_PTR_NULL(opp_ini_run_new(ini, "Incast", 2, &error));
  ini_check_error(&error, SGF_RANGE, 0, "Incast has 2 runs: none is number 2");
  sgf_error_clear(&error);
  CU_ASSERT_PTR_NULL(opp_ini_run_new(ini, "Incast", SIZE_MAX, &error));
  CU_ASSERT_EQUAL(error.status, SGF_RANGE);
  opp_ini_free(ini);
}

SGF_TEST(too_many_variables_are_refused)
{
  enum { VARIABLES = 250 };
  static char text[VARIABLES * 16];
  size_t used = 0;
  for (int i = 0; i < VARIABLES; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "**.x = ${1}\n");
  opp_ini_t* ini    = ini_of(text);
  sgf_error_t error = {0};
  CU_ASSERT_EQUAL(opp_ini_run_count(ini, "General", &error), 0);
  ini_check_error(&error, SGF_RANGE, 201, "200 iteration variables");
  opp_ini_free(ini);
}
