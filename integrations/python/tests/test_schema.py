"""schema.py against the document of the server, read by another program than the one that writes it."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
import yaml
from conftest import ROOT

from gbt_policy import schema
from gbt_policy.operations import Operation

DOCUMENT: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text())
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
CLASSES = {n: v for n, v in vars(schema).items() if isinstance(v, type) and v.__module__ == schema.__name__}
ANSWERS = {n: v for n, v in CLASSES.items() if dataclasses.is_dataclass(v)}
REQUESTS: dict[str, Any] = {n: v for n, v in CLASSES.items() if n not in ANSWERS}
ENUMS = {n: v for n, v in vars(schema).items() if get_origin(v) is Literal}
OPERATIONS = {v.name: v for v in vars(schema).values() if isinstance(v, Operation)}


def declared(name: str) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMAS.get(name) or SCHEMAS[name.removesuffix("Info")]
    return found


def test_there_is_something_to_compare() -> None:
    assert len(ANSWERS) > 20 and len(REQUESTS) > 12 and len(ENUMS) == 4 and len(OPERATIONS) > 10


@pytest.mark.parametrize("name", ANSWERS)
def test_answer_has_the_fields_of_the_document(name: str) -> None:
    fields = dataclasses.fields(ANSWERS[name])
    assert {f.name for f in fields} == set(declared(name)["properties"])
    assert {f.name for f in fields if f.default is dataclasses.MISSING} == set(declared(name).get("required", []))


@pytest.mark.parametrize("name", REQUESTS)
def test_request_has_the_fields_of_the_document(name: str) -> None:
    assert set(get_type_hints(REQUESTS[name])) == set(declared(name)["properties"])
    assert {n for n, h in get_type_hints(REQUESTS[name], include_extras=True).items() if "Required" in str(h)} == set(declared(name).get("required", []))


@pytest.mark.parametrize("name", ENUMS)
def test_enumeration_is_that_of_the_document(name: str) -> None:
    assert list(get_args(ENUMS[name])) == SCHEMAS[name]["enum"]


def test_types_are_those_of_the_document() -> None:
    python = {"string": str, "integer": int, "boolean": bool, "array": tuple}
    compared = 0
    for name, kind in ANSWERS.items():
        hints = get_type_hints(kind)
        for field, d in declared(name)["properties"].items():
            d = SCHEMAS[d["$ref"].rsplit("/", 1)[1]] if "$ref" in d else d
            if d["type"] == "object":
                continue
            hint = hints[field]
            args = [a for a in get_args(hint) if a is not type(None)]
            if get_origin(hint) not in (tuple, Literal) and args:
                hint = args[0]
            origin = get_origin(hint)
            assert (str if origin is Literal else origin or hint) is python[d["type"]], f"{name}.{field}"
            compared += 1
    assert compared > 80


def test_every_operation_of_the_document_is_there() -> None:
    plain = {"getOpenAPI", "health", "ready", "metrics"}  # text for other programs
    found = set(plain)
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method == "parameters" or operation["operationId"] in plain:
                continue
            op = OPERATIONS[operation["operationId"]]
            assert (op.method, op.path) == (method.upper(), path)
            assert str(op.status) in operation["responses"]
            found.add(op.name)
    assert found == set(OPERATIONS) | plain
