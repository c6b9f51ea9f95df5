"""Section 99-01.3-08-16: records."""
