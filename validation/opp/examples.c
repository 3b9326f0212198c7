/* The examples of models of one's own run, and print what they always printed. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

static void check(const char* expected, int status, const char* program, const char* argument, const char* second)
{
  char path[512];
  char output[4096];
  snprintf(path, sizeof path, "%s/examples/%s", SGF_BINARY_DIR, program);
  char* argv[] = {path, (char*)argument, (char*)second, NULL};
  CU_ASSERT_EQUAL(sgf_test_run(argv, output, sizeof output), status);
  if (strstr(output, expected) == NULL)
    printf("\n  is: %s\n  expected: %s\n", output, expected);
  CU_ASSERT_PTR_NOT_NULL(strstr(output, expected));
}

/* An M/D/1 queue: 8 us of service every 10 us keep a packet waiting 16 us in the long run; 8.5 us on the way. */
SGF_TEST(a_model_against_the_kernel_alone)
{
  check("net.b delay:count = 1.003e+04\nnet.b delay:mean = 2.449e+07\nnet.b delay:max = 1.523e+08\n", 0, "opp_model",
        NULL, NULL);
}

SGF_TEST(that_model_has_less_than_80_lines)
{
  FILE* file = fopen(SGF_SOURCE_DIR "/examples/opp_model.c", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  int lines = 0;
  for (int c; (c = fgetc(file)) != EOF;)
    lines += c == '\n';
  fclose(file);
  CU_ASSERT(lines > 0 && lines < 80);
}

#define TAP_XML SGF_SOURCE_DIR "/examples/tap.xml"
/* 25 packets and a probe of 62 B; as many acknowledgements. The probe goes ahead of the packets that are left when the
 * first is acknowledged, and takes 1.24 ns. */
SGF_TEST(a_tap_counts_frames)
{
  check("100000 bytes acknowledged at 2.659 us\nto b:   26 frames, 102712 bytes\nfrom b: 26 frames, 2028 bytes\n", 0,
        "tap", TAP_XML, NULL);
}

/* There and back: twice 2 us. All packets have left when the first is acknowledged, so that the probe delays none, and
 * the last is acknowledged, which ends the simulation, before the probe is. */
SGF_TEST(a_tap_delays_frames)
{
  check("100000 bytes acknowledged at 6.658 us\nto b:   26 frames, 102712 bytes\nfrom b: 25 frames, 1950 bytes\n", 0,
        "tap", TAP_XML, "2us");
}

SGF_TEST(a_parameter_of_a_tap_is_checked)
{
  check("net.rack.tap.delay = \"2KB\"", 1, "tap", TAP_XML, "2KB");
}
