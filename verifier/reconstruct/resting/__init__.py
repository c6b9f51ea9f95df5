"""What lies on the table: cards, chips and bank notes at rest, since when, until when, and which of them are none."""
