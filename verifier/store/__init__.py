"""Where reviews, findings, people's verdicts and documents are kept (SQLite by default, another database by URL)."""
