"""Games and backends of other distributions: what is wrong with one is one sentence; their files are verified."""

import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from new_games import (
    PATIENCE_S,
    answered,
    command,
    environment,
    install_broken,
    install_game,
    lay_out,
    refused,
    register,
)
from project import ROOT

from controller.runtime import manifest
from controller.statechart import registry as games
from hal import registry as backends

TWICE = "one_package and other_package both offer the game 'new-game'; uninstall all but one of them"


def broken(site: Path, *words: str | Path) -> str:
    """The one sentence of a refusal for an installed file that is wrong."""
    code, message = refused(site, *words)
    assert code == 78
    assert "\n" not in message, message
    return message


# -- games ---------------------------------------------------------------------------------------------------------


NO_GAMES = [
    (None, "there is no package broken_game"),
    ("GAME = 1 / 0\n", "broken_game.game cannot be loaded (ZeroDivisionError"),
]
OTHER_NO_GAMES = [
    (
        "import nothing_of_this_name\n",
        "broken_game.game cannot be loaded (ModuleNotFoundError: No module named",
    ),
    ("GAME = (\n", "broken_game.game cannot be loaded (SyntaxError"),
    ("", "broken_game.game holds no GAME"),
    ("GAME = 'new-game'\n", "broken_game.game holds no GAME"),
    (
        "from controller.games.sic_bo.game import GAME\n",
        "broken_game.game holds the GAME 'sic-bo', not 'new-game'; correct either name",
    ),
]


@pytest.mark.parametrize(
    ("text", "sentence"), [*NO_GAMES, *(pytest.param(*case, marks=pytest.mark.campaign) for case in OTHER_NO_GAMES)]
)
def test_a_package_that_is_no_game_is_refused_in_one_sentence_and_affects_no_other(
    tmp_path: Path, text: str | None, sentence: str
) -> None:
    install_broken(tmp_path, "new-game", text)
    for words in (["odds", "new-game"], ["bench", "new-game"], ["simulate", "new-game"], ["guide", "new-game"]):
        message = broken(tmp_path, *words)
        assert sentence in message or (text is None and "broken_game" in message), message
    answered(tmp_path, "odds", "sic-bo")
    answered(tmp_path, "check", ROOT / "config/tables/sic-bo.yaml")
    assert "the games are: big-six, " in refused(tmp_path, "odds", "poker")[1]


def test_a_tables_file_that_names_a_broken_game_says_so_on_its_line(tmp_path: Path) -> None:
    install_broken(tmp_path, "new-game", "GAME = 1 / 0\n")
    table = tmp_path / "table.yaml"
    text = (ROOT / "config/tables/sic-bo.yaml").read_text(encoding="utf-8")
    table.write_text(text.replace("\ngame: sic-bo\n", "\ngame: new-game\n"), encoding="utf-8")
    for words in (["check", table], ["run", table]):
        code, message = refused(tmp_path, *words)
        assert code == 78
        assert re.search(r"table\.yaml:\d+:\d+: game: broken_game\.game cannot be loaded", message), message


def test_a_game_that_two_packages_offer_is_refused_by_both_their_names(tmp_path: Path) -> None:
    for package in ("one_package", "other_package"):
        install_broken(tmp_path, "new-game", "", package)
    assert TWICE in broken(tmp_path, "odds", "new-game")
    answered(tmp_path, "odds", "sic-bo")


def test_a_game_of_this_software_is_not_replaced_silently(tmp_path: Path) -> None:
    install_broken(tmp_path, "sic-bo", "")
    sentence = "controller.games.sic_bo and broken_game both offer the game 'sic-bo'; uninstall broken_game"
    assert sentence in broken(tmp_path, "odds", "sic-bo")
    answered(tmp_path, "odds", "big-six")


def test_a_game_without_a_table_asks_for_one(tmp_path: Path) -> None:
    (install_game(tmp_path, "high-dice") / "table.yaml").unlink()
    assert "the game 'high-dice' has no table.yaml" in broken(tmp_path, "odds", "high-dice")


@pytest.mark.parametrize("part", ["screen", "bench"])
def test_a_part_of_a_game_that_cannot_be_loaded_is_named(tmp_path: Path, part: str) -> None:
    (install_game(tmp_path, "high-dice") / f"{part}.py").write_text("1 / 0\n")
    words = {"bench": ["simulate", "high-dice", "--workers", "1"], "screen": ["bench", "high-dice", "--port", "0"]}
    assert f"high_dice.{part} cannot be loaded (ZeroDivisionError" in refused(tmp_path, *words[part])[1]


# -- backends ------------------------------------------------------------------------------------------------------


def install_backend(site: Path, name: str = "lamp-file") -> Path:
    lay_out(site, "lamp_file")
    register(site, "lamp_file", {backends.GROUP: {name: "lamp_file"}})
    return site / "lamp_file"


def table_with(site: Path, backend: str, options: str) -> Path:
    """The table of High Dice, its panel on this backend."""
    text = (install_game(site, "high-dice") / "table.yaml").read_text(encoding="utf-8")
    lead, panel = text.split("  panel:\n")
    panel = panel.replace("backend: mock", f"backend: {backend}", 1).replace(
        "options: {}", f"options: {options}", 1
    )
    file = site / "table.yaml"
    file.write_text(f"{lead}  panel:\n{panel}", encoding="utf-8")
    return file


def test_a_backend_of_another_distribution_lights_the_lamps(tmp_path: Path) -> None:
    install_backend(tmp_path)
    table = table_with(tmp_path, "lamp-file", f"{{file: {tmp_path / 'lamps'}}}")
    answered(tmp_path, "check", table)
    program = (
        "from pathlib import Path\n"
        "from controller.configuration.shipped import load_table\n"
        "from hal.mock.clock import VirtualClock\n"
        "from hal.registry import backends, open_device\n"
        f"panel = load_table(Path({str(table)!r})).config.devices.panel\n"
        "device = open_device('panel', panel.backend, panel, panel.options, VirtualClock())\n"
        "device.show(frozenset({'low', 'pair'}))\n"
        "assert 'lamp-file' in backends('panel') and 'lamp-file' not in backends('keys')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(tmp_path),
        timeout=PATIENCE_S,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "lamps").read_text() == "0\n4\n"


@pytest.mark.parametrize(
    ("backend", "options", "sentence"),
    [
        ("lamp-file", "{}", "devices.panel.options.file"),
        ("lamp-fiel", "{}", "unknown backend 'lamp-fiel' for panel; did you mean lamp-file? the backends are: "),
    ],
)
def test_options_and_names_of_backends_are_checked(
    tmp_path: Path, backend: str, options: str, sentence: str
) -> None:
    install_backend(tmp_path)
    message = refused(tmp_path, "check", table_with(tmp_path, backend, options))[1]
    assert sentence in message
    assert "lamp-file" in message or "options" in message


def test_a_backend_of_a_name_that_is_taken_is_refused_by_name(tmp_path: Path) -> None:
    install_backend(tmp_path, "hc595")
    message = refused(tmp_path, "check", table_with(tmp_path, "hc595", "{}"))[1]
    assert "hal.hc595 and lamp_file both offer the backend 'hc595'; uninstall lamp_file" in message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 / 0\n", "lamp_file.settings cannot be loaded (ZeroDivisionError"),
        ("", "lamp_file.settings has no SETTINGS for panel"),
    ],
)
def test_a_backend_that_cannot_be_loaded_is_refused_in_one_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    (install_backend(tmp_path) / "settings.py").write_text(text)
    assert sentence in refused(tmp_path, "check", table_with(tmp_path, "lamp-file", "{}"))[1]
    answered(tmp_path, "check", ROOT / "config/tables/sic-bo.yaml")


def test_a_backend_without_a_file_for_the_kind_says_which_is_missing(tmp_path: Path) -> None:
    (install_backend(tmp_path) / "panel.py").unlink()
    message = refused(tmp_path, "check", table_with(tmp_path, "lamp-file", "{}"))[1]
    assert "the backend 'lamp-file' drives no panel: there is no lamp_file.panel" in message


# -- the manifest --------------------------------------------------------------------------------------------------


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder in which this software and High Dice are installed as built packages."""
    for package in manifest.PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    install_game(tmp_path, "high-dice")
    manifest.write(tmp_path)
    manifest.write(tmp_path, ("high_dice",))
    return tmp_path


def test_the_groups_are_those_of_the_registries() -> None:
    assert set(manifest.EXTENSIONS) == {games.GROUP, backends.GROUP}


def test_the_files_of_a_game_are_part_of_the_software(built: Path) -> None:
    output = answered(built, "verify-software")
    parts = [
        sha256((built / name / manifest.NAME).read_bytes()).hexdigest() for name in ("controller", "high_dice")
    ]
    together = sha256("\n".join(parts).encode()).hexdigest()
    assert f"software {together}\n" in output
    assert "  high_dice/game.py\n" in output
    assert "files, all verified" in output


@pytest.mark.parametrize("changed", ["high_dice/game.py", "controller/games/dice/rules.py"])
@pytest.mark.parametrize("with_manifest", [True, False])
def test_a_changed_file_stops_the_table_by_name(built: Path, changed: str, with_manifest: bool) -> None:
    """Also where another package has no manifest: what has one must fit it."""
    other = "controller" if changed.startswith("high_dice") else "high_dice"
    if not with_manifest:
        (built / other / manifest.NAME).unlink()
    with (built / changed).open("a", encoding="utf-8") as file:
        file.write("# a change\n")
    done = command(built, "verify-software")
    assert done.returncode == 1
    assert f"{changed}: changed\n" in done.stderr
    code, message = refused(built, "run", built / "high_dice/table.yaml", "--journal", built / "table.journal")
    assert code == 78
    assert f"{changed}: changed" in message
    assert "the table does not start: " in message
    assert not (built / "table.journal").exists()


def test_a_game_without_a_manifest_is_under_development(built: Path) -> None:
    (built / "high_dice" / manifest.NAME).unlink()
    done = command(built, "verify-software")
    assert done.returncode == 1
    assert "software development-" in done.stdout
    assert f"{built / 'high_dice' / manifest.NAME}: there is no manifest" in done.stderr
    assert "these 3 files cannot be verified" in done.stderr


def test_a_file_added_to_a_game_is_named(built: Path) -> None:
    (built / "high_dice" / "extra.py").write_text("")
    assert "high_dice/extra.py: additional\n" in command(built, "verify-software").stderr


def test_a_game_that_is_spread_over_folders_is_under_development(built: Path, tmp_path: Path) -> None:
    (built / "high_dice" / "__init__.py").unlink()
    manifest.write(built, ("high_dice",))
    answered(built, "verify-software")
    more = tmp_path / "more"
    (more / "high_dice").mkdir(parents=True)
    (more / "high_dice" / "screen.py").write_text("1 / 0\n")
    (built / "sitecustomize.py").write_text(f"import sys\nsys.path.append({str(more)!r})\n")
    done = command(built, "verify-software")
    assert done.returncode == 1
    assert "software development-" in done.stdout
    assert "high_dice (2)/screen.py" in done.stdout
