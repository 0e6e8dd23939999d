"""The floor asks its tables for their software at times that nobody knows, and judges what they answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from contracts.floor_store_cases import rows
from floor_messages import LATER_NS

from config.floor import SoftwareSection
from controller.floor.ingest.challenges import PATIENCE_NS, Challenges, JudgedSoftware
from controller.floor.ingest.validation import Arrived
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.messages.models import ChallengeAnswered, Message, OnlineMessage, write
from controller.messages.topics import Topic, of_table
from controller.runtime import manifest
from controller.runtime.challenge import of_reference

_H = 3600 * 1_000_000_000
UTC = "2026-01-01T18:00:00.000Z"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The packages of a release."""
    for name in ("config/__init__.py", "controller/core.py", "hal/pins.py"):
        (tmp_path / "release" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "release" / name).write_text(f"NAME = {name!r}\n")
    manifest.write(tmp_path / "release")
    return tmp_path / "release"


@pytest.fixture
def challenges(release: Path) -> Challenges:
    return Challenges(SoftwareSection(release=str(release)), draw=lambda: 0.5)


def arrives(topic: Topic, message: Message) -> Arrived:
    return Arrived(of_table(message.table, topic), write(message), LATER_NS)


def online(challenges: Challenges, now_ns: int, is_online: bool = True, table: str = "big-six-1") -> None:
    message = OnlineMessage(table=table, online=is_online, running=is_online)
    challenges.heard(arrives(Topic.ONLINE, message), now_ns)


def due(challenges: Challenges, now_ns: int) -> str:
    """The nonce of the only challenge that is due."""
    ((table, challenge),) = challenges.due(now_ns)
    assert table == "big-six-1"
    return challenge.nonce


def answer(challenges: Challenges, now_ns: int, **fields: object) -> list[JudgedSoftware]:
    message = ChallengeAnswered.model_validate({"table": "big-six-1", **fields})
    challenges.heard(arrives(Topic.ANSWER, message), now_ns)
    return challenges.judged(now_ns)


def test_each_table_has_a_challenge_a_day_with_another_number(challenges: Challenges, release: Path) -> None:
    online(challenges, 0)
    assert challenges.due(11 * _H) == []
    nonces = set()
    for day in range(5):
        now_ns = (12 + 24 * day) * _H
        nonce = due(challenges, now_ns)
        assert challenges.due(now_ns + 1) == []
        nonces.add(nonce)
        right = of_reference(nonce, release).package
        assert answer(challenges, now_ns + 1, nonce=nonce, package=right) == [JudgedSoftware("big-six-1", "")]
    assert len(nonces) == 5


def test_another_software_is_named(challenges: Challenges, release: Path, tmp_path: Path) -> None:
    online(challenges, 0)
    challenges.ask("big-six-1", 1)
    nonce = due(challenges, 1)
    (release / "hal/pins.py").write_text("NAME = 'other'\n")
    manifest.write(release)
    other = of_reference(nonce, release).package
    (release / "hal/pins.py").write_text("NAME = 'hal/pins.py'\n")
    manifest.write(release)
    (judged,) = answer(challenges, 2, nonce=nonce, package=other)
    assert judged.problem == f"its software is not that of {release}"


def test_a_replay_does_not_answer(challenges: Challenges, release: Path) -> None:
    """The answer to yesterday's number is none to today's, under either number."""
    online(challenges, 0)
    challenges.ask("big-six-1", 1)
    first = due(challenges, 1)
    right = of_reference(first, release).package
    assert answer(challenges, 2, nonce=first, package=right)[0].problem == ""
    challenges.ask("big-six-1", 3)
    second = due(challenges, 3)
    assert answer(challenges, 4, nonce=first, package=right) == []
    (judged,) = answer(challenges, 5, nonce=second, package=right)
    assert "is not that of" in judged.problem


def test_one_that_does_not_answer_in_time_is_named_once(challenges: Challenges) -> None:
    online(challenges, 0)
    challenges.ask("big-six-1", 1)
    nonce = due(challenges, 1)
    assert challenges.judged(PATIENCE_NS) == []
    (judged,) = challenges.judged(PATIENCE_NS + 1)
    assert judged.problem == "it has not answered a challenge for its software"
    assert challenges.judged(2 * PATIENCE_NS) == []
    assert answer(challenges, 2 * PATIENCE_NS, nonce=nonce, package="1" * 64) == []


def test_one_that_cannot_answer_or_be_judged_is_named(challenges: Challenges, release: Path) -> None:
    online(challenges, 0)
    challenges.ask("big-six-1", 1)
    (judged,) = answer(challenges, 2, nonce=due(challenges, 1), problem="hal/clock.py cannot be read")
    assert judged.problem == "it cannot answer a challenge for its software: hal/clock.py cannot be read"
    (release / "hal/pins.py").unlink()
    challenges.ask("big-six-1", 3)
    (judged,) = answer(challenges, 4, nonce=due(challenges, 3), package="1" * 64)
    assert judged.problem.startswith("its answer for its software cannot be judged: hal/pins.py cannot be read")


def test_a_table_that_is_away_has_its_challenge_when_it_is_back(challenges: Challenges) -> None:
    online(challenges, 0)
    online(challenges, 1, is_online=False)
    assert challenges.due(100 * _H) == []
    online(challenges, 100 * _H)
    assert due(challenges, 100 * _H)


def test_other_messages_and_other_tables_change_nothing(challenges: Challenges) -> None:
    challenges.ask("big-six-1", 0)
    for topic, payload in (("floor/x/challenge", b"{}"), ("tables/big-six-1/online", b"\xff"), ("", b"")):
        challenges.heard(Arrived(topic, payload, LATER_NS), 0)
    assert answer(challenges, 0, nonce="ab" * 16, package="1" * 64) == []
    assert challenges.due(100 * _H) == []


# -- the alert -----------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(f"sqlite:///{tmp_path}/floor.db")
    made.take([])
    yield made
    made.close()


def test_the_alert_stays_until_the_table_has_answered_rightly(store: Store) -> None:
    def alerts() -> list[tuple[str, bool]]:
        return [(row["text"], row["ended"] is None) for row in rows(store, schema.alerts)]

    for problem in ("wrong", "wrong", "missing", "missing"):
        store.judged("big-six-1", problem, UTC.replace("00.000", f"{len(alerts()):02}.000"))
    assert alerts() == [("wrong", False), ("missing", True)]
    store.judged("big-six-1", "", UTC.replace("00.000", "59.000"))
    assert alerts() == [("wrong", False), ("missing", False)]
    assert {row["kind"] for row in rows(store, schema.alerts)} == {"software"}
