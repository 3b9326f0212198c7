/* Messages that fail leave nothing behind. Under the sanitizers linked.c looks for leaks; this counts the heap. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

typedef struct heap {
  long long first, last; /* bytes in use, after so many messages */
} heap_t;

/* One message in eight has a second one beside it. */
static size_t flows_of(int messages)
{
  return (size_t)(messages + messages / 8);
}

static heap_t heap_of(const char* out)
{
  const heap_t heap = {model_number(out, "first"), model_number(out, "last")};
  CU_ASSERT(heap.first > 0 && heap.last > 0);
  return heap;
}

/* The fabric keeps where each flow went, and when, for the summary: in an array that doubles. */
static long long bytes_of_flows(int messages)
{
  size_t capacity = 64;
  while (capacity < flows_of(messages))
    capacity *= 2;
  return (long long)(capacity * sizeof(sgf_flow_t));
}

/* What the heap grows by from one number of failed messages to another is what it grows by without the fabric, and the
 * summary's flows: to the byte. */
static void check_growth(int first, int last)
{
  char* program = model_program("leaks");
  char arguments[256];
  snprintf(arguments, sizeof arguments, MODEL_RACK " %d %d --log=root.thres:error", first, last);
  char* out          = model_alone(program, arguments, 0);
  const heap_t alone = heap_of(out);
  free(out);
  out               = model_over(program, arguments, 0);
  const heap_t over = heap_of(out);
  CU_ASSERT_EQUAL(over.last - over.first, alone.last - alone.first + bytes_of_flows(last) - bytes_of_flows(first));
  char text[64];
  snprintf(text, sizeof text, "complete: %zu,%03zu flows, lossless\n", flows_of(last) / 1000, flows_of(last) % 1000);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, text));
  free(out);
  free(program);
}

SGF_SCENARIO(messages_that_fail_leave_nothing_behind)
{
  CU_ASSERT_EQUAL(bytes_of_flows(8300), bytes_of_flows(14000));
  check_growth(8300, 14000);
}

SGF_SCENARIO(from_a_thousand_to_ten_thousand_failures_only_the_summary_grows)
{
  CU_ASSERT(bytes_of_flows(1000) < bytes_of_flows(10000));
  check_growth(1000, 10000);
}
