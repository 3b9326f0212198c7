/* plugins/attr: text files and the words of their lines. */
#include "attr/file.h"
#include "harness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is read of a stream of `size` bytes; the bytes come round every 251. */
static char* read_back(size_t size, size_t most, size_t* got)
{
  FILE* stream = tmpfile();
  CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
  for (size_t i = 0; i < size; i++)
    putc((int)(1 + i % 251), stream);
  rewind(stream);
  char* text = sgf_read_stream(stream, most, got);
  fclose(stream);
  return text;
}

SGF_TEST(a_stream_of_any_size_is_read_whole_with_a_zero_behind_it)
{
  static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 131071, 131072, 300000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    size_t got = 1;
    char* text = read_back(sizes[s], SIZE_MAX, &got);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL_FATAL(got, sizes[s]);
    CU_ASSERT_EQUAL(strlen(text), sizes[s]);
    for (size_t i = 0; i < got; i++)
      CU_ASSERT_EQUAL_FATAL((unsigned char)text[i], 1 + i % 251);
    free(text);
  }
}

SGF_TEST(reading_ends_soon_behind_the_most)
{
  size_t got = 0;
  free(read_back(100000, 100000, &got));
  CU_ASSERT_EQUAL(got, 100000);
  free(read_back(100001, 100000, &got));
  CU_ASSERT_EQUAL(got, 100001);
  free(read_back(10000000, 100000, &got));
  CU_ASSERT(got > 100000);
  CU_ASSERT(got < 1000000);
}

SGF_TEST(what_cannot_be_read_says_why)
{
  FILE* folder = fopen("/", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
  size_t got = 0;
  errno      = 0;
  CU_ASSERT_PTR_NULL(sgf_read_stream(folder, SIZE_MAX, &got));
  CU_ASSERT_EQUAL(errno, EISDIR);
  fclose(folder);
}

SGF_TEST(words_stand_between_white_space)
{
  char line[] = " \t one\vtwo\f\r three\n";
  char* rest  = line;
  CU_ASSERT(sgf_has_word(line));
  CU_ASSERT_STRING_EQUAL(sgf_next_word(&rest), "one");
  CU_ASSERT_STRING_EQUAL(sgf_next_word(&rest), "two");
  CU_ASSERT_STRING_EQUAL(sgf_next_word(&rest), "three");
  CU_ASSERT_PTR_NULL(sgf_next_word(&rest));
  CU_ASSERT_PTR_NULL(sgf_next_word(&rest));
  CU_ASSERT_FALSE(sgf_has_word(" \t\r\n\v\f"));
  CU_ASSERT_FALSE(sgf_has_word(""));
}

SGF_TEST(a_number_is_within_its_bounds)
{
  static const struct {
    const char* word;
    sgf_status_t status;
    const char* reason;
  } cases[] = {{"3", SGF_OK, ""},
               {"9", SGF_OK, ""},
               {"2", SGF_RANGE, "count 2 is not within 3..9"},
               {"10", SGF_RANGE, "count 10 is not within 3..9"},
               {NULL, SGF_SYNTAX, "count needs a number"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t number    = 0;
    sgf_error_t reason = {0};
    CU_ASSERT_EQUAL(sgf_word_number(cases[i].word, "count", 3, 9, &number, &reason), cases[i].status);
    CU_ASSERT_STRING_EQUAL(reason.text, cases[i].reason);
    if (cases[i].status == SGF_OK)
      CU_ASSERT_EQUAL(number, strtoull(cases[i].word, NULL, 10));
  }
  uint64_t number    = 0;
  sgf_error_t reason = {0};
  CU_ASSERT_NOT_EQUAL(sgf_word_number("3x", "count", 3, 9, &number, &reason), SGF_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(reason.text, "3x"));
}
