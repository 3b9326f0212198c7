/* Queue pairs: which messages share one, and that it sends one of them at a time (spec/roce-nic.md 10.1, 12). */
#include <inttypes.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "nic/roce/roce.h"
#include "nic/segments.h"

enum { FIRST_SENT = 128 }; /* twice the packets that the transmit pool holds by default */

/* ---- Finding a pair ---------------------------------------------------------------------------------------------- */

/* What tells a pair from others. */
typedef struct pair_key {
  uint32_t dst;
  uint32_t queue_pair;
  nic_classes_t classes;
} pair_key_t;

static pair_key_t key_of(const nic_t* nic, const nic_message_t* message)
{
  return (pair_key_t){.dst        = message->dst,
                      .queue_pair = message->queue_pair,
                      .classes    = message->has_classes ? message->classes : roce_state(nic)->classes};
}

static uint32_t hash(const pair_key_t* key)
{
  const uint64_t words = ((uint64_t)key->dst << 32 | key->queue_pair) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(words >> 32) + key->classes.data * (uint32_t)NET_CLASSES + key->classes.control;
}

static bool is_of(const roce_pair_t* pair, const pair_key_t* key)
{
  return pair->dst == key->dst && pair->queue_pair == key->queue_pair && pair->classes.data == key->classes.data &&
         pair->classes.control == key->classes.control;
}

/* The slot of a pair: where it is, or where it belongs. */
static roce_pair_t** table_slot(roce_pair_t** table, uint32_t size, const pair_key_t* key)
{
  uint32_t slot = hash(key) & (size - 1);
  while (table[slot] != NULL && !is_of(table[slot], key))
    slot = (slot + 1) & (size - 1);
  return &table[slot];
}

static void table_grow(roce_state_t* state)
{
  const uint32_t size = state->pair_table_size == 0 ? 16 : 2 * state->pair_table_size;
  roce_pair_t** table = sgf_calloc(size, sizeof(roce_pair_t*));
  for (uint32_t i = 0; i < state->pair_count; i++) {
    const roce_pair_t* pair        = state->pairs[i];
    const pair_key_t key           = {pair->dst, pair->queue_pair, pair->classes};
    *table_slot(table, size, &key) = state->pairs[i];
  }
  free(state->pair_table);
  state->pair_table      = table;
  state->pair_table_size = size;
}

static roce_pair_t* pair_new(nic_t* nic, const pair_key_t* key)
{
  roce_state_t* state = roce_state(nic);
  roce_pair_t* pair   = sgf_calloc(1, sizeof *pair);
  pair->number        = state->pair_count;
  pair->dst           = key->dst;
  pair->queue_pair    = key->queue_pair;
  pair->classes       = key->classes;
  pair->sent_size     = FIRST_SENT;
  pair->sent          = sgf_calloc(pair->sent_size, sizeof *pair->sent);
  roce_window_init(&pair->window, state->config.loss_recovery == ROCE_SELECTIVE_REPEAT);
  roce_open_rate(nic, pair);
  state->pairs                      = sgf_realloc(state->pairs, state->pair_count + 1, sizeof(roce_pair_t*));
  state->pairs[state->pair_count++] = pair;
  return pair;
}

static roce_pair_t* pair_for(nic_t* nic, const nic_message_t* message)
{
  roce_state_t* state  = roce_state(nic);
  const pair_key_t key = key_of(nic, message);
  if (2 * (state->pair_count + 1) > state->pair_table_size)
    table_grow(state);
  roce_pair_t** slot = table_slot(state->pair_table, state->pair_table_size, &key);
  if (*slot == NULL)
    *slot = pair_new(nic, &key);
  return *slot;
}

roce_pair_t* roce_pair_numbered(const nic_t* nic, uint32_t number)
{
  const roce_state_t* state = roce_state(nic);
  return number < state->pair_count ? state->pairs[number] : NULL;
}

roce_pair_t* roce_pair_sending(const nic_t* nic, uint32_t number, uint64_t message)
{
  roce_pair_t* pair = roce_pair_numbered(nic, number);
  return pair != NULL && pair->message != NULL && pair->message->number == message ? pair : NULL;
}

void roce_pair_free(roce_pair_t* pair)
{
  roce_window_free(&pair->window);
  free(pair->sent);
  free(pair);
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static void begin(nic_t* nic, roce_pair_t* pair, nic_message_t* message)
{
  const uint64_t packets = nic_packet_count(message->bytes, (uint64_t)roce_state(nic)->config.mss);
  if (packets > UINT32_MAX / 2) {
    opp_error(nic->module, "a message of %" PRIu64 " bytes has more packets than a queue pair has sequence numbers",
              message->bytes);
    return;
  }
  message->sending   = pair;
  pair->message      = message;
  pair->last_message = message->number;
  pair->generated    = 0;
  pair->resent       = 0;
  pair->unsent_bytes = (int64_t)(message->bytes + packets * ROCE_DATA_OVERHEAD);
  pair->closing      = (nic_closing_t){0};
  roce_window_open(&pair->window, (uint32_t)packets);
  nic_pace_begin(&pair->pace, nic, message, (uint32_t)packets);
  roce_make_ready(nic, pair);
}

void roce_post(nic_t* nic, nic_message_t* message)
{
  roce_pair_t* pair = pair_for(nic, message);
  roce_state(nic)->counters.messages_posted++;
  if (pair->message == NULL) {
    begin(nic, pair, message);
    return;
  }
  message->next = NULL;
  if (pair->waiting_first != NULL)
    pair->waiting_last->next = message;
  else
    pair->waiting_first = message;
  pair->waiting_last = message;
}

void roce_complete(nic_t* nic, roce_pair_t* pair)
{
  nic_message_t* message = pair->message;
  nic_message_t* next    = pair->waiting_first;
  roce_unready(nic, pair);
  message->sending = NULL;
  pair->message    = NULL;
  roce_state(nic)->counters.messages_acknowledged++;
  if (next != NULL) {
    pair->waiting_first = next->next;
    begin(nic, pair, next);
  } else if (roce_state(nic)->observer != NULL)
    roce_state(nic)->observer->idle(roce_state(nic)->observer->user, pair);
  nic->owner.acknowledged(nic->owner.user, message);
}
