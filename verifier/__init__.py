"""Verifier: judges overhead recordings of twenty-one tables clause by clause."""

__version__ = "0.2.0"
