"""Section 99-01.3-08-03: chips."""
