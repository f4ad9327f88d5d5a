#!/bin/sh
# Makes the weights of the evaluation anew: solves games, samples positions with their exact values, fits.
#
#   engine/data/fit.sh [ENGINE] [DIRECTORY]
#
# ENGINE is the engine's binary (target/release/engine), DIRECTORY where tables and samples go (target/fit): 5 GB.
# What is there already is kept. The samples depend on nothing but the games, counts and seeds here, the weights
# on the samples and the seed; the last line compares them with those in the repository.
set -eu
here=$(dirname "$0")
engine=${1:-"$here/../../target/release/engine"}
work=${2:-"$here/../../target/fit"}
mkdir -p "$work"

# samples NAME COUNT SEED DOGS FLAGS...: solves the game and samples it.
samples() {
    name=$1 count=$2 seed=$3 dogs=$4
    shift 4
    [ -e "$work/$name.csv" ] && return
    "$engine" solve "$@" --dogs "${dogs##*.}" --out "$work" || [ $? = 1 ] # there already
    "$engine" samples "$@" --dogs "$dogs" --tables "$work" --count "$count" --seed "$seed" >"$work/$name.part"
    mv "$work/$name.part" "$work/$name.csv"
}

# The games themselves, with as many dogs as make either side's moves matter.
samples demala-19 1200000 1 9..16 --variant demala-19
samples demala 2000000 2 10..18 --variant demala
samples demala-fan 1200000 3 10..18 --variant demala-fan
# More of the same from other games: what is fitted to fewer samples is fitted to their accidents.
samples more-19 2400000 51 9..16 --variant demala-19
samples more 4000000 52 10..18 --variant demala
samples more-fan 2400000 53 10..18 --variant demala-fan
samples third-19 2400000 61 9..16 --variant demala-19
samples third 4000000 62 10..18 --variant demala
samples third-fan 2400000 63 10..18 --variant demala-fan
# Other numbers of leopards, and captures that win sooner.
samples one 100000 4 4..12 --variant demala-19 --leopards 1
samples two 200000 5 6..15 --variant demala-19 --leopards 2
samples two-21 200000 6 8..17 --variant demala --leopards 2
samples four 200000 7 8..15 --variant demala-19 --leopards 4
samples five 200000 8 8..14 --variant demala-19 --leopards 5
samples one-capture 50000 9 15 --variant demala --captures 1
samples three-captures 50000 10 15 --variant demala --captures 3
samples one-capture-19 50000 11 14 --variant demala-19 --captures 1
samples three-captures-19 50000 12 14 --variant demala-19 --captures 3
samples hat-13 20000 13 5..10 --variant hat-13
# A board that is not fitted to.
samples demala-23 100000 99 11..18 --variant demala-23

fitted=
for name in demala-19 demala demala-fan more-19 more more-fan third-19 third third-fan one two two-21 four five \
    one-capture three-captures one-capture-19 three-captures-19 hat-13; do
    fitted="$fitted $work/$name.csv"
done
# shellcheck disable=SC2086 # one file a word
"$engine" fit $fitted --test "$work/demala-23.csv" --epochs 14 --out "$work/weights.bin"
cmp "$work/weights.bin" "$here/../src/search/eval/weights.bin" && echo "the weights are those of the repository"
