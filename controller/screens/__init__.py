"""The pages of a table in a browser: the board for players, and the dealer's screen."""
