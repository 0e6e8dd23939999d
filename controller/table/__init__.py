"""What every table has around its game: prompts, the floor menu, faults, the lock, and the age of equipment."""
