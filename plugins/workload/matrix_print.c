/* Messages as a connection matrix. */
#include <inttypes.h>

#include "workload/matrix.h"

/* How many messages from `first` on have its source. */
static size_t length_of_turn(const sgf_messages_t* messages, size_t first)
{
  size_t end = first;
  while (end < messages->count && messages->items[end].src == messages->items[first].src)
    end++;
  return end - first;
}

static size_t count_triggers(const sgf_messages_t* messages, size_t at_a_time)
{
  size_t triggers = 0;
  for (size_t first = 0, length; first < messages->count; first += length) {
    length = length_of_turn(messages, first);
    triggers += length > at_a_time;
  }
  return triggers;
}

/* The messages of one source: one trigger starts the next of them at each acknowledgement, but the last ones have no
 * successor. */
static void print_turn(const sgf_messages_t* messages, size_t first, size_t length, size_t at_a_time, size_t trigger,
                       FILE* out)
{
  for (size_t i = 0; i < length; i++) {
    const sgf_message_t* message = &messages->items[first + i];
    fprintf(out, "%zu->%zu id %zu ", message->src, message->dst, first + i + 1);
    if (i < at_a_time)
      fputs("start 0", out);
    else
      fprintf(out, "trigger %zu", trigger);
    fprintf(out, " size %" PRIu64, message->bytes);
    if (length > at_a_time && i < length - at_a_time)
      fprintf(out, " send_done_trigger %zu", trigger);
    fputc('\n', out);
  }
}

void sgf_matrix_print(const sgf_messages_t* messages, size_t nodes, size_t at_a_time, FILE* out)
{
  const size_t room     = at_a_time > 0 ? at_a_time : messages->count;
  const size_t triggers = count_triggers(messages, room);
  fprintf(out, "Nodes %zu\nConnections %zu\n", nodes, messages->count);
  if (triggers > 0)
    fprintf(out, "Triggers %zu\n", triggers);
  size_t trigger = 1; /* the next one */
  for (size_t first = 0, length; first < messages->count; first += length) {
    length = length_of_turn(messages, first);
    print_turn(messages, first, length, room, trigger, out);
    trigger += length > room;
  }
  for (size_t i = 1; i <= triggers; i++)
    fprintf(out, "trigger id %zu multishot\n", i);
}
