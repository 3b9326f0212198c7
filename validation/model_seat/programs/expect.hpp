/* What programs of this folder say: a word or two, and the date in picoseconds. */
#ifndef EXPECT_HPP
#define EXPECT_HPP

#include <cmath>
#include <cstdio>
#include <simgrid/s4u.hpp>
#include <string>

namespace sg4 = simgrid::s4u;

constexpr double us = 1e-6;
constexpr double ms = 1e-3;

inline void say(const std::string& what)
{
  std::printf("%s %lld\n", what.c_str(), std::llround(sg4::Engine::get_clock() * 1e12));
}

/* Says `what` when the code comes to its end, and which of SimGrid's errors it was otherwise. */
template <class F> void attempt(const std::string& what, F code)
{
  try {
    code();
    say(what);
  } catch (const simgrid::TimeoutException&) {
    say("timeout " + what);
  } catch (const simgrid::NetworkFailureException&) {
    say("failure " + what);
  } catch (const simgrid::HostFailureException&) {
    say("host-failure " + what);
  } catch (const simgrid::CancelException&) {
    say("cancel " + what);
  }
}

inline sg4::Host* host(const char* name)
{
  return sg4::Engine::get_instance()->host_by_name(name);
}

inline sg4::Mailbox* box(const std::string& name)
{
  return sg4::Mailbox::by_name(name);
}

#endif
