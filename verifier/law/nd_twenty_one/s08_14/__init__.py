"""Section 99-01.3-08-14: drop box and count."""
