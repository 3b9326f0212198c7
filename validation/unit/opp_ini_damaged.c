/* Damaged files: cut at every byte, and with every byte replaced. Whatever comes out, it is a study or an error with a
 * place and a reason, and never a crash. */
#include "opp_ini_support.h"

/* A file with something of everything. */
static const char sample[] = "# a study \\\n of much\n"
                             "[General]\n"
                             "platform = \"rack${size}.xml\" # quoted\n"
                             "result-dir = \"out/${configname}\"\n"
                             "**.size = ${size = 1, 2, 5..9 step 2}\n"
                             "include small.ini\n"
                             "[Config A]\n"
                             "extends = B, C\n"
                             "repeat = 2\n"
                             "seed-set = ${repetition}\n"
                             "constraint = ($load) < 0.9 && ($size <= 2 && $p != \"udp\")\n"
                             "iteration-nesting-order = load, *\n"
                             "**.load = ${load = 0.5..0.9 step 0.2}\n"
                             "**.peak = ${9, 10, 11 ! load}Gbps\n"
                             "**.rack{a-f}.gpu{0..3}.nic[1..2].x = \"a \\\"b\\\" # ${size}\"\n"
                             "[Config B]\n"
                             "**.p = ${p = \"tcp\", \"u,d}p\"}\n"
                             "**.inner = ${inner = $size..3}\n"
                             "**.gpu?.list = 1, \\\n"
                             "   2, 3\n"
                             "[Config C]\n"
                             "**.tor0.**.scalar-recording = false\n"
                             "** = default\n";
static const char small[]  = "**.small = 1us\n";

/* Whether all of the file can be used; if not, that the error is complete. */
static bool is_accepted(const char* text, size_t size)
{
  sgf_error_t error = {0};
  const char* file  = ini_write("omnetpp.ini", text, size);
  opp_ini_t* ini    = opp_ini_read(file, &error);
  for (size_t i = 0; ini != NULL && error.status == SGF_OK && i < opp_ini_config_count(ini); i++) {
    const char* config = opp_ini_config_name(ini, i);
    size_t count       = opp_ini_run_count(ini, config, &error);
    opp_ini_run_t* run = count > 0 ? opp_ini_run_new(ini, config, count - 1, &error) : NULL;
    if (run != NULL)
      opp_ini_run_parameter(run, "net.racka.gpu2.nic[1].x");
    opp_ini_run_free(run);
  }
  bool accepted    = error.status == SGF_OK;
  bool is_complete = error.text[0] != '\0' && error.file[0] != '\0' && error.line > 0;
  if (accepted == is_complete || (ini == NULL && accepted)) {
    CU_FAIL("an error without place or reason");
    printf("\n  %zu bytes: status %d, %s:%d: %s\n", size, (int)error.status, error.file, error.line, error.text);
  }
  opp_ini_free(ini);
  return accepted;
}

SGF_TEST(the_sample_has_its_runs)
{
  ini_write("small.ini", small, sizeof small - 1);
  opp_ini_t* ini = ini_of(sample);
  CU_ASSERT_TRUE(is_accepted(sample, sizeof sample - 1));
  CU_ASSERT_EQUAL(opp_ini_run_count(ini, "General", NULL), 5);
  /* 0.5 and 0.7 of load; p tcp or u,d}p; sizes 1 and 2 with 3 and 2 values of inner; two repetitions */
  CU_ASSERT_EQUAL(opp_ini_run_count(ini, "A", NULL), 2 * 2 * (3 + 2) * 2);
  opp_ini_free(ini);
}

SGF_TEST(a_file_cut_at_any_byte_is_accepted_or_refused)
{
  size_t size     = sizeof sample - 1;
  size_t accepted = 0;
  for (size_t cut = 0; cut < size; cut++)
    accepted += is_accepted(sample, cut);
  CU_ASSERT_TRUE(accepted > 0 && accepted < size);
}

SGF_TEST(a_file_with_any_byte_replaced_is_accepted_or_refused)
{
  static const char replacements[] = {'\0', '"', '$', '{', '}', '\\', '\n', '9', ',', '.', '[', (char)0xff};
  size_t size                      = sizeof sample - 1;
  size_t refused                   = 0;
  char text[sizeof sample];
  for (size_t at = 0; at < size; at++)
    for (size_t i = 0; i < sizeof replacements; i++) {
      memcpy(text, sample, sizeof text);
      text[at] = replacements[i];
      refused += !is_accepted(text, size);
    }
  CU_ASSERT_TRUE(refused > size);
}

SGF_TEST(a_file_without_any_byte_is_accepted_or_refused)
{
  size_t size    = sizeof sample - 1;
  size_t refused = 0;
  char text[sizeof sample];
  for (size_t at = 0; at < size; at++) {
    memcpy(text, sample, at);
    memcpy(text + at, sample + at + 1, size - at);
    refused += !is_accepted(text, size - 1);
  }
  CU_ASSERT_TRUE(refused > 0 && refused < size);
}
