"""The bridge beside its messages: what it refuses and counts, and what it makes of bytes that are no payload."""

import json

import pytest
from floor_messages import alert_of, online, record, state_after
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sparkplug_story import NCMD, command, config

from config.sparkplug import SparkplugSection
from controller.commands.cli import main
from controller.floor.sparkplug.edge_node import EdgeNode
from controller.floor.sparkplug.payload import DataType, Metric, Payload, PayloadError, decode, encode
from controller.floor.sparkplug.primary_host import PrimaryHost
from controller.floor.sparkplug.table_metrics import DeviceMetrics


@pytest.mark.parametrize(
    ("topic", "payload", "why"),
    [
        (NCMD, command(), ""),
        (NCMD, command(value=False), "Node Control/Rebirth must be true"),
        (NCMD, command(value="true"), "Node Control/Rebirth must be true"),
        (NCMD, command("Node Control/Reboot"), "the node takes Node Control/Rebirth alone, and this is"),
        (NCMD, b"", "the node takes Node Control/Rebirth alone"),
        (NCMD, b"\xff\xff", "is no Sparkplug B payload"),
        (NCMD, bytes(65_537), "has 65537 bytes"),
        (NCMD.replace("NCMD", "DCMD") + "/big-six-1", command(), "no device takes commands"),
    ],
)
def test_one_command_is_taken(topic: str, payload: bytes, why: str) -> None:
    refused = EdgeNode("casino", "hall").refusal(topic, payload)
    assert refused.startswith(why)
    assert bool(refused) == bool(why)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_command_or_refused(data: bytes) -> None:
    assert isinstance(EdgeNode("casino", "hall").refusal(NCMD, data), str)


@given(
    st.lists(
        st.tuples(
            st.text(max_size=20).filter(lambda text: text.isprintable()),
            st.one_of(st.none(), st.booleans(), st.integers(0, 2**63 - 1), st.text(max_size=20)),
        ),
        max_size=5,
    )
)
def test_a_payload_is_read_back(values: list[tuple[str, bool | int | str | None]]) -> None:
    types = {bool: DataType.BOOLEAN, int: DataType.INT64, str: DataType.STRING, type(None): DataType.STRING}
    kinds = [types[type(value)] for _, value in values]
    sent = [
        Metric(value, name, at, kind, 5, kind)
        for at, ((name, value), kind) in enumerate(zip(values, kinds, strict=True))
    ]
    found = decode(encode(Payload(sent, 7, 255)))
    assert (found.stamp_ms, found.seq) == (7, 255)
    assert [(one.name, one.value, one.alias, one.datatype, one.stamp_ms) for one in found.metrics] == [
        (one.name, one.value, one.alias, one.datatype, one.stamp_ms) for one in sent
    ]


def test_fields_that_are_not_described_are_skipped() -> None:
    """A metric with properties (9) and the payload's uuid (4), as other nodes send them."""
    metric = bytes([1 << 3 | 2, 1]) + b"x" + bytes([9 << 3 | 2, 2, 10, 0])
    data = bytes([2 << 3 | 2, len(metric)]) + metric + bytes([4 << 3 | 2, 2]) + b"id"
    assert [one.name for one in decode(data).metrics] == ["x"]
    with pytest.raises(PayloadError):
        decode(data[:-1])


def test_a_round_that_comes_again_counts_once_and_ends_its_alerts() -> None:
    table = DeviceMetrics()
    first, second, third = record([2] * 3)
    table.take(online(), 10)
    table.take(state_after(first), 11)
    table.take(alert_of(second), 12)
    assert table.metrics()["Alerts/Active"][1] == 1
    for message in (second, second, first):
        table.take(message.model_copy(update={"voids": ["late"]}), 13)
    metrics = table.metrics()
    assert metrics["Alerts/Active"][1] == 0
    assert metrics["Voids/late"] == (DataType.INT64, 1)
    assert metrics["Last Round/Number"][1] == second.number
    table.take(alert_of(second), 14)
    assert table.metrics()["Alerts/Active"][1] == 0, "its round is over"
    table.take(alert_of(third), 15)
    assert table.metrics()["Alerts/Active"][1] == 1


def test_the_dealer_s_number_is_not_published() -> None:
    table = DeviceMetrics()
    (first,) = record([2])
    table.take(state_after(first, dealer="4711"), 1)
    metrics = table.metrics()
    assert metrics["Dealer Present"][1] is True
    assert "4711" not in str(metrics)


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[]", b"1", b'{"online": 1, "timestamp": 5}', b'{"online": true}', b"\xff"]
)
def test_what_is_no_state_message_changes_nothing(payload: bytes) -> None:
    host = PrimaryHost("scada")
    host.take(payload)
    assert not host.is_online
    host.take(json.dumps({"online": True, "timestamp": 5}).encode())
    host.take(payload)
    assert host.is_online


@pytest.mark.parametrize("name", ["", "a/b", "a+", "#", "x" * 81, "a\nb", "\0"])
def test_a_name_that_cannot_be_in_a_topic_is_refused(name: str) -> None:
    section = config().sparkplug
    assert section is not None
    with pytest.raises(ValidationError):
        SparkplugSection(**{**section.model_dump(), "group": name})


def test_a_file_without_the_section_is_said(file: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bridge", str(file)]) == 78
    assert "add `sparkplug:` with group" in capsys.readouterr().err
