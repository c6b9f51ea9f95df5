"""What the review room keeps beside findings: people, sessions, holds, watched stretches, bookmarks, blind samples."""
