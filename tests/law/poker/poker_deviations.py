"""Every way to break one clause of a lawful poker log, by clause: registered where it stands, by what it breaks."""

from __future__ import annotations

import poker_break_betting
import poker_break_deal
import poker_break_deck
import poker_break_showdown
from poker_breaking import DEVIATIONS

PARTS = (poker_break_deck, poker_break_deal, poker_break_betting, poker_break_showdown)
__all__ = ["DEVIATIONS", "PARTS"]
