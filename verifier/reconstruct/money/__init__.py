"""A round's chips: stakes, what was spread, taken and paid, and tips."""
