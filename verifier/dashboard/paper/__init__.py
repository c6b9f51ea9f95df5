"""The pages of the paperwork: documents, evidence, retention, the check of a sample recording."""
