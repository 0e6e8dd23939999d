"""Code that games of any kind share."""
