"""Real pictures with labels: what the public sets hold, which of them are for scoring only, and training from the rest."""
