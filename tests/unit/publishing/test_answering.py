"""The floor asks a table for its software: the answer comes from a process of its own, once in a minute at most."""

import asyncio
import json
import sys
from typing import cast

import pytest

from controller.messages.link import Link
from controller.messages.models import Challenge, ChallengeAnswered, MessagePart, write
from controller.publishing import answering
from controller.publishing.answering import LEAST_NS, Answering
from hal.mock.clock import VirtualClock

NONCE = "ab" * 32
SAID = {"package": "1" * 64, "installation": "", "took_ms": 12}


class Published:
    """A connection that takes what is published."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, MessagePart]] = []

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        self.messages.append((topic, message))


def says(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def answers(program: str, *payloads: bytes, step_ns: int = 0) -> list[ChallengeAnswered]:
    clock, link = VirtualClock(), Published()

    async def ask() -> None:
        answering_ = Answering("big-six-1", clock, says(program))
        for payload in payloads:
            await answering_.take(payload, cast(Link, link))
            clock.advance_to(clock.now_ns() + step_ns)

    asyncio.run(ask())
    assert {topic for topic, _ in link.messages} <= {"tables/big-six-1/answer"}
    return [message for _, message in link.messages if isinstance(message, ChallengeAnswered)]


def test_a_challenge_is_answered_with_its_number() -> None:
    program = f"import sys; assert sys.argv[1] == {NONCE!r}; print({json.dumps(SAID)!r})"
    (answer,) = answers(program, write(Challenge(nonce=NONCE)))
    assert answer == ChallengeAnswered(table="big-six-1", nonce=NONCE, package="1" * 64, took_ms=12)


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("import sys; sys.exit('hal/clock.py cannot be read')", "hal/clock.py cannot be read"),
        ("import os; os._exit(3)", "exit code 3"),
        ("print('no json')", "Expecting value"),
        ("print('[]')", "controller.messages"),
        ("print('{\"package\": 5}')", "1 validation error"),
    ],
)
def test_a_table_that_cannot_answer_says_why(program: str, problem: str) -> None:
    (answer,) = answers(program, write(Challenge(nonce=NONCE)))
    assert (answer.package, answer.nonce) == ("", NONCE)
    assert answer.problem.startswith(problem)


def test_an_answer_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "PATIENCE_S", 0.05)
    (answer,) = answers("import time; time.sleep(1000)", write(Challenge(nonce=NONCE)))
    assert answer.problem == "it took too long"


def test_nobody_keeps_a_table_busy_with_challenges() -> None:
    program = f"print({json.dumps(SAID)!r})"
    challenge = write(Challenge(nonce=NONCE))
    assert len(answers(program, *[challenge] * 50)) == 1
    assert len(answers(program, *[challenge] * 3, step_ns=LEAST_NS)) == 3


def test_what_is_no_challenge_is_not_answered() -> None:
    wrong = (b"", b"{}", b"\xff", b'{"nonce": "AB"}', b'{"nonce": "' + b"ab" * 100 + b'"}')
    assert answers("print('{}')", *wrong) == []


def test_a_development_checkout_says_that_it_was_not_installed() -> None:
    clock, link = VirtualClock(), Published()
    asyncio.run(Answering("big-six-1", clock).take(write(Challenge(nonce=NONCE)), cast(Link, link)))
    ((_, answer),) = link.messages
    assert isinstance(answer, ChallengeAnswered)
    assert "the software was not installed as a release" in answer.problem
