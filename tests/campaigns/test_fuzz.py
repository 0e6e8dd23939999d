"""A sample of ``make fuzz``: noise, and what is in order with a few bytes changed, cut, doubled or put in."""

import pytest
from fuzz.targets import TARGETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@st.composite
def spoilt(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Bytes in order, and then not quite."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        data[at:end] = draw(st.one_of(st.binary(max_size=20), st.just(bytes(data[at:end]) * 2)))
    return bytes(data)


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_whatever_comes_is_read_or_refused_by_name(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    for seed in seeds:
        target.read(seed)

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(st.binary(max_size=300), spoilt(seeds), spoilt(seeds)))
    def reads(data: bytes) -> None:
        target.read(data)

    reads()
