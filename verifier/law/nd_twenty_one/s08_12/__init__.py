"""Section 99-01.3-08-12: mistakes."""
