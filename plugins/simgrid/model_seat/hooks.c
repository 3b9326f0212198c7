/* Where SimGrid calls this library. Its functions are defined here a second time, under their symbols' names: a library
 * that stands before libsimgrid in the order of look-up is called in its place. */
#define _GNU_SOURCE
#include "simgrid/model_seat/model_seat.h"

#include <dlfcn.h>

#define SEAL "_ZNK7simgrid6kernel10EngineImpl13seal_platformEv"
#define NEXT_DATE "_ZNK7simgrid6kernel7profile12FutureEvtSet9next_dateEv"
#define LOAD "_ZN7simgrid6kernel10EngineImpl13load_platformERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define ANSWER "_ZN7simgrid6kernel5actor9ActorImpl14simcall_handleEi"
#define SEND "_ZN7simgrid6kernel8activity8CommImpl5isendEPNS0_5actor16CommIsendSimcallE"
#define START "_ZN7simgrid6kernel8activity8CommImpl5startEv"

SGF_PUBLIC void seal_platform(const void* engine) __asm__(SEAL);
SGF_PUBLIC double next_date(const void* profiles) __asm__(NEXT_DATE);
SGF_PUBLIC void load_platform(void* engine, const seat_string_t* file) __asm__(LOAD);
SGF_PUBLIC void answer_call(const seat_actor_t* actor, int times) __asm__(ANSWER);
SGF_PUBLIC void* send_comm(void* result, void* arguments) __asm__(SEND);
SGF_PUBLIC void* start_comm(const seat_comm_t* comm) __asm__(START);

static seat_word_t theirs(const char* name)
{
  const seat_word_t function = seat_find_simgrid() ? seat_symbol(name) : 0;
  if (function == 0)
    seat_refuse("SimGrid's %s was called and is not to be found", name);
  return function;
}

/* The platform file, before SimGrid reads it: whatever is wrong with it is found here, with file and line. */
void load_platform(void* engine, const seat_string_t* file)
{
  seat_load(file->text);
  ((void (*)(void*, const seat_string_t*))theirs(LOAD))(engine, file);
}

/* Every run calls this, once the platform is complete. */
void seal_platform(const void* engine)
{
  ((void (*)(const void*))theirs(SEAL))(engine);
  seat_attach();
}

/* SimGrid asks for the next date of a profile just before it asks the network model. */
double next_date(const void* profiles)
{
  static double (*original)(const void*);
  if (original == NULL)
    original = (double (*)(const void*))theirs(NEXT_DATE);
  model_seat.sees_profiles       = true;
  return model_seat.next_profile = original(profiles);
}

/* The kernel answers an actor's call; whatever begins meanwhile is that actor's doing. */
void answer_call(const seat_actor_t* actor, int times)
{
  static void (*original)(const seat_actor_t*, int);
  if (original == NULL)
    original = (void (*)(const seat_actor_t*, int))theirs(ANSWER);
  seat_order_answer(actor);
  original(actor, times);
  seat_order_answer(NULL);
}

/* The sender's half of a communication. The smart pointer that it returns is written to where the caller says. */
void* send_comm(void* result, void* arguments)
{
  static void* (*original)(void*, void*);
  if (original == NULL)
    original = (void* (*)(void*, void*))theirs(SEND);
  seat_order_send(true);
  original(result, arguments);
  seat_order_send(false);
  return result;
}

/* Called when either half is there: the network model is asked once both are. */
void* start_comm(const seat_comm_t* comm)
{
  static void* (*original)(const seat_comm_t*);
  if (original == NULL)
    original = (void* (*)(const seat_comm_t*))theirs(START);
  seat_order_try(comm);
  void* result = original(comm);
  seat_order_tried();
  return result;
}

static const void* object_of(seat_word_t address)
{
  Dl_info info;
  return dladdr((const void*)address, &info) != 0 ? info.dli_fbase : NULL;
}

/* Whether what SimGrid calls is found here first. The program's own order of look-up is asked: smpirun's programs have
 * another one. */
static bool stands_before_simgrid(void)
{
  void* program            = dlopen(NULL, RTLD_LAZY);
  const seat_word_t called = (seat_word_t)dlsym(program, SEAL);
  dlclose(program);
  return called != 0 && object_of(called) == object_of((seat_word_t)theirs);
}

/* A process without SimGrid is none of our business. One that has it must call what is here; only a program that was
 * loaded into a running simulation, by smpirun, comes too late for that, and has its platform already. */
__attribute__((constructor)) static void look_around(void)
{
  if (!seat_find_simgrid() || stands_before_simgrid())
    return;
  seat_learn(&model_seat.simgrid, &model_seat.slots);
  model_seat.came_late = true;
  if (!model_seat.simgrid.is_initialized())
    seat_refuse(
        "libsgfabric-model.so comes after libsimgrid, which does not call it there: link it before -lsimgrid, or "
        "name it in LD_PRELOAD");
  seat_attach();
}
