"""The documents that the rules require or presuppose: weekly, daily, percent-of-hold, and their files."""
