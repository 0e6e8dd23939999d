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
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import product

from campaigns import running
from faulty_dealer import DealerAmongFaults, FaultSettings

from config.schema import TableConfig
from controller.bench.dealer import HOPELESS, StuckTableError
from controller.bench.oracle import Oracle, OracleTally
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.configuration.wheel_rules import index_phase
from controller.games.roulette.layout import WheelType
from controller.journal.record import RecordedDecision, plain
from controller.machine.registry import find_game

WHEELS = ("dreamcatcher", "big-six")
GAMES = (*WHEELS, "roulette")
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


@dataclass(frozen=True, slots=True)
class Batch:
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
        if game not in WHEELS:
            found += _roulettes(config)
            continue
        for turn in RESOLUTIONS:
            for backwards in (False, True):
                found.append(_mounted(config, turn, backwards))
    return tuple(found)


def _roulettes(config: TableConfig) -> Iterator[TableConfig]:
    """Every wheel, with either source of the number, now and then with a single beam."""
    rotor, head = config.rotor, config.devices.rotor
    assert rotor is not None
    assert head is not None
    one_beam = head.model_copy(update={"pins": head.pins.model_copy(update={"ball_2": None})})
    for number, (wheel, turn, source) in enumerate(product(WheelType, ROTOR_RESOLUTIONS, SOURCES)):
        angle = Decimal(60 + 15 * (number % 4))
        mounted = {"counts_per_turn": turn, "reversed": number % 2 == 1, "beam_angle_deg": angle}
        devices = {"reader": None} if source == "keypad" else {}
        devices |= {"rotor": one_beam} if number % 6 == 5 else {}
        yield config.model_copy(
            update={
                "rotor": rotor.model_copy(update=mounted),
                "rules": {**config.rules, "wheel": wheel.value, "result": source},
                "devices": config.devices.model_copy(update=devices),
            }
        )


def _mounted(config: TableConfig, turn: int, backwards: bool) -> TableConfig:
    assert config.wheel is not None
    game = find_game(config.game)
    for offset in range(turn):
        update = {"counts_per_turn": turn, "index_offset_counts": offset, "reversed": backwards}
        wheel = config.wheel.model_copy(update=update)
        if not list(index_phase(wheel, len(game.wheel))):
            return config.model_copy(update={"wheel": wheel})
    raise ValueError(f"no place for the index mark with {turn} counts")


class Case:
    """One table, some ten spins, everything random from one seed."""

    def __init__(self, choice: Sequence[TableConfig], seed: int, verbose: bool = False) -> None:
        rng = random.Random(seed)
        self.seed = seed
        self.witness = Oracle()
        config = rng.choice(choice)
        slice_ns = rng.choice(SLICES_NS)
        listeners = (self.witness, _tell) if verbose else (self.witness,)
        self.rig = Rig(config, options={"seed": seed}, slice_ns=slice_ns, listeners=listeners)
        self.dealer = DealerAmongFaults(self.rig, rng, self.witness, SETTINGS)

    def play(self) -> OracleTally:
        """Spin, and let what the table said be compared with the truth.

        Raises:
            StuckTableError: the table does not go on.
        """
        tally, acts = self.witness.tally, 0
        while tally.spins < SPINS_OF_A_CASE:
            self.dealer.act()
            acts += 1
            if acts > HOPELESS * SPINS_OF_A_CASE:
                raise StuckTableError(f"seed {self.seed}: {self.rig.waiting_for}; {self.faults}")
        verdict = self.rig.journal.verify()
        tally.entries = verdict.entries
        tally.broken = [f"seed {self.seed}: {verdict.problem}"] if verdict.problem else []
        tally.wrong = [f"seed {self.seed}: {wrong}; faults: {self.faults}" for wrong in tally.wrong]
        self.rig.table.stop()
        self.rig.journal.close()
        return tally

    @property
    def faults(self) -> str:
        """What broke, in words."""
        return ", ".join(self.dealer.history)


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
        try:
            total.add(Case(choice, seed).play())
        except Exception as error:
            error.add_note(f"in the case with seed {seed}")
            raise
    return total


def _tell(recorded: RecordedDecision) -> None:
    record = plain(recorded.record)
    effects = json.dumps(record["effects"]) if record["effects"] else ""
    at_s, state = recorded.entry.at_ns / 1e9, recorded.record.state
    print(f"{at_s:10.3f} s  {state:14}  {json.dumps(record['event'])} {effects}")


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if a result was wrong or a journal does not verify."""
    parser = running.command_line("fault_campaign", __doc__, GAMES)
    parser.add_argument("--spins", type=int, default=10_000, metavar="N", help="how many spins (default 10000)")
    parser.add_argument(
        "--replay", type=int, metavar="SEED", help="play the case with this seed and tell everything"
    )
    chosen = parser.parse_args(words)
    games = tuple(game for game in GAMES if game in chosen.games)
    if chosen.replay is not None:
        case = Case(tables(games), chosen.replay, verbose=True)
        tally = case.play()
        print(f"faults: {case.faults}")
    else:
        parts = batches(chosen.spins, chosen.seed, games)
        tally = running.run(play_batch, parts, OracleTally(), chosen)
    print(f"{tally.spins} spins, {tally.results} results, {tally.bonuses} bonus spins won")
    for reason, count in tally.voids.most_common():
        print(f"  void, {reason}: {count}")
    print(f"  the table was locked {tally.locks} times")
    print(f"  wrong results: {len(tally.wrong)}", *tally.wrong, *tally.broken, sep="\n    ")
    return 1 if tally.wrong or tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
