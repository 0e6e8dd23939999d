"""The patron's gaming guide (§ 521.9(b)) and the odds sheet (§ 521.4(1)(ii)) of a game, as one HTML page."""
