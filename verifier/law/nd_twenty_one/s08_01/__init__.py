"""Section 99-01.3-08-01: the game, its players, percent-of-hold, rent."""
