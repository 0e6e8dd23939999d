"""Small changes to the code, made by cosmic-ray, before the tests that reach them: ``make mutation``."""
