"""The bench as a folder of files that any web server can hand out: ``python -m tools.site_bench``."""
