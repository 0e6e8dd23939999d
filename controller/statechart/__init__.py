"""The basis of every game: state machine, guards, and the description of a game."""
