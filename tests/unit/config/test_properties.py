"""Numbers of a file are read as they are written, or refused. (Any file: tests/campaigns/test_fuzz.py.)"""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from config.validation import validate
from config.values import Section


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
