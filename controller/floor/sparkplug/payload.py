"""The payload of Sparkplug B messages: Protocol Buffers, by the library (Sparkplug 3.0, chapter 6).

The message is described here, field by field, with the names, numbers and types of the specification, as far as the
bridge needs them; a reader skips fields that it does not know. So nothing has to be compiled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

MOST_BYTES = 64 * 1024
"""No longer payload is read."""
_Field = descriptor_pb2.FieldDescriptorProto
_METRIC = (
    ("name", 1, _Field.TYPE_STRING),
    ("alias", 2, _Field.TYPE_UINT64),
    ("timestamp", 3, _Field.TYPE_UINT64),
    ("datatype", 4, _Field.TYPE_UINT32),
    ("is_null", 7, _Field.TYPE_BOOL),
    ("int_value", 10, _Field.TYPE_UINT32),
    ("long_value", 11, _Field.TYPE_UINT64),
    ("boolean_value", 14, _Field.TYPE_BOOL),
    ("string_value", 15, _Field.TYPE_STRING),
)
"""Of a metric: name, number, type. Those from 10 on are the alternatives of its value."""
_FIRST_VALUE = 10


class DataType(IntEnum):
    """The types that the bridge publishes (chapter 6.4.16)."""

    INT64 = 4
    BOOLEAN = 11
    STRING = 12
    DATE_TIME = 13


_VALUES = {
    DataType.INT64: "long_value",
    DataType.BOOLEAN: "boolean_value",
    DataType.STRING: "string_value",
    DataType.DATE_TIME: "long_value",
}
Value = int | bool | str | None


class PayloadError(ValueError):
    """Bytes that are no payload."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of a message; what is None is not in it.

    Attributes:
        value: None for null.
        stamp_ms: since 1970, UTC.
    """

    value: Value
    name: str | None = None
    alias: int | None = None
    datatype: int | None = None
    stamp_ms: int | None = None
    value_type: DataType = DataType.STRING


@dataclass(frozen=True, slots=True)
class Payload:
    """A message's payload."""

    metrics: Sequence[Metric]
    stamp_ms: int | None = None
    seq: int | None = None


def _payload_class() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="sparkplug_b.proto", package="sparkplug", syntax="proto2")
    metric = file.message_type.add(name="Metric")
    metric.oneof_decl.add(name="value")
    for name, number, type_ in _METRIC:
        field = metric.field.add(name=name, number=number, type=type_, label=_Field.LABEL_OPTIONAL)
        if number >= _FIRST_VALUE:
            field.oneof_index = 0
    payload = file.message_type.add(name="Payload")
    payload.field.add(name="timestamp", number=1, type=_Field.TYPE_UINT64, label=_Field.LABEL_OPTIONAL)
    payload.field.add(
        name="metrics",
        number=2,
        type=_Field.TYPE_MESSAGE,
        type_name=".sparkplug.Metric",
        label=_Field.LABEL_REPEATED,
    )
    payload.field.add(name="seq", number=3, type=_Field.TYPE_UINT64, label=_Field.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("sparkplug.Payload"))


_Message = _payload_class()


def encode(payload: Payload) -> bytes:
    """The bytes of a payload."""
    message = _Message()
    for name, number in (("timestamp", payload.stamp_ms), ("seq", payload.seq)):
        if number is not None:
            setattr(message, name, number)
    for one in payload.metrics:
        metric = message.metrics.add()
        own = (("name", one.name), ("alias", one.alias), ("timestamp", one.stamp_ms), ("datatype", one.datatype))
        for name, value in own:
            if value is not None:
                setattr(metric, name, value)
        if one.value is None:
            metric.is_null = True
        else:
            setattr(metric, _VALUES[one.value_type], one.value)
    encoded: bytes = message.SerializeToString()
    return encoded


def decode(data: bytes) -> Payload:
    """A payload from its bytes; fields that are not described here are skipped.

    Raises:
        PayloadError: it is none, or too long.
    """
    if len(data) > MOST_BYTES:
        raise PayloadError(f"has {len(data)} bytes, and at most {MOST_BYTES} are read")
    message = _Message()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise PayloadError("is no Sparkplug B payload") from error
    metrics = [_metric(one) for one in message.metrics]
    return Payload(metrics, _optional(message, "timestamp"), _optional(message, "seq"))


def _metric(one: Any) -> Metric:
    kind = one.WhichOneof("value")
    value: Value = None if kind is None or one.is_null else getattr(one, kind)
    own = {name: _optional(one, name) for name in ("name", "alias", "datatype")}
    return Metric(value, **own, stamp_ms=_optional(one, "timestamp"))


def _optional(message: Any, name: str) -> Any:
    return getattr(message, name) if message.HasField(name) else None
