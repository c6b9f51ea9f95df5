"""Shared by the checks of speech: whether something was said."""

from __future__ import annotations

from verifier.domain.events import Announcement
from verifier.law.entries import plain
from verifier.law.rounds import Round


def said(game: Round, *topics: str) -> list[Announcement]:
    """Return what was said of these topics in the round."""
    return [event for event in game.of(Announcement) if plain(event.topic) in topics]
