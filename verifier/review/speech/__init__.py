"""What was said at the table, from a transcript: as events that the law reads (docs/law.md)."""
