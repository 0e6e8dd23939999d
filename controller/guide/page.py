"""The gaming guide: the rules of play, the wheel or layout, the payouts of the wagers, and their exact odds.

One self-contained file, laid out for printing. All of its content is derived from the data that the table uses.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import groupby

from config.schema import GuideSection, TableConfig
from controller.guide.pictures import picture, plain_name, shown_names
from controller.limits.terms import file_limits, house_of, limits_text, steps_text
from controller.machine.game import Game
from controller.odds.exact import WagerReturn
from controller.odds.wagers import Payouts, to_one

_STYLE = """
@page { size: letter; margin: 18mm 16mm; }
body { font: 11pt/1.45 Georgia, 'Times New Roman', serif; color: #1b1b1b; max-width: 46em; margin: 2em auto; }
h1 { font-size: 24pt; margin: 0; } h2 { font-size: 14pt; margin: 1.6em 0 .4em; break-after: avoid; }
p.law { color: #555; margin: .2em 0 1em; } li { margin: .3em 0; }
table { border-collapse: collapse; width: 100%; font-size: 10pt; }
th, td { border-bottom: 1px solid #ccc; padding: .25em .5em; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
thead { display: table-header-group; } tr { break-inside: avoid; }
figure { margin: 1em 0; break-inside: avoid; text-align: center; } svg { max-width: 100%; height: auto; }
p.draft { border: 2px solid #b3202c; color: #b3202c; padding: .4em .6em; font-weight: bold; }
footer { margin-top: 2em; color: #555; font-size: 9pt; }
"""


_SAMPLE = 12
"""Hexadecimal digits that identify a sample of the guide."""
_MAX_ROWS = 10
"""More identical wagers than this share a row."""
_FIRST_NUMBER = re.compile(r"-(?=[0-9])")


def page(game: Game, config: TableConfig, source: str, least: bool) -> str:
    """The guide of a game as a table plays it.

    Args:
        source: the origin of the table's rules, for the footer.
        least: show the minimum odds of the regulation instead of the table's own.
    """
    payouts = game.least_payouts(config.rules) if least else game.payouts(config)
    returns = game.returns(payouts, config.rules)
    names = shown_names(game, {} if least else config.layout.symbols)
    rules = (
        "<h2>How it is played</h2>",
        _list(game.guide),
        f"<figure>{picture(game, config, payouts)}</figure>",
        "<h2>What wagers pay</h2>",
        _paytable(payouts, returns, names),
        "<h2>Odds</h2>",
        "<p>True odds are those at which neither side would gain, under all rules of the game; the house advantage "
        "is the part of a wager that the house keeps in the mean. All are exact, and rounded here.</p>",
        _odds(returns, names),
    )
    sample = hashlib.sha256("\n".join((game.title, *rules)).encode()).hexdigest()[:_SAMPLE]
    draft, approval = _approval(None if least else config.guide, sample)
    parts = (
        f"<h1>{escape(game.title)}</h1>",
        draft,
        f'<p class="law">A gaming guide. The rules are those of {escape(_rules(game))}.</p>',
        *rules,
        "<h2>Limits</h2>",
        f"<p>{escape(_limits(config))}</p>",
        f"<footer>Made from {escape(source)}. Sample {sample}{escape(approval)}.</footer>",
    )
    head = f'<meta charset="utf-8"><title>{escape(game.title)}: gaming guide</title><style>{_STYLE}</style>'
    body = "\n".join(filter(None, parts))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def _approval(section: GuideSection | None, sample: str) -> tuple[str, str]:
    """The mark of a draft (§ 521.9(c), (d)), empty for an approved guide; and the footer's words."""
    if section is not None and section.sample == sample:
        return "", f", approved: {section.approval}"
    why = "not approved (§ 521.9(c))"
    if section is not None:
        why = f"changed since sample {section.sample} was approved (§ 521.9(d))"
    return f'<p class="draft">DRAFT: {escape(why)}; not to be issued, displayed or distributed.</p>', ""


def _limits(config: TableConfig) -> str:
    """The limits. They change by notice and are no part of what is approved; the sign has the last word."""
    limits = file_limits(config.limits)
    if limits is None:
        return "The sign at the table states the least and the highest wager."
    further = steps_text(house_of(config).steps, limits.currency)
    words = "; ".join(filter(None, (limits_text(limits), further)))
    return f"Wagers at this table: {words}. The sign at the table states the limits that are in effect."


def _rules(game: Game) -> str:
    return f"58 Pa. Code Chapter {game.chapter}" if game.chapter else "the house"


def _fair(odds: Fraction) -> str:
    """The odds to one at which a wager would be fair; two decimals if they are not a whole number."""
    return to_one(odds) if odds.denominator == 1 else f"{float(odds):.2f} to 1"


def _list(paragraphs: Iterable[str]) -> str:
    return "<ol>" + "".join(f"<li>{escape(text)}</li>" for text in paragraphs) + "</ol>"


def _paytable(payouts: Payouts, returns: Sequence[WagerReturn], names: Mapping[str, str]) -> str:
    """A row for each wager; all positions of a wager have the same odds."""
    by_position = any(item.counted for item in returns)
    paid = {
        wager.area.rpartition("-")[0] if by_position else wager.area: payouts.all_odds(wager.area)
        for wager in payouts.wagers
    }
    rows = [(name, (", ".join(map(to_one, odds)),)) for name, odds in paid.items()]
    return _table(("wager", "pays"), _grouped(rows, names))


def _odds(returns: Sequence[WagerReturn], names: Mapping[str, str]) -> str:
    heads = ("wager", "chance of winning", "true odds", "payout odds", "return to player", "house advantage")
    rows = [
        (
            item.wager,
            (
                f"{float(item.probability):.3%}",
                _fair(item.true_odds),
                _pays(item),
                f"{float(item.return_to_player):.2%}",
                f"{float(item.house_advantage):.2%}",
            ),
        )
        for item in returns
    ]
    return _table(heads, _grouped(rows, names))


def _grouped(rows: Sequence[tuple[str, tuple[str, ...]]], names: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Rows by wager, in which many identical wagers share a row: ``straight, each of 38``.

    Args:
        names: what the layout shows in place of a wager's name.
    """
    grouped: list[tuple[str, ...]] = []
    for (kind, cells), group in groupby(rows, lambda row: (_FIRST_NUMBER.split(row[0])[0], row[1])):
        same = [name for name, _ in group]
        if len(same) > _MAX_ROWS:
            grouped.append((f"{plain_name(kind)}, each of {len(same)}", *cells))
        else:
            grouped += [(names.get(name) or plain_name(name), *cells) for name in same]
    return grouped


def _pays(item: WagerReturn) -> str:
    return ", ".join(map(to_one, item.pays))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
