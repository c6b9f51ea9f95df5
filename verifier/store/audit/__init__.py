"""The audit log: who did what, in a chain of hashes whose every link is signed."""
