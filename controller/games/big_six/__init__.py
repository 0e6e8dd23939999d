"""Big Six Wheel (58 Pa. Code ch. 619a)."""
