/* The fabric from C++, around SimGrid's S4U API: gpu0 writes blocks to three hosts at once, and says which arrives as
 * they do. Actors, hosts, clocks and computations are S4U's; the bytes are the fabric's.
 *
 *   c++ -std=c++17 examples/s4u.cpp -o s4u -lsgfabric -lsimgrid */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sgfabric/sgfabric.h>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

/* An operation in C++ hands: given back when it is let go. */
struct unref {
  void operator()(sgf_op_t* op) const { sgf_op_unref(op); }
};
using operation = std::unique_ptr<sgf_op_t, unref>;

static void manager(const std::vector<std::string>& workers)
{
  std::vector<operation> puts;
  for (unsigned i = 0; i < workers.size(); i++) {
    sgf_mailbox_t* box = sgf_mailbox_by_name(workers[i].c_str());
    auto* text         = new std::string("block " + std::to_string(i)); /* the receiver's from now on */
    puts.emplace_back(sgf_mailbox_put_async(box, text, (workers.size() - i) * 1000000));
  }
  while (!puts.empty()) {
    std::vector<sgf_op_t*> waiting;
    for (const operation& put : puts)
      waiting.push_back(put.get());
    const auto which = static_cast<std::size_t>(sgf_op_wait_any(waiting.data(), waiting.size()));
    std::printf("%.3f us: a put of %llu bytes is over\n", sg4::Engine::get_clock() * 1e6,
                static_cast<unsigned long long>(sgf_op_bytes(puts[which].get())));
    puts.erase(puts.begin() + static_cast<std::ptrdiff_t>(which));
  }
}

static void worker()
{
  const std::string& name = sg4::this_actor::get_host()->get_name();
  const std::unique_ptr<std::string> got(static_cast<std::string*>(sgf_mailbox_get(sgf_mailbox_by_name(name.c_str()))));
  std::printf("%.3f us: %s has %s\n", sg4::Engine::get_clock() * 1e6, name.c_str(), got->c_str());
  sg4::this_actor::execute(1e7); /* 10 us on a host of 1 Tf */
  std::printf("%.3f us: %s is done\n", sg4::Engine::get_clock() * 1e6, name.c_str());
}

int main(int argc, char* argv[])
{
  sg4::Engine engine(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PLATFORM\n", argv[0]);
    return EXIT_FAILURE;
  }
  sg_fabric_plugin_init();
  sg_fabric_load_platform(argv[1]); /* in place of engine.load_platform */
  const std::vector<std::string> workers = {"gpu1", "gpu2", "gpu3"};
  sg4::Actor::create("manager", engine.host_by_name("gpu0"), manager, workers);
  for (const std::string& name : workers)
    sg4::Actor::create("worker", engine.host_by_name(name), worker);
  engine.run();
  return sg_fabric_finish() == SGF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
