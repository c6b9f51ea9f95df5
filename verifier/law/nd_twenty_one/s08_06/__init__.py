"""Section 99-01.3-08-06: sale and redemption of chips."""
