/* Messages whose rate is limited, by the sender or by the receiver. (SimGrid 3.32 takes no limit for `sendto`.) */
#include <cmath>
#include <cstdio>
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

static void say(const char* what)
{
  std::printf("%s %lld\n", what, std::llround(sg4::Engine::get_clock() * 1e12));
}

static void put(const char* name, uint64_t bytes, double rate)
{
  auto* box         = sg4::Mailbox::by_name(name);
  sg4::CommPtr comm = box->put_init(box, bytes)->set_rate(rate);
  comm->wait();
  say(name);
}

static void* place;

static void get(const char* name, double rate)
{
  sg4::CommPtr comm = sg4::Mailbox::by_name(name)->get_init();
  comm->set_dst_data(&place, sizeof place);
  if (rate > 0.0)
    comm->set_rate(rate);
  comm->wait();
}

static void sender()
{
  auto* box          = sg4::Mailbox::by_name("plain");
  sg4::CommPtr paced = sg4::Mailbox::by_name("beside")->put_init(box, 1000000)->set_rate(1.25e8)->start();
  sg4::CommPtr plain = box->put_async(box, 2000000);
  plain->wait();
  say("plain");
  paced->wait();
  say("beside");
  put("third", 100000, 1e9 / 3);
  put("receiver", 100000, -1.0);
  put("fast", 1000000, 1e15);
  put("none", 0, 1e-3);
  put("tiny", 4097, 1e-3);
}

static void receiver()
{
  sg4::CommPtr first = sg4::Mailbox::by_name("beside")->get_init()->set_dst_data(&place, sizeof place)->start();
  get("plain", -1.0);
  first->wait();
  get("third", -1.0);
  sg4::this_actor::sleep_for(1e-6); /* SimGrid forgets the limit of a receiver that waits already */
  get("receiver", 2e8);
  get("fast", -1.0);
  get("none", -1.0);
  get("tiny", -1.0);
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  sg4::Actor::create("sender", engine.host_by_name("gpu0"), sender);
  sg4::Actor::create("receiver", engine.host_by_name("gpu8"), receiver);
  engine.run();
  return 0;
}
