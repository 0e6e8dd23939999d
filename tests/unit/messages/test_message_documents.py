"""The published schemas say what the models take, neither more nor less; the AsyncAPI document is whole."""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator, ValidationError
from jsonschema.validators import extend
from message_cases import messages, objects, places
from pydantic import BaseModel
from pydantic import ValidationError as ModelError

from controller.commands.cli import main
from controller.journal.chain import GENESIS, Entry, verify
from controller.messages.documents import NAMES, asyncapi, message_schema
from controller.messages.examples import EXAMPLES
from controller.messages.models import MODELS, MOST_BYTES, ResendRequest, RoundClosed, write
from controller.messages.topics import Topic, parse
from tools.floor_documents import FOLDER, files

MODEL_OF: Mapping[str, type[BaseModel]] = {topic.value: MODELS[topic] for topic in Topic} | {
    "wanted": ResendRequest
}
PATTERNED = ["record", "hash", "previous", "at", "opened", "closed", "utc", "table", "game", "minimum", "effective"]
COMMON_KEYWORDS = set(
    "$ref additionalProperties anyOf const default description enum exclusiveMaximum items maxItems maxLength "
    "maximum minimum pattern properties propertyNames required title type".split()
)
"""Those that mean the same in draft 07 and in draft 2020-12."""
JSON = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(0.5), st.text(max_size=3), st.just([]), st.just({"a": 1})
)


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    """As JSON Schema has it (ECMA-262): ``$`` is the end of the text, also of one that ends in a new line."""
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


Strict = extend(Draft202012Validator, {"pattern": _pattern})
VALIDATORS = {name: Strict(message_schema(name)) for name in NAMES}


def taken_by_model(name: str, message: Any) -> bool:
    try:
        MODEL_OF[name].model_validate_json(json.dumps(message))
    except ModelError:
        return False
    return True


def taken_by_schema(name: str, message: Any) -> bool:
    return bool(VALIDATORS[name].is_valid(message))


def refused_by_both(name: str, message: Any) -> bool:
    return not taken_by_model(name, message) and not taken_by_schema(name, message)


phases = (Phase.explicit, Phase.reuse, Phase.generate)  # To shrink a whole round takes minutes, and shows little.
some = settings(max_examples=60, deadline=None, phases=phases, suppress_health_check=list(HealthCheck))


# -- the schemas ---------------------------------------------------------------------------------------------------


def test_what_is_published_is_current() -> None:
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


@pytest.mark.parametrize("name", NAMES)
def test_what_a_model_takes_its_schema_takes(name: str) -> None:
    @some
    @given(messages(MODEL_OF[name]))
    def agree(message: dict[str, Any]) -> None:
        assert taken_by_model(name, message)
        assert not list(VALIDATORS[name].iter_errors(message))
        written = write(MODEL_OF[name].model_validate_json(json.dumps(message)))  # type: ignore[arg-type]
        assert taken_by_schema(name, json.loads(written))

    agree()


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_put_in_its_place_schema_and_model_say_the_same(name: str) -> None:
    @some
    @given(messages(MODEL_OF[name]), st.data())
    def agree(message: dict[str, Any], data: st.DataObject) -> None:
        holder, key = data.draw(st.sampled_from(list(places(message))))
        holder[key] = data.draw(JSON)
        assert taken_by_model(name, message) == taken_by_schema(name, message), message

    agree()


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_field_an_unknown_one_and_a_wrong_type_are_refused_by_both(name: str) -> None:
    @some
    @given(messages(MODEL_OF[name]), st.data())
    def refuse(message: dict[str, Any], data: st.DataObject) -> None:
        count = len(list(objects(message, MODEL_OF[name])))
        at = data.draw(st.integers(0, count - 1))
        for spoil in (_without, _with_more, _with_wrong_type):
            spoilt = copy.deepcopy(message)
            part, model = list(objects(spoilt, MODEL_OF[name]))[at]
            spoil(part, model, data)
            assert refused_by_both(name, spoilt), spoilt

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
@pytest.mark.parametrize("spoil", [lambda text: text + "\n", lambda text: " " + text, lambda text: text + "é"])
def test_a_broken_pattern_is_refused_by_both(name: str, spoil: Any) -> None:
    broken = 0
    for example in EXAMPLES[MODEL_OF[name]]:
        for number, (_, key) in enumerate(places(example.model_dump(mode="json"))):
            message = example.model_dump(mode="json")
            holder, key = list(places(message))[number]
            if key in PATTERNED and not (key == "utc" and isinstance(holder, dict) and "body" in holder):
                holder[key] = spoil(holder[key])
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
def test_what_is_out_of_range_is_refused_by_both(name: str, field: str, value: object) -> None:
    for example in EXAMPLES[MODEL_OF[name]]:
        assert refused_by_both(name, {**example.model_dump(mode="json"), field: value})


# -- the AsyncAPI document -----------------------------------------------------------------------------------------

OBJECTS: Mapping[str, tuple[str, str]] = {
    "root": ("asyncapi info", "id servers defaultContentType channels operations components"),
    "info": ("title version", "description termsOfService contact license tags externalDocs"),
    "license": ("name", "url"),
    "server": (
        "host protocol",
        "protocolVersion pathname description title summary variables security tags externalDocs bindings",
    ),
    "channel": ("", "address messages title summary description servers parameters tags externalDocs bindings"),
    "operation": (
        "action channel",
        "title summary description security tags externalDocs bindings traits messages reply",
    ),
    "message": (
        "",
        "headers payload correlationId contentType name title summary description tags externalDocs bindings "
        "examples traits",
    ),
    "example": ("", "headers payload name summary"),
    "parameter": ("", "enum default description examples location"),
    "X509": ("type", "description"),
    "components": ("", "schemas servers channels operations messages securitySchemes parameters"),
    "mqtt server": (
        "",
        "clientId cleanSession lastWill keepAlive sessionExpiryInterval maximumPacketSize bindingVersion",
    ),
    "will": ("", "topic qos message retain"),
    "mqtt operation": ("", "qos retain messageExpiryInterval bindingVersion"),
}
"""The fields that each object must and may have: AsyncAPI 3.0.0, and its MQTT bindings 0.2.0."""


def whole(kind: str, value: Mapping[str, Any]) -> None:
    required, further = (set(words.split()) for words in OBJECTS[kind])
    assert required <= value.keys() <= required | further, kind


def resolve(document: Any, reference: str) -> Any:
    assert reference.startswith("#/")
    for part in reference[2:].split("/"):
        document = document[part.replace("~1", "/").replace("~0", "~")]
    return document


@pytest.fixture(scope="module")
def document() -> Any:
    """As it is published."""
    return yaml.safe_load((FOLDER / "asyncapi.yaml").read_text(encoding="utf-8"))


def test_the_document_has_the_fields_that_the_format_knows_and_no_others(document: Any) -> None:
    assert document["asyncapi"] == "3.0.0"
    whole("root", document)
    whole("info", document["info"])
    whole("license", document["info"]["license"])
    whole("components", document["components"])
    for server in document["servers"].values():
        whole("server", server)
        whole("mqtt server", server["bindings"]["mqtt"])
        whole("will", server["bindings"]["mqtt"]["lastWill"])
    for kind, several in {
        "channel": document["channels"],
        "operation": document["operations"],
        "message": document["components"]["messages"],
        "parameter": document["components"]["parameters"],
        "X509": document["components"]["securitySchemes"],
    }.items():
        assert several
        for value in several.values():
            whole(kind, value)
    for operation in document["operations"].values():
        assert operation["action"] in {"send", "receive"}
        whole("mqtt operation", operation["bindings"]["mqtt"])
        assert operation["bindings"]["mqtt"]["qos"] in {0, 1, 2}
    assert document["components"]["securitySchemes"]["certificate"]["type"] == "X509"
    names = [*document["servers"], *document["channels"], *document["operations"]]
    names += [name for each in document["components"].values() for name in each]
    assert all(re.fullmatch(r"[\w.-]+", name, re.ASCII) for name in names)


def test_every_reference_leads_to_where_it_may(document: Any) -> None:
    found = [holder[key] for holder, key in places(document) if key == "$ref"]
    assert len(found) > 30
    for reference in found:
        resolve(document, reference)
    for channel in document["channels"].values():
        assert all(server["$ref"].startswith("#/servers/") for server in channel["servers"])
    for operation in document["operations"].values():
        channel = operation["channel"]["$ref"]
        assert channel.startswith("#/channels/")
        # Messages of an operation are named by way of its channel, as the format demands.
        assert all(message["$ref"].startswith(f"{channel}/messages/") for message in operation["messages"])


def test_every_topic_is_a_channel_whose_address_names_its_parameters(document: Any) -> None:
    for name, channel in document["channels"].items():
        assert set(re.findall(r"\{(\w+)\}", channel["address"])) == set(channel["parameters"]) == {"table"}
        address = channel["address"].format(table="big-six-1")
        if name == "wanted":
            assert address == "floor/big-six-1/wanted"
        else:
            assert parse(address) == ("big-six-1", Topic(name))
    assert set(document["channels"]) == set(NAMES)
    assert {o["channel"]["$ref"].rpartition("/")[2] for o in document["operations"].values()} == set(NAMES)


def test_a_table_sends_its_own_topics_and_receives_what_the_floor_wants(document: Any) -> None:
    for name, operation in document["operations"].items():
        topic = name.partition("-")[2]
        assert operation["action"] == ("receive" if topic == "wanted" else "send")
        assert operation["bindings"]["mqtt"]["retain"] == (topic in {"online", "state", "health"})
        assert operation["bindings"]["mqtt"]["qos"] == 1


def test_the_examples_in_the_document_fit_its_own_schemas_by_either_draft(document: Any) -> None:
    for message in document["components"]["messages"].values():
        assert message["contentType"] == "application/json"
        schema = {**message["payload"], "components": document["components"]}
        assert message["examples"]
        for example in message["examples"]:
            whole("example", example)
            Draft7Validator(schema).validate(example["payload"])
            Draft202012Validator(schema).validate(example["payload"])
    will = document["servers"]["floor"]["bindings"]["mqtt"]["lastWill"]
    assert parse(will["topic"])[1] is Topic.ONLINE
    assert not MODELS[Topic.ONLINE].model_validate_json(will["message"]).online  # type: ignore[attr-defined]


def test_the_schemas_in_the_document_mean_the_same_in_either_draft(document: Any) -> None:
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft7Validator.check_schema(schema)
        Draft202012Validator.check_schema(schema)
        assert set(_keywords(schema)) <= COMMON_KEYWORDS
    # Draft 07 does not look at what stands beside a reference.
    assert all(
        set(holder) <= {"$ref", "description", "default"} for holder, key in places(schemas) if key == "$ref"
    )


def _keywords(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from schema
    below = [schema[key] for key in ("items", "propertyNames", "additionalProperties") if key in schema]
    below += [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for each in below:
        if isinstance(each, dict):
            yield from _keywords(each)


@pytest.mark.parametrize("name", NAMES)
def test_the_schemas_in_the_document_take_what_the_published_ones_take(name: str, document: Any) -> None:
    payload = document["components"]["messages"][name]["payload"]
    there = Strict({**payload, "components": document["components"]})

    @some
    @given(messages(MODEL_OF[name]), st.data())
    def agree(message: dict[str, Any], data: st.DataObject) -> None:
        holder, key = data.draw(st.sampled_from(list(places(message))))
        if data.draw(st.booleans()):
            holder[key] = data.draw(JSON)
        assert there.is_valid(message) == taken_by_schema(name, message)

    agree()


# -- the command ---------------------------------------------------------------------------------------------------


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["schema", *words]) == 0
    return capsys.readouterr().out


def test_the_command_prints_each_document(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        assert said(capsys, name) == (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    assert json.loads(said(capsys, "--messages")) == {name: message_schema(name) for name in NAMES}
    assert yaml.safe_load(said(capsys, "--asyncapi")) == asyncapi()
    assert json.loads(said(capsys))["title"] == "Table"


def test_the_schema_of_a_floors_file_takes_one_and_names_what_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    floor = Draft202012Validator(json.loads(said(capsys, "--floor")))
    broker = {"host": "broker.casino", "ca": "ca.pem", "certificate": "floor.pem", "key": "floor.key"}
    assert floor.is_valid({"floor": "main", "broker": broker, "fairness": {"odds": 100_000}})
    errors = list(floor.iter_errors({"floor": "main", "broker": {**broker, "port": 0}, "odds": 3}))
    assert {error.validator for error in errors} == {"minimum", "additionalProperties"}
    assert [error.validator for error in floor.iter_errors({"floor": "main"})] == ["required"]


@pytest.mark.parametrize("words", [["rounds"], ["round", "--floor"], ["--floor", "--messages"]])
def test_what_there_is_no_schema_of_is_a_wrong_use(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["schema", *words])
    assert ended.value.code == 2
    assert "usage: table-controller schema" in capsys.readouterr().err
