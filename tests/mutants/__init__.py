"""Small changes, each of which breaks a clause of the regulation: the tests of its row in the trace must fail."""
