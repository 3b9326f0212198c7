/* A tap in a SimGrid simulation: the actor seat with its lazy bound sees the same as the reference, which takes a
 * kernel round for each event. */
#include "harness.h"

#include <sgfabric/sgfabric.h>
#include <stdio.h>
#include <stdlib.h>

#include "simgrid/study_support.h"

/* Keeps frames until a clock of its own strikes, and lets them all go then: those of several microseconds leave at one
 * instant. */
typedef struct gatekeeper {
  opp_queue_t* kept[2];
  opp_msg_t* strike;
} gatekeeper_t;

static const opp_simtime_t period = 7 * OPP_US;

static void initialize(opp_module_t* self, int stage)
{
  (void)stage;
  gatekeeper_t* keeper = opp_module_state(self);
  keeper->kept[0]      = opp_packet_queue_new(self, "from the near end", NULL);
  keeper->kept[1]      = opp_packet_queue_new(self, "from the far end", NULL);
  keeper->strike       = opp_msg_new(self, "strike", 0);
}

static void handle_message(opp_module_t* self, opp_msg_t* msg)
{
  gatekeeper_t* keeper    = opp_module_state(self);
  const opp_simtime_t now = opp_sim_time(self);
  if (msg != keeper->strike) {
    opp_queue_insert(keeper->kept[opp_gate_index(opp_msg_arrival_gate(msg))], msg);
    if (!opp_msg_is_scheduled(keeper->strike))
      opp_schedule_at(self, (now / period + 1) * period, keeper->strike);
    return;
  }
  for (int from = 0; from < 2; from++)
    while (!opp_queue_is_empty(keeper->kept[from]))
      opp_send(self, opp_queue_pop(keeper->kept[from]), opp_gate(self, "port$o", 1 - from));
}

static const opp_module_type_t gatekeeper_type = {.name           = "gatekeeper",
                                                  .state_size     = sizeof(gatekeeper_t),
                                                  .initialize     = initialize,
                                                  .handle_message = handle_message};

static sgf_status_t insert(void* hosts, sgf_fabric_t* fabric, sgf_error_t* error)
{
  for (const char* name = hosts; *name != '\0'; name++) {
    const char host[] = {'h', *name, '\0'};
    char path[32];
    snprintf(path, sizeof path, "rack.tap_%s", host);
    if (sgf_fabric_insert(fabric, sgf_fabric_find(fabric, host), 0, path, &gatekeeper_type, error) == NULL)
      return error->status;
  }
  return SGF_OK;
}

static void writer(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  study_write("h1", 40000, 1);
  study_sleep(300 * OPP_NS);
  study_write("h2", 1, 1);
  sgf_op_t* op = study_write_async("h1", 100000, 2);
  study_wait_for(op, 3 * OPP_US);
  study_wait(op);
  sgf_op_unref(op);
}

static void receiver(int argc, char** argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 2; i++)
    study_recv(1);
  study_write("h0", 20000, 3);
  study_recv(2);
}

static void program(void)
{
  study_actor("writer", "h0", writer);
  study_actor("other writer", "h3", writer);
  study_actor("receiver", "h1", receiver);
}

static void check(const char* hosts)
{
  char* platform        = study_rack(4, (study_link_t){0}, "", "");
  study_result_t result = {0};
  sg_fabric_on_build(insert, (void*)hosts);
  CU_ASSERT(study_same(platform, program, &result));
  CU_ASSERT(study_date(&result, "receiver", "received 100000 B") > 0);
  study_free(&result);
  free(platform);
}

SGF_TEST(a_tap_at_the_receiver)
{
  check("1");
}

SGF_TEST(a_tap_at_a_sender)
{
  check("0");
}

SGF_TEST(taps_everywhere)
{
  check("0123");
}
