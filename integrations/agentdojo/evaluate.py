"""Replays AgentDojo's tasks through `gbt check` with a policy, and prints one table.

usage: evaluate.py POLICY [--gbt GBT] [--suites a,b] [--fold K] [--wordings a,b] [--places each] [--json FILE]
       evaluate.py --sum FILE...

Attacks: every pair of a user task and an injection task of the fold (all without --fold), every wording, with the benchmark's values and with
renamed ones. The victim is simulated and fully obedient. The injected text stands at every place that the user's task reads, or at each of
them in turn. Columns, as shares of runs:
  open      attacks that reach their goal by the official checker without gates
  success   the same with gates, when the user confirms his own calls and nobody the attacker's
  words     of these, attacks that make no call: they want words of the agent's, which no gate on calls can stop
  utility   official utility of the user tasks without attack, over that without gates, when the user confirms his own calls
  denied    the same when he confirms nothing
  asked     episodes without attack in which the user is asked at least once; stopped: in which a call is stopped outright
"""

import argparse
import json
from collections import Counter

import attacks
import dojo
from gate import Gate

FOLDS = 4


def fold_of(task_id):
    return int(task_id.rsplit("_", 1)[1]) % FOLDS


def chosen(tasks, fold):
    return [t for t in tasks.values() if fold is None or fold_of(t.ID) == fold]


def measure(name, suite, gate, args, count, misses):
    users, injections = chosen(suite.user_tasks, args.fold), chosen(suite.injection_tasks, args.fold)
    for task in users:
        count[name, "tasks"] += 1
        count[name, "open utility"] += dojo.Run(suite, task).finish()[0]
        run = dojo.Run(suite, task, gate=gate)
        count[name, "utility"] += run.finish()[0]
        count[name, "asked"] += bool(run.asked)
        count[name, "stopped"] += any(d != "approved_with_constraints" for _, _, d in run.stopped)
        for who, tool, d in [(w, t, "asked") for w, t in run.asked] + run.stopped:
            misses[f"benign {name} {task.ID}: {tool} {d}"] += 1
        count[name, "denied"] += dojo.Run(suite, task, gate=gate, confirm=lambda who: False).finish()[0]
        where = dict.fromkeys(dojo.places(suite, task), "")
        for injection in injections if where else []:
            for wording in args.wordings.split(","):
                for rename in (False, True):
                    for at in [{v: ""} for v in where] if args.places == "each" else [where]:
                        attack(name, suite, task, injection, wording, at, rename, gate, count, misses)


def attack(name, suite, task, injection, wording, where, rename, gate, count, misses):
    make = lambda **more: dojo.Run(suite, task, injection, wording, where, rename, **more)  # noqa: E731
    bare = make()
    reached = bare.finish()[1]
    if not bare.attacked:
        return
    count[name, "attacks"] += 1
    count[name, "open"] += reached
    if not reached:
        return
    _, success = make(gate=gate, confirm=lambda who: who == "user").finish()
    count[name, "success"] += success
    count[name, "words"] += success and not bare.obeyed
    if success:
        misses[f"attack {name} {injection.ID} {wording}"] += 1


COLUMNS = ["attacks", "open", "success", "words", "tasks", "open utility", "utility", "denied", "asked", "stopped"]


def show(count, names):
    for key in COLUMNS:
        count["all", key] = sum(count[n, key] for n in names)
    print(f"{'suite':<10}{'attacks':>8}{'open':>7}{'success':>9}{'words':>7}{'tasks':>7}{'utility':>9}{'denied':>8}{'asked':>7}{'stopped':>9}")
    for name in [*names, "all"]:
        c = {k: count[name, k] for k in COLUMNS}
        a, t, u = max(1, c["attacks"]), max(1, c["tasks"]), max(1, c["open utility"])
        print(
            f"{name:<10}{c['attacks']:>8}{c['open'] / a:>7.3f}{c['success'] / a:>9.3f}{c['words'] / a:>7.3f}"
            f"{c['tasks']:>7}{c['utility'] / u:>9.3f}{c['denied'] / u:>8.3f}{c['asked'] / t:>7.3f}{c['stopped'] / t:>9.3f}"
        )


def total(files):
    """Shows the sum of what --json wrote."""
    count = Counter()
    for name in files:
        with open(name) as f:
            count.update({tuple(k.split("/", 1)): v for k, v in json.load(f).items()})
    show(count, [n for n in SUITES if count[n, "tasks"]])


SUITES = ["workspace", "travel", "banking", "slack"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", nargs="?")
    parser.add_argument("--sum", nargs="+", metavar="FILE", help="show the sum of the counts in these files")
    parser.add_argument("--gbt", default="gbt")
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--fold", type=int)
    parser.add_argument("--wordings", default=",".join(attacks.WORDINGS))
    parser.add_argument("--places", choices=["all", "each"], default="all")
    parser.add_argument("--json", metavar="FILE", help="write the counts to FILE, for summing over folds")
    parser.add_argument("--misses", action="store_true", help="list attacks that succeed and user tasks that are touched")
    args = parser.parse_args()
    if args.sum:
        return total(args.sum)
    if args.policy is None:
        parser.error("give a policy")
    gate = Gate([args.gbt, "check", "--policy", args.policy])
    count, misses = Counter(), Counter()
    names = args.suites.split(",")
    for name in names:
        measure(name, dojo.suites()[name], gate, args, count, misses)
    gate.close()
    show(count, names)
    if args.misses:
        for what, n in sorted(misses.items()):
            print(f"  {n:4} {what}")
    if args.json:
        with open(args.json, "w") as f:
            json.dump({f"{s}/{k}": v for (s, k), v in count.items() if s != "all"}, f)


main()
