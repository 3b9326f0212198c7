#!/bin/sh
# Speed: the event queue; a packet through a switch; a permutation of 2 MB on fat trees of 128 and 1,024 hosts in plain
# C and inside SimGrid, in turn; the model seat beside the engine alone, in turn.
#   sh validation/bench/run.sh [BUILD FOLDER [ROUNDS]]       build/release and 5 rounds otherwise
# Prints medians; the programs assert that hops, events and kernel rounds are those of the scenario. Figures: README.md.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bench=${1:-$root/build/release}/validation/bench
rounds=${2:-5}

# median FIELD-PATTERN FILE: of the last number of the lines that match
median() {
  grep "$1" "$2" | grep -oE '[0-9.]+( MB| CPU s)?$' | grep -oE '^[0-9.]+' | sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bench/queue" "$rounds"
"$bench/switching" "$rounds"
for hosts in 128 1024; do
  i=0
  while [ "$i" -lt "$rounds" ]; do
    for mode in plain simgrid; do
      "$bench/permutation" "$mode" "$root/platforms/fat_tree_$hosts.xml" >>"$work/$mode.$hosts"
    done
    i=$((i + 1))
  done
  for mode in plain simgrid; do
    echo "permutation, $hosts hosts, $mode: $(median 'hops per CPU s' "$work/$mode.$hosts") packet-hops per CPU second," \
      "$(median 'kernel rounds' "$work/$mode.$hosts") kernel rounds, $(median 'peak memory' "$work/$mode.$hosts") MB"
  done
done

for nic in roce mrc udp; do
  i=0
  while [ "$i" -lt "$rounds" ]; do
    "$bench/permutation" plain "$root/platforms/fat_tree_128.xml" "$nic" >>"$work/$nic"
    i=$((i + 1))
  done
  echo "permutation, 128 hosts, $nic NICs: $(median 'hops per CPU s' "$work/$nic") packet-hops per CPU second"
done

"$bench/connections" "$root/platforms/fat_tree_1024.xml"
"$bench/model_seat" "$root/platforms/fat_tree_128.xml" "$rounds"
