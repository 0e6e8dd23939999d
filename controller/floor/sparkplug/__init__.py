"""A bridge to Sparkplug B 3.0: what tables publish, for plants' own tools. It only reads."""
