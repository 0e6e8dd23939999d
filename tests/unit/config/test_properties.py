"""Any file loads, or every problem has a place and a message. Nothing else is raised."""

from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from config.loader import load_text
from config.problems import ConfigError
from config.validation import validate
from config.values import Section
from controller.configuration.rules import RULES
from controller.configuration.shipped import shipped_tables

TABLES = [path.read_text(encoding="utf-8") for path in shipped_tables().values()]
LINES = sorted({line for table in TABLES for line in table.splitlines() if line.strip(" ")[:1] not in ("", "#")})
SNIPPETS = [
    *"[]{}:,&*!|>'\"%@`#?-\n\t\0\\ ~",
    *("- ", ": ", "\n  ", "\n---\n", "\n...\n", "<<: ", "&a ", "*a", "!!str ", "null", "true", "yes", "08", "1_0"),
    *("1e9", "0x1F", "NaN", ".inf", "-1", "9" * 400, "[" * 60, "{a: " * 60, "? ", "\ufeff", "\u2028", "é", "\x85"),
    *(
        '"\\x00"',
        '"\\uD800"',
        '"\\U00110000"',
        "%YAML 1.2\n---\n",
        "reversed: ",
        "order: [1, 2",
        "devices:",
        "[key]",
    ),
]


@st.composite
def damaged_tables(draw):
    """A shipped table with pieces cut out, moved and put in, or some of its values replaced by others."""
    text = draw(st.sampled_from(TABLES))
    pieces = st.sampled_from([*SNIPPETS, *LINES]) | st.text(max_size=3)
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 6))):
            start = draw(st.integers(0, len(text)))
            end = min(len(text), start + draw(st.integers(0, 40)))
            text = text[:start] + draw(pieces | st.just(text[start:end] * 2)) + text[end:]
        return text
    lines = text.splitlines()
    at = [number for number, line in enumerate(lines) if ": " in line and not line.lstrip().startswith("#")]
    words = ["", "~", "x", "[1, 2]", "{a: 1}", "[]", "{}", "7", "'7'", "true", "1.5", "[[a], 5, {}]"]
    values = st.integers(-5, 1500).map(str) | st.sampled_from(words)
    for number in draw(st.lists(st.sampled_from(at), min_size=1, max_size=8)):
        lines[number] = lines[number].partition(": ")[0] + ": " + draw(values)
    return "\n".join(lines)


BYTES = st.binary(max_size=200)
TEXTS = st.text(max_size=200) | st.lists(st.sampled_from([*SNIPPETS, *LINES]), max_size=20).map("".join)


@given(BYTES | (TEXTS | damaged_tables()).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"\xff\xfe")
@example(b"\xef\xbb\xbf")
def test_any_bytes_text_yaml_and_damaged_table_is_read_or_has_problems_with_their_places(data):
    try:
        load_text(data, "table.yaml", RULES)
    except ConfigError as refusal:
        found = refusal.problems
    else:
        return
    lines = data.count(b"\n") + data.count(b"\r") + 2
    assert found
    assert all(problem.message and "\n" not in str(problem) for problem in found)
    assert all(1 <= problem.line <= lines and problem.column >= 1 for problem in found)
    places = [(problem.line, problem.column) for problem in found]
    assert places == sorted(places)


class Numbers(Section):
    """A section of numbers."""

    whole: int = 0
    any: Decimal = Decimal(0)
    part: float = 0


@given(st.integers(-(10**17) + 1, 10**17), st.decimals(-(10**6), 10**6, places=4))
def test_numbers_are_read_as_written(whole, number):
    text = format(number, "f")
    made, _ = validate({"whole": str(whole), "any": text, "part": text}, Numbers)
    assert (made.whole, made.any, made.part) == (whole, number, float(number))


@given(st.text("0123456789+-_.eExXobinfaNINTtrue ,٣", max_size=8), st.sampled_from(["whole", "any", "part"]))
def test_every_other_text_is_refused(text, kind):
    made, found = validate({kind: text}, Numbers)
    if made is None:
        assert {one.path for one in found} == {(kind,)}
    else:
        assert format(Decimal(text), "f") == text
