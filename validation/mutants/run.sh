#!/bin/sh
# Puts the faults of mutants.txt, one at a time, into a copy of the project, and shows that the named test fails.
#
#   sh validation/mutants/run.sh           all of them
#   sh validation/mutants/run.sh ID...     some of them
#
# The copy and its build are kept in build/mutants, so that the next time only what has changed is built.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
root=$(cd "$here/../.." && pwd) || exit 2
work=$root/build/mutants
table=$work/table
log=$work/log
limit=30 # seconds for one test; running into it is no kill
tab=$(printf '\t')

stop() {
  printf 'mutants: %s\n' "$*" >&2
  exit 2
}

files_of() {
  (cd "$1" && find . \( -name .git -o -path './build*' \) -prune -o -type f -print)
}

# Makes $work/src equal to the project. A file that is equal keeps its date and is not built again; one that an
# interrupted run has left with a fault in it gets a new date.
copy_project() {
  mkdir -p "$work/src"
  files_of "$root" | while IFS= read -r file; do
    cmp -s "$root/$file" "$work/src/$file" && continue
    mkdir -p "$work/src/$(dirname "$file")" && cp "$root/$file" "$work/src/$file" || exit 1
  done || stop "the project could not be copied to $work/src"
  files_of "$work/src" | while IFS= read -r file; do
    [ -f "$root/$file" ] || rm "$work/src/$file"
  done
}

# mutants.txt, one fault a line: id, file, test, old text, new text, separated by tabs.
read_table() {
  awk -v wanted=" $* " '
    function value() { sub(/^[^ ]+ +/, ""); return $0 }
    function wrong(what) { print "mutants.txt:" NR ": " what > "/dev/stderr"; failed = 1; exit 1 }
    /^#/ || /^$/ { next }
    $1 == "mutant" {
      if (id != "")
        wrong(id " has no line \"+\"")
      id = value()
      if (known[id]++)
        wrong("there are two mutants " id)
    }
    $1 == "breaks" { breaks = value() }
    $1 == "file"   { file = value() }
    $1 == "test"   { test = value() }
    $1 == "-"      { old = value() }
    $1 == "+"      {
      if (id == "" || breaks == "" || file == "" || old == "" || split(test, parts, "/") != 3)
        wrong("a mutant has an id, what it breaks, a file, a test area/program/name, and an old and a new text")
      if (wanted ~ /^ *$/ || index(wanted, " " id " "))
        printf "%s\t%s\t%s\t%s\t%s\n", id, file, test, old, value()
      id = breaks = file = test = old = ""
    }
    END {
      count = split(wanted, names, " ")
      for (i = 1; i <= count && !failed; i++)
        if (!(names[i] in known))
          wrong("there is no mutant " names[i])
      exit failed
    }' "$here/mutants.txt" >"$table" || stop "the table was not understood"
  [ -s "$table" ] || stop "the table is empty"
}

# targets_of TEST, program_of TEST, name_of TEST: from area/program/name. Tests of the runner run the command.
targets_of() {
  echo "${1%/*}" | tr / _
  case $1 in runner/*) echo sgfabric_command ;; esac
}
program_of() { echo "$work/build/validation/${1%/*}"; }
name_of() { echo "${1##*/}"; }

build() {
  cmake --build "$work/build" --target "$@" >"$log" 2>&1 </dev/null
}

run_test() {
  (cd "$work/build" && timeout -k 5 "$limit" "$(program_of "$1")" "$(name_of "$1")") >"$log" 2>&1 </dev/null
}

# Builds all programs of the table without a fault. Assertions are off in the models: only a test may notice.
build_all() {
  set --
  if [ ! -f "$work/build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    set -- -G Ninja
  fi
  cmake -S "$work/src" -B "$work/build" "$@" -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG="-O0 -DNDEBUG" >"$log" 2>&1 || { cat "$log" >&2; stop "CMake failed"; }
  # The list of targets is meant to be split.
  # shellcheck disable=SC2046
  build $(cut -f3 "$table" | while IFS= read -r test; do targets_of "$test"; done | sort -u) --parallel "$(nproc)" ||
    { cat "$log" >&2; stop "the unchanged project does not build"; }
}

run_all_unchanged() {
  cut -f3 "$table" | sort -u | while IFS= read -r test; do
    run_test "$test" || { cat "$log" >&2; echo "mutants: without a fault, $test fails" >&2; exit 1; }
  done || exit 2
}

# mutate FILE OLD NEW: keeps the file as $work/original and puts in the fault. Fails unless OLD stands on exactly one
# line, and NEW is another text.
mutate() {
  cp "$work/src/$1" "$work/original" || return 1
  OLD=$2 NEW=$3 awk '
    {
      at = index($0, ENVIRON["OLD"])
      if (at > 0) {
        lines++
        $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
      }
      print
    }
    END { exit lines != 1 }' "$work/original" >"$work/mutated" && ! cmp -s "$work/original" "$work/mutated" &&
    cp "$work/mutated" "$work/src/$1"
}

# judge FILE TEST OLD NEW: what became of a fault. The list of targets is meant to be split.
# shellcheck disable=SC2046
judge() {
  if ! mutate "$1" "$3" "$4"; then
    echo "NOT APPLIED: its old text does not stand on exactly one line of $1"
  elif ! build $(targets_of "$2"); then
    echo "NOT BUILT: $(grep -m 1 error "$log")"
  else
    run_test "$2"
    case $? in
      0) echo "SURVIVED" ;;
      124 | 137) echo "TIMED OUT" ;;
      *) echo "killed" ;;
    esac
  fi
}

mkdir -p "$work"
read_table "$*"
copy_project
build_all
run_all_unchanged

count=0
killed=0
while IFS=$tab read -r id file test old new; do
  verdict=$(judge "$file" "$test" "$old" "$new")
  cp "$work/original" "$work/src/$file" || stop "$file could not be restored"
  count=$((count + 1))
  [ "$verdict" != killed ] || killed=$((killed + 1))
  printf '%-9s  %-38s  %s\n' "$verdict" "$id" "$test"
done <"$table"
echo "$count mutants, $killed killed" | tee "$work/verdict"
[ "$count" -eq "$killed" ]
