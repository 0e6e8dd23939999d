"""The documents' site: every page is in a menu, every link leads somewhere, the reference misses nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from project import ROOT

from config.loader import floor_schema, json_schema
from controller.commands.cli import parser
from controller.commands.command_parser import CommandParser
from controller.configuration.shipped import shipped_tables
from hal.registry import KINDS, backends
from tools.site import commands, drivers, machines
from tools.site.__main__ import write
from tools.site.keys import paths, reference
from tools.site.offline import loaded_from_elsewhere
from tools.site.staging import SiteError, pages, place, staged, with_menus

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert write(folder) == len(list(folder.rglob("*.md")))
    return folder


def in_menus(folder: Path, page: str = "index") -> Iterator[str]:
    """Every page that the menus below one lead to, itself included."""
    yield page
    text = (folder / f"{page}.md").read_text(encoding="utf-8")
    for menu in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL):
        for entry in menu.splitlines():
            named = re.fullmatch(r"[^<]+ <(.+)>", entry)
            if named:
                yield from in_menus(folder, str(Path(page).parent / named[1]))


def test_every_page_is_in_one_menu(site: Path) -> None:
    found = sorted(in_menus(site))
    assert found == sorted(path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.md"))


def test_every_link_leads_to_a_page_or_a_file_of_the_site(site: Path) -> None:
    for path in site.rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        missing = [target for target in LINK.findall(text) if not (path.parent / target).is_file()]
        assert not missing, path.relative_to(site)


def test_a_link_is_led_to_the_place_of_its_file() -> None:
    code = "```\n[e](x.md)\n```\n"
    text = f"[a](../README.md#the-drivers), [b](disk.md), [c](../hal/gpiod/edges.py), [d](floor/)\n{code}"
    led, files = staged("docs/floor.md", text)
    assert led == f"[a](project/readme.md#the-drivers), [b](disk.md), [c](sources/hal/gpiod/edges.py), d\n{code}"
    assert files == {"README.md", "docs/disk.md", "hal/gpiod/edges.py"}
    assert staged("README.md", "[x](docs/disk.md)")[0] == "[x](../disk.md)"


@pytest.mark.parametrize("target", ["gone.md", "../../outside.md", "../hal"])
def test_a_link_that_leads_nowhere_is_named_with_its_page(target: str) -> None:
    with pytest.raises(SiteError, match=rf"docs/floor.md: {re.escape(target)}: there is no such file"):
        staged("docs/floor.md", f"[x]({target})")


def test_a_list_of_pages_is_a_menu_under_its_heading() -> None:
    menus = with_menus("# Top\n\n## How-to\n\n- [One](a/one.md): words\n\n## Words alone\n\nNo list.\n")
    assert menus.count("{toctree}") == 1
    assert ":caption: How-to\n\nOne <a/one>\n```" in menus


def test_pages_of_the_repository_have_places_of_their_own() -> None:
    assert len({place(page) for page in pages()}) == len(pages())


# -- the reference -------------------------------------------------------------------------------------------------


def keys_in(document: object, path: str = "") -> Iterator[str]:
    """Every key of a YAML document, with those above it."""
    if isinstance(document, dict):
        for key, below in document.items():
            yield f"{path}.{key}".lstrip(".")
            yield from keys_in(below, f"{path}.{key}".lstrip("."))


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_the_reference_has_every_key_of_a_shipped_table(game: str) -> None:
    known = set(paths(json_schema()))
    document = yaml.safe_load(shipped_tables()[game].read_text(encoding="utf-8"))
    own = re.compile(r"^(rules|layout\.\w+|devices\.\w+\.(options|pins|lamps|codes|contacts))\.")
    assert [key for key in keys_in(document) if key not in known and not own.match(key)] == []


def test_a_key_has_its_type_range_unit_and_default() -> None:
    text = reference(json_schema())
    assert "| `rest_s` | a number, 0.5 to 10, seconds, default `1.5` | how long the wheel must stand" in text
    assert "a whole number, 720 to 65,536, a multiple of 4, encoder counts, **required**" in text
    assert "| `opens` | `alert` or `lock`, default `lock` |" in text
    assert "## `devices.tamper.contacts.*`" in text
    assert (
        "| `megabytes_per_minute` | a whole number, 1 to 10,000, megabytes a minute, default `20` |"
        in reference(floor_schema())
    )


def options_of(command: CommandParser) -> Iterator[str]:
    for action in command._actions:
        yield from (option for option in action.option_strings if option not in ("-h", "--help"))
    for _, below, _ in command.actions():
        yield from options_of(below)


@pytest.mark.parametrize("name", [name for name, _, _ in parser()[0].actions()])
def test_the_page_of_a_command_has_every_option(name: str) -> None:
    command = next(one for word, one, _ in parser()[0].actions() if word == name)
    text = commands.pages()[name]
    assert [option for option in options_of(command) if f"`{option}" not in text] == []
    assert "## Examples" in text
    assert f"]({name}.md)" in commands.pages()["index"]


def test_the_page_of_drivers_has_each_of_them() -> None:
    text = drivers.page()
    assert [(kind, one) for kind in KINDS for one in backends(kind) if f"### {kind}: `{one}`" not in text] == []


def test_the_page_of_machines_has_every_way_from_state_to_state() -> None:
    text = machines.page()
    assert "| `bets-open` | `press no-more-bets` |" in text
    assert text.count("It begins in") == len(shipped_tables())


# -- without a network ---------------------------------------------------------------------------------------------


def test_a_page_that_loads_from_elsewhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://one.example/">x</a><script src="https://two.example/a.js"></script>'
        '<link rel="canonical" href="https://three.example/"><link rel="stylesheet" href="//four.example/a.css">'
        '<img src="own.png">'
    )
    (tmp_path / "a.css").write_text(
        "@font-face { src: url('https://five.example/f.woff') } b { background: url(x) }"
    )
    assert list(loaded_from_elsewhere(tmp_path)) == [
        "a.html: https://two.example/a.js",
        "a.html: //four.example/a.css",
        "a.css: https://five.example/f.woff",
    ]


def test_the_generator_is_no_part_of_what_tables_and_tests_install() -> None:
    for lock in ("run", "bench", "dev", "pi", "floor"):
        assert "sphinx" not in (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
