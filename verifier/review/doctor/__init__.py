"""Tells what works on this computer: `verifier doctor`."""
