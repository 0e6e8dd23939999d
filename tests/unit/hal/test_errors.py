"""Why a device file cannot be used, for the technician."""

import errno
import os
import termios

import pytest

from hal.errors import why_not


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (errno.ENOENT, "there is no port /dev/x; plug it in"),
        (errno.ENODEV, "there is no port /dev/x; plug it in"),
        (errno.EACCES, "no permission for the port /dev/x; run: sudo usermod -aG dialout USER, and restart"),
        (errno.EPERM, "no permission for the port /dev/x; run: sudo usermod -aG dialout USER, and restart"),
        (errno.EBUSY, "another process holds the port /dev/x; find it with: sudo fuser -v /dev/x, and end it"),
        (errno.EAGAIN, "another process holds the port /dev/x; find it with: sudo fuser -v /dev/x, and end it"),
        (errno.EIO, "the port /dev/x cannot be used (Input/output error); plug it in"),
    ],
)
def test_each_error_has_its_remedy(error: int, words: str) -> None:
    assert why_not("port", "/dev/x", OSError(error, os.strerror(error)), "dialout", "plug it in") == words


def test_a_setting_that_a_port_does_not_take_is_told_in_words() -> None:
    error = termios.error(errno.EINVAL, "Invalid argument")
    words = "the port /dev/x cannot be used (Invalid argument); correct baud_rate"
    assert why_not("port", "/dev/x", error, "dialout", "correct baud_rate") == words
