"""A game of another distribution: found under its entry point, played, and refused by name if it is wrong."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from project import ROOT

from controller.commands.cli import main
from controller.configuration.shipped import table_path
from hal import distributions

HOW_TO = (ROOT / "docs" / "how-to" / "add-a-game.md").read_text(encoding="utf-8")
WHEEL, DICE = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
"""The two games that the page builds, as they are written there."""
SCENARIO = next(block for block in re.findall(r"```yaml\n(.*?)```", HOW_TO, re.DOTALL) if "steps:" in block)
KEY = ["floor-key", "floor-key"]
DICE_KEYS = (["floor-key", 2, "floor-key"], KEY, *3 * ([1, 2, 3, "enter"], KEY))
DICE_STEPS = ({"wait_s": 30}, {"press": [*KEY, "no-more-bets", 6, 6, 6, "enter"]})
LIT = {"expect": {"state": "result", "lit": ["triple"]}}
DICE_SCENARIO = json.dumps(
    {"game": "three-ways", "steps": [*({"press": keys} for keys in DICE_KEYS), *DICE_STEPS, LIT]}
)

Change = tuple[str, str]
Install = Callable[..., Path]


def _table(like: str, name: str, lamps: str) -> str:
    """A shipped table with the name and the lamps of another game."""
    text = table_path(like).read_text(encoding="utf-8").replace(f"game: {like}", f"game: {name}")
    before, _, rest = text.partition("    lamps:\n")
    after = rest[rest.index("  # Contacts of door") :]
    return f"{before}    lamps: {lamps}\n\n{after}"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a game as pip does, with changes of its module and its table's file; the folder of the package."""

    def installs(*changes: Change, table: Change = ("", ""), dice: bool = False) -> Path:
        name, game = ("three-ways", DICE) if dice else ("lucky-wheel", WHEEL)
        module = name.replace("-", "_")
        package, record = tmp_path / module, tmp_path / f"{module}-1.dist-info"
        package.mkdir()
        record.mkdir()
        for old, new in changes:
            assert old in game
            game = game.replace(old, new, 1)
        (package / "__init__.py").touch()
        (package / "game.py").write_text(game, encoding="utf-8")
        wheel = _table("big-six", name, "{1: 0, 2: 1, 4: 2, 10: 3}")
        own = _table("sic-bo", name, "{low: 0, middle: 1, high: 2, triple: 3}") if dice else wheel
        (package / "table.yaml").write_text(own.replace(*table, 1), encoding="utf-8")
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
        points = f"[table_controller.games]\n{name} = {module}\n"
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
    for name in [name for name in sys.modules if name.partition(".")[0] in ("lucky_wheel", "three_ways")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("game", "dice", "steps", "odds"),
    [("lucky-wheel", False, SCENARIO, "22/23"), ("three-ways", True, DICE_SCENARIO, "31/36")],
)
def test_a_game_of_another_distribution_is_played(
    install: Install, capsys: pytest.CaptureFixture[str], game: str, dice: bool, steps: str, odds: str
) -> None:
    script = install(dice=dice).parent / "scenario.yaml"
    script.write_text(steps, encoding="utf-8")
    for command, said in (("check", ""), ("odds", odds), ("guide", "the least odds of the game")):
        assert main([command, game]) == 0
        assert said in capsys.readouterr().out
    assert main(["bench", game, "--script", str(script)]) == 0, capsys.readouterr()


@pytest.mark.parametrize(
    ("change", "table", "said"),
    [
        (("    words=WORDS,\n", ""), ("", ""), "missing 1 required positional argument: 'words'"),
        (("GAME: Game = Game(", "MY_GAME: Game = Game("), ("", ""), "lucky_wheel.game holds no GAME"),
        (('name="lucky-wheel"', 'name="lucky"'), ("", ""), "holds the GAME 'lucky', not 'lucky-wheel'"),
        (("free 1 2", "free 50 2"), ("", ""), "the score of Lucky Wheel fails (KeyError: '50')"),
        (("WAGERS = ", "WAGERS = 2 * "), ("", ""), "lucky_wheel.game has two wagers '1'; remove one of the two"),
        (
            ('"house rule 1"', '""'),
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
