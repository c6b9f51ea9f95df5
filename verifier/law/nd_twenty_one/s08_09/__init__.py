"""Section 99-01.3-08-09: wagers, tips, insurance, splits, doubles."""
