"""Hands: whose they are, what they hide and where they were."""
