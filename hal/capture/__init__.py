"""What a logic analyser recorded, played through the boundary as if it were the hardware. Backend ``capture``."""
