"""Section 99-01.3-08-07: opening the table, buy-ins, chip exchanges."""
