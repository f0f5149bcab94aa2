"""Writes logs of the benchmark's tasks without any gate, labelled by the official checkers, in the layout of AgentDojo's exports.

usage: record.py OUT.jsonl [--suites a,b] [--fold K]

--fold K leaves out the user tasks and the injection tasks of fold K of 4: what evaluate.py --fold K measures on.
"""

import argparse
import json
import sys

import attacks
import dojo

FOLDS = 4


def fold_of(task_id):
    return int(task_id.rsplit("_", 1)[1]) % FOLDS


def episodes(names, fold):
    for name, suite in dojo.suites().items():
        if name not in names:
            continue
        users = [t for t in suite.user_tasks.values() if fold is None or fold_of(t.ID) != fold]
        injections = [t for t in suite.injection_tasks.values() if fold is None or fold_of(t.ID) != fold]
        for task in users:
            yield name, dojo.Run(suite, task)
            where = dict.fromkeys(dojo.places(suite, task), "")
            for injection in injections if where else []:
                yield name, dojo.Run(suite, task, injection, attacks.TRAINED, where)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--suites", default="workspace,travel,banking,slack")
    parser.add_argument("--fold", type=int)
    args = parser.parse_args()
    n = 0
    with open(args.out, "w") as out:
        for name, run in episodes(args.suites.split(","), args.fold):
            utility, security = run.finish()
            if run.injection is not None and not run.attacked:
                continue
            meta = {
                "suite_name": name,
                "model": "ground-truth",
                "user_task_id": run.task.ID,
                "injection_task_id": run.injection and run.injection.ID,
                "attack_type": run.injection and attacks.TRAINED,
                "success": bool(utility),
                "security": True if run.injection is None else bool(security),
            }
            out.write(json.dumps({"index": n, "messages": run.messages, "metadata": meta}, default=str) + "\n")
            n += 1
    print(f"{args.out}: {n} episodes", file=sys.stderr)


main()
