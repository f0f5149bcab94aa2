"""Reads what gbt export wrote with libraries that know nothing of gbt, and compares what they see with the policy and the runs.

Arguments: a folder with policy.dot, policy.btcpp, policy.json, policy.schema, runs.xes and runs.ocel.
"""

import json
import pathlib
import sys

import jsonschema
import pm4py
import pydot
from lxml import etree


def main(folder):
    folder = pathlib.Path(folder)
    policy = json.loads((folder / "policy.json").read_text())
    schema = json.loads((folder / "policy.schema").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(policy, schema)
    nodes = sum(len(f["nodes"]) for f in policy["families"])

    (graph,) = pydot.graph_from_dot_file(str(folder / "policy.dot"))
    drawn = sum(len([n for n in s.get_nodes() if n.get_name().startswith("n")]) for s in graph.get_subgraphs())
    edges = sum(len(s.get_edges()) for s in graph.get_subgraphs())
    assert (drawn, edges) == (nodes, nodes - len(policy["families"])), (drawn, edges, nodes)

    tree = etree.parse(str(folder / "policy.btcpp"))
    steps = tree.findall(".//Action[@ID='Step']")
    trees = {t.get("ID") for t in tree.findall("BehaviorTree")}
    assert len([s for s in steps if s.get("state")]) == nodes - len(policy["families"])
    assert all(t.get("ID") in trees for t in tree.findall(".//SubTree")) and tree.getroot().get("main_tree_to_execute") in trees
    states = {s["id"] for f in policy["families"] for s in f["states"]}
    assert all(s.get("state") in states for s in steps if s.get("state"))

    log = pm4py.read_xes(str(folder / "runs.xes"))
    ocel = pm4py.read_ocel2_json(str(folder / "runs.ocel"))
    runs = log["case:concept:name"].nunique()
    kinds = log["concept:name"].nunique()
    assert len(ocel.events) == len(log) > 0 and ocel.events["ocel:activity"].nunique() == kinds, (len(ocel.events), len(log))
    assert (ocel.objects["ocel:type"] == "run").sum() == runs
    assert len(pm4py.discover_dfg(log)[0]) > 0
    print(f"export: {nodes} nodes in DOT, BehaviorTree.CPP and JSON with its schema; {len(log)} events of {runs} runs and {kinds} kinds in XES and OCEL")


main(*sys.argv[1:])
