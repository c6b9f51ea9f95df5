"""Section 99-01.3-08-08: shuffle, cut, shoe, burn."""
