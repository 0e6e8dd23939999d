"""Wheels as workshops build them: calibrated from a recording, every honest spin counts, and hands are found."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy

import pytest
from campaigns.fleet_wheel import FleetWheel, not_calibrated
from campaigns.wheel_campaign import of_wheel

from controller.events.event import SensorHealth
from hal.events import EdgeBatch
from hal.mock.settings import WheelSettings

WHEELS = (0, 3, 16, 25, 42, 52)
"""Thin pegs and thick ones, coarse encoders and fine ones, 37 and 54 sections, an index of every kind."""


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(
    ("seed", "spins"),
    [
        *((seed, 12) for seed in WHEELS),
        pytest.param(9015, 38, id="a peg touches again before the encoder moves"),
        pytest.param(9033, 19, id="a peg touches again two counts after it rocked back"),
        pytest.param(9600231, 34, id="the peg off which it slipped touches again before the encoder moves"),
        pytest.param(9070, 12, id="a slip and a rock-back lie at the same counts, and the wheel goes far beyond"),
        pytest.param(9084, 49, id="a slip and a rock-back lie at the same counts, and the wheel stands there"),
        pytest.param(9083, 21, id="the throw begins with the clapper bent, a count before the slip"),
        pytest.param(9325, 12, id="it stays within two counts for 1.5 seconds, and slowly turns back"),
        pytest.param(72052, 9, id="the wheel turns back where its gated index changes"),
    ],
)
def test_an_honest_spin_with_the_clapper_free_is_a_result(seed: int, spins: int) -> None:
    """§ 689a.2(b), (d): three revolutions made, the clapper in one section, however near the peg."""
    tally = of_wheel(seed, spins, hands=0)
    assert (tally.wheels, tally.wrong, tally.void) == (1, [], [])
    assert tally.honest["result"] > 3


class InPieces(FleetWheel):
    """Whoever turns it by hand takes a new grip every few sections: meanwhile it rocks, and does not rest."""

    def _turn(self, turns: float, seconds: float) -> None:
        left = abs(turns) * self.sections
        while left > 0:
            part = min(left, self.rng.uniform(1, 12))
            self.head.turn(math.copysign(part, turns), 0.2 * part)
            self.advance(0.2 * part + self.rng.uniform(0.1, 0.9))
            left -= part
        self._rest()


@pytest.mark.parametrize("seed", [2, 3, 6, 16, 42])
def test_a_wheel_that_is_turned_piece_by_piece_is_calibrated(seed: int) -> None:
    wheel = InPieces(seed)
    wheel.throw()
    assert wheel.end().said in ("result", "between")


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize("way", [1, -1])
def test_a_wheel_that_rocks_back_from_a_peg_bent_since_the_calibration_has_no_dead_contact(way: int) -> None:
    """By less than the tolerance: the peg itself has just shown where it strikes, later than the others do."""
    settings = WheelSettings(seed=4, sections=54, counts_per_turn=4096, hysteresis_deg=0.02)
    bent = settings.model_copy(update={"bent_pegs": {25: 0.2 * way}})
    wheel = FleetWheel(4, bent, FleetWheel(4, settings).geometry)
    spins = [wheel.stop_in(24 if way > 0 else 25, way, 1.05 + 0.03 * part) for part in range(8)]
    assert {spin.said for spin in spins if not spin.bent} == {"result"}
    assert all(spin.right for spin in spins if spin.said == "result")


@pytest.mark.clause("689a.2(d)", "619a.2(d)")
@pytest.mark.parametrize("way", [1, -1])
def test_a_contact_that_dies_in_the_last_section_is_found_without_a_calibration_too(way: int) -> None:
    """The wheel goes beyond the place at which the pegs before opened the contact."""
    wheel = not_calibrated(2, 4096)
    wheel.head.throw_into(20, 3.2, way, 1.04)
    wheel.advance(wheel.left_s - 2.5)
    wheel.events.clear()
    wheel.world.fault("dead-clapper")
    assert wheel.end().detail.startswith("clapper Text(code='dead-contact'")


@pytest.mark.clause("689a.2(d)", "619a.2(d)")
@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("counts", [720, 1440, 4096])
def test_without_a_calibration_a_wheel_within_a_count_of_a_peg_is_between_sections(counts: int, way: int) -> None:
    """Whether a contact that is closed there is dead cannot be told. Farther away, the wheel is in the section."""
    said = Counter[str]()
    for part in range(40):
        wheel = not_calibrated(2, counts)
        wheel.head.throw_into(20, 3.2, way, 0.86 + 0.005 * part)
        wheel.advance(wheel.left_s - 0.8)
        wheel.events.clear()
        wheel.world.fault("dead-clapper")
        spin = wheel.end()
        assert spin.right or spin.said != "result"
        said[spin.said] += 1
    assert said["result"] > 3
    assert said["between"] > 3


@pytest.mark.clause("689a.2(d)", "619a.2(d)")
@pytest.mark.parametrize("seed", [0, 5, 16])
def test_without_a_calibration_a_rock_back_that_a_dead_encoder_hides_or_feigns_is_no_result(seed: int) -> None:
    """Both lines die shortly before the wheel turns back. The contact closes as if the leather had slipped off, but
    too late for the speed that the wheel had before the peg, or with too little energy for it. Or they die as it
    passes a peg, and the last edge seems to turn it back, with most of its energy left (seed 16)."""
    wheel, rng = not_calibrated(seed, 720), random.Random(seed)
    for _ in range(8):
        wheel.throw()
        wheel.advance(wheel.left_s - 2)
        for _ in range(12):
            wheel.advance(min(0.15, wheel.left_s))
            broken = deepcopy(wheel)
            for line in rng.sample(("encoder_a", "encoder_b"), 2):
                broken.world.fault(rng.choice(("open", "stuck-low", "stuck-high")), line)
                broken.advance(rng.uniform(0, 0.3))
            spin = broken.end()
            assert spin.right or spin.said != "result"
        wheel.end()


@pytest.mark.clause("689a.2(d)", "619a.2(d)")
@pytest.mark.parametrize("stood_s", [0.3, 1.0])
def test_without_a_calibration_a_contact_that_dies_while_the_wheel_stands_on_a_peg_is_no_rock_back(
    stood_s: float,
) -> None:
    """On its way back a contact closes later than it opened: so a wheel may stand before the place of a strike and
    still be bent. Nothing but its stillness tells that it did not rock back further."""
    wheel = not_calibrated(19, 4096, hysteresis_deg=0.1)
    bent = 0
    for _ in range(10):
        wheel.throw()
        wheel.advance(1.2)
        wheel.advance(wheel.left_s)
        broken = deepcopy(wheel)
        broken.advance(stood_s)
        bent += broken.head.true_position()[1]
        broken.world.fault("dead-clapper")
        spin = broken.end()
        assert spin.right or spin.said != "result"
        wheel.end()
    assert bent


@pytest.mark.parametrize("seed", WHEELS)
def test_a_kernel_that_stamps_edges_late_is_no_hand(seed: int) -> None:
    """Twice a second it is held up for up to 3 milliseconds: at 300 degrees/s, almost a degree."""
    wheel, rng = FleetWheel(seed), random.Random(seed)
    feed, held = wheel.feed, [0, 0]

    def late(at_ns: int) -> int:
        while at_ns > held[1]:
            held[0] = held[1] + int(rng.expovariate(2) * 1e9)
            held[1] = held[0] + int(rng.uniform(0, 3) * 1e6)
        return held[1] if at_ns > held[0] else at_ns

    wheel.head.start(
        lambda batch: feed(EdgeBatch(batch.edges, [late(at_ns) for at_ns in batch.timestamps_ns], batch.seqnos))
    )
    for _ in range(8):
        wheel.throw()
        spin = wheel.end()
        assert spin.said in ("result", "between", "few"), spin
        assert spin.right or spin.bent or spin.said == "few"


@pytest.mark.parametrize("hand", ["push", "brake", "hold"])
@pytest.mark.parametrize("seed", [2, 4, 7, 12])
def test_a_hand_on_the_running_wheel_makes_no_result(hand: str, seed: int) -> None:
    """A push by four sections' energy, a brake by eight, a wheel that is held: each at another moment of a spin."""
    wheel, touched = FleetWheel(seed), 0
    for number in range(8):
        wheel.throw()
        wheel.advance(2.0 + 0.9 * number)
        if wheel.left_s < 3:
            wheel.end()
            continue
        if hand == "push":
            wheel.push(4 * wheel.section_j, 0.4)
        elif hand == "brake":
            wheel.head.brake(8 * wheel.section_j / (abs(wheel.head.velocity) * 6.28 / wheel.sections) / 0.6, 0.6)
        else:
            wheel.head.hold(0.3)
            wheel.advance(1.0)
            wheel.head.let_go()
        assert wheel.end().said not in ("result", "fault")
        touched += 1
    assert touched > 3


@pytest.mark.parametrize("seed", [2, 4, 7, 12])
def test_a_hand_that_stays_for_a_second_or_two_is_noticed(seed: int) -> None:
    """It gives or takes five sections' energy, 40 to 110 sections before the rest."""
    wheel = FleetWheel(seed)
    for number in range(8):
        wheel.throw()
        wheel.advance(1.2)
        rests_at, _ = wheel.would_rest()
        while abs(rests_at - wheel.head.motion.x) > 40 + 10 * number:
            wheel.advance(0.1)
        hand = wheel.push if number % 2 else wheel.brake
        hand(5 * wheel.section_j, 1 + number % 4 / 2)
        spin = wheel.end()
        assert spin.said in ("touched", "few") or abs(wheel.head.x - rests_at) < 3, (number, spin)


@pytest.mark.parametrize("seed", [2, 4, 7, 12])
def test_a_wheel_that_comes_to_rest_on_an_edge_of_the_encoder_and_trembles_has_a_result(seed: int) -> None:
    """So a line that dies at the last peg would look, but for the speed."""
    wheel, numbers = FleetWheel(seed), itertools.count(1)
    feed, results = wheel.feed, 0

    def fed(edges: bytes, stamps: Sequence[int]) -> None:
        feed(EdgeBatch(edges, stamps, [*itertools.islice(numbers, len(edges))]))

    wheel.head.start(lambda batch: fed(batch.edges, batch.timestamps_ns))
    wheel.turn(1.3)
    for number in range(12):
        wheel.throw()
        while wheel.left_s > 0:
            wheel.advance(wheel.left_s + 0.001)
            wheel.head.poll()
        line = b"AB"[number % 2]
        letters = bytes((line | 0x20, line)) if wheel.head.levels()[chr(line)] else bytes((line, line | 0x20))
        fed(letters * 3, [wheel.clock.now_ns() + 200_000_000 * (1 + edge) for edge in range(6)])
        spin = wheel.end()
        assert spin.said in ("result", "between", "few"), (number, spin)
        assert spin.right or spin.said != "result"
        results += spin.right
    assert results > 3


@pytest.mark.parametrize("braked", [False, True])
def test_a_disturbed_line_whose_counts_are_all_there_hides_no_hand(braked: bool) -> None:
    """Two edges too many on one line, once, as those of a pulse: it seems to turn back and on."""
    wheel, more = FleetWheel(4), 0
    feed, pulse_ns = wheel.feed, wheel.clock.now_ns() + 3 * 10**9

    def with_pulse(batch: EdgeBatch) -> None:
        nonlocal more
        edges, stamps, first = batch.edges, list(batch.timestamps_ns), batch.seqnos[0] + more
        if not more and stamps[-1] > pulse_ns:
            at = next(i for i, letter in enumerate(edges) if letter in b"Aa" and stamps[i] > pulse_ns)
            edges = edges[: at + 1] + edges[at : at + 1].swapcase() + edges[at:]
            stamps[at + 1 : at + 1] = [stamps[at] + 1000, stamps[at] + 2000]
            more = 2
        feed(EdgeBatch(edges, stamps, range(first, first + len(edges))))

    wheel.head.start(with_pulse)
    wheel.events.clear()
    wheel.head.throw(5.02)
    wheel.advance(4)
    if braked:
        wheel.brake(8 * wheel.section_j, 0.5)
    spin = wheel.end()
    assert any(isinstance(event, SensorHealth) for event in wheel.events)
    assert spin.said == ("touched" if braked else "result"), spin


@pytest.mark.parametrize("sections", [5, 9, 12, 30])
@pytest.mark.parametrize("seed", [2, 4])
def test_a_hand_that_turns_the_wheel_back_at_its_end_is_noticed(seed: int, sections: int) -> None:
    wheel = FleetWheel(seed)
    for number in range(3):
        wheel.throw()
        while wheel.left_s > 0.5:
            wheel.advance(wheel.left_s - 0.4)
            wheel.head.poll()
        way = math.copysign(1, wheel.head.velocity)
        wheel.head.turn(-way * sections, 0.7 + 0.03 * sections)
        assert wheel.end().said in ("touched", "few"), number


@pytest.mark.parametrize("seed", [2, 4, 7, 12])
def test_a_hand_that_trembles_on_the_wheel_before_the_throw_spoils_nothing(seed: int) -> None:
    """It holds the wheel on an edge of the encoder, or under a peg: one line changes again and again."""
    wheel, rng = FleetWheel(seed), random.Random(seed)
    count = wheel.sections / wheel.settings.counts_per_turn
    for _ in range(12):
        wheel.head.turn(rng.uniform(-1, 1), 0.4)
        wheel.advance(0.4)
        for _ in range(rng.randrange(4, 25)):
            wheel.head.turn(rng.choice((1, -1)) * rng.uniform(0.2, 2.5) * count, 0.06)
            wheel.advance(0.08)
        before = list(wheel.events)
        wheel.throw()
        spin = wheel.end()
        assert spin.said in ("result", "between", "few"), spin
        assert spin.right or spin.bent or spin.said == "few"
        assert not any(isinstance(event, SensorHealth) for event in [*before, *wheel.events])
