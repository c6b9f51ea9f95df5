"""Section 99-01.3-08-15: tournaments."""
