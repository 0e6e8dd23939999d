"""Casino War (58 Pa. Code ch. 651a)."""
