"""Real pictures with labels: the public sets, which pictures are for scoring only, and training from the rest."""
