"""Simulated wheels drawn at random, as workshops build them: for tests that must hold on any wheel.

No figure here was measured on a wheel. The ranges are estimates from usual dimensions: a wheel of 1.2 to 1.8 m with
pegs of round bar or pipe, a flap of saddle leather, a micro-switch, reed or optical switch, and an incremental
encoder from a catalogue. They are there to be survived, not to be trusted.
"""

import math

import numpy as np

from hal.mock.settings import WheelSettings

_FLEET = 0xF1EE7  # Keeps a wheel's own random numbers, which come from its seed, apart from those that drew it.
_USUAL_SECTIONS = 54
_LINES = (200, 250, 256, 300, 360, 400, 500, 512, 600, 720, 900, 1000, 1024, 1200, 1250, 1440, 1800, 2000, 2048)
_FINE_LINES = (2500, 3000, 3600, 4000, 4096)
_LEAST_COUNTS = 720  # What a table's file may say in wheel.counts_per_turn.
_ROOM_DEG = 0.3  # From where the leather slips off to where it is touched again, at least.
_TURNS = 5.0


def draw_wheel(seed: int, sections: int | None = None) -> WheelSettings:
    """One wheel of the fleet; the same seed draws the same one.

    Args:
        sections: of the game that is played on it; None draws them, most often 54, else 20 to 60.
    """
    rng = np.random.default_rng((seed, _FLEET))
    drawn = _USUAL_SECTIONS if rng.random() < 0.7 else int(rng.integers(20, 61))
    sections = sections or drawn
    section_deg = 360 / sections
    # Bars on a circle, drilled by template, and a flap of leather. No two pegs ever bend the leather at once.
    radius_m, peg_mm, error_deg = rng.uniform(0.55, 0.8), rng.uniform(6, 13), rng.uniform(0, 0.3)
    slip_deg = rng.uniform(1, min(4, (section_deg - 2 * error_deg - _ROOM_DEG) / 1.2))
    leather_mm, set_deg = rng.uniform(3, 8), rng.uniform(-0.15, 0.15) * slip_deg
    touches_deg = 2 * math.degrees((peg_mm + leather_mm) / 2000 / radius_m)
    pegs = {"peg_radius_m": radius_m, "peg_mm": peg_mm, "peg_error_deg": error_deg}
    leather = {
        "leather_mm": leather_mm,
        "slip_deg": slip_deg,
        "set_deg": set_deg,
        # Leather is lossy, more so the softer it has become.
        "restitution": rng.uniform(0.1, 0.6),
        "leather_spread": rng.uniform(0, 0.05),
    }
    room_deg = section_deg - 2 * error_deg - max(slip_deg + abs(set_deg), touches_deg)
    options = {
        **_damage(rng, sections, room_deg),
        **_encoder(rng),
        **_forces(rng, sections),
        **_switch(rng, max(slip_deg - abs(set_deg), touches_deg)),
        **pegs,
        **leather,
    }
    return WheelSettings.model_validate({"seed": seed, "sections": sections, **options})


def _damage(rng: np.random.Generator, sections: int, room_deg: float) -> dict[str, object]:
    """One wheel in six has a bent peg, one in twelve lacks one."""
    damage: dict[str, object] = {}
    peg, other = (int(peg) for peg in rng.choice(sections, 2, replace=False))
    most_deg = min(1.5, room_deg - _ROOM_DEG)
    bent_deg = rng.uniform(0.3, max(0.4, most_deg)) * rng.choice((-1, 1))
    if rng.random() < 1 / 6 and most_deg > 0.4:
        damage["bent_pegs"] = {peg: float(bent_deg)}
    if rng.random() < 1 / 12:
        damage["missing_pegs"] = (other,)
    return damage


def _encoder(rng: np.random.Generator) -> dict[str, object]:
    """200 to 4,096 lines as catalogues have them; the index joined with A and B most often; mounted anyhow."""
    lines = int(rng.choice(_LINES if rng.random() < 0.75 else _FINE_LINES))
    counts = max(4 * lines, _LEAST_COUNTS)
    return {
        "counts_per_turn": counts,
        "index_offset_counts": int(rng.integers(counts)),
        "index_gate": str(rng.choice(("none", "a", "ab"), p=(0.3, 0.3, 0.4))),
        "index_inverted": bool(rng.random() < 0.4),
        "reversed": bool(rng.random() < 0.5),
        "runout_deg": rng.uniform(0, 0.3),
        "runout_at_deg": rng.uniform(0, 360),
    }


def _forces(rng: np.random.Generator, sections: int) -> dict[str, object]:
    """What makes a spin of 3 to 7 turns last 12 to 25 s, when it begins with 150 to 300 degrees a second.

    Five turns begin with 190 to 265 degrees a second. Air takes 10 to 30% of that energy, the leather 65 to 92%
    of what is left, for the bearing of such a wheel is good; the bearing takes the rest. A wheel of 3 to 30 kg m²,
    out of balance by less than its friction holds.
    """
    inertia = math.exp(rng.uniform(math.log(3), math.log(30)))
    speed_rad_s = math.radians(rng.uniform(190, 265))
    energy_j = inertia * speed_rad_s**2 / 2
    by_air, by_leather = rng.uniform(0.1, 0.3), rng.uniform(0.65, 0.92)
    way_rad = _TURNS * 2 * math.pi
    left_j = energy_j * (1 - by_air)
    drag = 2 * by_air / (1 - by_air) / way_rad * inertia / 2
    friction_nm = left_j * (1 - by_leather) / way_rad
    return {
        "inertia_kg_m2": inertia,
        "friction_nm": friction_nm,
        "friction_spread": rng.uniform(0, 0.03),
        "drag_nm_s2": drag,
        "peg_j": left_j * by_leather / (_TURNS * sections),
        "imbalance_nm": rng.uniform(0, 0.6) * friction_nm,
        "heavy_at_deg": rng.uniform(0, 360),
    }


def _switch(rng: np.random.Generator, least_deg: float) -> dict[str, object]:
    """Closes after 0.05 to 1 degree of bend, opens at a little less, both 0.2 to 5 ms late; chatters up to 1 ms."""
    threshold_deg = rng.uniform(0.05, min(1.0, 0.6 * least_deg))
    strike_ms = math.exp(rng.uniform(math.log(0.2), math.log(5)))
    return {
        "threshold_deg": threshold_deg,
        "hysteresis_deg": rng.uniform(0.1, 0.5) * threshold_deg,
        "strike_delay_ms": strike_ms,
        "release_delay_ms": min(5.0, max(0.2, strike_ms * rng.uniform(0.7, 1.4))),
        "chatter_part": rng.uniform(0, 1),
        "chatter_us": rng.uniform(0, 500),
        "jitter_us": rng.uniform(0.5, 5),
    }
