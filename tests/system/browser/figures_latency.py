"""How long a press takes from the hand to the changed page, by the page's own clock."""

import math
from typing import Any

import pytest
from conftest import Open, Serve
from pages import Page

PRESSES = 120
MOST_MS = 100.0
TRIALS = 3
"""A shared machine may stall for a moment, which is not the table's fault: one of these has to be fast enough."""

_MEASURE = """
const [presses, done] = arguments;
const pause = (ms) => new Promise((go) => setTimeout(go, ms));
const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
const changed = () => new Promise((go) => {
  const before = document.body.dataset.state;
  const observer = new MutationObserver(() => {
    if (document.body.dataset.state === before) return;
    observer.disconnect();
    go(performance.now());
  });
  observer.observe(document.body, {attributes: true, attributeFilter: ['data-state']});
});
(async () => {
  const seen = [], drawn = [];
  for (const press of presses) {
    const change = changed();
    const begin = performance.now();
    const sent = fetch('/bench/act', {
      method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({press}),
    });
    seen.push(await change - begin);
    await frame();
    drawn.push(performance.now() - begin);
    const answer = await sent;
    if (answer.status !== 204) throw new Error(await answer.text());
    await pause(100);
  }
  return {seen, drawn};
})().then(done, (error) => done({failed: String(error)}));
"""
"""Presses one control after the other, each of which changes the state; a finger leaves a key after 80 ms."""


def part(times: list[float], share: float) -> float:
    """The time that this share of all times does not exceed."""
    return sorted(times)[math.ceil(share * len(times)) - 1]


def measure(page: Page) -> dict[str, Any]:
    """Milliseconds from each press to the changed page, and to the frame in which that is drawn."""
    page.show().browser.set_script_timeout(60)
    presses = ["floor-key", "clear"] * (PRESSES // 2)
    found: dict[str, Any] = page.browser.execute_async_script(_MEASURE, presses)
    assert "failed" not in found, found
    return found


@pytest.mark.parametrize("path", ["/", "/dealer", "/bench"])
def test_a_press_is_on_the_screen_within_a_tenth_of_a_second(
    path: str, bench: Serve, open_page: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    served = bench("sic-bo")
    page = open_page(served, path)
    page.wait_for("closed")
    p99s = []
    for _ in range(TRIALS):
        found = measure(page)
        with capsys.disabled():
            for what in ("seen", "drawn"):
                shares = ", ".join(
                    f"p{share * 100:g} {part(found[what], share):.1f} ms" for share in (0.5, 0.99, 1)
                )
                print(f"\n{path}: {what} after {shares} ({len(found[what])} presses)", end="")
        assert len(found["drawn"]) == PRESSES
        p99s.append(part(found["drawn"], 0.99))
        if p99s[-1] < MOST_MS:
            break
    assert min(p99s) < MOST_MS
    assert page.errors() == []
