"""Training the finder and the reader of bank notes, on rendered pictures of the inner table area."""
