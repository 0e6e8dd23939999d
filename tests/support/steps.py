"""People's acts at a table on simulated hardware, as words in a test's table."""

from roulette_table import down, running

from controller.bench.rig import Rig
from controller.events.event import PanelFault


def act(rig: Rig, steps: str) -> None:
    """Carry them out in order.

    Args:
        steps: keys, and ``spin SECTION``, ``short SECTION`` (too few turns), ``between SECTION SECTION``,
            ``thrown`` (too weakly, and the wheel turns), ``rest``, ``throw`` (the roulette ball runs), ``ball`` (it
            lies in 17), ``read`` (the reader names it), ``reader FAULT``, ``says POCKET`` (the reader, whatever it
            saw), ``dead LAMP``, ``burning LAMP``, ``panel`` (it fails), ``repair``, ``off`` (the power, for longer
            than a round may wait), ``day`` (it passes), ``wait SECONDS``, ``floor ACT [ARGUMENT]`` (the last step).
    """
    words = iter(steps.split())
    for word in words:
        match word:
            case "spin":
                rig.spin(stop_on=next(words))
            case "short":
                rig.spin(revolutions=1.5, stop_on=next(words))
            case "between":
                rig.spin(stop_between=(next(words), next(words)))
            case "throw":
                running(rig)
            case "ball":
                down(rig)
            case "read":
                rig.wait(10)
            case "reader":
                rig.world.fault(f"reader-{next(words)}", "", 3)
            case "says":
                rig.world.reader.say(next(words))
            case "thrown":
                rig.spin(2.2, rest=False)
                rig.wait(2)
            case "rest" if rig.config.rotor is not None:
                rig.ball_rest()
            case "rest":
                rig.rest()
            case "repair":
                rig.world.repair()
            case "wait":
                rig.wait(float(next(words)))
            case "panel":
                rig.table.take([PanelFault(rig.clock.now_ns(), ("10", "red"), ())])
            case "day":
                rig.wait(24 * 3600 + 60)
            case "off":
                rig.power_cut(2400)
            case "floor":
                rig.floor(*words)
            case "dead" | "burning":
                rig.world.fault(f"{word}-lamp", next(words))
            case key:
                rig.press(key)
