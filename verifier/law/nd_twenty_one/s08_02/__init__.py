"""Section 99-01.3-08-02: table, drop box, cards."""
