"""What any screen shows of a round: words, figures, results, health. Knows no server."""
