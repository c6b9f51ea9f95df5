"""Proposes a table's layout from a recording: what the picture shows of spots, cards, fixtures, signs and clock."""

from verifier.zones.proposal import Part, Proposal
from verifier.zones.proposing import propose

__all__ = ["Part", "Proposal", "propose"]
