/* A module that keeps a diary of what reaches it, for the tests of the kernel and of what stands on it. */
#ifndef OPP_PROBE_H
#define OPP_PROBE_H

#include <string.h>

#include "harness.h"
#include "opp/kernel.h"

enum { PROBE_ENTRIES = 64 };

typedef struct probe_entry {
  opp_simtime_t time;
  int kind;
  int gate; /* index of the arrival gate; -1: self message */
} probe_entry_t;

typedef struct probe {
  void (*react)(opp_module_t* self, opp_msg_t* msg); /* takes the message; NULL: it is deleted */
  size_t count;                                      /* of messages, also of those that found no place in the diary */
  probe_entry_t diary[PROBE_ENTRIES];
} probe_t;

static inline probe_t* probe_of(opp_module_t* module)
{
  return opp_module_state(module);
}

static inline void probe_handle(opp_module_t* self, opp_msg_t* msg)
{
  probe_t* probe         = probe_of(self);
  const opp_gate_t* gate = opp_msg_arrival_gate(msg);
  if (probe->count < PROBE_ENTRIES)
    probe->diary[probe->count] =
        (probe_entry_t){opp_sim_time(self), opp_msg_kind(msg), gate == NULL ? -1 : opp_gate_index(gate)};
  probe->count++;
  if (probe->react != NULL)
    probe->react(self, msg);
  else
    opp_msg_delete(msg);
}

static const opp_module_type_t probe_type = {
    .name = "probe", .state_size = sizeof(probe_t), .handle_message = probe_handle};

static inline opp_module_t* probe_new(opp_sim_t* sim, opp_module_t* parent, const char* name)
{
  return opp_module_new(sim, parent, name, -1, &probe_type);
}

static inline bool mentions(const char* text, const char* part)
{
  return strstr(text, part) != NULL;
}

/* The diary's entry `i` is a message of `kind` that came at `time`. */
#define ASSERT_ARRIVAL(module, i, at, of_kind)                                                                         \
  do {                                                                                                                 \
    CU_ASSERT_FATAL(probe_of(module)->count > (size_t)(i));                                                            \
    CU_ASSERT_EQUAL(probe_of(module)->diary[i].time, at);                                                              \
    CU_ASSERT_EQUAL(probe_of(module)->diary[i].kind, of_kind);                                                         \
  } while (0)

#endif
