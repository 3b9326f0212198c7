/* Senders and receivers that are suspended while their messages are under way, before they begin, and when they have
 * arrived. */
#include "expect.hpp"

static int payload;

static sg4::ActorPtr sender(const char* where, const std::string& name)
{
  return sg4::Actor::create("sender", host(where),
                            [=] { attempt("put-" + name, [=] { box(name)->put(&payload, 1000000); }); });
}

static sg4::ActorPtr receiver(const char* where, const std::string& name)
{
  return sg4::Actor::create("receiver", host(where), [=] { attempt("get-" + name, [=] { box(name)->get<int>(); }); });
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  auto first = sender("gpu1", "sender");
  receiver("gpu2", "sender");
  sender("gpu3", "receiver");
  auto second = receiver("gpu4", "receiver");
  auto third  = sender("gpu5", "both");
  auto fourth = receiver("gpu6", "both");
  auto fifth  = sender("gpu7", "before");
  receiver("gpu8", "before");
  sg4::Actor::create("director", host("gpu0"), [=] {
    fifth->suspend(); /* before it can post */
    sg4::this_actor::sleep_until(5 * us);
    for (auto const& actor : {first, second, third, fourth})
      actor->suspend();
    sg4::this_actor::sleep_until(10 * us);
    third->resume(); /* before the arrival */
    sg4::this_actor::sleep_until(100 * us);
    for (auto const& actor : {first, second, fourth, fifth})
      actor->resume();
  });
  engine.run();
  say("end");
  return 0;
}
