"""Sphinx, for the documents' site. ``make site-docs`` calls it on the pages that ``tools/site`` has written."""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from controller import __version__  # noqa: E402

project = "Table controller"
author = "the authors of Table controller"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
include_patterns = ["*.md", "how-to/**", "decisions/**", "project/**", "reference/**"]
myst_heading_anchors = 4
# A page of the repository may begin below its first heading, as the changelog's versions do.
suppress_warnings = ["myst.header"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
html_theme = "furo"
html_title = f"Table controller {release}"
html_static_path = ["site"]
html_css_files = ["site.css"]
# The same bytes of the same commit: no date. The pages' sources are in the repository.
html_last_updated_fmt = None
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# A page that is opened from a folder may not read its neighbours, from which search would quote.
html_show_search_summary = False
# Two dashes are an option of a command.
smartquotes = False


def setup(app: Any) -> None:
    """Called by Sphinx: a protocol is shown without a constructor, for nobody calls it."""

    def without_constructor(app: Any, what: str, name: str, one: object, *_: object) -> tuple[str, str] | None:
        return ("", "") if what == "class" and getattr(one, "_is_protocol", False) else None

    app.connect("autodoc-process-signature", without_constructor)
