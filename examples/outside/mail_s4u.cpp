/* Two actors that meet at a mailbox of the fabric, in C++: any object travels, by its address. */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sgfabric/sgfabric.h>
#include <simgrid/s4u.hpp>
#include <string>

namespace sg4 = simgrid::s4u;

constexpr int bytes = 1000000;

static void sender(const std::string& name)
{
  auto* text = new std::string("hello from " + sg4::this_actor::get_host()->get_name());
  sgf_mailbox_put(sgf_mailbox_by_name(name.c_str()), text, bytes);
}

static void receiver(const std::string& name)
{
  std::unique_ptr<std::string> text(static_cast<std::string*>(sgf_mailbox_get(sgf_mailbox_by_name(name.c_str()))));
  std::printf("%.6f us: %s got \"%s\"\n", sg4::Engine::get_clock() * 1e6, sg4::this_actor::get_host()->get_cname(),
              text->c_str());
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s PLATFORM FROM TO\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_load_platform(argv[1]);
  sg4::Actor::create("sender", engine.host_by_name(argv[2]), sender, "box");
  sg4::Actor::create("receiver", engine.host_by_name(argv[3]), receiver, "box");
  engine.run();
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
