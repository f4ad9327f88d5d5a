#!/bin/sh
# Makes the weights of the evaluation anew: solves games, samples positions with their exact values, fits.
#
#   engine/data/fit.sh [ENGINE] [DIRECTORY]
#
# ENGINE is the engine's binary (target/release/engine), DIRECTORY where tables and samples go (target/fit): 6 GB.
# What is there already is kept. First weights are fitted to positions of games; what searches by these evaluate is
# what the weights of the repository are fitted to. All of it depends on nothing but the games, counts and seeds here
# and on the search; the last line compares the weights with those in the repository.
set -eu
here=$(dirname "$0")
engine=${1:-"$here/../../target/release/engine"}
work=${2:-"$here/../../target/fit"}
boards=$here/boards.toml
mkdir -p "$work"

# samples NAME COUNT SEED DOGS FLAGS...: solves the game and samples it. With `$leaves` what searches evaluate.
leaves=
samples() {
    name=$1 count=$2 seed=$3 dogs=$4
    shift 4
    fitted="$fitted $work/$name.csv"
    [ -e "$work/$name.csv" ] && return
    "$engine" solve "$@" --dogs "${dogs##*.}" --out "$work" || [ $? = 1 ] # there already
    # shellcheck disable=SC2086 # flags, a word each
    "$engine" samples "$@" --dogs "$dogs" --tables "$work" --count "$count" --seed "$seed" $leaves >"$work/$name.part"
    mv "$work/$name.part" "$work/$name.csv"
}

# A board that is not fitted to.
fitted=
samples demala-23 100000 99 11..18 --variant demala-23
test=$work/demala-23.csv

# The games themselves, with as many dogs as make either side's moves matter.
fitted=
samples demala-19 1200000 1 9..16 --variant demala-19
samples demala 2000000 2 10..18 --variant demala
samples demala-fan 1200000 3 10..18 --variant demala-fan
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
# shellcheck disable=SC2086 # one file a word, here and below
[ -e "$work/first.bin" ] || "$engine" fit $fitted --test "$test" --epochs 8 --out "$work/first.bin"

# What searches evaluate, on these boards and on others: weights carry over the better, the more boards they know.
leaves="--leaves 4000 --weights $work/first.bin"
samples leaves-demala-19 6000000 102 9..16 --variant demala-19
samples leaves-demala 12000000 101 10..18 --variant demala
samples leaves-demala-fan 6000000 103 10..18 --variant demala-fan
samples leaves-one 100000 104 4..12 --variant demala-19 --leopards 1
samples leaves-two 200000 105 6..15 --variant demala-19 --leopards 2
samples leaves-two-21 200000 106 8..17 --variant demala --leopards 2
samples leaves-four 200000 107 8..15 --variant demala-19 --leopards 4
samples leaves-five 200000 108 8..14 --variant demala-19 --leopards 5
seed=110
for board in two-rays:10..18 one-side:9..17 undivided:8..14 five-rays:9..17 six-rays:9..16 four-rays:10..18 \
    wide:10..18 long:9..16 three-rays:9..15 one-ray:8..14 one-wing:9..16 three-long:9..16 no-base:9..16 grid:9..17 \
    outer-rays:8..14 two-apexes:8..15; do
    name=${board%:*} dogs=${board#*:}
    samples "leaves-$name" 1250000 "$seed" "$dogs" --board-file "$boards" --board "$name"
    seed=$((seed + 1))
done
"$engine" fit $fitted --board-file "$boards" --test "$test" --epochs 8 --out "$work/weights.bin"
cmp "$work/weights.bin" "$here/../src/search/eval/weights.bin" && echo "the weights are those of the repository"
