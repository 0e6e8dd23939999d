"""Plots over time, and drawings of wheels and layouts."""
