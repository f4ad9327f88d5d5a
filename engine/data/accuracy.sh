#!/bin/sh
# Judges the search on the positions held out, into results/accuracy/.
#
#   engine/data/accuracy.sh NODES [ENGINE] [TABLES]
#
# NODES is a number or a list (1000,10000,100000), ENGINE the engine's binary (target/release/engine), TABLES a
# directory with the tables of demala and demala-23 (target/fit, where fit.sh leaves them).
set -eu
here=$(dirname "$0")
nodes=$1
engine=${2:-"$here/../../target/release/engine"}
tables=${3:-"$here/../../target/fit"}
out="$here/../../results/accuracy"
mkdir -p "$out"
for name in demala demala-23 demala-more demala-23-more; do
    "$engine" accuracy --variant "${name%-more}" --tables "$tables" --nodes "$nodes" \
        --positions "$here/positions/held-out/$name.txt" --lost "$out/$name-lost.csv" >"$out/$name.part"
    mv "$out/$name.part" "$out/$name.csv"
done
