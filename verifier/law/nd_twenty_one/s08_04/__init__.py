"""Section 99-01.3-08-04: video surveillance."""
