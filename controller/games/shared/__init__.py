"""What games of any kind share."""
