"""Rounds, voids, faults and power cuts as people see them: played on the bench's page, watched on the others."""

from pathlib import Path

import pytest
from chromium import SIZES, Size
from conftest import Open, OpenBench, Serve
from rounds import SHOWS_RESULT, play, play_until, waits_for_people

from controller.machine.registry import game_names

_UNFIT = Path(__file__).with_name("unfit.js").read_text(encoding="utf-8")
_LONG_DAY = """
const parse = JSON.parse;
JSON.parse = (text) => {
  const read = parse(text);
  if (read.counts) read.spins = 1234;
  for (const one of read.counts ?? []) {
    const count = one.label.length > 1 ? 100 + 200 * (one.label % 2) : 200;  // The longest are hot and cold.
    Object.assign(one, { count, since: 123 });
  }
  return read;
};
"""
"""As if a board had been followed since the morning."""


@pytest.mark.parametrize("game", game_names())
def test_a_whole_round_is_seen_on_board_and_dealers_screen_at_both_sizes(
    game: str, bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench(game)
    page = open_bench(served, (1280, 800))
    boards = [open_page(served, "/", size) for size in SIZES]
    dealers = [open_page(served, "/dealer", size) for size in SIZES]
    results: set[str] = set()
    for picture in play(page, served):
        state, stays = picture["state"], waits_for_people(picture)
        for screen in (*boards, *dealers, page) if stays else ():
            screen.wait_for(state)
            screen.wait_for_lit(set(picture["lit"]))
        for screen in (*boards, *dealers):
            if stays:
                screen.wait_for_role("headline", picture["headline"])
            screen.wait(lambda screen=screen: screen.script(_UNFIT) == [], "everything whole")
        if not stays:
            continue
        for dealer in dealers:
            assert dealer.role("next").lower() == picture["dealer"]["task"]["act"].lower()
            assert bool(dealer.role("payouts")) == bool(picture["dealer"]["paid"])
        for board in boards:
            if state in SHOWS_RESULT:
                assert picture["result"]
                results.add(board.role("result"))
    assert results
    assert "" not in results
    assert page.script("return document.documentElement.scrollHeight <= innerHeight")
    assert "REFUSED" not in page.log()
    for board in boards:
        board.wait(lambda board=board: "none yet" not in board.role("history"), "the result among the last twenty")
    assert [screen.errors() for screen in (*boards, *dealers, page)] == [[]] * 5


@pytest.mark.parametrize("game", ["roulette", "dreamcatcher"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_board_has_room_for_the_results_of_a_long_day(
    game: str, size: Size, bench: Serve, open_page: Open
) -> None:
    board = open_page(bench(game), "/", size)
    board.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _LONG_DAY})
    board.browser.refresh()
    board.wait_for_role("spins", "1234")
    board.wait(lambda: board.script(_UNFIT) == [], "everything whole")


def test_a_broken_sensor_is_named_with_its_remedy(bench: Serve, open_bench: OpenBench, open_page: Open) -> None:
    served = bench("dreamcatcher")
    page = open_bench(served)
    dealer = open_page(served, "/dealer")
    play_until(page, served, "no-more-bets")
    page.break_line("stuck-low", "encoder_b")
    page.wait_for_role("log", "stuck-low")
    page.key("t")
    for screen in (page, dealer):
        screen.wait_for("locked")
    dealer.wait_for_role("alerts", "encoder_b")
    assert "Repair the sensor" in dealer.role("alerts")
    assert "encoder_b" in dealer.role("more")
    page.key("m")
    page.press("floor-key", "floor-key")
    for screen in (page, dealer):
        screen.wait_for("locating")


def test_a_refused_press_is_explained_until_the_next_one(
    bench: Serve, open_bench: OpenBench, open_page: Open
) -> None:
    served = bench("casino-war")
    page, dealer = open_bench(served), open_page(served, "/dealer")
    page.press("done")
    dealer.wait_for_role("refused", "done")
    page.press("floor-key", "floor-key")
    dealer.wait(lambda: dealer.role("refused") == "", "no refusal any more")


def test_a_page_that_lost_its_table_shows_it_and_reconnects(bench: Serve, open_page: Open) -> None:
    """What a page shows after its stream has ended is old."""
    served = bench("casino-war")
    shown = [open_page(served, path) for path in ("/", "/dealer", "/bench")]
    for screen in shown:
        screen.wait_until_connected()
    assert served.close() == 0
    for screen in shown:
        screen.wait_for_role("connection", "No connection")
    bench("casino-war", port=served.port)
    for screen in shown:
        screen.wait_until_connected()
