# shellcheck shell=sh disable=SC2154
# What the scripts share; to be sourced with $root set to the folder of the project. Everything that is said goes to
# the error output, so that the output of a script is that of the program it runs.

say() {
  printf '\n== %s\n' "$*" >&2
}

fail() {
  printf '\n%s\n' "$*" >&2
  exit 1
}

# need PACKAGE COMMAND...: notes the package as missing unless the command succeeds.
need() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}

compiles_c() {
  echo '#include <stdio.h>' | gcc -x c -fsyntax-only -
}

# The tests build an outside project in C++.
compiles_cxx() {
  echo '#include <cstdio>' | g++ -x c++ -fsyntax-only -
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@" >&2
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@" >&2
  fi
}

install_packages() {
  command -v apt-get >/dev/null || fail "Missing, and no apt-get to install it (names are Debian's):$missing"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    fail "Missing, and neither root nor sudo to install it. As root: apt-get install$missing"
  say "Installing$missing"
  # The list of packages is meant to be split.
  # shellcheck disable=SC2086
  { as_root apt-get update && as_root apt-get install -y --no-install-recommends $missing; } ||
    fail "Could not install$missing"
}

# Installs what the build needs and is not there. Asks for things and not for packages, so that a compiler or a SimGrid
# of one's own does as well; needs no network when nothing is missing.
set_up() {
  missing=
  need build-essential compiles_c
  need build-essential compiles_cxx
  need cmake command -v cmake
  need ninja-build command -v ninja
  need pkg-config command -v pkg-config
  need libsimgrid-dev pkg-config --exists simgrid
  need libxml2-dev pkg-config --exists libxml-2.0
  need libcunit1-dev pkg-config --exists cunit
  need zlib1g-dev pkg-config --exists zlib
  need libjansson-dev pkg-config --exists jansson
  for program in "$@"; do
    need "$program" command -v "$program"
  done
  [ -z "$missing" ] || install_packages
}

# build FOLDER TARGET [CMAKE OPTION...]: configures build/FOLDER and builds the target in it.
build() {
  folder=$root/build/$1
  target=$2
  shift 2
  if [ ! -f "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    set -- -G Ninja "$@"
  fi
  cmake -S "$root" -B "$folder" "$@" >&2 && cmake --build "$folder" --target "$target" --parallel "$(nproc)" >&2
}
