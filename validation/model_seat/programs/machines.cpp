/* Virtual machines that send and receive: on a host, side by side, moved, suspended, shut down and destroyed. */
#include "expect.hpp"

#include <simgrid/plugins/live_migration.h>

static int payload;
constexpr int MEGABYTE = 1000000;
constexpr int LONG     = 100000000;

static sg4::VirtualMachine* machine(const char* name, const char* where)
{
  auto* vm = host(where)->create_vm(name, 1);
  vm->start();
  return vm;
}

static void put_from(sg4::Host* where, const std::string& name, int size)
{
  sg4::Actor::create("sender", where, [=] { attempt("put-" + name, [=] { box(name)->put(&payload, size); }); });
}

static void get_at(sg4::Host* where, const std::string& name)
{
  sg4::Actor::create("receiver", where, [=] { attempt("get-" + name, [=] { box(name)->get<int>(); }); });
}

/* Message after message, the next when the last has arrived. */
static void on_their_hosts()
{
  auto* a = machine("a", "gpu0");
  auto* b = machine("b", "gpu1");
  auto* c = machine("c", "gpu0");
  sg4::Actor::create("director", host("gpu8"), [=] {
    sg4::Comm::sendto(a, b, MEGABYTE);
    say("apart");
    sg4::Comm::sendto(a, c, MEGABYTE);
    say("together");
    sg4::Comm::sendto(b, host("gpu8"), MEGABYTE);
    say("to-host");
    a->set_pm(host("gpu2"));
    sg4::Comm::sendto(a, b, MEGABYTE);
    say("moved");
  });
}

/* A message that leaves from one host although its machine has moved to another meanwhile. */
static void moved_on_the_way()
{
  auto* a = machine("a", "gpu0");
  put_from(a, "on-the-way", MEGABYTE);
  get_at(host("gpu1"), "on-the-way");
  sg4::Actor::create("director", host("gpu8"), [=] {
    sg4::this_actor::sleep_until(10 * us);
    a->set_pm(host("gpu2"));
    sg4::Comm::sendto(host("gpu2"), host("gpu3"), MEGABYTE);
    say("other");
  });
}

/* The memory travels as messages of SimGrid's own, between the two hosts. */
static void migrated()
{
  sg_vm_live_migration_plugin_init();
  auto* vm = sg_vm_create_migratable(host("gpu0"), "vm", 1, 64 /* MiB */, 100000 /* MiB/s: no limit */, 0);
  vm->start();
  sg4::Actor::create("director", host("gpu8"), [=] {
    sg_vm_migrate(vm, host("gpu3"));
    say(vm->get_pm()->get_name());
    sg4::Comm::sendto(vm, host("gpu8"), MEGABYTE);
    say("migrated");
  });
}

/* What happens to the machines at 1 ms, with messages of 2 ms under way in both directions. */
static void ended(const std::string& what)
{
  auto* vm = machine("vm", "gpu0");
  put_from(vm, "from-vm", LONG);
  get_at(host("gpu1"), "from-vm");
  put_from(host("gpu2"), "to-vm", LONG);
  get_at(vm, "to-vm");
  sg4::Actor::create("director", host("gpu8"), [=] {
    sg4::this_actor::sleep_until(1 * ms);
    if (what == "destroy")
      vm->destroy();
    else if (what == "shutdown")
      vm->shutdown();
    else if (what == "off")
      host("gpu0")->turn_off();
    else {
      vm->suspend();
      sg4::this_actor::sleep_until(5 * ms);
      vm->resume();
    }
    say(what);
  });
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const std::string what(argv[2]);
  if (what == "hosts")
    on_their_hosts();
  else if (what == "moved")
    moved_on_the_way();
  else if (what == "migrated")
    migrated();
  else
    ended(what);
  engine.run();
  return 0;
}
