"""Which messages the floor accepts: all valid ones of a table, and no others."""

import json
import re
from typing import Any

import pytest
from floor_messages import (
    HOUR_NS,
    LATER_NS,
    NOON_NS,
    alert_of,
    arrived,
    online,
    parts_of,
    record,
    spin,
    state_after,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st
from message_cases import _field, places

from controller.floor.ingest.chain import ChainStretch, contradiction, own_contradiction
from controller.floor.ingest.derivation import whole
from controller.floor.ingest.validation import Accepted, Arrived, Refusal, named, receive
from controller.journal.chain import GENESIS, chain, utc_text
from controller.machine.registry import UnknownGameError
from controller.messages.models import MOST_BYTES, HealthMessage, RoundClosed, write
from controller.messages.topics import Topic, of_table
from controller.round_summary.terms import _of

ROUNDS = record([3, 2, 4], spins=[spin(3)], alerts=["the wheel is stuck"])
TABLE = ROUNDS[0].table
ROUND_TOPIC = of_table(TABLE, Topic.ROUND)


def why(payload: bytes | dict[str, Any], topic: str = ROUND_TOPIC, utc_ns: int = LATER_NS) -> str:
    """The reason for which a message is refused; empty if it is not."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    found = receive(Arrived(topic, data, utc_ns))
    return found.reason if isinstance(found, Refusal) else ""


def changed(message: RoundClosed, **fields: Any) -> dict[str, Any]:
    return {**json.loads(write(message)), **fields}


@pytest.mark.parametrize(
    "message",
    [
        *ROUNDS,
        ROUNDS[1].model_copy(update={"entries": None}),
        *parts_of(ROUNDS[2], [2, 1])[0],
        parts_of(ROUNDS[2], [2, 1])[1],
        alert_of(ROUNDS[1]),
        state_after(ROUNDS[1]),
        online(),
        online(is_online=False),
        HealthMessage(table=TABLE, at=ROUNDS[0].closed, devices=[]),
    ],
    ids=lambda message: type(message).__name__,
)
def test_valid_messages_of_a_table_are_accepted(message: Any) -> None:
    found = receive(arrived(message))
    assert isinstance(found, Accepted)
    assert found.message == message


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "not-json"),
        (b"\xff\xfe", "not-json"),
        (b"[" * 200_000, "not-json"),
        (b'{"version":"\\ud800"}', "not-json"),
        (b'{"version":' + b"9" * 10_000 + b"}", "not-json"),
        (b"[]", "schema"),
        (b"\0" * (MOST_BYTES + 1), "huge"),
        (changed(ROUNDS[0], corrections=1 << 200), "schema"),
        (changed(ROUNDS[0], wheel="W\0"), "schema"),
        (changed(ROUNDS[0], closed="2026-02-30T12:00:00.000Z"), "schema"),
        (changed(ROUNDS[0], spins=[{"position": 9, "of": 9, "label": "", "direction": ""}]), "schema"),
        (changed(ROUNDS[0], table="other"), "table"),
        (changed(ROUNDS[0], alerts=[{**json.loads(write(alert_of(ROUNDS[0]))), "table": "other"}]), "table"),
        (changed(ROUNDS[0], alerts=[json.loads(write(alert_of(ROUNDS[1])))]), "chain"),
        (changed(ROUNDS[0], hash="a" * 64), "chain"),
        (changed(ROUNDS[0], entries=[]), "chain"),
        (changed(ROUNDS[0], record="a" * 64), "chain"),
        (changed(ROUNDS[1], previous=GENESIS), "chain"),
        (changed(ROUNDS[1], first=1), "chain"),
        (changed(ROUNDS[1], first=9, seq=8), "chain"),
    ],
    ids=range(20),
)
def test_an_invalid_message_is_refused_with_the_reason(payload: Any, reason: str) -> None:
    assert why(payload) == reason


@pytest.mark.parametrize(
    "topic",
    ["", "tables/a/round/b", "tables//round", "floor/a/round", "tables/a\n/round", f"tables/{'a' * 41}/round"],
)
def test_a_topic_of_no_table_is_refused(topic: str) -> None:
    assert why(write(ROUNDS[0]), topic) == "topic"


def test_a_name_that_no_table_can_have_is_counted_without_it() -> None:
    assert named("tables/a-1/anything") == "a-1"
    assert [named(f"tables/{name}/round") for name in ("A", "", "a\n", "ä", "a" * 41, "-a")] == [""] * 6


def test_a_message_from_the_future_is_refused_until_its_time() -> None:
    """A table's clock may be five minutes ahead."""
    closed_ns = NOON_NS + 3 * 60 * 1_000_000_000
    for message, at_ns in ((ROUNDS[2], closed_ns), (alert_of(ROUNDS[2]), closed_ns)):
        topic = arrived(message).topic
        limit_ns = at_ns - 5 * 60 * 1_000_000_000
        assert why(write(message), topic, limit_ns) == ""
        assert why(write(message), topic, limit_ns - 1_000_000) == "future"


def test_limits_that_take_effect_later_are_accepted() -> None:
    later = utc_text(LATER_NS + HOUR_NS)
    pending = {"minimum": "5", "maximum": "500", "effective": later}
    limits = {"minimum": "1", "maximum": "100", "pending": pending}
    state = {**json.loads(write(state_after(ROUNDS[0]))), "limits": limits}
    topic = of_table(TABLE, Topic.STATE)
    assert why(state, topic) == ""
    pending["effective"] = "2026-13-01T00:00:00.000Z"
    assert why(state, topic) == "schema"


@given(st.binary(max_size=300), st.text(max_size=30))
@example(b"\0", "tables/\ud800/round")
def test_nothing_that_arrives_raises(payload: bytes, name: str) -> None:
    for topic in (ROUND_TOPIC, f"tables/{name}/round", name):
        found = receive(Arrived(topic, payload, LATER_NS))
        assert isinstance(found, Refusal)
        assert found.detail.encode()
        assert "\0" not in found.detail


# -- what a round's message says is what its entries say -----------------------------------------------------------


def believed(payload: dict[str, Any]) -> bool:
    """Whether a message passes as a round that was derived from its entries."""
    found = receive(Arrived(ROUND_TOPIC, json.dumps(payload).encode(), LATER_NS))
    if isinstance(found, Refusal) or found.unproven:
        return False
    assert isinstance(found.message, RoundClosed)
    return whole(found.message)


def filled() -> list[RoundClosed]:
    """Rounds of which every field says something."""
    said: dict[str, Any] = {"results": ["5", "joker"], "voids": ["no-turn"], "returned": ["void"], "dealer": "2204"}
    said |= {
        "wheel": "W-1",
        "corrections": 1,
        "spins": [spin(3), spin(9)],
        "alerts": ["it is stuck", "it is loose"],
    }
    return record([6, 5, 7], replaces="entry 7 did not fit", **said)


FILLED = filled()


def changes(name: str, value: Any) -> st.SearchStrategy[Any]:
    """Other values of a field: any that its model allows; of the version, which has one, some that it refuses."""
    if name == "version":
        return st.sampled_from([0, 2, True, "1", None])
    return _field(RoundClosed.model_fields[name]).filter(lambda new: new != value)


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", RoundClosed.model_fields)
@pytest.mark.campaign
def test_a_message_with_any_other_value_of_a_field_is_not_believed(name: str) -> None:
    @settings(max_examples=60)
    @given(st.sampled_from(FILLED), st.data())
    def changed_so(message: RoundClosed, data: Any) -> None:
        plain = json.loads(write(message))
        assert believed(plain)
        assert not believed(plain | {name: data.draw(changes(name, plain[name]))})

    changed_so()


@pytest.mark.hypothesis
@settings(max_examples=400)
@given(st.sampled_from(FILLED), st.data())
def test_a_message_with_any_part_changed_is_not_believed(message: RoundClosed, data: Any) -> None:
    """However deep it is: in an alert, a spin, an entry; changed, left out, or doubled."""
    plain = json.loads(write(message))
    holder, key = data.draw(st.sampled_from(list(places(plain))))
    value = holder[key]
    if isinstance(holder, list) and data.draw(st.booleans()):
        if data.draw(st.booleans()):
            holder.insert(key, value)
        else:
            del holder[key]
    elif isinstance(value, str):
        holder[key] = data.draw(
            st.sampled_from([value + "x", value[:-1] if value else "x", "", "0" * 64, value[::-1]])
        )
    elif isinstance(value, bool | int):
        holder[key] = value + data.draw(st.sampled_from([-1, 1, 1_000_000]))
    elif value is None:
        holder[key] = data.draw(st.sampled_from(["", "0" * 64, {}, []]))
    else:
        holder[key] = data.draw(st.sampled_from([[], {}, None]))
    if plain != json.loads(write(message)):
        assert not believed(plain)


def test_a_round_is_refused_with_the_field_and_both_values() -> None:
    found = receive(arrived(ROUNDS[1].model_copy(update={"results": ["40"]})))
    assert isinstance(found, Refusal)
    assert found.reason == "contradiction"
    assert "results is said to be ['40'], and is [] by its entries" in found.detail


@pytest.mark.parametrize(
    ("changed_fields", "why_not"),
    [
        ({"entries": None}, "without its entries"),
        ({"opening": None, "before": None}, "a version before 0.2.0; update it"),
    ],
)
def test_a_round_that_cannot_be_derived_is_unproven(changed_fields: dict[str, Any], why_not: str) -> None:
    found = receive(arrived(ROUNDS[1].model_copy(update=changed_fields)))
    assert isinstance(found, Accepted)
    assert why_not in found.unproven


def test_a_round_of_a_game_that_is_not_installed_is_unproven_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    message = record([3, 2])[1]
    monkeypatch.setattr("controller.round_summary.terms.find_game", unknown_game)
    _of.cache_clear()
    found = receive(arrived(message))
    _of.cache_clear()
    assert isinstance(found, Accepted)
    assert "the game 'big-six' is not installed here" in found.unproven
    assert "this floor must be of the table's version" in found.unproven


def unknown_game(name: str) -> Any:
    raise UnknownGameError(f"unknown game '{name}'")


def test_an_entry_that_this_version_cannot_read_leaves_the_round_unproven() -> None:
    messages = record([2, 2])
    assert messages[1].entries is not None
    first, last = messages[1].entries
    content = ("round", "at_ns", "utc", "kind", "body", "checkpoint")
    body = first.body.replace('"press"', '"of-tomorrow"')
    odd = first.model_copy(update={"body": body, "kind": "of-tomorrow"})
    digest = chain(messages[1].previous, odd.seq, *(getattr(odd, name) for name in content))
    end = chain(digest, last.seq, *(getattr(last, name) for name in content))
    entries = [odd.model_copy(update={"hash": digest}), last.model_copy(update={"hash": end})]
    found = receive(arrived(messages[1].model_copy(update={"entries": entries, "hash": end})))
    assert isinstance(found, Accepted)
    assert "entry 3 (of-tomorrow) cannot be read by this version" in found.unproven


def test_the_entry_that_opened_a_round_must_be_the_one_that_it_follows() -> None:
    message, others = ROUNDS[1], record([3, 2], changed_from=0)
    for opening in (others[1].opening, ROUNDS[2].opening):
        assert why(changed(message, opening=json.loads(opening.model_dump_json()))) == "chain"  # type: ignore[union-attr]
    assert why(changed(message, before="a" * 64)) == "chain"
    assert why(changed(message, before=None)) == "chain"


@given(st.data())
def test_any_change_to_a_round_with_its_entries_breaks_its_chain(data: Any) -> None:
    """A field of an entry, or of the place that the message gives: each changes the chain."""
    message = json.loads(write(ROUNDS[1]))
    numbers = {"seq": 1, "round": 1, "at_ns": 1, "first": 1}
    part = data.draw(st.sampled_from([message, *message["entries"]]))
    of_chain = ("seq", "round", "at_ns", "utc", "kind", "body", "checkpoint", "hash", "first", "previous")
    name = data.draw(st.sampled_from(sorted(key for key in part if key in of_chain)))
    if name in numbers:
        part[name] += data.draw(st.integers(1, 5))
    elif name in ("hash", "previous"):
        part[name] = data.draw(st.from_regex("[0-9a-f]{64}", fullmatch=True).filter(lambda new: new != part[name]))
    else:
        part[name] = data.draw(st.text(max_size=9).filter(lambda new: new and new != part[name]))
    assert why(message) in ("chain", "schema")


def test_missing_doubled_or_exchanged_entries_are_refused() -> None:
    message = json.loads(write(ROUNDS[2]))
    first, second, third, last = message["entries"]
    wrong = [
        [second, third],
        [second, last],
        [first, third, last],
        [first, second, third],
        [first, first, third, last],
    ]
    wrong += [[first, third, second, last], [first, second, third, last, last]]
    for entries in wrong:
        assert why({**message, "entries": entries}) == "chain"
    assert why(message) == ""


def test_text_cannot_be_moved_from_one_hashed_field_to_another() -> None:
    """The fields are hashed with a separator between them: one that holds it could as well be cut elsewhere."""
    message = record([1])[0]
    assert message.entries is not None
    (entry,) = message.entries
    hashes = set()
    for kind, body in (("press\x1fyes", "no"), ("press", "yes\x1fno")):
        digest = chain(GENESIS, 1, entry.round, entry.at_ns, entry.utc, kind, body, None)
        hashes.add(digest)
        forged = entry.model_copy(update={"kind": kind, "body": body, "hash": digest})
        place = {"hash": digest, "record": digest, "entries": [forged]}
        assert "entry 1 does not hash" in own_contradiction(message.model_copy(update=place))
    assert len(hashes) == 1


def test_rounds_contradict_each_other_where_their_entries_or_hashes_do() -> None:
    a, b, c = (ChainStretch.of(message) for message in ROUNDS)
    assert contradiction(b, a, c) == ""
    assert contradiction(b, None, None) == ""
    assert re.search(
        r"entry 3 was \w{12}…, and is said to be aaaaaaaaaaaa…",
        contradiction(b._replace(previous="a" * 64), a, None),
    )
    assert "the next round follows" in contradiction(b._replace(hash="a" * 64), a, c)
    assert "entries 4 to 5 are here already" in contradiction(ChainStretch(5, "a" * 64, 7, "b" * 64), None, b)
    assert "entry 5 was" in contradiction(b._replace(hash="a" * 64), a, b)
