"""The site's records: kept, and judged together with the recordings (docs/law-records.md)."""
