"""JSON into the dataclasses of the schema.

A missing or wrong field is an error, because a client that fills gaps might
turn a broken answer into a permission. Fields that it does not know it ignores,
as the document asks.
"""

from __future__ import annotations

import dataclasses
import types
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .errors import ProtocolError

T = TypeVar("T")


def decode(kind: type[T], data: object, where: str = "answer") -> T:
    """Makes a `kind` of decoded JSON, or raises ProtocolError naming the field."""
    if not isinstance(data, dict):
        raise ProtocolError(f"{where}: an object was expected")
    hints = _hints(cast(Any, kind))
    values: dict[str, Any] = {}
    for f in dataclasses.fields(cast(Any, kind)):
        if f.name in data:
            values[f.name] = _value(hints[f.name], data[f.name], f"{where}.{f.name}")
        elif f.default is dataclasses.MISSING:
            raise ProtocolError(f"{where}.{f.name}: missing")
    try:
        return kind(**values)
    except ValueError as e:
        raise ProtocolError(f"{where}: {e}") from None


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(kind: Any, data: object, where: str) -> Any:
    origin = get_origin(kind)
    if origin is Literal:
        if data not in get_args(kind) or not isinstance(data, str):
            raise ProtocolError(f"{where}: {data!r} is not one of {', '.join(get_args(kind))}")
        return data
    if origin is tuple:
        if not isinstance(data, list):
            raise ProtocolError(f"{where}: a list was expected")
        return tuple(_value(get_args(kind)[0], v, f"{where}[{i}]") for i, v in enumerate(data))
    if origin in (Union, types.UnionType):
        (inner,) = (a for a in get_args(kind) if a is not type(None))
        return _value(inner, data, where)
    if dataclasses.is_dataclass(kind):
        return decode(cast(type[Any], kind), data, where)
    if type(data) is not kind:  # bool is no int here
        raise ProtocolError(f"{where}: {kind.__name__} was expected")
    return data
