"""The published descriptions of the messages: a JSON Schema of each, an AsyncAPI document of all. From the models.

The schemas use only what JSON Schema draft 2020-12 and draft 07 have in common, since the schemas of AsyncAPI 3.0
are draft 07's. Two rules cannot be in a schema: a message has at most ``MOST_BYTES`` bytes, and a whole number is
written without a fraction (``1``, never ``1.0``).

Formats: AsyncAPI 3.0.0 (asyncapi.com/docs/reference/specification/v3.0.0), its MQTT bindings 0.2.0.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import yaml
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from config.schema import BrokerSection
from controller.messages.examples import EXAMPLES
from controller.messages.models import MOST_BYTES, Challenge, MessagePart, OnlineMessage, ResendRequest
from controller.messages.reading import MODELS
from controller.messages.topics import (
    HOUSE_PATTERN,
    NAME_PATTERN,
    Topic,
    challenge_of,
    chunk_of,
    house_itself,
    of_table,
    update_of,
    wanted_of,
)
from controller.messages.update_models import UpdateChunk, UpdateOffer

_FROM_FLOOR: Mapping[str, tuple[Callable[[str], str], type[MessagePart]]] = {
    "wanted": (wanted_of, ResendRequest),
    "challenge": (challenge_of, Challenge),
    "update": (update_of, UpdateOffer),
    "chunk": (chunk_of, UpdateChunk),
}
"""What the floor sends to a table, by the last word of its topic: the topic of a table, and the message."""
NAMES = (*(topic.value for topic in Topic), *_FROM_FLOOR)
"""The messages, by the last word of their topic."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"
RETAINED = frozenset({"online", "state", "health", "version", "house", "update"})
"""The retained messages."""
QOS = 1
"""At least once, for every message."""

_VERSION = "1.0.0"
_JSON = "application/json"
_SERVER = "#/servers/floor"
_CERTIFICATE = "#/components/securitySchemes/certificate"
_BINDING = "0.2.0"
_WHEN: Mapping[str, tuple[str, str]] = {
    Topic.ONLINE.value: (
        "Whether the table is online",
        "When it connects and disconnects; the last will reports a lost connection.",
    ),
    Topic.STATE.value: ("The state of the table", "After a change, at most once a second."),
    Topic.PART.value: (
        "Entries of a round that has too many for one message",
        "Before the round's own message, in order; at least once.",
    ),
    Topic.ROUND.value: (
        "A round that is over",
        "Every one, in order; at least once. A repeated message is identical.",
    ),
    Topic.ALERT.value: ("Something needs attention", "Every one, in order; at least once."),
    Topic.HEALTH.value: ("Sensors and devices", "After a change."),
    Topic.ANSWER.value: ("The answer to a challenge", "Once for each challenge, some seconds after it."),
    Topic.VERSION.value: (
        "Which version runs, and what has become of the floor's update",
        "After a change, once the floor has sent what it offers.",
    ),
    Topic.FETCH.value: ("A request for a chunk of the update", "One at a time, while a bundle is fetched."),
    Topic.HOUSE.value: (
        "A house's floor of itself, to a group's floor",
        "When it connects and disconnects, and every half minute. What it relays of its tables comes as from them, "
        "below houses/{house}/ and with the house's name and a slash before the table's.",
    ),
    "wanted": ("A resend request", "When the floor finds a gap in a record: the table publishes it again."),
    "challenge": ("A challenge", "Once a day at a time drawn at random: the table answers it."),
    "update": ("What the floor offers as an update", "When that changes, or the table or the floor has come anew."),
    "chunk": ("A chunk of the update", "For each request, at the pace that the floor's file allows."),
}


def message_schema(name: str) -> dict[str, Any]:
    """The self-contained JSON Schema of a message.

    Args:
        name: the last word of its topic, one of :data:`NAMES`.
    """
    schema = _model(name).model_json_schema(schema_generator=_Generator)
    return {"$schema": DIALECT, "$id": f"urn:table-controller:message:1:{name}", **schema}


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI document from a table's point of view: it sends messages, and receives what the floor asks."""
    document = {
        "asyncapi": "3.0.0",
        "id": "urn:table-controller:table",
        "info": _info(),
        "defaultContentType": _JSON,
        "servers": {"floor": _server()},
        "channels": {name: _channel(name) for name in NAMES},
        "operations": {_operation_name(name): _operation(name) for name in NAMES},
        "components": {
            "messages": {name: _message(name) for name in NAMES},
            "parameters": {
                "table": {"description": f"the table's name: {NAME_PATTERN}", "examples": ["big-six-1"]},
                "house": {"description": f"the house's name: {HOUSE_PATTERN}", "examples": ["north"]},
            },
            "schemas": _schemas(),
            "securitySchemes": {
                "certificate": {
                    "type": "X509",
                    "description": "the client's certificate; its common name is the table's name",
                }
            },
        },
    }
    copied: dict[str, Any] = json.loads(json.dumps(document))  # No object twice: YAML would write an alias.
    return copied


def asyncapi_yaml() -> str:
    """The AsyncAPI document as it is published."""
    return yaml.safe_dump(asyncapi(), sort_keys=False, allow_unicode=True, width=110)


def _info() -> dict[str, Any]:
    return {
        "title": "Tables to their floor",
        "version": _VERSION,
        "description": "The messages between casino tables and their floor over MQTT 5. Each message of a table "
        "carries its name and, if it is derived from its record, the sequence number and the hash of the entry. No "
        f"message is longer than {MOST_BYTES} bytes. A whole number is written without a fraction.",
        "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
    }


def _server() -> dict[str, Any]:
    gone = OnlineMessage(table="big-six-1", online=False, running=False, software="0.1.0")
    return {
        "host": f"broker.example:{BrokerSection.model_fields['port'].default}",
        "protocol": "secure-mqtt",
        "protocolVersion": "5.0",
        "description": "The floor's broker: TLS 1.2 or newer, with client certificates. The client identifier "
        "is the table's name. The last will is that of the table big-six-1.",
        "security": [{"$ref": _CERTIFICATE}],
        "bindings": {
            "mqtt": {
                "clientId": gone.table,
                "keepAlive": BrokerSection.model_fields["keep_alive_s"].default,
                "lastWill": {
                    "topic": of_table(gone.table, Topic.ONLINE),
                    "qos": QOS,
                    "retain": True,
                    "message": gone.model_dump_json(),
                },
                "bindingVersion": _BINDING,
            }
        },
    }


def _channel(name: str) -> dict[str, Any]:
    whose = "house" if name == Topic.HOUSE.value else "table"
    summary, when = _WHEN[name]
    return {
        "address": _address(name),
        "title": summary,
        "description": when,
        "servers": [{"$ref": _SERVER}],
        "parameters": {whose: {"$ref": f"#/components/parameters/{whose}"}},
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
    }


def _address(name: str) -> str:
    if name in _FROM_FLOOR:
        return _FROM_FLOOR[name][0]("{table}")
    return of_table(house_itself("{house}") if name == Topic.HOUSE.value else "{table}", Topic(name))


def _operation_name(name: str) -> str:
    return f"{'receive' if name in _FROM_FLOOR else 'send'}-{name}"


def _operation(name: str) -> dict[str, Any]:
    return {
        "action": "receive" if name in _FROM_FLOOR else "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": _WHEN[name][0],
        "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
        "bindings": {"mqtt": {"qos": QOS, "retain": name in RETAINED, "bindingVersion": _BINDING}},
    }


def _message(name: str) -> dict[str, Any]:
    model = _model(name)
    return {
        "name": name,
        "title": model.__name__,
        "summary": _WHEN[name][0],
        "contentType": _JSON,
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
        "examples": [{"payload": example.model_dump(mode="json")} for example in EXAMPLES[model]],
    }


def _schemas() -> dict[str, Any]:
    """All messages and their parts, by name."""
    _, together = models_json_schema(
        [(_model(name), "validation") for name in NAMES],
        schema_generator=_Generator,
        ref_template="#/components/schemas/{model}",
    )
    defined: dict[str, Any] = together["$defs"]
    return defined


def _model(name: str) -> type[MessagePart]:
    return _FROM_FLOOR[name][1] if name in _FROM_FLOOR else MODELS[Topic(name)]


class _Generator(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        """No titles: a field's title would only repeat its name."""
        return False
