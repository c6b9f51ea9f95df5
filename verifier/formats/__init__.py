"""Readers and writers of the files that stand between the stages (docs/formats.md).

Every reader validates and raises `verifier.domain.errors.BadInput`, naming file, line, field and what was expected.
"""
