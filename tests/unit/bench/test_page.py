"""The bench's page: its document and steps on virtual time, and who may act on it. No server, no browser."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from asgi import asked
from open_tables import Shipped

from config.schema import TableConfig
from controller.bench.live import LiveBench
from controller.bench.server import MOST_BYTES, BenchPages
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.machine.registry import game_names
from hal.events import LINES
from hal.mock.clock import VirtualClock

GAMES = game_names()
MakePage = Callable[..., "Page"]


class Page:
    """A page of a bench on virtual time: steps go in, documents come out, as JSON both ways."""

    def __init__(self, config: TableConfig, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(config, journal, seed=1, clock=self.clock)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * 1e9))

    def do(self, wait_s: float = 0.3, /, **body: object) -> None:
        self.bench.do(json.loads(json.dumps(body)))
        self.wait(wait_s)

    def key(self, key: str, wait_s: float = 0.3) -> None:
        """A key for what hands do; its capital letter is the other way round."""
        (found,) = (one for one in self.bench.keys if one.key == key.lower())
        self.do(wait_s, **((found.step if key.islower() else found.reverse) or {}))

    def refusal(self, body: object) -> str:
        """Why a step is refused; nothing was done then."""
        before = self.picture, len(self.bench.journal)
        with pytest.raises(ValueError, match=r"^.{10,600}$") as refused:
            self.bench.do(body)
        assert (self.picture, len(self.bench.journal)) == before
        return str(refused.value)

    @property
    def picture(self) -> dict:
        return json.loads(json.dumps(self.bench.picture(), allow_nan=False, ensure_ascii=False).encode())

    @property
    def state(self) -> str:
        return str(self.bench.state.value)

    def log(self) -> list[str]:
        return [line["text"] for line in self.picture["log"]]


@pytest.fixture
def page(shipped: Shipped) -> Iterator[MakePage]:
    """Makes the page of a game's bench."""
    pages: list[Page] = []

    def make(game: str, journal: Path | None = None) -> Page:
        pages.append(Page(shipped(game), journal))
        return pages[-1]

    yield make
    for made in pages:
        made.bench.close()


@pytest.fixture
def table(page: MakePage) -> Page:
    """A Dreamcatcher table that knows where its wheel stands; wagers are open."""
    made = page("dreamcatcher")
    made.key("h", 10)
    assert made.state == "bets-open"
    return made


# -- rounds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("t", "RESULT"),
        ("T", "RESULT"),
        ("w", "VOID fewer than three revolutions"),
        ("b", "VOID between sections"),
        ("tgl", "VOID"),
        ("tR", "VOID"),
    ],
    ids=["hard", "clockwise", "weak", "onto a peg", "grabbed", "rubbed"],
)
def test_a_throw_by_key_has_its_outcome(table: Page, keys: str, words: str) -> None:
    table.do(press="no-more-bets")
    for key in keys.replace("R", "rrr"):
        table.key(key, 3)
    table.wait(40)
    assert any(line.startswith(words) for line in table.log()), table.log()
    assert (table.state == "result") == (words == "RESULT")


@pytest.mark.parametrize("game", GAMES)
def test_who_follows_the_guide_plays_a_round(page: MakePage, game: str) -> None:
    """After an inspection that the bench does by the same keys."""
    table = page(game)
    assert table.picture["inspection"]
    table.do(180, inspect=True)
    assert not table.picture["inspection"], table.log()
    assert "> does the inspection" in table.log()
    assert "waits for no inspection" in table.refusal({"inspect": True})
    for _ in range(200):
        line = table.picture["guide"]
        if line["words"].startswith("That was a round."):
            break
        if line["control"]:
            table.do(press=line["control"])
        elif line["key"]:
            table.key(line["key"])
        table.wait(1)
    assert table.picture["guide"]["words"].startswith("That was a round."), table.log()
    log = table.log()
    assert any("RESULT" in line for line in log)
    assert not any("REFUSED" in line or "does not go on" in line for line in log)


def test_an_inspection_that_cannot_go_on_is_left_to_people(page: MakePage) -> None:
    table = page("sic-bo")
    table.do(fault={"name": "keys-unplugged"})
    table.do(60, inspect=True)
    assert any("does not go on" in line for line in table.log())
    assert table.picture["inspection"]


def ends(picture: dict) -> dict[str, str]:
    """The last column of each line."""
    return {line["line"]: line["runs"].rstrip("0123456789")[-1] for line in picture["signals"]}


# -- power, faults -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_file", [False, True])
def test_a_power_cut_keeps_result_wheel_and_record(page: MakePage, tmp_path: Path, in_file: bool) -> None:
    table = page("dreamcatcher", tmp_path / "journal" if in_file else None)
    table.key("h", 10)
    table.do(press="no-more-bets")
    table.do(25, spin={"stop_on": "10"})
    table.key("t")
    table.do(power_cut={"seconds": 3})
    dark = table.picture
    assert (dark["powered"], dark["burning"]) == (False, [])
    assert set(ends(dark).values()) == {"x"}, "nothing reads the lines"
    table.key("p")
    assert table.picture["true"]["angle"] != dark["true"]["angle"], "the wheel turns on"
    table.wait(4)
    picture = table.picture
    assert (table.state, picture["burning"]) == ("result", ["10"])
    assert any(line["rate"] > 50 for line in picture["signals"])
    assert any(line.startswith("power restored") for line in table.log())
    table.wait(60)
    levels = table.bench.world.sensors.lines.levels()
    assert ends(table.picture) == {name: "lh"[levels[LINES[name]]] for name in ends(dark)}


def test_a_journal_of_another_game_is_refused_and_released(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Page(shipped("sic-bo"), file).bench.close()
    with pytest.raises(JournalError):
        Page(shipped("dreamcatcher"), file)
    Journal(file).close()


# -- what anybody may send -----------------------------------------------------------------------------------------

HUGE = 10**4000
BAD: list[tuple[object, str]] = [
    ([], "a section of keys"),
    ({}, "the step has no action; write one of: press, spin, turn"),
    ({"press": "done", "Press": "done"}, "unknown key; did you mean press?"),
    ({"press": "\ud800" * 99}, ""),
    ({"press": ["no-more-bets", "war"]}, "no control 'war'; there are: no-more-bets"),
    *(({"spin": {"revolutions": turns}}, "out of range") for turns in (0, 21, float("nan"), 1e400)),
    *(({"spin": {"revolutions": turns}}, "") for turns in (HUGE, None, [4], "four")),
    ({"fault": {"name": "dead-lamp"}}, "no lamp ''"),
    ({"repair": False}, "write 'true'"),
    ({"wait_s": 5}, "unknown key"),
]


@pytest.mark.parametrize(("body", "words"), BAD, ids=range(len(BAD)))
def test_an_invalid_step_is_refused_with_what_is_allowed(table: Page, body: object, words: str) -> None:
    refusal = table.refusal(body)
    assert words in refusal
    assert refusal.isprintable()


PRESS = b'{"press": "done"}'


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (204, PRESS, {}),
        (204, PRESS, {"origin": "http://localhost:8080"}),
        *((403, PRESS, {"origin": at}) for at in ("http://evil.example", "null", "", "http://localhost:81")),
        *((415, PRESS, {"content_type": kind}) for kind in ("text/plain", "", "multipart/form-data")),
        (421, PRESS, {"host": "evil.example"}),
        (413, b" " * (MOST_BYTES + 1), {}),
        *((400, body, {}) for body in (b"", b"{", b"[]", b"3", b"\xff", b"[" * 4000, b"{}", b"null", b"NaN")),
        (400, b'{"press": ["\\ud800"]}', {}),
    ],
)
def test_only_a_page_of_this_bench_may_act(
    status: int, body: bytes, headers: dict[str, str], page: MakePage, tmp_path: Path
) -> None:
    """Cross-site request forgery, DNS rebinding, and what is no step."""
    bench = page("sic-bo").bench

    async def act() -> int:
        pages = BenchPages(bench, tmp_path / "bench.journal")
        given = {"content_type": "application/json", **headers}
        return (await asked(pages.application, "/bench/act", "POST", body, **given)).status

    assert asyncio.run(act()) == status
    assert any(line.text.startswith(">") for line in bench.log) == (status == 204)


def test_the_screens_go_dark_with_the_power(page: MakePage, tmp_path: Path) -> None:
    bench = page("sic-bo").bench

    async def exchange(pages: BenchPages) -> None:
        described = (await asked(pages.application, "/table.json")).document
        assert described["bench"]
        assert described["breakages"]
        assert [key["key"] for key in described["keys"]] == ["p", "m"]
        hub = pages.hub

        async def until(condition: Callable[[str], bool]) -> None:
            for _ in range(1000):
                if condition(hub.views["dealer"]["task"]["act"]):
                    return
                await asyncio.sleep(0.01)
                bench.clock.advance_to(bench.clock.now_ns() + 100_000_000)
            raise TimeoutError

        await until(lambda act: "not been reached" not in act)
        bench.do({"power_cut": {"seconds": 3}})
        await until(lambda act: act == "the power is off")
        await until(lambda act: act != "the power is off")

    async def run(exchange: Callable[[BenchPages], Awaitable[None]]) -> None:
        pages = BenchPages(bench, tmp_path / "bench.journal")
        running = asyncio.create_task(pages.run())
        try:
            await exchange(pages)
        finally:
            running.cancel()
            await asyncio.wait({running})

    asyncio.run(run(exchange))
