"""Section 99-01.3-08-13: what is posted."""
