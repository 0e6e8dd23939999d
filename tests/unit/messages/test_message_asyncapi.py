"""The AsyncAPI document and the command that prints the documents."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.validators import extend
from message_cases import messages, places
from message_schemas import JSON, MODEL_OF, _pattern, some, taken_by_schema, whole

from controller.commands.cli import main
from controller.messages.documents import NAMES, asyncapi, message_schema
from controller.messages.reading import MODELS
from controller.messages.topics import Topic, parse
from tools.floor_documents import FOLDER

COMMON_KEYWORDS = set(
    "$ref additionalProperties anyOf const default description enum exclusiveMaximum items maxItems maxLength "
    "maximum minimum pattern properties propertyNames required title type".split()
)
"""Those that mean the same in draft 07 and in draft 2020-12."""


Strict = extend(Draft202012Validator, {"pattern": _pattern})
VALIDATORS = {name: Strict(message_schema(name)) for name in NAMES}


# -- the AsyncAPI document -----------------------------------------------------------------------------------------


FROM_FLOOR = ("wanted", "challenge", "update", "chunk")
"""What the floor sends to a table."""


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


def test_every_reference_leads_to_a_permitted_target(document: Any) -> None:
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
        assert set(re.findall(r"\{(\w+)\}", channel["address"])) == set(channel["parameters"])
        assert set(channel["parameters"]) == {"house" if name == "house" else "table"}
        address = channel["address"].format(table="big-six-1", house="north")
        if name in FROM_FLOOR:
            assert address == f"floor/big-six-1/{name}"
        else:
            assert parse(address) == ("north/" if name == "house" else "big-six-1", Topic(name))
    assert set(document["channels"]) == set(NAMES)
    assert {o["channel"]["$ref"].rpartition("/")[2] for o in document["operations"].values()} == set(NAMES)


def test_a_table_sends_its_own_topics_and_receives_what_the_floor_asks(document: Any) -> None:
    for name, operation in document["operations"].items():
        topic = name.partition("-")[2]
        assert operation["action"] == ("receive" if topic in FROM_FLOOR else "send")
        assert operation["bindings"]["mqtt"]["retain"] == (
            topic in {"online", "state", "health", "version", "house", "update"}
        )
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
    # Draft 07 ignores keywords beside a reference.
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


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", NAMES)
def test_the_schemas_in_the_document_agree_with_the_published_ones(name: str, document: Any) -> None:
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


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["schema", *words]) == 0
    return capsys.readouterr().out


def test_the_command_prints_each_document(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        assert printed(capsys, name) == (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    assert json.loads(printed(capsys, "--messages")) == {name: message_schema(name) for name in NAMES}
    assert yaml.safe_load(printed(capsys, "--asyncapi")) == asyncapi()
    assert json.loads(printed(capsys))["title"] == "Table"


def test_the_schema_of_a_floors_file_takes_one_and_names_what_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    floor = Draft202012Validator(json.loads(printed(capsys, "--floor")))
    broker = {"host": "broker.casino", "ca": "ca.pem", "certificate": "floor.pem", "key": "floor.key"}
    assert floor.is_valid({"floor": "main", "broker": broker, "fairness": {"odds": 100_000}})
    errors = list(floor.iter_errors({"floor": "main", "broker": {**broker, "port": 0}, "odds": 3}))
    assert {error.validator for error in errors} == {"minimum", "additionalProperties"}
    assert [error.validator for error in floor.iter_errors({"floor": "main"})] == ["required"]


@pytest.mark.parametrize("words", [["rounds"], ["round", "--floor"], ["--floor", "--messages"]])
def test_an_unknown_schema_name_is_a_usage_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["schema", *words])
    assert ended.value.code == 2
    assert "usage: table-controller schema" in capsys.readouterr().err
