#!/bin/sh
# Installs what is missing, builds, and runs the main job: eight hosts write 2 MB each to a ninth.
# Further arguments go to the run, such as --json or --set '**.pcie="gen5 x8"'.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
. "$root/examples/setup.sh"

set_up
say "Building in build/release"
build release sgfabric_examples -DCMAKE_BUILD_TYPE=Release || fail "FAILED: sgfabric does not build."

say "Running the incast"
cd "$root" || exit 1
if build/release/sgfabric run platforms/rack9.xml deployments/incast8_d.xml "$@"; then
  say "DONE: the run is complete."
else
  fail "FAILED: the run ended with status $?; its last lines say why."
fi
