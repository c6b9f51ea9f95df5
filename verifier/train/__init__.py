"""Pictures, training, export and honest scores of the networks in `models/` (the `train` extra)."""
