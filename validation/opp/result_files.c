/* Files that the strict parser accepts and refuses: it can fail. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "opp/result_file_support.h"

#define HEAD "version 3\nrun r-0\nattr configname General\nitervar x \"a b\"\nconfig **.y 3\n\n"
#define HISTOGRAM "statistic net.a d:histogram\nfield count 2\nfield mean 1.5\nattr unit us\n"

static void check(const char* text, result_file_kind_t kind, size_t line, const char* fault)
{
  const result_file_t file = result_file_parse(text, kind);
  if (file.line != line || file.fault == NULL || strstr(file.fault, fault) == NULL)
    printf("\n  %s\n  line %zu: %s; expected line %zu: %s\n", text, file.line, file.fault, line, fault);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file.fault);
  CU_ASSERT_PTR_NOT_NULL(strstr(file.fault, fault));
  CU_ASSERT_EQUAL(file.line, line);
}

SGF_TEST(good_files_are_counted)
{
  const result_file_t scalars =
      result_file_parse(HEAD "scalar net.a \"n \\\"q\\\" \\x7F\" -inf\nattr title t\nscalar net.a b nan\n" HISTOGRAM
                             "bin\t-inf\t0\nbin\t1\t2\nbin\t2\t0\nrun r-1\n\nscalar c d 1e+20\n",
                        RESULT_FILE_SCA);
  CU_ASSERT_PTR_NULL(scalars.fault);
  CU_ASSERT_EQUAL(scalars.runs, 2);
  CU_ASSERT_EQUAL(scalars.attrs, 3);
  CU_ASSERT_EQUAL(scalars.itervars, 1);
  CU_ASSERT_EQUAL(scalars.configs, 1);
  CU_ASSERT_EQUAL(scalars.scalars, 3);
  CU_ASSERT_EQUAL(scalars.statistics, 1);
  CU_ASSERT_EQUAL(scalars.bins, 3);
  const result_file_t vectors = result_file_parse(
      HEAD "vector 1 net.a q ETV\nattr unit B\n1\t5\t0.000001\t3\n1\t5\t0.000001\t4\nvector 0 net.a r TV\n0\t2\t-1.5\n",
      RESULT_FILE_VEC);
  CU_ASSERT_PTR_NULL(vectors.fault);
  CU_ASSERT_EQUAL(vectors.vectors, 2);
  CU_ASSERT_EQUAL(vectors.values, 3);
}

SGF_TEST(bad_files_of_scalars_are_refused)
{
  check("", RESULT_FILE_SCA, 0, "no run");
  check("version 2\n", RESULT_FILE_SCA, 1, "not version 3");
  check("version 3\nscalar a b 1\n", RESULT_FILE_SCA, 2, "before the first run");
  check("version 3\nrun r\n", RESULT_FILE_SCA, 2, "no empty line");
  check("version 3\nrun r\nscalar a b 1\n", RESULT_FILE_SCA, 3, "before the empty line");
  check(HEAD "\nscalar a b 1\n", RESULT_FILE_SCA, 7, "an empty line");
  check(HEAD "scalar a b 1", RESULT_FILE_SCA, 7, "without its end");
  check(HEAD "scalar a b 1us\n", RESULT_FILE_SCA, 7, "does not write");
  check(HEAD "scalar a b 1.0\n", RESULT_FILE_SCA, 7, "does not write");
  check(HEAD "scalar a b -nan\n", RESULT_FILE_SCA, 7, "does not write");
  check(HEAD "scalar a b 0.123456789012345678\n", RESULT_FILE_SCA, 7, "does not write");
  check(HEAD "scalar a 1\n", RESULT_FILE_SCA, 7, "a space is missing");
  check(HEAD "scalar a b 1 2\n", RESULT_FILE_SCA, 7, "behind the end");
  check(HEAD "scalar a \"b\" 1\n", RESULT_FILE_SCA, 7, "quotes where none");
  check(HEAD "scalar a b\\c 1\n", RESULT_FILE_SCA, 7, "quotes where none");
  check(HEAD "scalar a  1\n", RESULT_FILE_SCA, 7, "quotes where none");
  check(HEAD "scalar a \"b c 1\n", RESULT_FILE_SCA, 7, "without its end");
  check(HEAD "scalar a \"b\\q c\" 1\n", RESULT_FILE_SCA, 7, "escape");
  check(HEAD "itervar x 1\n", RESULT_FILE_SCA, 7, "wrong place");
  check(HEAD "config x 1\n", RESULT_FILE_SCA, 7, "wrong place");
  check(HEAD "attr x 1\n", RESULT_FILE_SCA, 7, "of nothing");
  check(HEAD "field count 1\n", RESULT_FILE_SCA, 7, "of nothing");
  check(HEAD "bin\t-inf\t1\n", RESULT_FILE_SCA, 7, "of nothing");
  check(HEAD "sclar a b 1\n", RESULT_FILE_SCA, 7, "unknown line");
  check(HEAD "vector 1 a b TV\n", RESULT_FILE_SCA, 7, "in a file of scalars");
  check(HEAD "0\t1\t2\n", RESULT_FILE_SCA, 7, "unknown line");
}

SGF_TEST(bad_statistics_are_refused)
{
  check(HEAD "statistic a b\nfield average 1\n", RESULT_FILE_SCA, 8, "unknown field");
  check(HEAD HISTOGRAM "field max 1\n", RESULT_FILE_SCA, 11, "of nothing");
  check(HEAD HISTOGRAM "bin\t1\t2\n", RESULT_FILE_SCA, 11, "begin at -inf");
  check(HEAD HISTOGRAM "bin\t-inf\t0\nbin\t1\t2\nbin\t1\t0\n", RESULT_FILE_SCA, 13, "increase");
  check(HEAD HISTOGRAM "bin\t-inf\t0\nbin\t1\t2\n", RESULT_FILE_SCA, 12, "without a bin between");
  check(HEAD HISTOGRAM "bin\t-inf\t0\nbin\t1\t2\nscalar a b 1\n", RESULT_FILE_SCA, 13, "without a bin between");
  check(HEAD HISTOGRAM "bin\t-inf\t-1\n", RESULT_FILE_SCA, 11, "negative");
  check(HEAD HISTOGRAM "bin\t-inf 0\n", RESULT_FILE_SCA, 11, "tab");
  check(HEAD HISTOGRAM "bin\t-inf\t0\nattr a b\n", RESULT_FILE_SCA, 12, "of nothing");
}

SGF_TEST(bad_files_of_vectors_are_refused)
{
  check(HEAD "0\t1\t0\t1\n", RESULT_FILE_VEC, 7, "not declared");
  check(HEAD "vector 0 a b ETV\nvector 0 a c ETV\n", RESULT_FILE_VEC, 8, "has been declared");
  check(HEAD "vector x a b ETV\n", RESULT_FILE_VEC, 7, "a whole number is missing");
  check(HEAD "vector 0 a b EV\n", RESULT_FILE_VEC, 7, "unknown columns");
  check(HEAD "vector 0 a b ETV\n0\t0.5\t1\n", RESULT_FILE_VEC, 8, "columns");
  check(HEAD "vector 0 a b ETV\n0\t1\t1e-6\t1\n", RESULT_FILE_VEC, 8, "fixed-point");
  check(HEAD "vector 0 a b ETV\n0\t1\t0.0000000000001\t1\n", RESULT_FILE_VEC, 8, "fixed-point");
  check(HEAD "vector 0 a b ETV\n0\t1\t5.\t1\n", RESULT_FILE_VEC, 8, "fixed-point");
  check(HEAD "vector 0 a b ETV\n0\t1\t2\t1\n0\t2\t1\t1\n", RESULT_FILE_VEC, 9, "goes back");
  check(HEAD "vector 0 a b ETV\n0\t2\t2\t1\n0\t1\t2\t1\n", RESULT_FILE_VEC, 9, "goes back");
  check(HEAD "vector 0 a b ETV\n0\t2\t2\t1\nattr x y\n", RESULT_FILE_VEC, 9, "of nothing");
  check(HEAD "run again\n", RESULT_FILE_VEC, 7, "a second run");
}
