"""The classes of schema.py against the document of the server."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
import yaml
from conftest import ROOT

from gbt_policy import operations, schema

DOCUMENT: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text())
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]

ANSWERS: dict[str, Any] = {
    "Task": schema.Task,
    "CompletionCheck": schema.Check,
    "Limits": schema.TaskLimits,
    "Usage": schema.Usage,
    "Stats": schema.Stats,
    "Status": schema.Status,
    "Session": schema.SessionInfo,
    "TraceEntry": schema.TraceEntry,
    "Move": schema.Move,
    "Macro": schema.Macro,
    "Brief": schema.Brief,
    "Step": schema.Step,
    "Decision": schema.Decision,
    "Reason": schema.Reason,
    "Effect": schema.Effect,
    "Confirmed": schema.Confirmed,
    "Observed": schema.Observed,
    "Outcome": schema.Outcome,
    "Finding": schema.Finding,
    "Policy": schema.Policy,
}
REQUESTS: dict[str, Any] = {
    "TaskRequest": schema.TaskRequest,
    "CompletionCheck": schema.CompletionCheck,
    "Limits": schema.Limits,
    "Env": schema.Env,
    "UsageReport": schema.UsageReport,
    "Call": schema.Call,
    "ProposeRequest": schema.Proposal,
    "Result": schema.Result,
}
ENUMS: dict[str, Any] = {
    "Disposition": schema.Disposition,
    "Verdict": schema.Verdict,
    "DeltaKind": schema.DeltaKind,
    "Tier": schema.Tier,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answer_has_the_fields_of_the_document(name: str) -> None:
    fields = dataclasses.fields(ANSWERS[name])
    assert {f.name for f in fields} == set(SCHEMAS[name]["properties"])
    required = {f.name for f in fields if f.default is dataclasses.MISSING}
    assert required == set(SCHEMAS[name].get("required", []))


@pytest.mark.parametrize("name", REQUESTS)
def test_request_has_the_fields_of_the_document(name: str) -> None:
    assert set(get_type_hints(REQUESTS[name])) == set(SCHEMAS[name]["properties"])
    assert REQUESTS[name].__required_keys__ == set(SCHEMAS[name].get("required", []))


@pytest.mark.parametrize("name", ENUMS)
def test_enumeration_is_that_of_the_document(name: str) -> None:
    assert list(get_args(ENUMS[name])) == SCHEMAS[name]["enum"]


def test_types_are_those_of_the_document() -> None:
    python = {"string": str, "integer": int, "boolean": bool, "array": tuple}
    compared = 0
    for name, kind in ANSWERS.items():
        hints = get_type_hints(kind)
        for field, declared in SCHEMAS[name]["properties"].items():
            declared = SCHEMAS[declared["$ref"].rsplit("/", 1)[1]] if "$ref" in declared else declared
            if declared["type"] == "object":
                continue
            hint = hints[field]
            args = [a for a in get_args(hint) if a is not type(None)]
            if get_origin(hint) not in (tuple, Literal) and args:
                hint = args[0]
            origin = get_origin(hint)
            assert (str if origin is Literal else origin or hint) is python[declared["type"]], f"{name}.{field}"
            compared += 1
    assert compared > 80


def test_every_operation_of_the_document_is_there() -> None:
    plain = {"getOpenAPI", "health", "ready", "metrics"}  # text for other programs
    ours = {
        "startSession": operations.start({"text": "t"}, None),
        "getSession": operations.get("s"),
        "deleteSession": operations.delete("s"),
        "propose": operations.propose("s", {"text": "t"}),
        "check": operations.check("s", {"tool": "t"}),
        "confirm": operations.confirm("s", "c", True),
        "observe": operations.observe("s", {"tool": "t"}, {}),
        "report": operations.report("s", "c", True),
        "finish": operations.finish("s"),
        "checkCall": operations.check_call({"tool": "t"}, None, None),
        "getPolicy": operations.policy(),
    }
    found = set()
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method == "parameters" or operation["operationId"] in plain:
                continue
            op: Any = ours[operation["operationId"]]
            assert (op.method, op.path) == (method.upper(), path.replace("{session}", "s"))
            assert str(op.status) in operation["responses"]
            found.add(operation["operationId"])
    assert found == set(ours)
