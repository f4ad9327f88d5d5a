#!/bin/sh
# Exact values of every preset with 23 points or fewer, into this directory.
#
#   results/exact/run.sh [ENGINE] [TABLES]
#
# ENGINE is the engine's binary (target/release/engine), TABLES a directory with table files if there are any:
# what none of them holds is solved in memory, with five leopards 9 GB of it. A file that is there is kept;
# remove it to make it anew.
set -eu
here=$(dirname "$0")
engine=${1:-"$here/../../target/release/engine"}
tables=${2:+--tables "$2"}

# values NAME FLAGS...: one CSV of what the engine says to these flags.
values() {
    name=$1
    shift
    [ -e "$here/$name.csv" ] && return
    # shellcheck disable=SC2086 # the flags are words
    "$engine" values "$@" ${tables:-} >"$here/$name.part"
    mv "$here/$name.part" "$here/$name.csv"
}

# captures NAME DOGS AUTO: every number of captures from 1 to what auto gives.
captures() {
    name=$1 dogs=$2 most=$3
    [ -e "$here/$name-captures.csv" ] && return
    n=1
    : >"$here/$name-captures.part"
    while [ "$n" -le "$most" ]; do
        # shellcheck disable=SC2086
        "$engine" values --variant "$name" --dogs "$dogs" --captures "$n" ${tables:-} >"$here/$name.part"
        if [ "$n" -eq 1 ]; then cat "$here/$name.part"; else tail -n +2 "$here/$name.part"; fi \
            >>"$here/$name-captures.part"
        n=$((n + 1))
    done
    rm "$here/$name.part"
    mv "$here/$name-captures.part" "$here/$name-captures.csv"
}

# Every number of dogs, both first sides, the captures that auto gives.
for variant in hat len-choa hat-13 demala-19 demala demala-fan demala-23; do
    values "$variant" --variant "$variant"
done

# The number of dogs of the preset, every number of captures.
captures hat 7 4
captures len-choa 6 3
captures hat-13 8 4
captures demala-19 15 10
captures demala 15 10
captures demala-fan 15 9
captures demala-23 15 10

# The same games with leopards that enter.
for variant in hat hat-13 demala-19 demala demala-fan demala-23; do
    values "$variant-entered" --variant "$variant" --setup entered
done

# Five leopards: 9 GB of memory, and some minutes for each number of captures.
values meurimueng --variant meurimueng
captures meurimueng 15 9
