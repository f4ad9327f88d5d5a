#!/bin/sh
# Matches of each level against the one two below, into levels.csv beside this script.
#
#   results/levels/run.sh [ARENA]
#
# ARENA is the arena's binary (target/release/arena). Fourteen dogs are a draw, and the two numbers around them tell
# more of weak and of strong players: thirteen where the Leopards win much, fifteen where most else is drawn.
set -eu
here=$(dirname "$0")
arena=${1:-"$here/../../target/release/arena"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
columns=games,wins,draws,losses,score,elo,elo_low,elo_high

# row LEVEL OPPONENT DOGS GAMES: the row of table.csv for both sides, by the names of its columns.
row() {
    "$arena" match --dogs "$3" --quiet-limit 100 --games "$4" --seed 1 --no-times --concurrency 1 \
        --engine "name=a,level=$1" --engine "name=b,level=$2" --out "$work/$1-$3" >/dev/null
    awk -F, -v OFS=, -v row="$1,$2,$3" -v columns="$columns" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(columns, name, ",") }
        NR > 1 && $at["engine"] == "a" && $at["opponent"] == "b" && $at["side"] == "both" {
            for (i = 1; i <= n; i++) row = row OFS $at[name[i]]
            print row
        }' "$work/$1-$3/table.csv"
}

echo "level,opponent,dogs,$columns" >"$here/levels.csv"
for level in $(seq 1 20); do
    opponent=$((level > 1 ? level - 2 : 0))
    if [ "$level" -le 10 ]; then
        row "$level" "$opponent" 13 100
        row "$level" "$opponent" 14 100
    else
        games=$((level >= 17 ? 200 : 100))
        row "$level" "$opponent" 14 $games
        row "$level" "$opponent" 15 $games
    fi
done >>"$here/levels.csv"
