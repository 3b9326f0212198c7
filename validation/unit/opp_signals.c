/* Signals: up the tree, to those who listen, and free when nobody does. */
#include <stdio.h>

#include "unit/opp_probe.h"

/* net.rack.nic and net.other, and a signal. */
typedef struct scene {
  opp_sim_t* sim;
  opp_module_t* net;
  opp_module_t* rack;
  opp_module_t* nic;
  opp_module_t* other;
  opp_signal_t drops;
  opp_signal_t marks;
} scene_t;

static char heard[256];

static scene_t scene_new(void)
{
  scene_t scene = {.sim = opp_sim_new(1)};
  scene.net     = opp_module_new(scene.sim, NULL, "net", -1, NULL);
  scene.rack    = opp_module_new(scene.sim, scene.net, "rack", -1, NULL);
  scene.nic     = probe_new(scene.sim, scene.rack, "nic");
  scene.other   = probe_new(scene.sim, scene.net, "other");
  scene.drops   = opp_signal_register(scene.sim, "drops");
  scene.marks   = opp_signal_register(scene.sim, "marks");
  heard[0]      = '\0';
  return scene;
}

/* A listener that writes its own name, the source and the value. */
static void hear(void* user, opp_module_t* source, opp_signal_t signal, double value)
{
  (void)signal;
  const size_t used = strlen(heard);
  snprintf(heard + used, sizeof heard - used, "%s<%s=%g ", (const char*)user, opp_module_name(source), value);
}

SGF_TEST(a_name_has_one_number)
{
  scene_t scene = scene_new();
  CU_ASSERT_NOT_EQUAL(scene.drops, scene.marks);
  CU_ASSERT_EQUAL(opp_signal_register(scene.sim, "drops"), scene.drops);
  opp_sim_free(scene.sim);
}

SGF_TEST(there_are_64_signals)
{
  opp_sim_t* sim    = opp_sim_new(1);
  opp_module_t* net = opp_module_new(sim, NULL, "net", -1, NULL);
  char name[32];
  heard[0] = '\0';
  for (int i = 0; i < OPP_SIGNALS; i++) {
    snprintf(name, sizeof name, "signal%d", i);
    CU_ASSERT_EQUAL(opp_signal_register(sim, name), i);
  }
  opp_signal_subscribe(net, 63, hear, "net");
  opp_emit_int(net, 63, 5);
  CU_ASSERT_STRING_EQUAL(heard, "net<net=5 ");
  CU_ASSERT_EQUAL(opp_sim_error(sim)->status, SGF_OK);
  CU_ASSERT_EQUAL(opp_signal_register(sim, "one more"), -1);
  CU_ASSERT(mentions(opp_sim_error(sim)->text, "'one more'"));
  opp_emit_int(net, -1, 5); /* nothing */
  opp_sim_free(sim);
}

SGF_TEST(a_listener_hears_its_module_and_all_below)
{
  scene_t scene = scene_new();
  opp_signal_subscribe(scene.net, scene.drops, hear, "net");
  opp_signal_subscribe(scene.nic, scene.drops, hear, "nic");
  opp_signal_subscribe(scene.rack, scene.drops, hear, "rack");
  opp_signal_subscribe(scene.rack, scene.marks, hear, "marks");
  opp_emit_int(scene.nic, scene.drops, 3);
  CU_ASSERT_STRING_EQUAL(heard, "nic<nic=3 rack<nic=3 net<nic=3 ");
  heard[0] = '\0';
  opp_emit_double(scene.other, scene.drops, 0.5);
  CU_ASSERT_STRING_EQUAL(heard, "net<other=0.5 ");
  heard[0] = '\0';
  opp_emit_int(scene.net, scene.drops, -1);
  CU_ASSERT_STRING_EQUAL(heard, "net<net=-1 ");
  opp_sim_free(scene.sim);
}

SGF_TEST(listeners_of_a_module_hear_in_order_of_subscription)
{
  scene_t scene = scene_new();
  opp_signal_subscribe(scene.nic, scene.drops, hear, "1");
  opp_signal_subscribe(scene.nic, scene.marks, hear, "2");
  opp_signal_subscribe(scene.nic, scene.drops, hear, "3");
  opp_emit_int(scene.nic, scene.drops, 0);
  CU_ASSERT_STRING_EQUAL(heard, "1<nic=0 3<nic=0 ");
  opp_sim_free(scene.sim);
}

SGF_TEST(who_has_unsubscribed_hears_no_more)
{
  scene_t scene = scene_new();
  opp_signal_subscribe(scene.nic, scene.drops, hear, "1");
  opp_signal_subscribe(scene.rack, scene.drops, hear, "2");
  opp_signal_unsubscribe(scene.nic, scene.drops, hear, "other"); /* nobody: nothing */
  opp_signal_unsubscribe(scene.nic, scene.marks, hear, "1");
  opp_signal_unsubscribe(scene.nic, scene.drops, hear, "1");
  opp_signal_unsubscribe(scene.nic, scene.drops, hear, "1");
  opp_emit_int(scene.nic, scene.drops, 0);
  CU_ASSERT_STRING_EQUAL(heard, "2<nic=0 ");
  opp_signal_unsubscribe(scene.rack, scene.drops, hear, "2");
  opp_emit_int(scene.nic, scene.drops, 0);
  CU_ASSERT_STRING_EQUAL(heard, "2<nic=0 ");
  opp_sim_free(scene.sim);
}

SGF_TEST(a_module_can_ask_whether_anybody_listens)
{
  scene_t scene = scene_new();
  CU_ASSERT(!opp_signal_has_listeners(scene.nic, scene.drops));
  opp_signal_subscribe(scene.rack, scene.drops, hear, "rack");
  CU_ASSERT(opp_signal_has_listeners(scene.nic, scene.drops));
  CU_ASSERT(opp_signal_has_listeners(scene.rack, scene.drops));
  CU_ASSERT(!opp_signal_has_listeners(scene.net, scene.drops));
  CU_ASSERT(!opp_signal_has_listeners(scene.other, scene.drops));
  CU_ASSERT(!opp_signal_has_listeners(scene.nic, scene.marks));
  CU_ASSERT(!opp_signal_has_listeners(scene.nic, 17));
  opp_signal_unsubscribe(scene.rack, scene.drops, hear, "rack");
  CU_ASSERT(!opp_signal_has_listeners(scene.nic, scene.drops));
  opp_sim_free(scene.sim);
}

/* ---- Changes while a signal is emitted --------------------------------------------------------------------------- */

static scene_t* changing;

static void leave_all(void* user, opp_module_t* source, opp_signal_t signal, double value)
{
  hear(user, source, signal, value);
  opp_signal_unsubscribe(changing->nic, signal, leave_all, "first");
  opp_signal_unsubscribe(changing->nic, signal, hear, "second");
  opp_signal_unsubscribe(changing->nic, signal, hear, "third");
  opp_signal_unsubscribe(changing->rack, signal, hear, "rack");
}

SGF_TEST(a_listener_may_unsubscribe_itself_and_those_that_follow)
{
  scene_t scene = scene_new();
  changing      = &scene;
  opp_signal_subscribe(scene.nic, scene.drops, leave_all, "first");
  opp_signal_subscribe(scene.nic, scene.drops, hear, "second");
  opp_signal_subscribe(scene.nic, scene.drops, hear, "third");
  opp_signal_subscribe(scene.nic, scene.drops, hear, "fourth");
  opp_signal_subscribe(scene.rack, scene.drops, hear, "rack");
  opp_emit_int(scene.nic, scene.drops, 1);
  CU_ASSERT_STRING_EQUAL(heard, "first<nic=1 fourth<nic=1 ");
  heard[0] = '\0';
  opp_emit_int(scene.nic, scene.drops, 2);
  CU_ASSERT_STRING_EQUAL(heard, "fourth<nic=2 ");
  opp_sim_free(scene.sim);
}

static void emit_again(void* user, opp_module_t* source, opp_signal_t signal, double value)
{
  hear(user, source, signal, value);
  if (value < 3)
    opp_emit_double(source, signal, value + 1);
  else
    opp_signal_unsubscribe(changing->nic, signal, emit_again, user);
}

SGF_TEST(a_listener_may_emit_and_unsubscribe_within)
{
  scene_t scene = scene_new();
  changing      = &scene;
  opp_signal_subscribe(scene.nic, scene.drops, emit_again, "a");
  opp_signal_subscribe(scene.nic, scene.drops, hear, "b");
  opp_emit_int(scene.nic, scene.drops, 1);
  CU_ASSERT_STRING_EQUAL(heard, "a<nic=1 a<nic=2 a<nic=3 b<nic=3 b<nic=2 b<nic=1 ");
  opp_sim_free(scene.sim);
}

/* ---- The price --------------------------------------------------------------------------------------------------- */

/* With no listener anywhere, emitting reads nothing of the tree: a module whose parent could not even be looked at will
 * do. */
SGF_TEST(emitting_is_free_when_nobody_listens)
{
  scene_t scene      = scene_new();
  opp_module_t alone = {.sim = scene.sim, .parent = (opp_module_t*)8};
  opp_emit_int(&alone, scene.drops, 1);
  opp_signal_subscribe(scene.net, scene.marks, hear, "net"); /* another signal's listeners cost nothing either */
  opp_emit_int(&alone, scene.drops, 1);
  opp_signal_subscribe(scene.net, scene.drops, hear, "net");
  opp_signal_unsubscribe(scene.net, scene.drops, hear, "net"); /* nor does one that has left */
  opp_emit_int(&alone, scene.drops, 1);
  CU_ASSERT(!opp_signal_has_listeners(&alone, scene.drops));
  CU_ASSERT_STRING_EQUAL(heard, "");
  opp_sim_free(scene.sim);
}
