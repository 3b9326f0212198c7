/* spec/uet-nic.md 11.3 and 11.6 in a simulation: which frame goes next, and whose turn it is. */
#include "harness.h"
#include "nic_run_support.h"

enum { LONG = 1000 };
static const opp_simtime_t pfc_wire = 1280;

/* End of the n-th full packet of h0 when it sends nothing else but its probe. */
static opp_simtime_t end_of(int64_t n)
{
  return run_probed_start_on_a_cable(n) + run_wire;
}

/* The first such end at `date` or later, the probe being long gone. */
static opp_simtime_t next_end(opp_simtime_t date)
{
  const opp_simtime_t first = run_packet_start(1) + run_probe;
  return first + (date - first + run_wire - 1) / run_wire * run_wire;
}

/* ---- The port ---------------------------------------------------------------------------------------------------- */

/* h1 writes one packet to h0, which is busy sending. It leaves h1 between two acknowledgements. */
static const opp_simtime_t start = 10040 * OPP_NS;

static opp_simtime_t answer_is_due(void)
{
  const opp_simtime_t leaves    = start + run_packet_start(1);
  const opp_simtime_t an_answer = end_of(LONG) + run_delay + run_hold; /* as all before it, a whole number of packets */
  CU_ASSERT(run_wire - (an_answer - leaves) % run_wire > run_ack);
  return leaves + run_wire + run_delay + run_hold;
}

SGF_SCENARIO(UN_22_an_acknowledgement_goes_before_waiting_data)
{
  run_cable("100ns", NULL);
  const size_t data  = run_write(0, 1, LONG * RUN_MSS, 0);
  const size_t other = run_write(1, 0, RUN_MSS, (double)start * 1e-12);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(other), next_end(answer_is_due()) + run_ack + run_delay);
  CU_ASSERT_EQUAL(run_written(data),
                  run_back_on_a_cable(end_of(LONG) + 2 * run_ack)); /* it delays the data, as does that of a probe */
}

static opp_simtime_t pause_seen = -1;

static void watch_for_pause(opp_simtime_t now)
{
  if (pause_seen < 0 && run_nic(1)->peer.pauses[0] > 0)
    pause_seen = now;
}

static void send_pause(void)
{
  pfc_send(&run_nic(0)->pfc, 0, 1);
}

SGF_SCENARIO(UN_23_a_pause_frame_waits_for_one_frame_at_most)
{
  run_cable("100ns", NULL);
  const size_t data = run_write(0, 1, LONG * RUN_MSS, 0);
  run_watch(watch_for_pause);
  run_look(start, send_pause);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(pause_seen, next_end(start) + pfc_wire + run_delay);
  CU_ASSERT(next_end(start) - start <= run_wire);
  CU_ASSERT_EQUAL(run_written(data), run_back_on_a_cable(end_of(LONG) + pfc_wire));
  /* UN-167: nothing but data, a probe and acknowledgements was charged */
  CU_ASSERT(run_nic(0)->ingress[0].peak == 0 && run_nic(0)->ingress[1].peak == 60);
  CU_ASSERT(run_nic(1)->ingress[0].peak == RUN_IP && run_nic(1)->ingress[1].peak == 44);
}

static void hold_both_classes(void)
{
  pfc_send(&run_nic(1)->pfc, 0, 10000);
  pfc_send(&run_nic(1)->pfc, 1, 10000);
}

SGF_SCENARIO(UN_24_a_pause_frame_goes_while_every_class_is_held)
{
  run_cable("100ns", NULL);
  run_write(0, 1, LONG * RUN_MSS, 0);
  run_watch(watch_for_pause);
  run_look(5 * OPP_US, hold_both_classes);
  run_look(start, send_pause);
  run_until(11 * OPP_US);
  CU_ASSERT_EQUAL(run_nic(0)->port.held, 3);
  CU_ASSERT_EQUAL(pause_seen, start + pfc_wire + run_delay); /* the wire has been idle for long */
}

static void hold_control(void)
{
  pfc_send(&run_nic(1)->pfc, 1, 65535);
}

static void release_control(void)
{
  CU_ASSERT_EQUAL(net_port_queue_length(&run_nic(0)->port, 1), 1);
  pfc_send(&run_nic(1)->pfc, 1, 0);
}

SGF_SCENARIO(UN_30_data_goes_while_the_control_class_is_held)
{
  run_cable("100ns", NULL);
  const size_t data  = run_write(0, 1, LONG * RUN_MSS, 0);
  const size_t other = run_write(1, 0, RUN_MSS, (double)start * 1e-12);
  run_look(5 * OPP_US, hold_control);
  const opp_simtime_t released = 60 * OPP_US;
  run_look(released, release_control);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(data), run_back_on_a_cable(end_of(LONG) + 2 * run_ack)); /* the probe's too */
  /* The resume may wait for an acknowledgement of h1. */
  const opp_simtime_t earliest = next_end(released + pfc_wire + run_delay) + run_ack + run_delay;
  CU_ASSERT(run_written(other) == earliest || run_written(other) == earliest + run_wire);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

/* End of the n-th full packet of h0 when so many messages have sent their probes before it. */
static opp_simtime_t end_behind_probes(int64_t n, int64_t messages)
{
  return run_packet_start(n + 1) + messages * run_probe;
}

/* Through the switch: a packet that ends on h0's wire at `end` is acknowledged at this date. */
static opp_simtime_t back_through_the_switch(opp_simtime_t end)
{
  return end + run_delay + run_wire + run_delay + run_hold + 2 * (run_ack + run_delay);
}

SGF_SCENARIO(UN_86_two_destinations_alternate)
{
  run_rack(3, "100ns", NULL);
  const size_t first  = run_write(0, 1, 50 * RUN_MSS, 0);
  const size_t second = run_write(0, 2, 50 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_written(first), back_through_the_switch(end_behind_probes(99, 2)));
  CU_ASSERT_EQUAL(run_written(second), back_through_the_switch(end_behind_probes(100, 2)));
}

SGF_SCENARIO(UN_87_three_messages_to_one_host_share_its_turns)
{
  run_rack(3, "100ns", RUN_SETTINGS("**.nic.PassThrough=true")); /* no group leaves the queue for its window */
  size_t shared[3];
  for (int i = 0; i < 3; i++)
    shared[i] = run_write(0, 1, 20 * RUN_MSS, 0);
  const size_t alone = run_write(0, 2, 60 * RUN_MSS, 0);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  for (int i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(run_written(shared[i]), back_through_the_switch(end_behind_probes(115 + 2 * i, 4)));
  CU_ASSERT_EQUAL(run_written(alone), back_through_the_switch(end_behind_probes(120, 4)));
}

/* ---- The timer begins at the end of serialisation ---------------------------------------------------------------- */

static void hold_data(void)
{
  pfc_send(&run_nic(1)->pfc, 0, 65535);
}

static void release_data(void)
{
  pfc_send(&run_nic(1)->pfc, 0, 0);
}

SGF_SCENARIO(UN_94_a_packet_held_in_the_queue_does_not_time_out)
{
  run_cable("100ns", NULL);
  const size_t write = run_write(0, 1, RUN_MSS, 1e-6);
  for (int us = 0; us < 480; us += 80)
    run_look(us * OPP_US + 1, hold_data);
  run_look(480 * OPP_US, release_data);
  CU_ASSERT_EQUAL(run_all(), SGF_OK);
  CU_ASSERT_EQUAL(run_report()->retransmissions, 0);
  CU_ASSERT_EQUAL(run_written(write), run_back_on_a_cable(480 * OPP_US + pfc_wire + run_delay + run_wire));
}
