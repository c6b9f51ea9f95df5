"""The site's records: taken in, kept, and judged together with the recordings (docs/law-records.md)."""
