"""A new game is only its own folder: those of CONTRIBUTING.md are played, shown, recorded, replayed."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from pathlib import Path
from threading import Timer

import pytest
from new_games import (
    GAMES,
    PATIENCE_S,
    answered,
    answered_in_one_process,
    environment,
    files_of_the_checkout,
    install_game,
)

ROUNDS = 300


@pytest.fixture(scope="module")
def checkout() -> dict[str, str]:
    return files_of_the_checkout()


@pytest.fixture(scope="module")
def site(checkout: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both games installed."""
    folder = tmp_path_factory.mktemp("site")
    for game in GAMES:
        install_game(folder, game)
    return folder


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# -- what they pay, against a count of every case ----------------------------------------------------------------


def dice_by_hand() -> dict[str, tuple[Fraction, Fraction]]:
    """Probability and return of each wager of High Dice, by its rules in words."""
    won = dict.fromkeys(("low", "high", "odd", "even", "pair", "triple"), 0)
    for a, b, c in product(range(1, 7), repeat=3):
        if a == b == c:
            won["triple"] += 1
            continue
        won["low"] += a + b + c < 11
        won["high"] += a + b + c > 10
        won["odd"] += (a + b + c) % 2
        won["even"] += (a + b + c + 1) % 2
        won["pair"] += len({a, b, c}) == 2
    odds = {area: 30 if area == "triple" else 1 for area in won}
    return {area: (Fraction(n, 216), Fraction(n, 216) * (1 + odds[area])) for area, n in won.items()}


def wheel_by_hand() -> dict[str, tuple[Fraction, Fraction]]:
    """Of Spin Again: a section that spins again takes no part, so 23 decide, one of them for the house."""
    sections = {"1": 12, "2": 6, "5": 3, "10": 1}
    return {area: (Fraction(n, 23), Fraction(n, 23) * (1 + int(area))) for area, n in sections.items()}


@pytest.mark.parametrize(("game", "by_hand"), [("high-dice", dice_by_hand()), ("spin-again", wheel_by_hand())])
def test_the_odds_are_those_of_a_count_of_every_case(
    site: Path, game: str, by_hand: dict[str, tuple[Fraction, Fraction]]
) -> None:
    output = json.loads(answered(site, "odds", game, "--json"))["wagers"]
    assert {
        one["wager"]: (Fraction(one["probability"]), Fraction(one["return_to_player"])) for one in output
    } == by_hand


# -- every command -------------------------------------------------------------------------------------------------


def test_the_table_is_checked_and_its_mistakes_are_named(site: Path, game: str, tmp_path: Path) -> None:
    file = site / GAMES[game] / "table.yaml"
    answered(site, "check", file)
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(file.read_text().replace("floor-key:", "door-key:"))
    with pytest.raises(AssertionError, match="floor-key"):
        answered(site, "check", wrong)


def test_whole_rounds_are_simulated_without_a_failure(site: Path, game: str) -> None:
    output = json.loads(answered(site, "simulate", game, "--rounds", str(ROUNDS), "--workers", "1", "--json"))
    assert output["rounds"] == ROUNDS
    assert output["results"] + output["voids"].get("no-roll", 0) == ROUNDS
    assert (output["locks"], output["wrong_results"]) == (0, [])
    assert output["journal"]["verified"]
    assert all(abs(one["standard_errors"]) < 5 for one in output["wins"])
    assert bool(output["bonus_spins"]) is (game == "spin-again")


def test_the_guide_says_how_it_is_played(site: Path, game: str, tmp_path: Path) -> None:
    page = tmp_path / "guide.html"
    answered(site, "guide", game, "--out", page)
    text = page.read_text(encoding="utf-8")
    assert "before the dealer calls no more bets" in text
    assert "58 Pa. Code" not in text


def test_its_demonstration_is_recorded_shown_verified_and_replayed(site: Path, game: str, tmp_path: Path) -> None:
    journal, table = tmp_path / "table.journal", site / GAMES[game] / "table.yaml"
    played = answered(site, "bench", game, "--journal", journal, "--seed", "3")
    assert "ten rounds" in played
    if game == "spin-again":
        assert "SPIN AGAIN again: wagers stay" in played
    shown = answered(site, "journal", "show", journal)
    assert shown.count("RESULT ") >= 10
    answered(site, "journal", "verify", journal)
    answered(site, "replay", "1", journal, "--table", table)
    others = [["replay", str(number), str(journal), "--table", str(table)] for number in range(2, 11)]
    answered_in_one_process(site, others)


# -- the pages -----------------------------------------------------------------------------------------------------


@contextmanager
def served(site: Path, *words: str | Path) -> Iterator[str]:
    """A command that serves pages; yields their address."""
    with subprocess.Popen(
        [sys.executable, "-m", "controller", *map(str, words)],
        cwd=site,
        env=environment(site),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        given_up = Timer(PATIENCE_S, process.kill)
        given_up.start()
        try:
            assert process.stdout is not None
            log = ""
            while "http://" not in log:
                line = process.stdout.readline()
                assert line, log
                log += line
            yield log[log.index("http://") :].split()[0].rstrip("/,").removesuffix("/bench")
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0, log + process.stdout.read()
        finally:
            given_up.cancel()
            process.kill()


def fetched(address: str, path: str) -> str:
    with urllib.request.urlopen(f"{address}{path}", timeout=PATIENCE_S) as answer:
        return str(answer.read().decode())


def first_event(address: str, path: str) -> dict[str, object]:
    with urllib.request.urlopen(f"{address}{path}", timeout=PATIENCE_S) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                found: dict[str, object] = json.loads(line.removeprefix(b"data: "))
                return found
    raise AssertionError("no event")


@pytest.mark.parametrize("way", ["bench", "run"])
def test_its_board_and_its_dealers_screen_are_served(site: Path, game: str, way: str, tmp_path: Path) -> None:
    table = site / GAMES[game] / "table.yaml"
    with served(site, way, table, "--port", "0", "--journal", tmp_path / "table.journal") as address:
        described = json.loads(fetched(address, "/table.json"))
        assert described["game"] == game
        assert len(described["areas"]) == {"high-dice": 6, "spin-again": 4}[game]
        assert described["states"]
        if game == "spin-again":
            assert [section["name"] for section in described["wheel"]].count("house") == 1
            assert len(described["wheel"]) == 24
        else:
            assert [len(row["areas"]) for row in described["rows"]] == [3, 3]
        assert first_event(address, "/board.events")["headline"] in ("TABLE IS CLOSED", "ONE MOMENT PLEASE")
        assert first_event(address, "/dealer.events")["dealer"]
        assert "export function build(" in fetched(address, "/game/figure.js")


def test_a_game_with_a_figure_of_its_own_shows_it(tmp_path: Path) -> None:
    folder = install_game(tmp_path, "high-dice")
    (folder / "figure.js").write_text('import { rows } from "/game/rows.js";\nexport const build = rows;\n')
    with served(tmp_path, "bench", "high-dice", "--port", "0") as address:
        assert "export const build = rows" in fetched(address, "/game/figure.js")
        assert "export function rows(" in fetched(address, "/game/rows.js"), "that of its kind of equipment"


def test_nothing_outside_a_games_own_folder_was_touched(site: Path, checkout: dict[str, str]) -> None:
    """Runs last, after all others."""
    assert files_of_the_checkout() == checkout
    added = {file.name for file in site.iterdir()}
    assert added == {*GAMES.values(), *(f"{package}-1.0.dist-info" for package in GAMES.values())}
