"""What any screen shows of a round: words, figures, results, health. Made of recorded decisions; knows no server."""
