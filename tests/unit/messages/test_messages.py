"""Messages: what their models take, and what they refuse."""

import copy
import json
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from message_cases import JSON, messages, objects, places
from message_examples import EXAMPLES
from pydantic import BaseModel, ValidationError

from controller.messages.models import (
    MOST_BYTES,
    AlertMessage,
    HealthMessage,
    MessagePart,
    RoundClosed,
    write,
)

Model: TypeAlias = type[MessagePart]

PATTERNED = [
    "digest",
    "nonce",
    "record",
    "hash",
    "previous",
    "at",
    "opened",
    "closed",
    "utc",
    "table",
    "game",
    "minimum",
    "effective",
]
phases = (Phase.explicit, Phase.reuse, Phase.generate)  # To shrink a whole round takes minutes, and shows little.
some = settings(max_examples=60, deadline=None, phases=phases, suppress_health_check=list(HealthCheck))


def taken(model: Model, message: Any) -> bool:
    try:
        model.model_validate_json(json.dumps(message))
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("model", EXAMPLES)
def test_what_is_written_is_read_back(model: Model) -> None:
    for example in EXAMPLES[model]:
        sent = write(example)
        assert len(sent) <= MOST_BYTES
        assert model.model_validate_json(sent) == example


@pytest.mark.hypothesis
@pytest.mark.parametrize("model", EXAMPLES)
def test_a_missing_field_an_unknown_one_and_a_wrong_type_are_refused(model: Model) -> None:
    @some
    @given(messages(model), st.data())
    def refuse(message: dict[str, Any], data: st.DataObject) -> None:
        count = len(list(objects(message, model)))
        at = data.draw(st.integers(0, count - 1))
        for damage in (_without, _with_more, _with_wrong_type):
            damaged = copy.deepcopy(message)
            part, of = list(objects(damaged, model))[at]
            damage(part, of, data)
            assert not taken(model, damaged), damaged

    refuse()


def _without(part: dict[str, Any], model: type[BaseModel], data: st.DataObject) -> None:
    required = [name for name, field in model.model_fields.items() if field.is_required()]
    del part[data.draw(st.sampled_from(required))]


def _with_more(part: dict[str, Any], model: type[BaseModel], data: st.DataObject) -> None:
    known = set(model.model_fields)
    part[data.draw(st.text(max_size=8).filter(lambda name: name not in known))] = data.draw(JSON)


def _with_wrong_type(part: dict[str, Any], model: type[BaseModel], data: st.DataObject) -> None:
    """No field is a number with a fraction, and no list of them."""
    part[data.draw(st.sampled_from(sorted(model.model_fields)))] = data.draw(st.sampled_from([0.5, [0.5]]))


@pytest.mark.parametrize("model", EXAMPLES)
@pytest.mark.parametrize("damage", [lambda text: text + "\n", lambda text: " " + text, lambda text: text + "é"])
def test_a_broken_pattern_is_refused(model: Model, damage: Any) -> None:
    broken = 0
    for example in EXAMPLES[model]:
        for number, (_, key) in enumerate(places(example.model_dump(mode="json"))):
            message = example.model_dump(mode="json")
            holder, key = list(places(message))[number]
            if key in PATTERNED and not (key == "utc" and isinstance(holder, dict) and "body" in holder):
                holder[key] = damage(holder[key])
                assert not taken(model, message), (key, message)
                broken += 1
    assert broken


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        (RoundClosed, "seq", 0),
        (RoundClosed, "seq", 1 << 53),
        (RoundClosed, "version", 2),
        (RoundClosed, "version", True),
        (RoundClosed, "corrections", 1 << 31),
        (RoundClosed, "phases", {"result": 1 << 53}),
        (RoundClosed, "results", ["x"] * 1001),
        (RoundClosed, "wheel", "x" * 81),
        (AlertMessage, "text", "x" * 1001),
        (HealthMessage, "devices", [{"device": "d", "state": "ok"}] * 101),
    ],
)
def test_a_value_out_of_range_is_refused(model: Model, field: str, value: object) -> None:
    for example in EXAMPLES[model]:
        assert not taken(model, {**example.model_dump(mode="json"), field: value})
