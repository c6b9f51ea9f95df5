"""Hands: whose they are, what they hide and touch, and the signs they give."""
