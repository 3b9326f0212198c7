/* Study programs drawn at random, lazily and by the reference: this hunts completions that come before their bound. */
#include "harness.h"

#include "study_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS_OF_A_TEST = 20, SHARED = 4, TAGS = 3, BOXES = 3, PLACES = 4096 };

/* ---- Actors ------------------------------------------------------------------------------------------------------ */

static uint64_t seed;
static unsigned host_count;
static unsigned actor_count;
static sgf_op_t* shared[SHARED]; /* operations that any actor may wait for */
static uint64_t last_payload;
static void* places[PLACES]; /* of gets, which may be let go: each has one of its own */
static unsigned place_count;

static uint64_t size_of(study_random_t* random)
{
  static const uint64_t largest[] = {1, 64, 4096, 20000, 200000};
  return study_random(random, largest[study_random(random, 5)]);
}

static const char* some_host(study_random_t* random)
{
  static char name[16];
  snprintf(name, sizeof name, "h%u", (unsigned)study_random(random, host_count));
  return name;
}

static void write_one(study_random_t* random)
{
  const uint64_t bytes = size_of(random);
  const uint64_t tag   = study_random(random, TAGS);
  study_write(some_host(random), bytes, tag);
}

static void write_window(study_random_t* random)
{
  sgf_op_t* ops[6];
  const size_t count = 1 + study_random(random, 6);
  for (size_t i = 0; i < count; i++) {
    ops[i] = study_write_async(some_host(random), size_of(random), study_random(random, TAGS));
    if (study_random(random, 3) == 0)
      study_sleep((opp_simtime_t)study_random(random, 300000));
  }
  for (size_t i = count; i-- > 0;) {
    study_wait(ops[i]);
    sgf_op_unref(ops[i]);
  }
}

static void write_with_time_outs(study_random_t* random)
{
  sgf_op_t* op = study_write_async(some_host(random), size_of(random), study_random(random, TAGS));
  for (int tries = 0; study_wait_for(op, 1 + (opp_simtime_t)study_random(random, 3000000)) == SGF_TIMEOUT && tries < 40;
       tries++)
    study_note("test %d", sgf_op_test(op));
  sgf_op_unref(op);
}

static void receive(study_random_t* random)
{
  sgf_op_t* op = sgf_recv_async(study_random(random, TAGS));
  if (study_wait_for(op, (opp_simtime_t)study_random(random, 60000000)) == SGF_OK)
    study_note("from %s", sgf_device_name(sgf_op_src(op)));
  sgf_op_unref(op);
}

static void share(study_random_t* random)
{
  const size_t slot = study_random(random, SHARED);
  sgf_op_unref(shared[slot]);
  shared[slot] = study_write_async(some_host(random), size_of(random), study_random(random, TAGS));
}

static void wait_for_shared(study_random_t* random)
{
  sgf_op_t* op = shared[study_random(random, SHARED)];
  if (op == NULL)
    return;
  sgf_op_ref(op);
  if (study_random(random, 2) == 0)
    study_wait(op);
  else
    study_wait_for(op, (opp_simtime_t)study_random(random, 5000000));
  sgf_op_unref(op);
}

/* ---- Mailboxes and lists ----------------------------------------------------------------------------------------- */

static const char* some_box(study_random_t* random)
{
  static char name[16];
  snprintf(name, sizeof name, "box%u", (unsigned)study_random(random, BOXES));
  return name;
}

static sgf_op_t* put_somewhere(study_random_t* random)
{
  const uint64_t bytes = size_of(random);
  return study_put_async(some_box(random), ++last_payload, bytes);
}

static sgf_op_t* get_somewhere(study_random_t* random)
{
  void** place = study_random(random, 2) == 0 ? &places[place_count++ % PLACES] : NULL;
  return sgf_mailbox_get_async(sgf_mailbox_by_name(some_box(random)), place);
}

/* With patience for a while; a put or a get that has not been met is let go, for others to meet it. */
static void exchange(study_random_t* random)
{
  sgf_op_t* op = study_random(random, 2) == 0 ? put_somewhere(random) : get_somewhere(random);
  if (study_wait_for(op, (opp_simtime_t)study_random(random, 60000000)) == SGF_OK)
    study_note("payload %llu from %s to %s", (unsigned long long)study_payload(op), sgf_device_name(sgf_op_src(op)),
               sgf_device_name(sgf_op_dst(op)));
  sgf_op_unref(op);
}

static sgf_op_t* something(study_random_t* random)
{
  switch (study_random(random, 4)) {
    case 0:
      return sgf_recv_async(study_random(random, TAGS));
    case 1:
      return put_somewhere(random);
    case 2:
      return get_somewhere(random);
    default:
      return study_write_async(some_host(random), size_of(random), study_random(random, TAGS));
  }
}

/* Of the rest of a list, one after the other. */
static void wait_for_any(study_random_t* random)
{
  sgf_op_t* ops[8];
  const size_t count = 2 + study_random(random, 7);
  for (size_t i = 0; i < count; i++) {
    ops[i] = something(random);
    if (study_random(random, 4) == 0)
      study_sleep((opp_simtime_t)study_random(random, 3000000));
  }
  size_t left = count;
  for (unsigned tries = 0; left > 0 && tries < 12; tries++) {
    const ptrdiff_t index = sgf_op_wait_any_for(ops, left, (double)study_random(random, 8000000) * 1e-12);
    study_note("any of %zu: %td, ended %lld", left, index, index < 0 ? -1 : (long long)sgf_op_end(ops[index]));
    if (index < 0)
      continue;
    sgf_op_unref(ops[index]);
    ops[index] = ops[--left];
  }
  for (size_t i = 0; i < left; i++)
    sgf_op_unref(ops[i]);
}

/* Writes, and a message of the actor's to itself that nobody else can meet. */
static void wait_for_all(study_random_t* random)
{
  sgf_op_t* ops[6];
  const size_t count = 2 + study_random(random, 5);
  const char* box    = sg_actor_self_get_name();
  ops[0]             = study_put_async(box, ++last_payload, size_of(random));
  for (size_t i = 2; i < count; i++)
    ops[i] = study_write_async(some_host(random), size_of(random), study_random(random, TAGS));
  study_sleep((opp_simtime_t)study_random(random, 2000000));
  ops[1] = study_get_async(box);
  study_note("all of %zu: %s", count, sgf_status_text(sgf_op_wait_all(ops, count)));
  study_note("payload %llu", (unsigned long long)study_payload(ops[1]));
  for (size_t i = 0; i < count; i++)
    sgf_op_unref(ops[i]);
}

/* ---- Helpers ----------------------------------------------------------------------------------------------------- */

static void helper(int argc, char** argv)
{
  (void)argc;
  study_random_t random = {strtoull(argv[0], NULL, 10)};
  write_one(&random);
  write_one(&random);
}

/* May never be met. */
static void visitor(int argc, char** argv)
{
  (void)argc;
  study_random_t random = {strtoull(argv[0], NULL, 10)};
  for (int i = 0; i < 2; i++)
    if (study_random(&random, 2) == 0)
      study_put(some_box(&random), ++last_payload, size_of(&random));
    else
      study_get(some_box(&random));
}

static sg_actor_t start(study_random_t* random, const char* kind, int number, void (*code)(int, char**))
{
  char name[64], state[24];
  snprintf(name, sizeof name, "%s.%s%d", sg_actor_self_get_name(), kind, number);
  snprintf(state, sizeof state, "%llu", (unsigned long long)study_random(random, UINT64_MAX));
  const char* arguments[] = {state};
  sg_actor_t actor        = sg_actor_create_(name, sg_host_by_name(some_host(random)), code, 1, arguments);
  sg_actor_ref(actor);
  return actor;
}

/* A helper that is suspended for a while, killed, or joined. */
static void employ(study_random_t* random, int number)
{
  sg_actor_t employed = start(random, "helper", number, helper);
  study_sleep((opp_simtime_t)study_random(random, 4000000));
  switch (study_random(random, 3)) {
    case 0:
      sg_actor_suspend(employed);
      study_sleep((opp_simtime_t)study_random(random, 9000000));
      sg_actor_resume(employed);
      break;
    case 1:
      sg_actor_kill(employed);
      break;
    default:
      sg_actor_join(employed, (double)study_random(random, 20000000) * 1e-12);
  }
  study_note("helper %d seen", number);
  sg_actor_unref(employed);
}

/* Somebody who puts and gets, is suspended now and then, and is killed wherever that has come to. */
static void receive_a_visitor(study_random_t* random, int number)
{
  sg_actor_t guest = start(random, "visitor", number, visitor);
  study_sleep((opp_simtime_t)study_random(random, 20000000));
  if (study_random(random, 3) == 0) {
    sg_actor_suspend(guest);
    study_sleep((opp_simtime_t)study_random(random, 9000000));
    sg_actor_resume(guest);
  }
  study_sleep((opp_simtime_t)study_random(random, 20000000));
  sg_actor_kill(guest);
  sg_actor_unref(guest);
}

static void worker(int argc, char** argv)
{
  (void)argc;
  const int number      = atoi(argv[0]);
  study_random_t random = {seed * 1000 + (uint64_t)number};
  for (int step = 0; step < 10; step++) {
    switch (study_random(&random, 15)) {
      case 0:
        study_sleep((opp_simtime_t)study_random(&random, 8000000));
        break;
      case 1:
        sg_actor_execute((double)study_random(&random, 9000000) * 1e-3 / 7.0);
        break;
      case 2:
      case 3:
        write_one(&random);
        break;
      case 4:
        write_window(&random);
        break;
      case 5:
        write_with_time_outs(&random);
        break;
      case 6:
        receive(&random);
        break;
      case 7:
        share(&random);
        break;
      case 8:
        wait_for_shared(&random);
        break;
      case 9:
      case 10:
        exchange(&random);
        break;
      case 11:
        wait_for_any(&random);
        break;
      case 12:
        wait_for_all(&random);
        break;
      case 13:
        receive_a_visitor(&random, step);
        break;
      default:
        employ(&random, step);
    }
    study_note("step %d done", step);
  }
}

static void program(void)
{
  study_random_t random = {seed};
  for (unsigned i = 0; i < actor_count; i++) {
    char name[32], number[16];
    snprintf(name, sizeof name, "worker%u", i);
    snprintf(number, sizeof number, "%u", i);
    const char* arguments[] = {number};
    sg_actor_create_(name, sg_host_by_name(some_host(&random)), worker, 1, arguments);
  }
}

/* ---- Platforms --------------------------------------------------------------------------------------------------- */

static char* some_platform(study_random_t* random)
{
  static const char* const rates[]  = {"400Gbps", "100Gbps", "25Gbps"};
  static const char* const delays[] = {"100ns", "0ns", "500ns", "3us"};
  static const char* const kinds[]  = {
       "",
       P("switch.StaticPoolXoffThreshold", "20KB") P("switch.StaticPoolXonThreshold", "10KB"),
       P("pcie", "gen3 x4") P("nic.IngressBufferManager.TotalBufferSize", "60KB"),
       P("pcie", "gen3 x2") P("nic.IngressBufferManager.TotalBufferSize", "60KB")
           P("nic.IngressBufferManager.PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]"),
       P("pcie", "gen7 x16") P("nic.RdmaDataMSS", "512"),
       P("nic.NicPCIeInterface/PhysicalLayer/LaneBps", "8Gbps") P("nic.IngressBufferManager.TotalBufferSize", "60KB")
           P("switch.StaticPoolXoffThreshold", "40KB") P("switch.StaticPoolXonThreshold", "20KB"),
       P("nic.NicPCIeInterface/PhysicalLayer/LaneBps", "8Gbps") P("nic.IngressBufferManager.TotalBufferSize", "60KB")
           P("nic.IngressBufferManager.PFCEnableVector", "[1, 1, 0, 0, 0, 0, 0, 0]")
               P("switch.StaticPoolXoffThreshold", "40KB") P("switch.StaticPoolXonThreshold", "20KB"),
       P("pcie", "gen3 x1") P("nic.FixedRexmitTimeEnable", "true") P("nic.FixedRexmitTimeout", "20us"),
  };
  static const char* const large[] = {"", P("nic.RdmaDataMSS", "9000")};
  const study_link_t link          = {rates[study_random(random, 3)], delays[study_random(random, 4)]};
  const char* props                = kinds[study_random(random, sizeof kinds / sizeof *kinds)];
  if (study_random(random, 3) == 0) {
    const unsigned leaves = 2 + (unsigned)study_random(random, 2);
    host_count            = leaves * 3;
    return study_leaf_spine(leaves, 3, 2, link, props);
  }
  host_count = 4 + (unsigned)study_random(random, 5);
  return study_rack(host_count, link, props, large[study_random(random, 2)]);
}

static void run_programs(uint64_t first)
{
  for (seed = first; seed < first + PROGRAMS_OF_A_TEST; seed++) {
    study_random_t random = {seed + 1000000};
    char* platform        = some_platform(&random);
    actor_count           = 6 + (unsigned)study_random(&random, 5);
    study_result_t lazy   = {0};
    const bool same       = study_same(platform, program, &lazy);
    if (!same)
      fprintf(stderr, "  program %llu\n", (unsigned long long)seed);
    CU_ASSERT(same);
    study_free(&lazy);
    free(platform);
  }
}

SGF_SCENARIO(programs_0_to_19)
{
  run_programs(0);
}

SGF_SCENARIO(programs_20_to_39)
{
  run_programs(20);
}

SGF_SCENARIO(programs_40_to_59)
{
  run_programs(40);
}
