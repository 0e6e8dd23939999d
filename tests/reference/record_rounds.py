# mypy: ignore-errors
"""Records rounds at the HAL boundary with the code of 4aa17a3a: :mod:`reference.make_rounds` runs it in a worktree.

People of that commit's bench, benchmarks and golden journals play at simulated tables. What the simulated devices
deliver is kept, and given to the table by scripted ones.
"""

import logging
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import cycle
from pathlib import Path

import tests.golden.people as people
import yaml
from benchmarks.fault_cases import CellDealer
from ways import states, way

from controller.bench.dealer import Dealer
from controller.bench.fault_menu import BREAKAGES
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.events.event import Direction
from controller.runtime import assembly
from hal.events import EdgeBatch, FaultEvent
from reference.code_4aa17a3a import Code, config_of
from reference.play_rounds import differences
from reference.rounds_data import UNIT_NS, Case, Edges, save
from reference.scripted import ScriptedHead, ScriptedTable

people.code_fails = lambda then: then  # What fails inside the code comes from no device.
people._propose = lambda rig, proposal: rig.propose(proposal)
people.MOST_ACTS = 25
from tests.golden.rounds import GAMES  # noqa: E402
from tests.golden.tables import SESSION_S, table_text  # noqa: E402

STAFF = {people.NUMBER: people.PIN, people.SECOND: people.SECOND_PIN}
SLICE_NS = 500_000_000
STRIKES_NS = 50_000_000
"""From a state to what happens in it: sooner than the next press."""
PLANNED, WALK = 6, 8
"""What happens in one case: steps of a plan, and of a walk."""
WAY, END = 120, 12
"""Most acts on a way into a state, and to a round's end."""
DEAR = 2600
"""So many inputs and edges are kept for each thing that is seen in a case and in none before."""


# -- devices and table -------------------------------------------------------------------------------------------


class RecordedHead(ScriptedHead):
    """Polled, it asks the simulated one."""

    def __init__(self, device, edges: Edges, clock) -> None:
        super().__init__(edges, clock)
        self.device, self.asks = device, False

    def poll(self) -> None:
        if self.device is not None:
            before, self.asks = self.asks, True
            self.device.poll()
            self.asks = before
        super().poll()

    def levels(self) -> dict[str, bool]:
        known, true = super().levels(), self.device.lines.levels()
        if known != true:
            lines = "".join(line if level else line.lower() for line, level in true.items())
            self.edges.truth.append((self.clock.now_ns(), self.delivered, lines))
        return true


class RecordedRig(people.GoldenRig):
    """A rig whose table is a scripted one: what its simulated devices deliver is kept, and given to that."""

    def __init__(self, text: str, staff: dict[str, str] | None, seed: int, oracle: Oracle) -> None:
        self.text, self.staff, self.present, self.prompt = text, staff, (people.NUMBER, people.PIN), ""
        self.script = self.tracer = self.traces = None
        self.inputs, self.answers = [], True
        self.arrives: Callable[[], None] = lambda: None
        """Called with each decision."""
        self._last_ns = 0
        self._seen = {"panel": ([], [], True), "computer": (False, False, False, "")}
        config, options = config_of(text), {"seed": seed, "jitter_us": 0.0}
        options |= {"chatter_part": 0.1} if config.wheel else {}
        options = options if config.wheel or config.rotor else None
        Rig.__init__(self, config, None, options, SLICE_NS, (oracle, lambda recorded: self.arrives()))

    def _start(self):
        self._devices = assembly.open_devices(self.config, self.clock)
        if self.script is None:
            self._begin()
        else:
            self.world.computer.switched_on()
        devices, held = self._devices, {"keys": [], "switches": [], "contacts": []}
        latches = sorted(devices.tamper.remembered())
        for name, source in devices.keys.items():
            source.start(partial(self._hear, "key", [name], held["keys"]))
        devices.switches.start(partial(self._hear, "switch", [], held["switches"]))
        devices.tamper.start(partial(self._hear, "contact", [], held["contacts"]))
        if devices.reader is not None:
            devices.reader.start(lambda event: self.give("reader", event.pocket, event.fault))
        if devices.head is not None:
            devices.head.start(self._hear_edges, lambda event: self.give("head-lost", event.detail))
        self.give("on", {"held": held, "latches": latches, "edges": len(self.script.head.edges.letters)})
        self.code.table.prompt_listeners.append(self._on_prompt)
        return self.code.table

    def _begin(self) -> None:
        """Make the scripted table, which shows its lamps here."""
        head = RecordedHead(self._devices.head, Edges(), self.clock)
        make = partial(Code, self.config, self.staff, SESSION_S, self.clock)
        self.script = ScriptedTable(make, list(self._devices.keys), self.clock, head)
        self.code, world = self.script.code, self.world
        self.code.listeners = self._listeners
        self.script.panel.shown = lambda areas: (self._devices.panel.show(areas), self.code.lamps(areas))
        self.script.contacts.forget = self._devices.tamper.forget
        for name in ("fault", "repair", "ease"):
            act = getattr(world, name)
            setattr(world, name, lambda *words, act=act, **more: (act(*words, **more), self.look()))

    # -- inputs ----------------------------------------------------------------------------------------------

    def give(self, what: str, *params: object) -> None:
        """An input comes."""
        if what not in self._seen:
            self.look()
        now_ns = self.clock.now_ns()
        self.inputs.append([now_ns - self._last_ns, what, *params])
        self._last_ns = now_ns
        self.script.give(len(self.inputs) - 1, self.inputs[-1])

    def look(self) -> None:
        """What has changed of panel and computer is an input."""
        panel, computer = self.world.panel, self.world.computer
        lamps = (sorted(panel._dead), sorted(panel._burning), self.answers)
        before, seen = self._seen, {"panel": lamps, "computer": (*computer.supply(), *computer.battery())}
        self._seen = seen
        for what in seen:
            if seen[what] != before[what]:
                self.give(what, *seen[what])

    def _hear(self, what: str, device: list[str], held: list[object], event) -> None:
        if isinstance(event, FaultEvent):
            self.give("device", *device, event.detail)
            return
        name, on = (event.control, event.pressed) if what == "key" else (event.switch, event.closed)
        if event.held:
            held.append([*device, name] if device else name)
        else:
            self.give(what, *device, name, on)

    def _hear_edges(self, batch: EdgeBatch) -> None:
        edges = self.script.head.edges
        edges.letters += batch.edges
        edges.stamps_ns += [int(stamp) // UNIT_NS * UNIT_NS for stamp in batch.timestamps_ns]
        edges.seqnos += map(int, batch.seqnos)
        if not self.script.head.asks:
            self.give("edges", len(edges.letters))

    # -- what people do --------------------------------------------------------------------------------------

    def power_off(self) -> None:
        self.give("off")
        self._devices.close()

    def power_on(self) -> None:
        self.table = self._start()
        self.wait(0.05)  # Nobody acts in the same nanosecond.

    def propose(self, proposal) -> None:
        """The request that makes this proposal."""
        amounts = proposal.amounts
        when = {"nobody_plays": True} if proposal.nobody_plays else {"minutes": proposal.minutes}
        names = ("minimum", "maximum", "payout")
        given = amounts and {"set": {name: getattr(amounts, name) for name in names}, **when}
        self.give("limits", given or {"withdraw": True})

    def controls(self) -> list[str]:
        return [*(control for keys in self.world.keys for control in keys.controls), *self.world.switches.names]

    def close(self) -> None:
        self.code.close()
        self.journal.close()

    def case(self, name: str) -> Case:
        """Everything so far; the table stops."""
        self.give("end")
        self.close()
        case = (name, self.config.game, self.text, self.staff, SESSION_S, self.inputs, self.script.head.edges)
        return Case(*case, self.script.outcomes)


# -- tables --------------------------------------------------------------------------------------------------------

_GUARDS = {"door": {"pin": 2, "opens": "alert"}, "cabinet": {"pin": 3, "opens": "lock", "latch": 14}}
_RULES = {
    "roulette": (
        {"wheel": "double-zero-as-single", "result": "both"},
        {"wheel": "single-zero", "result": "reader"},
        {"wheel": "double-zero", "result": "keypad", "five_adjacent": True},
        {"wheel": "double-zero", "result": "both"},
    ),
    "casino-war": ({"positions": 7, "decks": 6}, {"positions": 7, "decks": 8}),
}
_ODDS = {"big-six": {"joker": "47 to 1"}, "dreamcatcher": {40: "41 to 1"}}


@cache
def table_of(game: str, number: int) -> str:
    """A table of a game: the golden one with a door and a cabinet; by its number with other rules and odds."""
    table = yaml.safe_load(table_text(game))
    table["devices"]["tamper"] = {"backend": "mock", "options": {}, "contacts": _GUARDS, "latch_reset": 15}
    table["computer"] = {"supply": "lock"}
    if game == "casino-war":
        table["devices"]["buttons"] = {"backend": "mock", "options": {}, "pins": {"log-on": 4}}
    if number:
        table["rules"] = _RULES[game][number % len(_RULES[game])] if game in _RULES else table.get("rules")
        if game == "sic-bo":
            table["dice"] = {"shaker": ("manual", "automated")[number % 2]}
        table["layout"] = {"odds": _ODDS[game]} if game in _ODDS and number % 2 else None
        if game in ("sic-bo", "roulette"):
            del table["devices"]["buttons"]
        if table["rules"] and table["rules"].get("wheel") == "double-zero":
            table["devices"]["panel"]["lamps"]["straight-00"] = 63
    return yaml.safe_dump({name: section for name, section in table.items() if section}, sort_keys=False, width=200)


# -- what happens in a state ---------------------------------------------------------------------------------------

_NUMBERS = ("digit", "digit digit", "digit digit digit")
_PRESSES = {
    "slip": tuple(" ".join(["any"] * n) for n in (1, 2, 4, 8)),
    "twice": ("done done", "clear clear", "no-more-bets no-more-bets", "enter enter", "floor-key floor-key"),
    "call": ("void", "void reason", "void clear", "void reason clear", *["void reason floor-key"] * 3),
    "menu": tuple(f"floor-key {one}" for one in ("", "clear", "digit clear", "digit floor-key", *_NUMBERS)),
    "correct": ("correct clear", *(f"correct {one}floor-key {n} enter" for one in ("", "1 ") for n in _NUMBERS)),
    "log-on": tuple(f"log-on {one}" for one in ("3 1 enter", "enter", "1 clear clear", "2 floor-key", "7")),
}
_MEANS = {
    "digit": [*map(str, range(10)), "10", "jack", "ace"],
    "void": ["no-spin", "no-roll", "void", "shaker-fault"],
    "reason": [*["done", "no-more-bets", "no-spin"] * 3, *"12345678"],
}
"""Keys of a kind, of which people press any that is there."""
_BREAKS = {
    "lamp": ("dead-lamp", "burning-lamp"),
    "stuck": ("stuck-key",),
    "keys": ("keys-unplugged",),
    "cabinet": ("opened",),
    "supply": ("supply-low", "supply-low", "battery-low"),
    "sensor": [one.fault for one in BREAKAGES if one.of is not None],
}
_OFTEN = "slip slip slip lamp lamp sensor sensor sensor cut cut menu menu call call world world weak weak".split()
HAPPENS = [*_OFTEN, *_BREAKS, *"mute correct idle idle limits limits twice clock log-on log-on pin".split()]
"""What happens in a state: presses, something that breaks, or a method of :class:`Restless`."""
EVERYWHERE = "cut lamp weak cabinet sensor idle call menu supply slip stuck clock call keys world weak".split()
"""What happens in every state first."""


class Restless(CellDealer):
    """People at a table that comes into a state, in which something happens; then they play a round to its end."""

    def __init__(self, rig: RecordedRig, oracle: Oracle, chance: random.Random) -> None:
        super().__init__(rig, oracle, way(rig.config.game, "bets-open"))
        self.chance = chance

    def visit(self, state: str, what: Sequence[str]) -> None:
        """What happens in a state.

        Raises:
            ValueError: the table does not come into it.
        """
        rig, self.detours, arrived = self.rig, list(way(self.rig.config.game, state).detours), []

        def arrives() -> None:
            if not arrived and not self.detours and rig.state.value == state:
                arrived.append(state)
                rig.clock.call_at(rig.clock.now_ns() + STRIKES_NS, lambda: [self.happens(one) for one in what])

        rig.arrives = arrives
        arrives()
        rig.wait(0.1)
        acts = 0
        while not arrived:
            self.act()
            if (acts := acts + 1) > WAY:
                raise ValueError(f"no way into {state}")
        number = rig.machine.round
        for _ in range(END):
            if rig.table.halted or (rig.machine.round > number and rig.state.value == "bets-open"):
                break
            self.act()

    def happens(self, what: str) -> None:
        if what in _BREAKS:
            self._break(what)
        elif what not in _PRESSES:
            getattr(self, what)()
        elif self.chance.random() < 0.7:
            self.rig.press(*self._keys(_PRESSES[what]))
        else:
            for control in self._keys(_PRESSES[what]):  # Hastily.
                self.rig.world.press(control)
                self.rig.wait(self.chance.choice((0.12, 0.3, 1.2)))

    def _keys(self, choice: Sequence[str]) -> Iterator[str]:
        there = self.rig.controls()
        for word in self.chance.choice(choice).split():
            keys = there if word == "any" else [one for one in _MEANS.get(word, [word]) if one in there]
            yield from keys and [self.chance.choice(keys)]

    def cut(self) -> None:
        opened = self.chance.choice(((), (), ("door",), ("cabinet",)))
        self.rig.power_cut(self.chance.choice((3, 40, 3600, 90_000)), opened)

    def mute(self) -> None:
        """The panel does not answer for a while."""
        self.rig.answers = False
        self.rig.look()
        self._while_broken(3)

    def _break(self, what: str) -> None:
        world, head = self.rig.world, self.rig.world.head
        faults = [one for one in BREAKAGES if one.fault in _BREAKS[what]]
        faults = [one for one in faults if one.of is None or isinstance(head, one.of)]
        if faults:
            one = self.chance.choice(faults)
            keys = [control for keys in world.keys for control in keys.controls]
            lamps = sorted(self.rig.lit()) * 20 + list(world.panel.areas)
            lines = head.lines.names if head is not None else ()
            targets = {"": ("",), "lamp": lamps, "key": keys, "contact": world.doors.names, "line": lines}
            world.fault(one.fault, self.chance.choice(targets[one.target]), one.amount)
        self._while_broken(12 if what in ("stuck", "supply") else self.chance.choice((0.05, 0.7, 3, 12)))

    def _while_broken(self, seconds: float) -> None:
        """People wait, then go on as if nothing were wrong; then everything is repaired."""
        self.rig.wait(seconds)
        self.repairs = False
        for _ in range(self.chance.choice((0, 1, 3))):
            self.step()
        self.repairs = True
        self.rig.answers = True
        self.rig.world.repair()
        self.rig.wait(self.chance.choice((2.5, 6)))

    def weak(self) -> None:
        """Wheel or ball is thrown, hard enough or not quite, either way, or onto a peg."""
        rig, chance, turns = self.rig, self.chance, self.chance.uniform(2.9, 5)
        if rig.config.rotor is not None:
            rig.turn_rotor()
            rig.throw_ball(turns, with_rotor=chance.random() < 0.2, leaves_after=chance.choice((None, None, 1.5)))
        elif rig.config.wheel is not None and chance.random() < 0.3:
            rig.spin(3.1, stop_between=chance.randrange(len(rig.order)))
        elif rig.config.wheel is not None:
            rig.spin(turns / 1.5, chance.choice(list(Direction)))

    def world(self) -> None:
        """Wheel, ball or shaker are used though the table does not wait for it."""
        if self.rig.config.rotor is not None:
            self.rig.turn_rotor()
            self.rig.throw_ball(rest=False)
        elif self.rig.config.wheel is not None:
            self.rig.spin(self.chance.uniform(0.5, 4), rest=False)
        else:
            self.roll()
            self.rig.press(*self._keys(("shaker-done",)))
        self.rig.wait(self.chance.choice((2, 20)))
        if self.rig.world.head is not None and self.chance.random() < 0.05:
            self.rig.world.sensors.lose()

    def idle(self) -> None:
        self.rig.wait(self.chance.choice((35, 130, 130, 130, 1900, 25 * 3600)))

    def clock(self) -> None:
        """The computer's wall time is set, and perhaps nobody vouches for it."""
        by_s = self.chance.choice((3600, -1800, -30 * 86_400, 20 * 3600, 500 * 86_400))
        self.rig.give("wall", by_s * NS_PER_S, self.chance.choice(("network", "nobody", "battery")))
        self.rig.wait(12)
        if self.chance.random() < 0.5:
            self.rig.power_cut(self.chance.choice((5, 3600)))
        self.rig.give("wall", -by_s * NS_PER_S, "network")
        self.rig.wait(12)

    def limits(self) -> None:
        """Limits are announced, withdrawn, or changed at once."""
        limits = {"minimum": self.chance.choice(("10", "25")), "maximum": self.chance.choice(("1000", "5", "2000"))}
        soon, now = {"set": limits, "minutes": 30}, {"set": limits, "nobody_plays": True}
        self.rig.wait(self.chance.choice((1, 70)))
        self.rig.give("limits", self.chance.choice((soon, soon, now, {"withdraw": True}, {"file": True})))
        self.rig.press(*self._keys(("floor-key", "floor-key", "clear", "digit floor-key")))
        self.rig.wait(self.chance.choice((1, 95, 1900)))

    def pin(self) -> None:
        """A person keys a PIN, a wrong one, or half of it."""
        if self.rig.staff is not None:
            self.rig.wait(SESSION_S + 1)
            pin = self.chance.choice((people.PIN, people.WRONG_PIN, "1"))
            self.rig.key("floor-key", *people.NUMBER, "enter", *pin, *self._keys(("enter", "clear")))
            self.rig.wait(self.chance.choice((1, 8, 40)))


# -- all of it -----------------------------------------------------------------------------------------------------


def recorded(game: str, number: int, turn: int, seed: int) -> Case:
    """A case.

    Args:
        turn: how many cases this game has already.
    """
    rng, oracle, plan = random.Random(f"{seed} {game} {turn}"), Oracle(), GAMES[game].plan[turn * PLANNED :]
    later = turn - len(GAMES[game].plan) // PLANNED
    asks = (plan or rng.random() < 0.3) and "credentials: none" not in table_text(game)
    rig = RecordedRig(table_of(game, 0 if plan else rng.randint(1, 4)), STAFF if asks else None, number, oracle)
    if plan:
        about = "plan"
        people.GoldenDealer(rig, number, oracle, plan[:PLANNED]).carry_out(1)
    elif later % 10 == 0:
        about, dealer = "honest", Dealer(rig, rng, oracle, no_rolls=0.1)
        dealer.careless = 10.0
        dealer.play(40 if game == "casino-war" and later == 0 else 3)  # A shoe is dealt to its end.
    elif later % 10 == 5:
        about, what = "walk", [one for what in rng.choices(HAPPENS, k=WALK) for one in (what, "act")]
        Restless(rig, oracle, rng).visit("bets-open", what)
    else:
        again, place = divmod(later - later // 5, len(states(game)))
        what = EVERYWHERE[again : again + 1] or rng.choices(HAPPENS, k=rng.choice((1, 1, 2)))
        about = "+".join(what)
        Restless(rig, oracle, rng).visit(states(game)[place], what)
    return rig.case(f"{game}/{about}/{number:04}")


def seen_in(case: Case) -> set[str]:
    """What a case shows: in which state which input leads to which kinds of outcome."""
    seen, state, outcomes = set(), "", iter([*case.outcomes, [len(case.inputs), 0, ""]])
    one = next(outcomes)
    for number, (_, what, *params) in enumerate(case.inputs):
        about = params[1:2] if what == "key" else params[:1] if what in ("switch", "contact") else ()
        words = [case.game, state, what, *about]
        while one[0] <= number:
            words += one[2:4] if one[2] in ("void", "lock", "alert", "state", "refused") else one[2:3]
            state, one = one[3] if one[2] == "state" else state, next(outcomes)
        seen.add(" ".join(map(str, words)))
    return seen


def main() -> int:
    out, commit, count, seed, check = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
    logging.disable()
    cases, turns, why_not, seen = [], Counter(), Counter(), set()
    for number, game in zip(range(count), cycle((*sorted(GAMES), "roulette")), strict=False):
        turns[game] += 1
        try:
            case = recorded(game, number, turns[game] - 1, seed)
        except Exception as error:  # noqa: BLE001 People do not know how to go on.
            why_not[f"{game}: {type(error).__name__}: {error}"] += 1
            continue
        new = seen_in(case) - seen
        if len(new) * DEAR < len(case.inputs) + len(case.edges.letters):
            why_not["little new"] += 1
        elif check and (found := differences(case)):
            why_not[f"not played again as recorded: {found[0]}"] += 1
        else:
            cases.append(case)
            seen |= new
    size = save(out, cases, commit=commit, seed=seed)
    print(f"{len(cases)} cases of {count} in {size} bytes; left out:")
    print("\n".join(f"  {count} {why}" for why, count in why_not.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
