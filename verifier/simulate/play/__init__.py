"""Play at the table: what happens in a round (script) and how people's hands do it (choreography)."""
