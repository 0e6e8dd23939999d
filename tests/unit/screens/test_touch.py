"""The dealer's controls on a touch screen: only after pairing at the table, and only what the dealer may do."""

import json
from collections.abc import Callable, Mapping

import pytest

from config.schema import TableConfig
from controller.journal.journal import Journal
from controller.runtime.assembly import build, on_simulated_hardware
from controller.runtime.origin import Origin
from controller.runtime.table import Table
from controller.screens.touch import ATTEMPTS, CODE_ATTEMPTS, MOST_S, Touch
from controller.statechart.registry import find_game
from controller.web.http import Request, Response
from controller.web.proxies import Proxies
from hal.mock.clock import VirtualClock

HERE, ELSEWHERE = "127.0.0.1", "192.168.7.20"
OWN_NAME = {"host": "localhost:8080"}
S = 1_000_000_000


class TouchTable:
    """A Sic Bo table with a touch screen."""

    def __init__(self, config: TableConfig, proxies: Proxies | None = None) -> None:
        self.clock = VirtualClock()
        self.touch = Touch(find_game(config.game).controls, self.clock, proxies)
        simulated = on_simulated_hardware(config)
        self.table: Table = build(simulated, Origin(), self.clock, Journal(None), keys={"touch": self.touch})
        self.table.start()

    def code(self, peer: str = HERE, local: bool = False, **headers: str) -> str:
        sent = OWN_NAME | {name.replace("_", "-"): value for name, value in headers.items()}
        response = self.touch.code(Request("GET", "/dealer/code", {}, sent, b"", peer, local))
        return str(json.loads(response.body).get("code", ""))

    def pair(self, code: object, peer: str = ELSEWHERE) -> str:
        response = self.touch.pair(Request("POST", "/dealer/pair", peer=peer), {"code": code})
        assert isinstance(response, Response)
        return str(json.loads(response.body)["token"])

    def press(self, control: object, token: object) -> None:
        self.touch.press(Request("POST", "/dealer/press"), {"press": control, "token": token})

    def pressed(self) -> list[str]:
        """What is on record as pressed."""
        bodies = [json.loads(entry.body) for entry in self.table.journal.entries() if entry.kind == "press"]
        return [body["fact"]["control"] for body in bodies]


@pytest.fixture
def touch_table(shipped: Callable[[str], TableConfig]) -> TouchTable:
    return TouchTable(shipped("sic-bo"))


def test_the_code_on_the_tables_own_screen_lets_another_screen_act(touch_table: TouchTable) -> None:
    token = touch_table.pair(touch_table.code())
    touch_table.press("no-more-bets", token)
    touch_table.press("3", token)
    assert touch_table.pressed() == ["no-more-bets", "3"]
    touch_table.clock.advance_to(60_000_000_000)
    assert not [entry for entry in touch_table.table.journal.entries() if entry.kind == "key-stuck"]


def test_the_code_is_for_the_tables_own_screen_alone_and_for_one_screen(touch_table: TouchTable) -> None:
    assert touch_table.code(ELSEWHERE) == ""
    assert touch_table.code("") == ""
    code = touch_table.code("::1")
    assert len(code) == 8
    touch_table.pair(code)
    assert touch_table.code() == ""
    with pytest.raises(ValueError, match="no longer valid"):
        touch_table.pair(code)
    with pytest.raises(ValueError, match="no longer valid"):
        touch_table.pair("")


@pytest.mark.parametrize(
    "header",
    [
        {"forwarded": "for=192.0.2.1"},
        {"x_forwarded_for": "192.0.2.1"},
        {"x_forwarded_proto": "https"},
        {"x_real_ip": "192.0.2.1"},
        {"via": "1.1 proxy"},
        {"host": "table.floor.example"},
        {"host": "localhost.evil.example"},
        {"host": ""},
    ],
)
def test_the_code_is_not_for_whoever_comes_through_a_proxy(touch_table: TouchTable, header: dict[str, str]) -> None:
    assert touch_table.code() != ""
    assert touch_table.code(**header) == ""


def test_behind_a_proxy_on_the_tables_computer_only_the_command_gets_the_code(
    shipped: Callable[[str], TableConfig],
) -> None:
    table = TouchTable(shipped("sic-bo"), Proxies(["127.0.0.1"]))
    assert table.code() == ""
    assert table.code("", local=True) != ""


def test_guessing_the_code_is_slowed_by_time_and_never_ends_pairing(touch_table: TouchTable) -> None:
    code = touch_table.code()
    guesses = [None, 1, "", "x" * 5000, "0" * 9]
    assert len(guesses) == ATTEMPTS
    waits, now_ns = [], 0
    for _ in range(10):
        for guess in guesses:
            with pytest.raises(ValueError, match=r"not the code|try again in"):
                touch_table.pair(guess)
        with pytest.raises(ValueError, match=r"try again in (\d+) s") as raised:
            touch_table.pair(code)
        waits.append(int(str(raised.value).split()[-2]))
        now_ns += waits[-1] * S
        touch_table.clock.advance_to(now_ns)
    assert waits[:4] == [60, 120, 240, 480], "each wait is longer"
    assert max(waits) == MOST_S, "but never for good"
    assert touch_table.pair(code)


def test_who_guesses_shuts_out_no_other_screen(touch_table: TouchTable) -> None:
    for _ in range(50):
        with pytest.raises(ValueError, match=r"not the code|try again in"):
            touch_table.pair("00000000", peer="192.168.7.66")
    assert touch_table.pair(touch_table.code())


def test_many_who_guess_meet_another_code(touch_table: TouchTable) -> None:
    code = touch_table.code()
    for peer in range(CODE_ATTEMPTS):
        with pytest.raises(ValueError, match="not the code"):
            touch_table.pair("x", peer=f"10.0.{peer}.1")
    assert touch_table.code() not in ("", code)
    with pytest.raises(ValueError, match="not the code"):
        touch_table.pair(code)


@pytest.mark.parametrize("token", [None, "", "x", 3, True, [], "é"])
def test_without_the_token_nothing_is_pressed(touch_table: TouchTable, token: object) -> None:
    for paired in (False, True):
        if paired:
            touch_table.pair(touch_table.code())
        with pytest.raises(ValueError, match="may not act"):
            touch_table.press("done", token)
    assert touch_table.pressed() == []


@pytest.mark.parametrize("control", [None, "", "floor-key", "lid", ["done"], {"done": 1}, "Done"])
def test_only_the_dealers_controls_can_be_pressed(touch_table: TouchTable, control: object) -> None:
    token = touch_table.pair(touch_table.code())
    with pytest.raises(ValueError, match="no such control"):
        touch_table.press(control, token)
    assert touch_table.pressed() == []


def test_after_a_restart_a_new_code_is_needed(
    touch_table: TouchTable, shipped: Callable[[str], TableConfig]
) -> None:
    token = touch_table.pair(touch_table.code())
    again = TouchTable(shipped("sic-bo"))
    assert again.code() != ""
    with pytest.raises(ValueError, match="may not act"):
        again.press("done", token)


def test_while_no_table_plays_nothing_is_pressed(touch_table: TouchTable) -> None:
    token = touch_table.pair(touch_table.code())
    touch_table.table.stop()
    with pytest.raises(ValueError, match="no table plays"):
        touch_table.press("done", token)


def test_any_request_body_is_handled(touch_table: TouchTable) -> None:
    bodies: list[Mapping[str, object]] = [{}, {"press": "done"}, {"token": "x"}, {"code": 1}]
    for body in bodies:
        with pytest.raises(ValueError, match="may not act"):
            touch_table.touch.press(Request("POST", "/dealer/press"), body)
