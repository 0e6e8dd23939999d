"""What any game is made of: the machine, guards, and what a game says of itself."""
