"""A round's cards: dealt, turned, split, held aside and taken up, and doubtful readings weighed by what followed."""
