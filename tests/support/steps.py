"""People's acts at a table on simulated hardware, as words in a test's table."""

from controller.bench.rig import Rig


def act(rig: Rig, steps: str) -> None:
    """Carry them out in order.

    Args:
        steps: keys, and ``spin SECTION``, ``short SECTION`` (too few turns), ``between SECTION SECTION``,
            ``floor ACT [ARGUMENT]`` (the last one), ``dead LAMP``, ``burning LAMP``.
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
            case "floor":
                rig.floor(*words)
            case "dead" | "burning":
                rig.world.fault(f"{word}-lamp", next(words))
            case key:
                rig.press(key)
