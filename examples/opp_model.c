/* A model of one's own on the event kernel: packets wait at a source for a 1 Gb/s cable; a sink records their delay. */
#include <sgfabric/opp_result.h>
#include <stdio.h>

typedef struct source {
  opp_queue_t* queue;
  opp_msg_t* next; /* timer: the next packet is made */
  opp_msg_t* sent; /* timer: the cable is free again */
} source_t;

static void source_initialize(opp_module_t* self, int stage)
{
  (void)stage;
  source_t* state = opp_module_state(self);
  state->queue    = opp_packet_queue_new(self, "waiting", NULL);
  state->next     = opp_msg_new(self, "next", 0);
  state->sent     = opp_msg_new(self, "sent", 1);
  opp_schedule_after(self, 0, state->next);
}

static void source_handle_message(opp_module_t* self, opp_msg_t* msg)
{
  source_t* state      = opp_module_state(self);
  opp_gate_t* out      = opp_gate(self, "out", 0);
  opp_channel_t* cable = opp_gate_transmission_channel(out);
  if (msg == state->next) {
    const double gap = opp_rng_exponential(opp_rng(self, 0), (double)opp_par_time(self, "meanInterval"));
    opp_queue_insert(state->queue, opp_packet_new(self, "packet", 0, opp_par_size(self, "packetSize")));
    opp_schedule_after(self, (opp_simtime_t)gap, state->next);
  }
  if (!opp_channel_busy(cable) && !opp_queue_is_empty(state->queue)) {
    opp_send(self, opp_queue_pop(state->queue), out);
    opp_reschedule_at(self, opp_channel_finish_time(cable), state->sent);
  }
}

static const opp_parameter_t source_parameters[] = {
    {"packetSize", OPP_PAR_SIZE, NULL, "1000B"}, {"meanInterval", OPP_PAR_TIME, NULL, "10us"}, {0}};
static const opp_module_type_t source = {"source",          sizeof(source_t),      1,
                                         source_initialize, source_handle_message, .parameters = source_parameters};
opp_define_module(source);

static void sink_handle_message(opp_module_t* self, opp_msg_t* msg)
{
  const opp_signal_t delay = opp_signal_register(opp_module_sim(self), "delay");
  opp_emit_int(self, delay, opp_sim_time(self) - opp_msg_creation_time(msg));
  opp_msg_delete(msg);
}

static const opp_statistic_t sink_statistics[] = {{.name = "delay", .modes = "count,mean,max", .info = {.unit = "ps"}},
                                                  {0}};
static const opp_module_type_t sink = {"sink", .handle_message = sink_handle_message, .statistics = sink_statistics};
opp_define_module(sink);

static void print(void* user, const opp_result_t* result)
{
  (void)user;
  printf("%s %s = %.4g\n", result->module, result->name, result->value);
}

int main(void)
{
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  opp_module_t* a   = opp_module_create(sim, net, "a", -1, "source");
  opp_module_t* b   = opp_module_create(sim, net, "b", -1, "sink");
  opp_gate_add(a, "out", OPP_GATE_OUTPUT, false, 1);
  opp_gate_add(b, "in", OPP_GATE_INPUT, false, 1);
  opp_gate_connect(opp_gate(a, "out", 0), opp_gate(b, "in", 0), opp_channel_datarate(sim, 1000000000, 500 * OPP_NS));
  if (opp_sim_initialize(sim) != SGF_OK || opp_sim_run(sim, 100 * OPP_MS) != OPP_RUN_LIMIT)
    fprintf(stderr, "%s\n", opp_sim_error(sim)->text);
  opp_sim_finish(sim);
  opp_sim_visit_results(sim, print, NULL);
  const bool failed = opp_sim_error(sim)->status != SGF_OK;
  opp_sim_free(sim);
  return failed;
}
