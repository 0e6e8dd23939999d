"""``journal quarantine``: a person puts one of two media's journals away, if the other one is whole."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.configuration.shipped import table_path
from controller.journal.journal import Journal


class PairOfFiles:
    """A table's file that names two media, with some entries on both."""

    def __init__(self, folder: Path, config: TableConfig) -> None:
        self.journal, self.mirror = folder / "table.journal", folder / "stick" / "table.journal"
        self.yaml = folder / "table.yaml"
        text = table_path("sic-bo").read_text(encoding="utf-8")
        named = f"  file: {self.journal}\n  mirror: {self.mirror}\n"
        self.yaml.write_text(text.replace("  file: /var/lib/table-controller/sic-bo.journal\n", named))
        self.config = config
        self.start()

    def start(self) -> None:
        rig = Rig(self.config, self.journal, mirror=self.mirror)
        rig.press("floor-key", "clear")
        rig.table.stop()
        rig.journal.close()

    def put_away(self, name: str) -> int:
        return main(["journal", "quarantine", str(self.yaml), name])

    def length(self, file: Path) -> int:
        with closing(Journal(file, read_only=True)) as journal:
            assert journal.verify().problem == ""
            return len(journal)


@pytest.fixture
def pair(tmp_path: Path, shipped: Callable[[str], TableConfig]) -> PairOfFiles:
    return PairOfFiles(tmp_path, shipped("sic-bo"))


def test_check_says_where_both_lie_and_what_is_wrong_with_that(
    pair: PairOfFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(pair.yaml)]) == 0
    said = capsys.readouterr().out
    assert f"journal: {pair.journal}; its mirror: {pair.mirror}" in said
    assert "lie on the same medium, so there is no mirror" in said
    pair.mirror.parent.rename(pair.mirror.parent.with_name("pulled"))
    assert main(["check", str(pair.yaml)]) == 0
    said = capsys.readouterr().out
    assert f"the mirror's folder {pair.mirror.parent} is not there" in said
    assert f"{pair.journal} may lack the last rounds" in said


def test_a_mirror_that_is_the_journal_is_a_problem(pair: PairOfFiles, capsys: pytest.CaptureFixture[str]) -> None:
    text = pair.yaml.read_text(encoding="utf-8")
    pair.yaml.write_text(text.replace(f"mirror: {pair.mirror}", f"mirror: {pair.journal}"))
    assert main(["check", str(pair.yaml)]) == 78
    assert "journal.mirror: this is the journal itself; name a file on another medium" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["journal", "mirror"])
def test_a_damaged_one_is_kept_under_another_name_and_filled_again(pair: PairOfFiles, name: str) -> None:
    bad = getattr(pair, name)
    change(bad, "UPDATE entries SET body = replace(body, 'floor-key', 'other-key')")
    damaged = bad.read_bytes()
    assert pair.put_away(name) == 0
    (kept,) = bad.parent.glob("table.quarantined-*.journal")
    assert kept.read_bytes() == damaged
    pair.start()
    assert pair.length(pair.journal) == pair.length(pair.mirror) > 4


def test_a_whole_one_stays(pair: PairOfFiles, capsys: pytest.CaptureFixture[str]) -> None:
    assert pair.put_away("mirror") == 1
    assert "is whole, and has all that" in capsys.readouterr().err


def test_nothing_is_put_away_where_the_other_is_not_whole(
    pair: PairOfFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    change(pair.mirror, "UPDATE entries SET body = replace(body, 'floor-key', 'other-key')")
    assert pair.put_away("journal") == 1
    assert "is not whole, so" in capsys.readouterr().err
    pair.mirror.unlink()
    assert pair.put_away("journal") == 1
    assert "put its medium back" in capsys.readouterr().err
    assert pair.journal.exists()


def test_nothing_is_put_away_while_the_table_writes(pair: PairOfFiles, capsys: pytest.CaptureFixture[str]) -> None:
    change(pair.mirror, "UPDATE entries SET body = replace(body, 'floor-key', 'other-key')")
    with closing(Journal(pair.journal)):
        assert pair.put_away("mirror") == 1
    assert "another table is writing this journal" in capsys.readouterr().err
    assert not list(pair.mirror.parent.glob("table.quarantined-*"))


def test_of_a_fork_the_one_that_a_person_chose_counts(
    pair: PairOfFiles, shipped: Callable[[str], TableConfig]
) -> None:
    for file in (pair.journal, pair.mirror):
        alone = Rig(shipped("sic-bo"), file)
        alone.wait(5 if file is pair.mirror else 1)
        alone.press("floor-key", "clear")
        alone.table.stop()
        alone.journal.close()
    assert pair.put_away("journal") == 0
    expected = pair.length(pair.mirror)
    pair.start()
    assert pair.length(pair.journal) == pair.length(pair.mirror) > expected
