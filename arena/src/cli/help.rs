//! Worked examples. The prose is wrapped to the width of the terminal where it is shown.

pub(super) const EXAMPLES: &str = "\
Examples:
  The balance of the default game: dogs 9 to 18 at two strengths, in about two minutes
    arena balance

  Another game, and ranges of one's own
    arena balance --variant hat --dogs 5..9 --depth 2..6 --games 200

  Two settings of the built-in engine
    arena match --engine name=small,nodes=1000 --engine name=large,nodes=8000 --games 200

  Another program against the built-in engine, by the clock
    arena match --engine name=other,cmd=./other-engine --engine name=koti --tc 10+0.1

  Broken off? The same command again, with the directory, plays what is missing
    arena balance --games 500 --out results/long --resume

  On many machines: `arena help merge` has a Slurm script and a line for GNU parallel
    arena balance --games 500 --out results/part-1 --shard 1/8

Every engine is a program of its own that speaks UGI, the Universal Game Interface, on standard input and \
output; where no cmd is given it is the built-in one. All moves are checked here. Results go to games.csv, a \
row for each game as it ends, and to balance.csv or table.csv in the same directory.

`arena help balance`, `arena help match` and `arena help merge` explain all flags.";

pub(super) const BALANCE: &str = "\
Examples:
  Does strength matter? Four strengths, 500 games each, in a directory of one's own
    arena balance --dogs 11..15 --nodes 100,1000,10000,100000 --games 500 --out results/strengths

  Strong leopards against dogs of growing strength
    arena balance --dogs 15 --leopards-engine nodes=50000 --nodes 100,1000,10000

  Players of all strengths, as they are met among people: levels of the engine
    arena balance --dogs 11..17 --level 0,4,8,12,16,20

  More captures to win than the board suggests, and games that differ by noise instead of openings
    arena balance --dogs 13..18 --captures 12 --openings 0 --engine option.Noise=20

  Two boards, and how many captures should win
    arena balance --board rect21,rect23 --captures auto,5..8 --dogs 15 --nodes 1000

  Every opening of two plies once, and games ended where both engines think them lost
    arena balance --dogs 15 --nodes 1000 --all-openings 2 --games 100 --resign moves=3,score=1000

  Files that are the same again, whatever the number of workers
    arena balance --seed 7 --no-times --concurrency 1 --out results/again

balance.csv has a row for each number of dogs at each strength. A score counts a win 1 and a draw ½; its \
interval is Wilson's (1927) at 95 %. exact_value and exact_plies are empty where no table gives them \
(--tables).";

pub(super) const MATCH: &str = "\
Examples:
  Three engines, every two of them 100 games
    arena match --engine name=a,depth=2 --engine name=b,depth=4 --engine name=c,depth=6

  The first engine against each of the others, with the result as JSON
    arena match --gauntlet --json --engine name=new,nodes=900 --engine name=a,depth=2 --engine name=b,depth=4

  Engines from a file, all with the same time for a move
    arena match --engines engines.toml --movetime 50

An engine file:
    [[engine]]
    name = \"other\"
    cmd = \"./other-engine\"
    args = [\"--quiet\"]
    tc = \"10+0.1\"                # or nodes, depth, level, movetime (ms)
    [engine.option]
    Hash = 64

    [[engine]]                     # without cmd: the built-in engine
    nodes = 10000

An engine loses a game by an illegal move (illegal-move), by using more time than it has (timeout), by not \
answering although its limit is no time (stall), or by ending (crash); then it is started anew and the run \
goes on. table.csv has a row for each engine, opponent and side; \
elo and its interval are worked out from pairs of games with the same opening (the pentanomial model), as are \
normalized_elo, the score above ½ in standard deviations of a game, times 800/ln 10, and los, the likelihood of \
superiority. What has no bound, such as the Elo of an engine that won every game, is left empty.

Overhead, at the end of the tables and in the JSON, is what a move takes beside the thinking. For each engine: the \
time from sending go to reading bestmove, less the time that the engine itself reports last, over all moves that it \
reports one for; engines give whole milliseconds, so up to one of them is rounding. For the arena: the time from \
reading bestmove to sending the next go. Only games of this session are counted, not those that --resume found; with \
--no-times all of it is left out. An engine whose overhead comes near the --time-margin loses time on the way: play \
fewer games at a time, or longer moves.";

pub(super) const MERGE: &str = "\
A run that is too long for one machine is played in parts, each in a directory of its own. All parts are given \
the same flags; --shard i/n says which part it is, from 1/n to n/n. Games of a pair are in the same part. The \
games.csv of the parts, put together, is that of the whole run, byte for byte (with node or depth limits and \
--no-times).

Examples:
  By hand, on one machine
    arena balance --games 200 --no-times --shard 1/2 --out results/part-1
    arena balance --games 200 --no-times --shard 2/2 --out results/part-2
    arena merge results/part-1 results/part-2 --out results/whole

  Then the summary: the run's own command goes on with the whole, where no game is missing
    arena balance --games 200 --no-times --out results/whole --resume

  GNU parallel, 4 parts at a time, on this machine or, with --sshlogin, on others
    parallel -j4 arena balance --games 2000 --no-times --concurrency 1 --resume \\
        --shard {}/16 --out results/part-{} ::: $(seq 16)
    arena merge results/part-* --out results/whole

  A Slurm job array; --requeue and --resume go on where a part was broken off
    #!/bin/sh
    #SBATCH --job-name=koti
    #SBATCH --array=1-100
    #SBATCH --cpus-per-task=4
    #SBATCH --requeue
    arena balance --games 100000 --no-times --resume --concurrency \"$SLURM_CPUS_PER_TASK\" \\
        --shard \"$SLURM_ARRAY_TASK_ID/100\" --out \"results/part-$SLURM_ARRAY_TASK_ID\"

  A Kubernetes job with completionMode: Indexed and completions: 100
    arena balance --games 100000 --no-times --resume --shard auto/100 --out /data/part-$JOB_COMPLETION_INDEX

--shard auto reads SLURM_ARRAY_TASK_ID, _MIN, _STEP and _COUNT; auto/n reads JOB_COMPLETION_INDEX, which counts \
from 0, or SLURM_ARRAY_TASK_ID, which must count from 1.";

pub(super) const SPRT: &str = "\
Examples:
  Do twice as many nodes gain 20 Elo or more?
    arena sprt --engine name=new,nodes=2000 --engine name=old,nodes=1000 --elo0 0 --elo1 20

  Does a change do no harm?
    arena sprt --engine name=new,cmd=./new --engine name=old,cmd=./old --nodes 5000 --elo0 -10 --elo1 0

H0 says that the first engine is elo0 better than the second, H1 that it is elo1 better. After every pair of games \
the log-likelihood ratio (LLR) of H1 to H0 is worked out; the test ends when it leaves the bounds ln(β/(1−α)) and \
ln((1−β)/α) (Wald 1945; the generalized test on pairs of Van den Bergh 2020). With node or depth limits it ends \
after the same game whatever the number of workers.";

pub(super) const REPORT: &str = "\
Examples:
  A sweep, and its report beside it
    arena balance --dogs 9..18 --nodes 100,1000,10000 --out results/sweep
    arena report results/sweep

  Several runs in one report
    arena report results/first results/second --out results/both

  The pictures as PNG too, for a paper or a message
    arena report results/sweep --png

For each board: the dogs' score by the number of dogs with intervals, a line for each strength, over the exact values \
where a balance.csv beside the games has them (balance --tables); the same as a map; lengths of the games; dogs \
captured; reasons of ending. report.md shows the SVG files beside it, report.html holds them itself; --png draws each as a \
bitmap of twice the size too, with letters of its own, so that no font is needed.";

pub(super) const CHECK: &str = "\
Examples:
  The built-in engine
    arena check

  Another program, playing another game
    arena check ./other-engine --variant hat

Each point is ok, FAILED with what was expected, or missing, where it is an extension that no game needs. The exit \
code is 0 if no point failed.";
