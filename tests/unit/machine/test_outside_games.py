"""A game of another distribution: found under its entry point, played, and refused by name if it is wrong."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.commands.cli import main
from controller.configuration.shipped import table_path
from hal import distributions

GAME = """
from fractions import Fraction

from controller.games.clapper_wheel.round import WheelRound
from controller.games.clapper_wheel.rules import CONTROLS, RESULT_STATES
from controller.games.clapper_wheel.words import WORDS
from controller.machine.game import Game
from controller.odds.exact import from_wheel
from controller.odds.wagers import Wager

ORDER = tuple("free 1 2 1 4 1 2 1 2 1 10 1 2 1 4 1 2 1 4 1 2 4 2 1".split())
WAGERS = tuple(Wager(area, (Fraction(odds),), "") for area, odds in {"1": 1, "2": 2, "4": 4, "10": 20}.items())


def score(section, payouts):
    return payouts.wins({section: 1})


GAME = Game(
    name="lucky-wheel",
    title="Lucky Wheel",
    chapter="",
    wagers=WAGERS,
    controls=CONTROLS,
    machine=lambda config: WheelRound(config, GAME.payouts(config), ORDER, score, {"free": 1}),
    returns=lambda payouts, rules: from_wheel(payouts, ORDER, score, {"free": 1}),
    words=WORDS,
    wheel=ORDER,
    result_states=RESULT_STATES,
)
"""

SCENARIO = """
game: lucky-wheel
about: a free spin, then 10 wins
steps:
  - turn: {revolutions: 1.2, seconds: 4}
  - press: no-more-bets
  - spin: {revolutions: 3.5, stop_on: free}
  - expect: {state: bonus, lit: []}
  - spin: {revolutions: 3.5, stop_on: 10}
  - expect: {state: result, lit: [10], recorded: {kind: result, label: 10, wins: [{area: 10, pays: 20 to 1}]}}
"""

Change = tuple[str, str]
Install = Callable[..., Path]


def _table() -> str:
    """The shipped Big Six table with the names and lamps of this game."""
    text = table_path("big-six").read_text(encoding="utf-8").replace("game: big-six", "game: lucky-wheel")
    before, _, rest = text.partition("    lamps:\n")
    after = rest[rest.index("  # Contacts of door") :]
    return f"{before}    lamps: {{1: 0, 2: 1, 4: 2, 10: 3}}\n\n{after}"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs the game as pip does, with changes of its module and its table's file; the folder of the package."""

    def installs(*changes: Change, table: Change = ("", "")) -> Path:
        package, record = tmp_path / "lucky_wheel", tmp_path / "lucky_wheel-1.dist-info"
        package.mkdir()
        record.mkdir()
        game = GAME
        for old, new in changes:
            assert old in game
            game = game.replace(old, new, 1)
        (package / "__init__.py").touch()
        (package / "game.py").write_text(game, encoding="utf-8")
        (package / "table.yaml").write_text(_table().replace(*table, 1), encoding="utf-8")
        (record / "METADATA").write_text("Metadata-Version: 2.1\nName: lucky-wheel\nVersion: 1\n", encoding="utf-8")
        points = "[table_controller.games]\nlucky-wheel = lucky_wheel\n"
        (record / "entry_points.txt").write_text(points, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        forget()
        return package

    def forget() -> None:
        distributions.offered.cache_clear()
        distributions._everyones.cache_clear()

    yield installs
    monkeypatch.undo()
    forget()
    for name in [name for name in sys.modules if name.partition(".")[0] == "lucky_wheel"]:
        del sys.modules[name]


def test_a_game_of_another_distribution_is_played(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    script = install().parent / "scenario.yaml"
    script.write_text(SCENARIO, encoding="utf-8")
    assert main(["check", "lucky-wheel"]) == 0
    assert main(["odds", "lucky-wheel"]) == 0
    assert "22/23" in capsys.readouterr().out
    assert main(["guide", "lucky-wheel"]) == 0
    assert "the least odds of the game" in capsys.readouterr().out
    assert main(["bench", "lucky-wheel", "--script", str(script)]) == 0


@pytest.mark.parametrize(
    ("change", "table", "said"),
    [
        (("    words=WORDS,\n", ""), ("", ""), "missing 1 required positional argument: 'words'"),
        (("GAME = Game(", "MY_GAME = Game("), ("", ""), "lucky_wheel.game holds no GAME"),
        (('name="lucky-wheel"', 'name="lucky"'), ("", ""), "holds the GAME 'lucky', not 'lucky-wheel'"),
        (("free 1 2", "free 50 2"), ("", ""), "the score of Lucky Wheel fails (KeyError: '50')"),
        (("WAGERS = ", "WAGERS = 2 * "), ("", ""), "lucky_wheel.game has two wagers '1'; remove one of the two"),
        (
            ("", ""),
            ("# layout:", "layout: {odds: {10: 5 to 1}}\n#:"),
            "5 to 1 is below the game's least odds; use 20 to 1 or more",
        ),
        (
            ("", ""),
            ("  # rest_s", f"  order: [free, {'1, ' * 22}1]\n  # rest_s"),
            "section 3 is '2' by the rules of Lucky Wheel, not '1'",
        ),
    ],
)
def test_what_is_wrong_is_named(
    install: Install, capsys: pytest.CaptureFixture[str], change: Change, table: Change, said: str
) -> None:
    install(change, table=table)
    for command in ("check", "odds"):
        assert main([command, "lucky-wheel"]) == 78
        found = capsys.readouterr().err
        assert said in found
        assert found.startswith(str(table_path("lucky-wheel")))


def test_a_game_without_a_table_is_named_as_such(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    (install() / "table.yaml").unlink()
    assert main(["check", "lucky-wheel"]) == 78
    assert "the game 'lucky-wheel' has no table.yaml; name a table's file instead" in capsys.readouterr().err
    assert main(["check", "luky-wheel"]) == 78
    assert "unknown game 'luky-wheel'; did you mean lucky-wheel?" in capsys.readouterr().err
