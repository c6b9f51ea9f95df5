"""Frozen values that every room shares: cards, money, places, observations, events, findings.

Nothing here reads a file, looks at a clock or knows a rule of play.
"""
