"""An installed table on another processor: ``make test-arm``."""
