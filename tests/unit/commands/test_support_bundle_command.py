"""``support-bundle``: one file for who helps, also of a table whose file is wrong."""

import tarfile
from pathlib import Path

import pytest

from controller.commands import support_bundle
from controller.commands.cli import main
from controller.commissioning.support.bundle import Collected
from controller.configuration.shipped import shipped_tables
from controller.runtime import exit_codes as exits


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "table.yaml"
    text = shipped_tables()["sic-bo"].read_text(encoding="utf-8")
    file.write_text(text.replace("/var/lib/table-controller", str(tmp_path)), encoding="utf-8")
    return file


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked of this computer."""
    monkeypatch.setattr(support_bundle, "collect", lambda piece: Collected(piece.name, "text"))


def bundles(folder: Path) -> list[Path]:
    return sorted(folder.glob("support-*.tar.gz"))


def text_in(bundle: Path, name: str) -> str:
    with tarfile.open(bundle) as archive:
        (member,) = (one for one in archive if one.name.endswith(f"/{name}"))
        file = archive.extractfile(member)
        assert file is not None
        return file.read().decode()


@pytest.mark.campaign
def test_a_table_whose_file_is_wrong_is_helped_too(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here with all that this computer says of itself."""
    table.write_text(table.read_text(encoding="utf-8").replace("game: sic-bo", "game: sick-bo"), encoding="utf-8")
    assert main(["support-bundle", str(table), "--out", str(tmp_path), "--rounds", "3"]) == exits.OK
    (bundle,) = bundles(tmp_path)
    assert bundle.name.startswith("support-table-")
    said = capsys.readouterr().out
    assert said.startswith(f"{bundle}: ")
    assert "secrets were taken out" in said
    assert "sick-bo" in text_in(bundle, "check.txt")
    assert "(exit code 78)" in text_in(bundle, "check.txt")
    assert "game: sick-bo" in text_in(bundle, "table.yaml")
    assert '"software"' in text_in(bundle, "software.json")
    assert f"file: {table}" in text_in(bundle, "index.txt")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["nowhere.yaml"], exits.FAILED, "nowhere.yaml: there is no such file; name the table's YAML file"),
        (["/"], exits.FAILED, "/: is a directory; call it with sudo, or name the table's YAML file"),
        (["TABLE", "--out", "TABLE"], exits.FAILED, "there is such a file already; name another (--out)"),
        (["TABLE", "--out", "nowhere/b.tar.gz"], exits.FAILED, "no such file or directory; name a folder that can"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    table: Path, words: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = table.read_bytes()
    assert main(["support-bundle", *(word.replace("TABLE", str(table)) for word in words)]) == code
    err = capsys.readouterr().err
    assert sentence in err.partition("table-controller support-bundle: ")[2]
    assert table.read_bytes() == before
