"""Between rounds: shuffles, shifts, and chips and cash in the inner table area."""
