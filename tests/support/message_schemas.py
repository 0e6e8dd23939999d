"""Models and schemas of the messages, side by side."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from pydantic import BaseModel

from controller.messages.documents import NAMES, message_schema
from controller.messages.models import Challenge, ResendRequest
from controller.messages.reading import MODELS
from controller.messages.topics import Topic
from controller.messages.update_models import UpdateChunk, UpdateOffer

MODEL_OF: Mapping[str, type[BaseModel]] = {topic.value: MODELS[topic] for topic in Topic} | {
    "wanted": ResendRequest,
    "challenge": Challenge,
    "update": UpdateOffer,
    "chunk": UpdateChunk,
}
JSON = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(0.5), st.text(max_size=3), st.just([]), st.just({"a": 1})
)


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    """As JSON Schema has it (ECMA-262): ``$`` is the end of the text, also of one that ends in a new line."""
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


Strict = extend(Draft202012Validator, {"pattern": _pattern})
VALIDATORS = {name: Strict(message_schema(name)) for name in NAMES}


def taken_by_schema(name: str, message: Any) -> bool:
    return bool(VALIDATORS[name].is_valid(message))


phases = (Phase.explicit, Phase.reuse, Phase.generate)  # To shrink a whole round takes minutes, and shows little.
some = settings(max_examples=60, deadline=None, phases=phases, suppress_health_check=list(HealthCheck))


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
