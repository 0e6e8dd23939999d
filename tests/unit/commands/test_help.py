"""Help: every command and action has examples that its parser takes, and a mistyped word is answered."""

import pytest

from controller.commands.cli import main, parser
from controller.runtime import exit_codes as exits

TOP, MODULES = parser()


@pytest.mark.parametrize(
    ("words", "where", "message"),
    [
        ("jurnal show x", "table-controller", "there is no 'jurnal'; did you mean journal?"),
        ("dance", "table-controller", "there is no 'dance'; use one of: run, bench"),
        ("journal shw x", "table-controller journal", "there is no 'shw'; did you mean show?"),
        ("journal show x --raund 3", "table-controller journal show", "'--raund' (did you mean --round?), '3'"),
        ("journal show --json=yes x y", "table-controller journal show", "ignored explicit argument 'yes'"),
        ("bench --dmeo", "table-controller bench", "'--dmeo' (did you mean --demo?)"),
    ],
)
def test_a_mistyped_word_is_answered_with_what_was_meant(
    words: str, where: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words.split())
    assert stop.value.code == exits.USAGE
    printed = capsys.readouterr()
    assert printed.out == ""
    last = printed.err.splitlines()[-1]
    assert message in last
    assert last.startswith(where.replace(" f ", " FILE ") + ":") or where in last
