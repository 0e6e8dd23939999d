"""A sample of :mod:`campaigns.fuzz`: noise, and valid input with a few bytes changed, cut, doubled or inserted."""

import pytest
from fuzz.targets import TARGETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@st.composite
def damaged(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Valid bytes with some changes."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        data[at:end] = draw(st.one_of(st.binary(max_size=20), st.just(bytes(data[at:end]) * 2)))
    return bytes(data)


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", sorted(TARGETS))
@pytest.mark.campaign
def test_any_input_is_read_or_refused_with_a_named_error(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    for seed in seeds:
        target.read(seed)

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(st.binary(max_size=300), damaged(seeds), damaged(seeds)))
    def reads(data: bytes) -> None:
        target.read(data)

    reads()
