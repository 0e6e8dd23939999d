"""Messages made from the models' own fields, and messages with one defect."""

import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, Lt, MaxLen
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

MOST_OF_A_LIST = 3
TEXT = st.characters(codec="utf-8")
JSON = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(0.5), st.text(max_size=3), st.just([]), st.just({"a": 1})
)


def messages(model: type[BaseModel]) -> st.SearchStrategy[dict[str, Any]]:
    """A message of a model, as JSON has it; what need not be there is sometimes left out."""
    required = {n: _field(f) for n, f in model.model_fields.items() if f.is_required()}
    optional = {n: _field(f) for n, f in model.model_fields.items() if not f.is_required()}
    return st.fixed_dictionaries(required, optional=optional)


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    return _values(field.annotation, field.metadata)


def _values(kind: Any, limits: list[Any]) -> st.SearchStrategy[Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if hasattr(kind, "__metadata__"):
        return _values(kind.__origin__, [*limits, *_limits(kind.__metadata__)])
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, types.UnionType):
        return st.one_of(*(_values(part, []) for part in inner))
    if origin is list:
        return st.lists(_values(inner[0], []), max_size=MOST_OF_A_LIST)
    if origin is dict:
        return st.dictionaries(_values(inner[0], []), _values(inner[1], []), max_size=MOST_OF_A_LIST)
    if kind is str:
        return _texts(limits)
    if kind is int:
        return _numbers(limits)
    if kind is bool:
        return st.booleans()
    return st.none() if kind is type(None) else messages(kind)


def _limits(metadata: tuple[Any, ...]) -> Iterator[Any]:
    for found in metadata:
        yield from found.metadata if isinstance(found, FieldInfo) else [found]


def _texts(limits: list[Any]) -> st.SearchStrategy[str]:
    for limit in limits:
        if pattern := getattr(limit, "pattern", None):
            return st.from_regex(pattern.replace("$", r"\Z"))
    most = min((limit.max_length for limit in limits if isinstance(limit, MaxLen)), default=40)
    return st.one_of(st.text(TEXT, max_size=min(most, 20)), st.just("x" * most))


def _numbers(limits: list[Any]) -> st.SearchStrategy[int]:
    least = max((limit.ge for limit in limits if isinstance(limit, Ge)), default=None)
    below = [limit.lt - 1 for limit in limits if isinstance(limit, Lt)]
    return st.integers(least, min([*below, *(limit.le for limit in limits if isinstance(limit, Le))], default=None))


# -- places for a defect -------------------------------------------------------------------------------------------


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that holds something, and the key or index of what it holds."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def objects(value: Any, model: type[BaseModel]) -> Iterator[tuple[dict[str, Any], type[BaseModel]]]:
    """Every object of a message that is one of a model."""
    yield value, model
    for name, field in model.model_fields.items():
        for part in _models(field.annotation):
            held = value.get(name)
            for each in held if isinstance(held, list) else [held] if isinstance(held, dict) else []:
                yield from objects(each, part)


def _models(kind: Any) -> Iterator[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        yield from _models(part)
