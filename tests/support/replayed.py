"""A round that was replayed, and what is compared of it."""

from controller.journal.replay.replay import ReplayedRound


def assert_same(replayed: ReplayedRound, sensed: bool = True) -> None:
    assert replayed.differences == []
    assert (replayed.edge_replay is not None) == sensed
    if replayed.edge_replay is not None:
        assert replayed.edge_replay.same > 0
        assert replayed.edge_replay.open == []
