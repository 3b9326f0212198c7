#!/bin/sh
# Installs what is missing, builds with gcc and clang without a warning, and runs all tests twice: on the Release build,
# and under the address and undefined-behaviour sanitizers. Then shows that they notice faults of the models.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
. "$root/examples/setup.sh"

failed=

step() {
  what=$1
  shift
  say "$what"
  "$@" || failed="$failed
  $what"
}

# run_tests FOLDER: all tests of build/FOLDER, whose summary is kept for the end.
run_tests() {
  (cd "$root/build/$1" && ctest -j2 --output-on-failure --no-tests=error --output-log "$root/build/$1/tests.log")
}

summary() {
  echo "$1:"
  grep -E 'tests passed|tests failed|Total Test time' "$root/build/$1/tests.log" || echo "  no test was run"
}

set_up clang
rm -f "$root"/build/gcc/tests.log "$root"/build/sanitize/tests.log "$root"/build/mutants/verdict
step "Build with gcc, Release" build gcc all -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release -DSGF_WERROR=ON
step "Build with clang" build clang all -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DSGF_WERROR=ON
step "Tests on the Release build" run_tests gcc
step "Build with the sanitizers" build sanitize all -DCMAKE_C_COMPILER=gcc -DSGF_SANITIZE=ON -DSGF_WERROR=ON
step "Tests under the sanitizers" run_tests sanitize
step "Mutants: faults of the models, each with a test that must fail" sh "$root/validation/mutants/run.sh"

say "Summary"
summary gcc
summary sanitize
echo "mutants:"
cat "$root/build/mutants/verdict" 2>/dev/null || echo "none was tried"
[ -z "$failed" ] || fail "VALIDATION FAILED:$failed"
echo "VALIDATION PASSED"
