"""Plays a logic analyser's recording through the boundary in place of the hardware. Backend ``capture``."""
