"""Section 99-01.3-08-11: playing the hands, settlement, leaving the table."""
