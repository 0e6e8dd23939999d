"""The documents' site: makes of ``docs/`` and the code what Sphinx builds. Run by ``make site-docs``."""
