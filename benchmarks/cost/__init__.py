"""What a table costs on Arm, in instructions: ``make cost``."""
