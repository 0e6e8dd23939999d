"""Sensor heads on the lines of a real kernel's GPIO chip."""

import json
import random
from typing import Any

import pytest
from conftest import LABEL, remove_chip
from machine import PYTHON, Machine
from trains import LISTEN, PINS, bursts, listen_to, listener, train


def edges_heard(guest: Machine, chip: str, edges: str, **options: object) -> dict[str, Any]:
    """Drive a train into a head; returns what it counted."""
    return listen_to(guest, chip, edges, listener(options))


@pytest.mark.parametrize("apart_us", [2000, 530])
def test_two_thousand_edges_without_a_lost_count(guest: Machine, chip: str, apart_us: int) -> None:
    """500 and 1,900 a second, a wheel of 1,440 counts at a third and at 1.3 revolutions a second."""
    every_edge_is_counted(edges_heard(guest, chip, train(2000, apart_us)))


def test_bursts_that_the_buffer_holds_without_a_lost_count(guest: Machine, chip: str) -> None:
    """Twice 1,000 edges as fast as they can be made: the kernel keeps 1,024, however late the head is let run."""
    every_edge_is_counted(edges_heard(guest, chip, bursts(2000, 1000)))


def every_edge_is_counted(found: dict[str, Any]) -> None:
    assert found["levels"] == {"A": True, "B": True, "Z": True, "C": True}
    assert (found["edges"], found["lost"], found["backwards"]) == (2000, 0, 0)
    assert str(found["text"]).endswith("abABabAB")


@pytest.mark.parametrize("edges", [2000, 20_000])
def test_edges_that_the_buffer_could_not_hold_are_counted_as_lost(guest: Machine, chip: str, edges: int) -> None:
    """More than the kernel keeps, as fast as they can be made: what is not counted its sequence numbers show."""
    found = edges_heard(guest, chip, train(edges, 0))
    assert found["lost"] + found["edges"] == edges
    assert found["backwards"] == 0


def test_the_chip_is_found_by_its_label_after_its_number_changed(guest: Machine) -> None:
    """Another chip is there first, as on a Pi 5 after an update of the kernel."""
    guest.run("/srv/project/tests/system/kernel/guest/chip.sh other something-else")
    try:
        chip = guest.run(f"/srv/project/tests/system/kernel/guest/chip.sh pi {LABEL}").out.strip()
        assert not chip.endswith("gpiochip0")
        assert edges_heard(guest, chip, train(40, 1000))["edges"] == 40
    finally:
        remove_chip(guest, "pi")
        remove_chip(guest, "other")


def refused(guest: Machine, options: dict[str, object], pins: dict[str, int], before: str = "true") -> str:
    """The message when a head cannot be opened."""
    arguments = json.dumps(options), json.dumps(pins)
    done = guest.run(f"{before}; {LISTEN} '{arguments[0]}' '{arguments[1]}' 1", fails=True)
    assert done.code != 0
    return done.err.strip().splitlines()[-1]


def test_a_pin_in_use_is_refused_naming_its_holder(guest: Machine, chip: str) -> None:
    holds = (
        "import gpiod, time; "
        "held = gpiod.request_lines('/dev/gpiochip0', {22: None}, consumer='another-program'); "
        "print('held', flush=True); time.sleep(60)"
    )
    begin = f'{PYTHON} -c "{holds}" > /tmp/held 2>&1 < /dev/null & echo $! > /tmp/holder'
    before = f"{begin}; until grep -q held /tmp/held; do sleep 0.1; done"
    message = refused(guest, {}, PINS, before)
    guest.run("kill $(cat /tmp/holder)")
    assert "index: pin 22 of pinctrl-bcm2711 is held by 'another-program'" in message


def test_an_active_low_sensor_reads_the_other_way_round(guest: Machine, chip: str) -> None:
    found = edges_heard(guest, chip, train(40, 1000), active_low=["encoder_a", "encoder_b"])
    assert found["levels"] == {"A": False, "B": False, "Z": True, "C": True}
    assert str(found["text"]).startswith("ABabAB")


def test_the_kernel_swallows_what_is_shorter_than_its_debounce(guest: Machine, chip: str) -> None:
    rng = random.Random(1)
    times = (2000 * burst + k * rng.randint(50, 90) for burst in range(5) for k in range(6))
    chatter = "".join(f"{at} {PINS['clapper']} {number % 2}\n" for number, at in enumerate(times))
    assert edges_heard(guest, chip, chatter)["edges"] > 20
    assert edges_heard(guest, chip, chatter, debounce_us={"clapper": 1500})["edges"] == 0
