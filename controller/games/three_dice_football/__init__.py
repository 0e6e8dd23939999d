"""Three Dice Football (58 Pa. Code ch. 577)."""
