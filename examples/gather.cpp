/* The program of the guide (README.md): every host of a platform sends 1 MB to the first one. As it is, it knows
 * nothing of sgfabric:
 *
 *   c++ -std=c++17 examples/gather.cpp -o gather -lsimgrid
 *
 * What is marked OVER_FABRIC is the actor seat: two calls in main(), and mailboxes of the fabric.
 *
 *   c++ -std=c++17 -DOVER_FABRIC examples/gather.cpp -o gather -lsgfabric -lsimgrid */
#include <cstdio>
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>
#ifdef OVER_FABRIC
#include <sgfabric/sgfabric.h>
#endif

namespace sg4 = simgrid::s4u;

static const unsigned bytes = 1000000;

static void sender(const std::string& box)
{
  sg4::this_actor::execute(1e5);
  auto* text = new std::string("a result from " + box); /* the receiver's from now on */
#ifdef OVER_FABRIC
  sgf_mailbox_put(sgf_mailbox_by_name(box.c_str()), text, bytes);
#else
  sg4::Mailbox::by_name(box)->put(text, bytes);
#endif
}

static void receiver(const std::string& box)
{
#ifdef OVER_FABRIC
  auto* text = static_cast<std::string*>(sgf_mailbox_get(sgf_mailbox_by_name(box.c_str())));
#else
  auto* text = sg4::Mailbox::by_name(box)->get<std::string>();
#endif
  std::printf("%.3f us: %s\n", sg4::Engine::get_clock() * 1e6, text->c_str());
  delete text;
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PLATFORM\n", argv[0]);
    return EXIT_FAILURE;
  }
#ifdef OVER_FABRIC
  sg_fabric_plugin_init();
  sgf_error_t error = {};
  if (sg_fabric_set_ini("examples/existing.ini", nullptr, 0, &error) != SGF_OK) { /* what the platform does not say */
    std::fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }
  sg_fabric_load_platform(argv[1]); /* in place of engine.load_platform */
#else
  engine.load_platform(argv[1]);
#endif
  const auto hosts = engine.get_all_hosts();
  for (std::size_t i = 1; i < hosts.size(); i++) {
    sg4::Actor::create("receiver", hosts[0], receiver, hosts[i]->get_name());
    sg4::Actor::create("sender", hosts[i], sender, hosts[i]->get_name());
  }
  engine.run();
#ifdef OVER_FABRIC
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE; /* delivers the rest, ends the records */
#else
  return EXIT_SUCCESS;
#endif
}
