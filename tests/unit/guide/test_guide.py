"""The gaming guide and the odds sheet: complete, from the table's own data, and self-contained."""

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller import errors as exits
from controller.commands.cli import main
from controller.configuration.shipped import load_table, table_path
from controller.machine.game import Game
from controller.machine.registry import find_game, game_names
from controller.odds.wagers import to_one


@dataclass
class Page:
    """A page: its text, the cells of its tables, and how many shapes are drawn."""

    words: str
    rows: list[list[str]]
    shapes: int


def read(text: str) -> Page:
    """Raises: ParseError: a tag is not closed in turn."""
    tree = ElementTree.fromstring(re.sub(r"<!DOCTYPE[^>]*>|<meta[^>]*>", "", text))
    rows = [["".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]
    shapes = [one for one in tree.iter() if one.tag.rpartition("}")[2] in ("path", "rect")]
    return Page(" ".join(tree.itertext()), rows, len(shapes))


def guide(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["guide", *words]) == exits.OK
    return capsys.readouterr().out


def _called(game: Game, wager: str) -> str:
    """A wager as the screens name it; one at several positions by its kind."""
    return game.area_name(wager) if wager in game.areas else wager.replace("-", " ")


@pytest.mark.clause("521.4(1)", "521.4(1)(ii)", "521.4(1)(iii)", "521.4(1)(iv)", "521.9(b)")
@pytest.mark.parametrize("name", game_names())
def test_every_wager_is_in_it_with_its_odds(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """§ 521.4(1)(ii): true odds, payout odds and house advantage; § 521.9(b): the rules in short."""
    text = guide(capsys, name)
    page = read(text)
    game = find_game(name)
    rules = load_table(table_path(name)).config.rules
    rows = {row[0]: row[1:] for row in page.rows}
    for item in game.returns(game.least_payouts(rules), rules):
        kind = re.match(r"[a-z-]+[a-z]", item.wager)
        alike = [row for row in rows if kind and re.fullmatch(rf"{kind[0].replace('-', ' ')}, each of \d+", row)]
        cells = rows[alike[0] if alike else _called(game, item.wager)]
        chance, true_odds, *rest = cells
        assert chance == f"{float(item.probability):.3%}"
        assert float(true_odds.removesuffix(" to 1")) == pytest.approx(float(item.true_odds), abs=0.006)
        shares = [f"{float(share):.2%}" for share in (item.return_to_player, item.house_advantage)]
        assert rest == [", ".join(map(to_one, item.pays)), *shares]
    columns = ["chance of winning", "true odds", "payout odds", "return to player", "house advantage"]
    assert rows["wager"] == columns
    assert len(game.guide) >= 4
    assert all(paragraph in page.words for paragraph in game.guide)
    drawn = game.drawing(rules) if game.drawing else None
    assert page.shapes == (len(drawn.rim) + len(drawn.boxes) if drawn else len(game.wheel) + len(game.wagers))
    assert f"Chapter {game.chapter}" in page.words
    assert not re.search(r"<(script|link|img|iframe)|url\(|@import|\son\w+=", text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.clause("521.4(1)(iii)", "521.4(1)(iv)", "521.9(b)")
def test_a_tables_own_odds_and_symbols_are_shown_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """§ 521.4(1)(iii), (iv): each section of the wheel, and each area with its symbol and odds."""
    file = tmp_path / "table.yaml"
    own = "\nlayout:\n  symbols:\n    logo: Crown & Co <1>\n    10: Cherry\n  odds:\n    joker: 47 to 1\n"
    file.write_text(table_path("big-six").read_text() + own)
    text = guide(capsys, str(file))
    page = read(text)
    rows = {row[0]: row[1:] for row in page.rows if len(row) == 6}
    paid = {row[0]: row[1] for row in page.rows if len(row) == 2}
    assert (rows["joker"][2], rows["Cherry"][2]) == ("47 to 1", "10 to 1"), "a patron knows the symbol"
    assert (paid["Crown & Co <1>"], paid["Cherry"]) == ("45 to 1", "10 to 1")
    assert not {"logo", "10"} & (rows.keys() | paid.keys())
    drawn = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    texts = (ElementTree.fromstring(one).iter() for one in drawn)
    wheel, layout = ([one.text for one in tags if one.tag.endswith("text")] for tags in texts)
    symbols = {"logo": "Crown & Co <1>", "10": "Cherry"}
    assert wheel == [symbols.get(name, name) for name in find_game("big-six").wheel]
    assert layout == [
        *("1", "1 to 1", "2", "2 to 1", "5", "5 to 1", "Cherry", "10 to 1", "20", "20 to 1"),
        *("joker", "47 to 1", "Crown & Co <1>", "45 to 1"),
    ]


def sample_of(text: str) -> str:
    found = re.search(r"Sample ([0-9a-f]{12})", text)
    assert found is not None
    return found[1]


@pytest.mark.clause("521.9(c)", "521.9(d)")
def test_it_is_a_draft_until_an_approval_is_in_the_tables_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, text = tmp_path / "table.yaml", table_path("dreamcatcher").read_text()
    file.write_text(text)
    draft = guide(capsys, str(file))
    assert "DRAFT: not approved (§ 521.9(c)); not to be issued, displayed or distributed." in draft
    assert "DRAFT" in guide(capsys, "dreamcatcher")
    approved = f"\nguide:\n  approval: letter of 1 June 2026\n  sample: {sample_of(draft)}\n"
    file.write_text(text + approved)
    shown = guide(capsys, str(file))
    assert "DRAFT" not in shown
    assert "approved: letter of 1 June 2026." in shown
    with_limits = text.replace("  posted: elsewhere\n", "  minimum: 5\n  maximum: 500\n")
    file.write_text(with_limits + approved)
    assert "DRAFT" not in guide(capsys, str(file)), "limits change by notice, without an approval"
    file.write_text(text + approved + "layout:\n  odds:\n    40: 41 to 1\n")
    changed = f"DRAFT: changed since sample {sample_of(draft)} was approved (§ 521.9(d))"
    assert changed in guide(capsys, str(file))


@pytest.mark.clause("521.7(d)", "521.9(b)")
def test_the_limits_are_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "The sign at the table states the least and the highest wager." in guide(capsys, "sic-bo")
    file = tmp_path / "table.yaml"
    own = "  minimum: 5\n  maximum: 500\n  payout: 25000\n"
    file.write_text(table_path("sic-bo").read_text().replace("  posted: elsewhere\n", own))
    words = "Wagers at this table: $5 to $500, at most $25,000 paid out in a round."
    assert words in guide(capsys, str(file))
    file.write_text(
        file.read_text().replace("  payout: 25000\n", "  steps:\n    small: 10\n    every: 5\n"), "utf-8"
    )
    words = "$5 to $500; wagers in steps of $5; wagers on small in steps of $10. The sign"
    file.write_text(file.read_text().replace("minimum: 5", "minimum: 10"), "utf-8")
    assert words.replace("$5 to", "$10 to") in guide(capsys, str(file))
