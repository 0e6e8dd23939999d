"""``calibrate``: measures the positions of a wheel's sections, and writes them into the table's file."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from config.edit import NotFoundError, replace, where, with_value
from config.loader import load_text
from config.problems import ConfigError
from config.rules import GENERAL_RULES
from controller.commissioning.dialogue import Ask, Say, keyboard, yes
from controller.commissioning.mounting import Mounting, MountingError, MountingProbe, NearPegError
from controller.configuration.device_options import device_options
from controller.configuration.rules import GAME_RULES
from controller.configuration.shipped import LoadedTable, load_table
from controller.runtime import exit_codes as exits
from controller.runtime.assembly import geometry
from controller.statechart.registry import find_game
from hal.clock import LoopClock
from hal.errors import HalError
from hal.events import EdgeBatch
from hal.interfaces import EdgeSource
from hal.registry import open_device

NAME = "calibrate"
HELP = "measure the positions of a wheel's sections, and write them into the table's file"

_KEY = ("wheel", "index_offset_counts")


class NothingToCalibrateError(Exception):
    """The table has no wheel with a clapper."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file; stop the table first")


def run(arguments: Namespace) -> int:
    loaded = load_table(Path(arguments.table))  # By file only: a shipped table must not be changed.
    try:
        return asyncio.run(_run(loaded))
    except (NothingToCalibrateError, NotFoundError) as error:
        print(f"table-controller: {error}", file=sys.stderr)
        return exits.FAILED


async def _run(loaded: LoadedTable) -> int:
    section = loaded.config.devices.head
    if loaded.config.wheel is None or section is None:
        raise NothingToCalibrateError(
            f"{loaded.path}: a {loaded.config.game} table has no wheel with a clapper: nothing to calibrate"
        )
    options = device_options(loaded.config, "edges", section)
    head = cast(EdgeSource, open_device("edges", section.backend, section, options, LoopClock()))
    try:
        return await Calibration(loaded, head, keyboard(), print).run()
    finally:
        head.close()


@dataclass
class Calibration:
    """The dialogue with the technician."""

    loaded: LoadedTable
    head: EdgeSource
    ask: Ask
    say: Say
    order: Sequence[str] = field(init=False)
    probe: MountingProbe = field(init=False)

    def __post_init__(self) -> None:
        wheel = self.loaded.config.wheel
        assert wheel is not None
        self.order = wheel.order or find_game(self.loaded.config.game).wheel
        self.probe = MountingProbe(geometry(wheel, len(self.order)), self.head.levels())
        self._turned = asyncio.Event()

    async def run(self) -> int:
        """Measure the offset, show it, and write it if the technician agrees."""
        self.head.start(self._on_edges)
        found = await self._found()
        if not await self._confirmed(found):
            self.say("then wheel.reversed or the wheel's order is wrong, or an edge was lost: nothing was changed")
            return exits.FAILED
        return await self._written(found)

    def _on_edges(self, batch: EdgeBatch) -> None:
        begun = self.probe.index_seen
        self.probe.feed(batch)
        if self.probe.index_seen and not begun:
            self.say("the index has passed; go on for a whole turn")
        elif begun and not self.probe.index_seen:
            self.say("it was turned back or edges were lost; go on one way, the turn begins anew")
        if self.probe.ready:
            self._turned.set()

    async def _found(self) -> Mounting:
        while True:
            self.say("turn the wheel by hand, slowly and one way, once around and a little more ...")
            await self._turned.wait()
            self.say(f"a whole turn, {self.probe.pegs} pegs")
            section = await self._named("turn it to the middle of a section; which one is at the clapper?")
            try:
                self.head.poll()
                return self.probe.mounting(section)
            except NearPegError as error:
                self.say(str(error))
            except MountingError as error:
                self.say(str(error))
                self.probe.restart()
                self._turned.clear()

    async def _named(self, question: str) -> int:
        """A section that the wheel has once, or the section's number in the order, from 1."""
        single = [name for name in dict.fromkeys(self.order) if self.order.count(name) == 1]
        while True:
            name = await self.ask(f"{question} ({', '.join([*single, '#1 to #' + str(len(self.order))])})")
            if name in single:
                return self.order.index(name)
            if name.startswith("#") and name[1:].isdecimal() and 1 <= int(name[1:]) <= len(self.order):
                return int(name[1:]) - 1
            self.say(
                f"'{name}' does not say which section it is: name one that the wheel has once, or #N in its order"
            )

    async def _confirmed(self, found: Mounting) -> bool:
        """A second section shows whether the wheel is read in the right direction."""
        await self.ask("now turn it some sections further, to the middle of another one, and press Enter")
        self.head.poll()
        at = self.probe.section(found.index_offset_counts)
        beside = f"between {self.order[at - 1]} and {self.order[(at + 1) % len(self.order)]}"
        return await yes(self.ask, f"then {self.order[at]} is at the clapper, {beside}: is it?")

    async def _written(self, found: Mounting) -> int:
        path, old = self.loaded.path, self.loaded.config.wheel
        assert old is not None
        text, new = path.read_text(encoding="utf-8"), found.index_offset_counts
        mark = where(text, str(path), _KEY)
        self.say(f"the strike farthest from its peg was {found.farthest_mdeg / 1000:.2f} degrees off")
        self.say(f"{path}:{mark.line}: index_offset_counts: {old.index_offset_counts} -> {new}")
        if new == old.index_offset_counts:
            self.say("it is right already: nothing was changed")
            return exits.OK
        changed = with_value(text, str(path), _KEY, str(new))
        try:
            load_text(changed.encode(), str(path), (*GENERAL_RULES, *GAME_RULES))
        except ConfigError:
            self.say("the table cannot be used so: nothing was changed")
            raise
        if not await yes(self.ask, "write it?"):
            self.say("nothing was changed")
            return exits.FAILED
        try:
            replace(path, changed)
        except OSError as error:
            raise HalError(f"{path} cannot be written: {error.strerror}; nothing was changed") from error
        self.say("written; start the table again")
        return exits.OK
