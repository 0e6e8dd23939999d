"""All pictures of the pages on one sheet, each beside the approved one where it differs: ``make screens``.

What is kept of an approved picture is small, so that the repository stays so and a newer browser's letters make no
difference; what moves, appears or goes away does.
"""

import html
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageChops

SIDE = 128
"""Pixels of the longer side of what is kept."""
QUALITY = 60
_DIFFERS = 40
"""A pixel differs from this much of its 255 shades on."""
MOST = 0.004
"""Up to this part of the pixels may differ: letters and the time of day do."""
BY_CHANCE = re.compile(r".+-spinning|roulette-(0[3-9]|10)-.+|dreamcatcher-(respin|locked|faults)")
"""Scenes with a wheel that turns, or that rests where chance had it; they are shown, and compared with nothing."""
_NAME = re.compile(r"(?P<scene>.+)-(?P<page>[a-z]+)-(?P<size>\d+x\d+)")
_STYLE = """
body { margin: 1rem; font: 0.9rem/1.4 system-ui, sans-serif; color: #e8edf2; background: #11161c; }
h2 { margin: 1.2rem 0 0.3rem; font-size: 1rem; }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; }
figure { margin: 0; }
img { display: block; height: 11rem; width: auto; border: 1px solid #3a4754; background: #000; }
.changed img, .new img { border-color: #ffb454; }
figcaption { font-size: 0.75rem; }
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a page.

    Attributes:
        verdict: ``same``, ``changed``, ``new``, or ``by chance`` for one that is compared with nothing.
        share: the part of the pixels that differ, 0 to 1.
    """

    file: Path
    scene: str
    page: str
    size: str
    verdict: str
    share: float = 0.0


def reduced(file: Path) -> Image.Image:
    """What is kept of a picture."""
    with Image.open(file) as picture:
        small = picture.convert("RGB")
        small.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
        return small


def differing(one: Image.Image, other: Image.Image) -> float:
    """The part of the pixels that differ, 0 to 1; 1 for pictures of other shapes."""
    if one.size != other.size:
        return 1.0
    shades = ImageChops.difference(one, other).convert("L").histogram()
    share: float = sum(shades[_DIFFERS:]) / sum(shades)
    return share


def examined(file: Path, approved: Path) -> Shot:
    """A picture, compared with the approved one of its name.

    Raises:
        ValueError: the file is not named ``SCENE-PAGE-WIDTHxHEIGHT.png``.
    """
    named = _NAME.fullmatch(file.stem)
    if named is None:
        raise ValueError(f"{file}: a picture is named SCENE-PAGE-WIDTHxHEIGHT.png")
    scene, page, size = named.groups()
    kept = approved / f"{file.stem}.webp"
    if BY_CHANCE.fullmatch(scene):
        return Shot(file, scene, page, size, "by chance")
    if not kept.exists():
        return Shot(file, scene, page, size, "new")
    with Image.open(kept) as before:
        share = differing(reduced(file), before.convert("RGB"))
    return Shot(file, scene, page, size, "changed" if share > MOST else "same", share)


def sheet(shots: Sequence[Shot], approved: Mapping[Path, str]) -> str:
    """The page: what differs first, then all pictures by game and state.

    Args:
        approved: of a picture that changed, the address of the approved one.
    """
    wrong = [shot for shot in shots if shot.verdict in ("changed", "new")]
    parts = [_row("What is not as approved", wrong, approved)] if wrong else []
    parts += [_row(scene, list(some), {}) for scene, some in groupby(shots, key=lambda shot: shot.scene)]
    counts = f"{len(shots)} pictures, {len(wrong)} of them not as approved"
    head = f'<meta charset="utf-8"><title>Screens</title><style>{_STYLE}</style><h1>Screens: {counts}</h1>'
    return f'<!doctype html><html lang="en">{head}{"".join(parts)}</html>\n'


def _row(title: str, shots: Iterable[Shot], approved: Mapping[Path, str]) -> str:
    figures = "".join(_figure(shot, approved.get(shot.file, "")) for shot in shots)
    return f'<h2>{html.escape(title)}</h2><div class="row">{figures}</div>'


def _figure(shot: Shot, before: str) -> str:
    words = f"{shot.page} {shot.size}"
    caption = f"{shot.scene}, approved and now: {words}" if before else words
    if shot.verdict != "same":
        caption += f" ({shot.verdict}{f' by {shot.share:.1%}' if shot.verdict == 'changed' else ''})"
    old = _picture(before, "approved") if before else ""
    now = f'<a href="{html.escape(shot.file.name)}">{_picture(shot.file.name, words)}</a>'
    shown = f'<div class="row">{old}{now}</div><figcaption>{html.escape(caption)}</figcaption>'
    return f'<figure class="{shot.verdict}">{shown}</figure>'


def _picture(address: str, words: str) -> str:
    return f'<img loading="lazy" alt="{html.escape(words)}" src="{html.escape(address)}">'


def approve(shots: Iterable[Shot], missing: Iterable[str], approved: Path) -> None:
    """Keep these pictures as the approved ones, and no others; those that are the same stay to the byte."""
    approved.mkdir(parents=True, exist_ok=True)
    for name in missing:
        (approved / f"{name}.webp").unlink()
    for shot in shots:
        if shot.verdict in ("changed", "new"):
            reduced(shot.file).save(approved / f"{shot.file.stem}.webp", quality=QUALITY, method=6)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a picture is not as approved, or an approved one was not taken."""
    parser = ArgumentParser(prog="python -m tools.contact_sheet", description=__doc__)
    parser.add_argument("pictures", type=Path, help="the folder of the pictures, which gets index.html")
    parser.add_argument("approved", type=Path, help="the folder of the approved ones")
    parser.add_argument("--approve", action="store_true", help="keep the pictures as the approved ones")
    given = parser.parse_args(arguments)
    files = sorted(given.pictures.glob("*.png"))
    if not files:
        parser.error(f"{given.pictures}: there are no pictures; make screens takes them")
    shots = [examined(file, given.approved) for file in files]
    missing = {kept.stem for kept in given.approved.glob("*.webp")} - {file.stem for file in files}
    return _finish(shots, missing, given.pictures, given.approved, given.approve)


def _finish(shots: Sequence[Shot], missing: set[str], pictures: Path, approved: Path, approves: bool) -> int:
    before = {
        shot.file: (approved / f"{shot.file.stem}.webp").resolve().as_uri()
        for shot in shots
        if shot.verdict == "changed"
    }
    index = pictures / "index.html"
    index.write_text(sheet(shots, before), encoding="utf-8")
    wrong = [f"{shot.file.stem}: {shot.verdict}" for shot in shots if shot.verdict in ("changed", "new")]
    wrong += [f"{name}: approved, and not taken" for name in sorted(missing)]
    print(*wrong, f"{index}: {len(shots)} pictures, {len(wrong)} not as approved", sep="\n")
    if approves:
        approve(shots, missing, approved)
        print(f"{approved}: these are approved now")
    elif wrong:
        print("look at them; if they are right: make screens APPROVE=yes", file=sys.stderr)
    return 0 if approves or not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
