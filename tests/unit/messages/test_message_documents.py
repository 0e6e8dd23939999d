"""The published schemas say what the models take, neither more nor less; the AsyncAPI document is whole."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend
from message_cases import messages, objects, places
from message_schemas import JSON, MODEL_OF, _pattern, some, taken_by_schema
from pydantic import BaseModel
from pydantic import ValidationError as ModelError

from controller.journal.chain import GENESIS, Entry, verify
from controller.messages.documents import NAMES, message_schema
from controller.messages.examples import EXAMPLES
from controller.messages.models import MOST_BYTES, RoundClosed, write
from tools.floor_documents import FOLDER, files

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


Strict = extend(Draft202012Validator, {"pattern": _pattern})
VALIDATORS = {name: Strict(message_schema(name)) for name in NAMES}


def taken_by_model(name: str, message: Any) -> bool:
    try:
        MODEL_OF[name].model_validate_json(json.dumps(message))
    except ModelError:
        return False
    return True


def refused_by_both(name: str, message: Any) -> bool:
    return not taken_by_model(name, message) and not taken_by_schema(name, message)


def test_the_published_documents_are_current() -> None:
    published = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert published == files(), "run: make docs"


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_one_of_draft_2020_12(name: str) -> None:
    schema = message_schema(name)
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_messages(name: str) -> None:
    for example in EXAMPLES[MODEL_OF[name]]:
        sent = write(example)
        assert len(sent) <= MOST_BYTES
        assert taken_by_schema(name, json.loads(sent))
        assert taken_by_model(name, json.loads(sent))


def test_the_entries_of_an_example_hash_to_what_it_says() -> None:
    whole = [example for example in EXAMPLES[RoundClosed] if example.entries]
    assert whole
    for example in whole:
        verdict = verify((Entry(**entry.model_dump()) for entry in example.entries), example.first - 1, GENESIS)
        assert (verdict.problem, verdict.entries, verdict.head) == ("", example.seq, example.hash)


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_a_message_valid_for_its_model_is_valid_for_its_schema(name: str) -> None:
    @some
    @given(messages(MODEL_OF[name]))
    def agree(message: dict[str, Any]) -> None:
        assert taken_by_model(name, message)
        assert not list(VALIDATORS[name].iter_errors(message))
        written = write(MODEL_OF[name].model_validate_json(json.dumps(message)))  # type: ignore[arg-type]
        assert taken_by_schema(name, json.loads(written))

    agree()


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_schema_and_model_agree_on_any_replaced_value(name: str) -> None:
    @some
    @given(messages(MODEL_OF[name]), st.data())
    def agree(message: dict[str, Any], data: st.DataObject) -> None:
        holder, key = data.draw(st.sampled_from(list(places(message))))
        holder[key] = data.draw(JSON)
        assert taken_by_model(name, message) == taken_by_schema(name, message), message

    agree()


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_field_an_unknown_one_and_a_wrong_type_are_refused_by_both(name: str) -> None:
    @some
    @given(messages(MODEL_OF[name]), st.data())
    def refuse(message: dict[str, Any], data: st.DataObject) -> None:
        count = len(list(objects(message, MODEL_OF[name])))
        at = data.draw(st.integers(0, count - 1))
        for damage in (_without, _with_more, _with_wrong_type):
            damaged = copy.deepcopy(message)
            part, model = list(objects(damaged, MODEL_OF[name]))[at]
            damage(part, model, data)
            assert refused_by_both(name, damaged), damaged

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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", [lambda text: text + "\n", lambda text: " " + text, lambda text: text + "é"])
def test_a_broken_pattern_is_refused_by_both(name: str, damage: Any) -> None:
    broken = 0
    for example in EXAMPLES[MODEL_OF[name]]:
        for number, (_, key) in enumerate(places(example.model_dump(mode="json"))):
            message = example.model_dump(mode="json")
            holder, key = list(places(message))[number]
            if key in PATTERNED and not (key == "utc" and isinstance(holder, dict) and "body" in holder):
                holder[key] = damage(holder[key])
                assert refused_by_both(name, message), (key, message)
                broken += 1
    assert broken


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("round", "seq", 0),
        ("round", "seq", 1 << 53),
        ("round", "number", -1),
        ("round", "version", 2),
        ("round", "version", True),
        ("round", "corrections", 1 << 31),
        ("round", "phases", {"result": 1 << 53}),
        ("round", "corrections", -1),
        ("round", "phases", {"result": -1}),
        ("round", "phases", {"x" * 81: 1}),
        ("round", "results", ["x"] * 1001),
        ("round", "wheel", "x" * 81),
        ("alert", "part", 1001),
        ("alert", "text", "x" * 1001),
        ("health", "devices", [{"device": "d", "state": "ok"}] * 101),
        ("wanted", "after", -1),
    ],
)
def test_a_value_out_of_range_is_refused_by_both(name: str, field: str, value: object) -> None:
    for example in EXAMPLES[MODEL_OF[name]]:
        assert refused_by_both(name, {**example.model_dump(mode="json"), field: value})
