"""Each statement of Sparkplug 3.0 that docs/sparkplug.md lists as held, on a recorded session of the bridge."""

import re
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache

import pytest
from project import ROOT
from sparkplug_story import GROUP, NCMD, NODE, STATE, TABLES, Packet, Story, recorded_story

from controller.floor.sparkplug.edge_node import BD_SEQ, REBIRTH
from controller.floor.sparkplug.payload import DataType, Metric

PAGE = (ROOT / "docs/sparkplug.md").read_text()
BIRTHS, DATA = ("NBIRTH", "DBIRTH"), ("NDATA", "DDATA")
Check = Callable[[Story], None]
CHECKS: dict[str, Check] = {}


@cache
def _recorded() -> Story:
    with pytest.MonkeyPatch.context() as patch:
        return recorded_story(patch)


@pytest.fixture
def story() -> Story:
    """Recorded once, copied for each test."""
    return deepcopy(_recorded())


def holds(ids: str) -> Callable[[Check], Check]:
    """The statements that a check shows, without ``tck-id-``."""

    def listed(check: Check) -> Check:
        for one in ids.split():
            assert one not in CHECKS
            CHECKS[one] = check
        return check

    return listed


def same_session(story: Story) -> Iterator[list[Packet]]:
    for session in (0, 1):
        yield story.sent(session=session)


def metrics(story: Story, *verbs: str) -> list[Metric]:
    return [metric for one in story.sent(*verbs) for metric in one.payload.metrics]


@holds(
    "topic-structure topic-structure-namespace-a topic-structure-namespace-device-id-associated-message-types "
    "topic-structure-namespace-device-id-non-associated-message-types topics-nbirth-topic topics-ndata-topic "
    "topics-ndeath-topic topics-dbirth-topic topics-ddata-topic topics-ddeath-topic "
    "message-flow-edge-node-birth-publish-nbirth-topic message-flow-device-birth-publish-dbirth-topic "
    "message-flow-device-birth-publish-dbirth-match-edge-node-topic intro-group-id-string "
    "intro-edge-node-id-string intro-device-id-string"
)
def topics(story: Story) -> None:
    assert {one.verb for one in story.sent()} == {"NBIRTH", "DBIRTH", "NDATA", "DDATA", "NDEATH", "DDEATH"}
    for one in story.sent():
        device = f"/{one.device}" if one.verb.startswith("D") else ""
        assert one.topic == f"spBv1.0/{GROUP}/{one.verb}/{NODE}{device}"
        assert (one.device in TABLES) == one.verb.startswith("D")


@holds(
    "topics-nbirth-mqtt topics-ndata-mqtt topics-dbirth-mqtt topics-ddata-mqtt topics-ddeath-mqtt "
    "payloads-nbirth-qos payloads-nbirth-retain payloads-dbirth-qos payloads-dbirth-retain payloads-ndata-qos "
    "payloads-ndata-retain payloads-ddata-qos payloads-ddata-retain "
    "message-flow-edge-node-birth-publish-nbirth-qos message-flow-edge-node-birth-publish-nbirth-retained "
    "message-flow-device-birth-publish-dbirth-qos message-flow-device-birth-publish-dbirth-retained"
)
def qos_and_retain(story: Story) -> None:
    assert {(one.qos, one.retain) for one in story.sent()} == {(0, False)}


@holds(
    "payloads-sequence-num-always-included payloads-sequence-num-incrementing "
    "payloads-sequence-num-req-nbirth topics-nbirth-seq-num topics-ndata-seq-num topics-dbirth-seq "
    "topics-ddata-seq-num topics-ddeath-seq-num payloads-nbirth-seq payloads-dbirth-seq "
    "payloads-dbirth-seq-inc payloads-ndata-seq payloads-ndata-seq-inc payloads-ddata-seq "
    "payloads-ddata-seq-inc payloads-ddeath-seq payloads-ddeath-seq-inc payloads-ddeath-seq-number "
    "message-flow-edge-node-birth-publish-nbirth-payload-seq "
    "message-flow-device-birth-publish-dbirth-payload-seq"
)
def sequence_numbers(story: Story) -> None:
    wrapped = False
    for sent in same_session(story):
        last = 0
        for one in (packet for packet in sent if packet.verb != "NDEATH"):
            seq = one.payload.seq
            assert seq == (0 if one.verb == "NBIRTH" else (last + 1) % 256), one.topic
            wrapped |= seq == 0 and one.verb != "NBIRTH"
            last = seq
    assert wrapped, "the story is long enough for the numbers to begin anew"


@holds("topics-ndeath-seq payloads-ndeath-seq topics-ndeath-payload")
def death_has_its_number_alone(story: Story) -> None:
    for one in [*story.sent("NDEATH"), *(packet for packet in story.packets if packet.kind == "connect")]:
        assert one.payload.seq is None
        assert [metric.name for metric in one.payload.metrics] == [BD_SEQ]


@holds(
    "topics-nbirth-timestamp topics-ndata-timestamp topics-dbirth-timestamp topics-ddata-timestamp "
    "payloads-nbirth-timestamp payloads-dbirth-timestamp payloads-ndata-timestamp payloads-ddata-timestamp "
    "payloads-ddeath-timestamp payloads-timestamp-in-UTC payloads-metric-timestamp-in-UTC "
    "payloads-name-birth-data-requirement"
)
def timestamps(story: Story) -> None:
    now_ms = time.time() * 1000
    stamps = [one.payload.stamp_ms for one in story.sent()]
    stamps += [metric.stamp_ms for metric in metrics(story, *BIRTHS, *DATA)]
    assert all(stamp is not None and now_ms - 600_000 < stamp <= now_ms for stamp in stamps)


@holds(
    "topics-nbirth-bdseq-included topics-nbirth-bdseq-matching topics-nbirth-bdseq-increment "
    "payloads-nbirth-bdseq payloads-nbirth-bdseq-repeat payloads-ndeath-bdseq "
    "message-flow-edge-node-birth-publish-nbirth-payload-bdSeq "
    "message-flow-edge-node-birth-publish-will-message-payload-bdSeq "
    "operational-behavior-data-commands-rebirth-action-3"
)
def birth_and_death_numbers(story: Story) -> None:
    wills = [one for one in story.packets if one.kind == "connect"]
    assert [one.metric(BD_SEQ).value for one in wills] == [0, 1]
    for will in wills:
        own = story.sent("NBIRTH", "NDEATH", session=will.session)
        assert {one.metric(BD_SEQ).value for one in own} == {will.session}
        assert {one.metric(BD_SEQ).datatype for one in (will, *own)} == {DataType.INT64}


@holds(
    "payloads-ndeath-will-message payloads-ndeath-will-message-qos payloads-ndeath-will-message-retain "
    "message-flow-edge-node-birth-publish-will-message "
    "message-flow-edge-node-birth-publish-will-message-topic "
    "message-flow-edge-node-birth-publish-will-message-payload "
    "message-flow-edge-node-birth-publish-will-message-qos "
    "message-flow-edge-node-birth-publish-will-message-will-retained"
)
def will(story: Story) -> None:
    for one in (packet for packet in story.packets if packet.kind == "connect"):
        assert (one.topic, one.qos, one.retain) == (f"spBv1.0/{GROUP}/NDEATH/{NODE}", 1, False)
        assert one.payload.metrics


@holds("principles-persistence-clean-session-311")
def clean_session(story: Story) -> None:
    for one in (packet for packet in story.packets if packet.kind == "connect"):
        assert one.options["clean_session"] is True
        assert one.options["protocol"].name == "V311"


@holds(
    "principles-birth-certificates-order message-flow-device-birth-publish-nbirth-wait payloads-ndata-order "
    "payloads-ddata-order message-flow-edge-node-birth-publish-connect"
)
def births_come_first(story: Story) -> None:
    for sent in same_session(story):
        verbs = [one.verb for one in sent]
        assert verbs[:3] == ["NBIRTH", "DBIRTH", "DBIRTH"]
        assert {one.device for one in sent[1:3]} == set(TABLES)
    kinds = [one.kind for one in story.packets]
    assert kinds.index("connect") < kinds.index("publish")


@holds("message-flow-edge-node-ncmd-subscribe")
def subscribes_to_commands(story: Story) -> None:
    for session in (0, 1):
        own = [one for one in story.packets if one.kind == "subscribe" and one.session == session]
        assert {one.topic: one.qos for one in own} == {NCMD: 1, NCMD.replace("NCMD", "DCMD") + "/+": 1, STATE: 1}


@holds(
    "topics-nbirth-metric-reqs topics-dbirth-metric-reqs operational-behavior-data-publish-nbirth "
    "operational-behavior-data-publish-dbirth payloads-alias-data-cmd-requirement payloads-name-requirement"
)
def data_has_what_was_born(story: Story) -> None:
    born: dict[str, set[int | None]] = {}
    for one in story.sent(*BIRTHS, *DATA):
        aliases = {metric.alias for metric in one.payload.metrics}
        if one.verb in BIRTHS:
            born[one.device] = aliases
        else:
            assert aliases <= born[one.device], one.topic
            assert {metric.name for metric in one.payload.metrics} == {None}


@holds(
    "topics-nbirth-metrics topics-dbirth-metrics operational-behavior-data-publish-nbirth-values "
    "operational-behavior-data-publish-dbirth-values payloads-metric-datatype-req "
    "payloads-metric-datatype-value payloads-metric-datatype-value-type"
)
def births_have_name_type_and_value(story: Story) -> None:
    found = metrics(story, *BIRTHS)
    assert all(metric.name and metric.datatype in set(DataType) for metric in found)
    types = {DataType.INT64: int, DataType.DATE_TIME: int, DataType.BOOLEAN: bool, DataType.STRING: str}
    assert all(type(one.value) in (types[DataType(one.datatype or 0)], type(None)) for one in found)
    assert any(one.value is None for one in found), "a table that has told nothing yet"


@holds("payloads-metric-datatype-not-req")
def data_has_no_types(story: Story) -> None:
    assert {metric.datatype for metric in metrics(story, *DATA)} == {None}


@holds(
    "payloads-alias-uniqueness payloads-alias-birth-requirement "
    "operational-behavior-data-commands-rebirth-name-aliases"
)
def aliases(story: Story) -> None:
    named: dict[int, tuple[str, str | None]] = {}
    for one in story.sent(*BIRTHS):
        for metric in one.payload.metrics:
            if metric.name == REBIRTH:
                assert metric.alias is None
                continue
            assert metric.alias is not None
            assert named.setdefault(metric.alias, (one.device, metric.name)) == (one.device, metric.name)


@holds(
    "topics-nbirth-rebirth-metric payloads-nbirth-rebirth-req operational-behavior-data-commands-rebirth-name "
    "operational-behavior-data-commands-rebirth-datatype operational-behavior-data-commands-rebirth-value"
)
def rebirth_can_be_requested(story: Story) -> None:
    for one in story.sent("NBIRTH"):
        metric = one.metric(REBIRTH)
        assert (metric.datatype, metric.value) == (DataType.BOOLEAN, False)


@holds("operational-behavior-data-commands-rebirth-action-1 operational-behavior-data-commands-rebirth-action-2")
def rebirth(story: Story) -> None:
    assert [one.verb for one in story.between("rebirth", "stale host")] == ["NBIRTH", "DBIRTH", "DBIRTH"]


@holds(
    "principles-rbe-recommended topics-ndata-payload topics-ddata-payload "
    "operational-behavior-data-publish-nbirth-change operational-behavior-data-publish-dbirth-change"
)
def only_changes(story: Story) -> None:
    values: dict[tuple[str, int | None], object] = {}
    for one in story.sent(*BIRTHS, *DATA):
        for metric in one.payload.metrics:
            key = (one.device, metric.alias)
            assert one.verb in BIRTHS or values.get(key) != metric.value, one.topic
            values[key] = metric.value


@holds("operational-behavior-data-publish-nbirth-order operational-behavior-data-publish-dbirth-order")
def chronological(story: Story) -> None:
    for one in story.sent(*BIRTHS, *DATA):
        stamps = [metric.stamp_ms or 0 for metric in one.payload.metrics]
        assert stamps == sorted(stamps)


@holds("operational-behavior-device-ddeath")
def a_table_that_is_gone(story: Story) -> None:
    assert [(one.verb, one.device) for one in story.between("table away", "table back")] == [
        ("DDEATH", TABLES[1]),
        ("NDATA", ""),
    ]
    assert [(one.verb, one.device) for one in story.between("table back", "refused")] == [
        ("DBIRTH", TABLES[1]),
        ("NDATA", ""),
    ]


@holds(
    "operational-behavior-edge-node-birth-sequence-wait message-flow-edge-node-birth-publish-phid-wait "
    "message-flow-edge-node-birth-publish-phid-wait-id message-flow-edge-node-birth-publish-phid-wait-online "
    "message-flow-edge-node-birth-publish-phid-wait-timestamp"
)
def waits_for_its_host(story: Story) -> None:
    assert story.between("before the host", "host online") == []
    assert story.between("second session", "host online again") == [], "an older message of the host is no word"
    assert [one.verb for one in story.between("host online again", "end")] == ["NBIRTH", "DBIRTH", "DBIRTH"]


@holds(
    "operational-behavior-edge-node-termination-host-offline "
    "message-flow-edge-node-birth-publish-phid-offline "
    "operational-behavior-edge-node-termination-host-offline-reconnect"
)
def ends_when_its_host_is_offline(story: Story) -> None:
    after = story.packets[story.steps["host offline"] :]
    kinds = [(one.kind, one.verb) for one in after[:4]]
    assert kinds == [("arrived", ""), ("publish", "NDEATH"), ("disconnect", ""), ("connect", "NDEATH")]


@holds("operational-behavior-edge-node-termination-host-offline-timestamp")
def a_stale_word_of_its_host_ends_nothing(story: Story) -> None:
    assert story.between("stale host", "host offline") == []


@holds(
    "operational-behavior-edge-node-intentional-disconnect-ndeath payloads-ndeath-will-message-publisher "
    "operational-behavior-edge-node-intentional-disconnect-packet "
    "payloads-ndeath-will-message-publisher-disconnect-mqtt311"
)
def death_before_a_disconnect(story: Story) -> None:
    ends = [at for at, one in enumerate(story.packets) if one.kind == "disconnect"]
    assert len(ends) == 2
    assert [story.packets[at - 1].verb for at in ends] == ["NDEATH", "NDEATH"]


@holds("message-flow-edge-node-birth-publish-nbirth-payload message-flow-device-birth-publish-dbirth-payload")
def payloads_are_protocol_buffers(story: Story) -> None:
    """Read by hand, field by field: two of the outermost message's three are varints, one has a length."""
    for one in story.sent(*BIRTHS):
        at, keys = 0, []
        while at < len(one.data):
            key, at = _varint(one.data, at)
            keys.append(key)
            size, at = _varint(one.data, at)
            at += size if key & 7 == 2 else 0
        assert at == len(one.data)
        assert set(keys) == {1 << 3, 2 << 3 | 2, 3 << 3}


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


@holds(
    "topic-structure-namespace-valid-group-id topic-structure-namespace-valid-edge-node-id "
    "intro-group-id-chars topic-structure-namespace-valid-device-id intro-edge-node-id-chars "
    "intro-device-id-chars topic-structure-namespace-unique-device-id case-sensitivity-sparkplug-ids "
    "case-sensitivity-metric-names"
)
def names(story: Story) -> None:
    """Tables have names of small letters; what the file may call group and node is tested with the file."""
    for one in story.sent():
        assert not set("+#\0") & set(one.topic)
    for one in story.sent(*BIRTHS):
        lower = [(metric.name or "").lower() for metric in one.payload.metrics]
        assert len(set(lower)) == len(lower)


@pytest.mark.parametrize("statement", CHECKS)
def test_the_bridge_holds(story: Story, statement: str) -> None:
    CHECKS[statement](story)


def test_the_page_lists_what_is_shown_to_be_held() -> None:
    held = PAGE.partition("## Held")[2].partition("\n## ")[0]
    assert set(re.findall(r"tck-id-([A-Za-z0-9-]+)", held)) == set(CHECKS)


def test_no_statement_is_listed_twice() -> None:
    listed = re.findall(r"tck-id-([A-Za-z0-9-]+)", PAGE)
    assert len(listed) == len(set(listed))


def test_other_commands_are_refused_and_said(story: Story) -> None:
    assert story.between("refused", "rebirth") == []
