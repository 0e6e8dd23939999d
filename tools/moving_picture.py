"""Puts pictures of a terminal, as Rich draws them, one after the other into one animated SVG.

A line that stays the same is in it once. Who asks for reduced motion, or cannot show any, sees the last picture.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_STYLE = re.compile(r"^ *\.(?P<name>bench-r\d+) \{(?P<rule>[^}]*)\}\n?", re.MULTILINE)
_SHAPE = re.compile(r"<rect (?P<rect>[^>]*)/>|<text (?P<text>[^>]*)>[^<]*</text>")
_PLACE = re.compile(r'\sy="(?P<y>[\d.]+)"')
_CLASS = re.compile(r'(?<=class=")bench-r\d+(?=")')
_LINE = re.compile(r"#bench-line-(?P<line>\d+)")
_TERMINAL = re.compile(
    r'(?P<open><g transform="[^"]*" clip-path="url\(#bench-clip-terminal\)">)(?P<inside>.*?</g>)\s*(?=</g>)',
    re.DOTALL,
)
_SPARED = re.compile(r' (?:shape-rendering="crispEdges"|clip-path="url\(#bench-line-\d+\)")')
"""What each shape says and one rule can say for all, or what no shape needs: a text has its length."""
_BLANK = re.compile(r"<text [^>]*>(?:&#160;|\s)*</text>")
_CRISP = ".bench-matrix rect { shape-rendering: crispEdges }\n"
_LINE_HEIGHT = 24.4


@dataclass
class _Film:
    """What was taken from the pictures so far."""

    rules: dict[str, str] = field(default_factory=dict)
    """The name of each rule of style."""
    lines: list[dict[int, str]] = field(default_factory=list)
    """Of each picture what its lines hold."""

    def add(self, picture: str) -> None:
        """Take a picture apart."""
        own = {found["name"]: found["rule"] for found in _STYLE.finditer(picture)}

        def named(found: re.Match[str]) -> str:
            return self.rules.setdefault(own[found[0]], f"bench-r{len(self.rules) + 1}")

        lines: dict[int, str] = {}
        for number, shape in _shapes(picture):
            if not _BLANK.fullmatch(shape):
                lines[number] = lines.get(number, "") + _CLASS.sub(named, _SPARED.sub("", shape))
        self.lines.append(lines)

    def stretches(self) -> Iterator[tuple[int, int, str]]:
        """Every line, from which picture on, to before which one, and what it holds."""
        for number in sorted({number for lines in self.lines for number in lines}):
            first = 0
            for place in range(1, len(self.lines) + 1):
                held = self.lines[first].get(number, "")
                if place == len(self.lines) or self.lines[place].get(number, "") != held:
                    if held:
                        yield first, place, held
                    first = place


def moving(pictures: Sequence[str], seconds: Sequence[float]) -> str:
    """An animated SVG of pictures that differ in their terminal's lines alone.

    Args:
        pictures: each an SVG by Rich, with the identifier ``bench``.
        seconds: how long each is shown.
    """
    film = _Film()
    for picture in pictures:
        film.add(picture)
    moments = [sum(seconds[:number]) / sum(seconds) * 100 for number in range(len(pictures) + 1)]
    stretches = list(film.stretches())
    inside = "\n".join(_group(first, end, held, len(pictures)) for first, end, held in stretches)
    named = "".join(f".{name} {{{rule}}}\n" for rule, name in film.rules.items())
    timed = _rules({(first, end) for first, end, _ in stretches}, moments, sum(seconds))
    base = _STYLE.sub("", pictures[-1]).replace("</style>", f"{named}{_CRISP}{timed}</style>", 1)
    return _TERMINAL.sub(lambda found: f'{found["open"]}\n<g class="bench-matrix">\n{inside}\n</g>\n', base)


def _shapes(picture: str) -> Iterator[tuple[int, str]]:
    """What is drawn in a picture's terminal, each with the number of its line."""
    terminal = _TERMINAL.search(picture)
    assert terminal is not None, "Rich draws terminals in another way; its version in the lock has changed"
    for shape in _SHAPE.finditer(terminal["inside"]):
        line = _LINE.search(shape[0])
        place = _PLACE.search(shape[0])
        if line:
            yield int(line["line"]), shape[0]
        elif place:
            yield int(float(place["y"]) // _LINE_HEIGHT), shape[0]


def _group(first: int, end: int, held: str, pictures: int) -> str:
    if (first, end) == (0, pictures):
        return held
    last = " end" if end == pictures else ""
    return f'<g class="v v{first}-{end}{last}">{held}</g>'


def _rules(stretches: set[tuple[int, int]], moments: Sequence[float], seconds: float) -> str:
    """The style by which each stretch of pictures is seen in its time."""
    rules = (
        f".v {{ visibility: hidden; animation: {seconds:g}s step-end infinite }}\n.end {{ visibility: visible }}\n"
    )
    last = len(moments) - 1
    for first, end in sorted(stretches - {(0, last)}):
        steps = f"{moments[first]:.2f}% {{ visibility: visible }}"
        if first:
            steps = f"0% {{ visibility: hidden }} {steps}"
        if end < last:
            steps += f" {moments[end]:.2f}% {{ visibility: hidden }}"
        rules += f"@keyframes v{first}-{end} {{ {steps} }} .v{first}-{end} {{ animation-name: v{first}-{end} }}\n"
    return rules + "@media (prefers-reduced-motion: reduce) { .v { animation: none } }\n"
