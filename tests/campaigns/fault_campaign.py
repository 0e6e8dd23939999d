"""Spins with faulty sensors: ``python -m campaigns.fault_campaign --spins N --seed S``.

Wheels with encoders of several resolutions are spun while lines stick, open, are disturbed, lose edges or are
crossed, the encoder slips, the index, the clapper, a ball beam or the wheel reader dies or goes astray: one or two
faults, some seconds apart, put in before, during or after a spin, some passing by themselves, all repaired in the
end. A void spin or a locked table is a good answer; a result that is not where wheel or ball truly lies is not, nor
one of a ball that ran with the rotor or fewer than four revolutions. ``--replay SEED`` plays one case again, given
the same ``--games``, and reports everything.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import product
from typing import NamedTuple

from campaigns import running
from faulty_dealer import DealerAmongFaults, FaultSettings

from config.schema import TableConfig
from controller.bench.dealer import HOPELESS, StuckTableError
from controller.bench.oracle import OracleTally
from controller.configuration.shipped import load_table, table_path
from controller.configuration.wheel_rules import index_phase
from controller.games.roulette.layout import WheelType
from controller.journal.record import RecordedDecision, plain
from controller.machine.registry import find_game

GAMES = ("dreamcatcher", "big-six", "roulette")
RESOLUTIONS = (720, 720, 720, 1000, 1000, 1440, 4096)
"""Counts of the encoder in one turn; coarse encoders, the harder case, more often."""
SLICES_NS = (None, None, None, 500_000_000)
"""How often a turning wheel delivers its edges; None, only when something else happens."""
ROTOR_RESOLUTIONS = (40, 400, 1000)
SOURCES = ("both", "both", "keypad", "reader")
"""Where the winning number comes from."""
SPINS_OF_A_CASE = 10
CASES_OF_A_BATCH = 50
SETTINGS = FaultSettings(
    rate=0.8, both=0.35, passing=0.4, repaired=0.15, careless=8, at_rest_only=frozenset({"swapped"})
)
"""What happens to the tables.

Two faults have two causes and do not come in the same instant (a head that is unplugged is one fault). A clapper
shorted just when the encoder's shaft comes loose, in the last section, leaves no witness.

Wires are crossed only while the wheel stands: nobody plugs a head anew in the tenth of a second in which a wheel
passes its last peg, and a crossing just then, with both lines at one level, leaves no trace.
"""


class Batch(NamedTuple):
    """Cases with consecutive seeds."""

    first: int
    cases: int
    games: tuple[str, ...] = GAMES


@cache
def tables(games: tuple[str, ...]) -> tuple[TableConfig, ...]:
    """Each game with each resolution and its encoder mounted either way; the index mark where it may lie."""
    found: list[TableConfig] = []
    for game in games:
        config = load_table(table_path(game)).config
        if config.rotor is not None:
            found += _roulettes(config)
        else:
            found += (_mounted(config, turn, backwards) for turn, backwards in product(RESOLUTIONS, (False, True)))
    return tuple(found)


def _roulettes(config: TableConfig) -> Iterator[TableConfig]:
    """Every wheel, with either source of the number, now and then with a single beam."""
    head = config.devices.rotor
    one_beam = head.model_copy(update={"pins": head.pins.model_copy(update={"ball_2": None})})
    for number, (wheel, turn, source) in enumerate(product(WheelType, ROTOR_RESOLUTIONS, SOURCES)):
        angle = Decimal(60 + 15 * (number % 4))
        mounted = {"counts_per_turn": turn, "reversed": number % 2 == 1, "beam_angle_deg": angle}
        devices = {"reader": None} if source == "keypad" else {}
        devices |= {"rotor": one_beam} if number % 6 == 5 else {}
        yield config.model_copy(
            update={
                "rotor": config.rotor.model_copy(update=mounted),
                "rules": {**config.rules, "wheel": wheel.value, "result": source},
                "devices": config.devices.model_copy(update=devices),
            }
        )


def _mounted(config: TableConfig, turn: int, backwards: bool) -> TableConfig:
    sections = len(find_game(config.game).wheel)
    update = {"counts_per_turn": turn, "reversed": backwards}
    wheels = (config.wheel.model_copy(update={**update, "index_offset_counts": at}) for at in range(turn))
    wheel = next(wheel for wheel in wheels if not list(index_phase(wheel, sections)))
    return config.model_copy(update={"wheel": wheel})


def play_case(choice: Sequence[TableConfig], seed: int, verbose: bool = False) -> OracleTally:
    """One table, some ten spins, everything random from one seed.

    Raises:
        StuckTableError: the table does not go on.
    """
    rng = random.Random(seed)
    config, slice_ns = rng.choice(choice), rng.choice(SLICES_NS)
    listeners = (_tell,) if verbose else ()
    dealer = DealerAmongFaults.at(config, seed, SETTINGS, listeners=listeners, slice_ns=slice_ns)
    rig, tally = dealer.rig, dealer.witness.tally
    for _ in range(HOPELESS * SPINS_OF_A_CASE):
        dealer.act()
        if tally.spins >= SPINS_OF_A_CASE:
            break
    else:
        raise StuckTableError(f"seed {seed}: {rig.waiting_for}; {dealer.history}")
    verdict = rig.journal.verify()
    tally.entries = verdict.entries
    tally.broken = [f"seed {seed}: {verdict.problem}"] if verdict.problem else []
    tally.wrong = [f"seed {seed}: {wrong}; faults: {', '.join(dealer.history)}" for wrong in tally.wrong]
    rig.close()
    return tally


def batches(spins: int, seed: int, games: Sequence[str] = GAMES) -> list[Batch]:
    """The cases of so many spins, in parts."""
    cases = -(-spins // SPINS_OF_A_CASE)
    return [
        Batch(seed * 1_000_000 + done, min(CASES_OF_A_BATCH, cases - done), tuple(games))
        for done in range(0, cases, CASES_OF_A_BATCH)
    ]


def play_batch(batch: Batch) -> OracleTally:
    """All cases of a batch."""
    total, choice = OracleTally(), tables(batch.games)
    for seed in range(batch.first, batch.first + batch.cases):
        total.add(play_case(choice, seed))
    return total


def _tell(recorded: RecordedDecision) -> None:
    record = plain(recorded.record)
    effects = json.dumps(record["effects"]) if record["effects"] else ""
    at_s, state = recorded.entry.at_ns / 1e9, recorded.record.state
    print(f"{at_s:10.3f} s  {state:14}  {json.dumps(record['event'])} {effects}")


def main() -> int:
    """Run the campaign; 1 if a result was wrong or a journal does not verify."""
    parser = running.command_line("fault_campaign", __doc__, GAMES)
    parser.add_argument("--spins", type=int, default=10_000, metavar="N", help="how many spins (default 10000)")
    parser.add_argument("--replay", type=int, metavar="SEED", help="play the case with this seed, and tell all")
    chosen = parser.parse_args()
    if chosen.replay is not None:
        tally = play_case(tables(tuple(chosen.games)), chosen.replay, verbose=True)
    else:
        parts = batches(chosen.spins, chosen.seed, chosen.games)
        tally = running.run(play_batch, parts, OracleTally(), chosen)
    print(f"{tally.spins} spins, {tally.results} results, {tally.bonuses} bonus spins won")
    for reason, count in tally.voids.most_common():
        print(f"  void, {reason}: {count}")
    print(f"  the table was locked {tally.locks} times")
    print(f"  wrong results: {len(tally.wrong)}", *tally.wrong, *tally.broken, sep="\n    ")
    return 1 if tally.wrong or tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
