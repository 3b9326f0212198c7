#!/bin/sh
# Allreduce and all-to-all of 32 MPI ranks on a leaf-spine: collectives.c, compiled by smpicc, over SimGrid's network
# model, over the fabric without PFC and with it (collectives.ini). Prints one table.
#
#   sh examples/collectives.sh                                  RoCE NICs; SMPI's network model for comparison
#   NIC=uet sh examples/collectives.sh                          other NICs
#   sh examples/collectives.sh --cfg=network/model:CM02         arguments go to smpirun: another model for comparison
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
PATH=${BUILD:+$BUILD:}$PATH:$root/build/release
if ! command -v sgfabric >/dev/null || ! command -v smpicc >/dev/null; then
  . "$root/examples/setup.sh"
  set_up
  build release sgfabric_examples -DCMAKE_BUILD_TYPE=Release || fail "FAILED: sgfabric does not build."
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

i=0
while [ $i -lt 32 ]; do
  echo "gpu$i"
  i=$((i + 1))
done >"$work/hosts"
smpicc -O2 "$root/examples/collectives.c" -o "$work/collectives" || exit 1

# The algorithms are named, since SMPI's choice differs between versions. No time passes but in messages.
set -- -np 32 -platform "$root/platforms/leaf_spine_32.xml" -hostfile "$work/hosts" --log=root.thres:error \
  --cfg=smpi/allreduce:lr --cfg=smpi/alltoall:basic_linear \
  --cfg=smpi/barrier:ompi_recursivedoubling --cfg=smpi/reduce:binomial \
  --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf --cfg=smpi/wtime:0 "$@" "$work/collectives"

# over CONFIG ARGUMENT...: smpirun, over the fabric of the configuration
over() {
  config=$1
  shift
  sgfabric exec -f "$root/examples/collectives.ini" -c "$config" ${NIC:+--set "**.nic=$NIC"} -- smpirun "$@"
}

if ! { smpirun "$@" >"$work/flow" && over Lossy "$@" >"$work/lossy" && over Pfc "$@" >"$work/pfc"; }; then
  cat "$work"/flow "$work"/lossy "$work"/pfc 2>/dev/null
  exit 1
fi

printf '%-10s %9s %12s %20s %20s\n' collective size SimGrid "fabric, lossy" "fabric, PFC"
for column in flow lossy pfc; do
  grep '^time ' "$work/$column" >"$work/$column.times"
done
paste -d ' ' "$work/flow.times" "$work/lossy.times" "$work/pfc.times" | awk '{
  printf "%-10s %5d KiB %9.1f us %9.1f us x %6.2f %9.1f us x %6.2f\n", $2, $3, $4, $8, $8 / $4, $12, $12 / $4 }'
printf '\nlossy: %s\nPFC:   %s\n' "$(grep ^complete "$work/lossy")" "$(grep ^complete "$work/pfc")"
