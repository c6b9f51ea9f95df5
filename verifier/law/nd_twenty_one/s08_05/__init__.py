"""Section 99-01.3-08-05: fill and credit slips."""
