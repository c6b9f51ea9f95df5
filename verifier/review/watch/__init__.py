"""People who watch whole recordings: unique minutes, bookmarks, own findings, blind samples."""
