"""What stands before the pages: sign-in, the guard over every address, and the recordings' pictures."""
