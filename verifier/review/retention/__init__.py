"""How long things are kept, what is due to go, legal holds, and purging as a person's act."""
