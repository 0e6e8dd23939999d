"""Plots and layouts as pictures."""
