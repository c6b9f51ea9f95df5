"""Section 99-01.3-08-10: dealing the first cards."""
