"""The draw for the first button: a card to each player, face up, and all of them taken back."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import CardDealt, CardsCollected
from verifier.reconstruct import parameters as par
from verifier.reconstruct.poker.card_dwells import CardDwell, joined, unseen_card, without_doubles
from verifier.reconstruct.scene import Drafts, event


def draw_of(card_dwells: Sequence[CardDwell]) -> Drafts | None:
    """Return what a draw shows, in place of a hand; None where the cards were dealt for a hand.

    A hand is dealt face down, and its board lies in the middle.
    """
    places = dict.fromkeys(one.place for one in card_dwells if one.place.startswith("seat"))
    seats = {place: joined([one for one in card_dwells if one.place == place]) for place in places}
    cards = [card for own in seats.values() for card in own]
    if len(seats) < par.POKER_HAND_SEATS or any(len(own) > 1 for own in seats.values()):
        return None
    dealt = any(one.place == "burns" or (one.place == "board" and one.up is not None) for one in card_dwells)
    if dealt or not all(card.faced for card in cards):
        return None
    texts = without_doubles(cards)
    drafts: Drafts = []
    for index, card in enumerate(cards):
        t = card.rest
        fields = {"card": texts[index], "to": card.place, "face": "up", "seq": None, "several": card.several}
        drafts.append(event(CardDealt, t - par.MARK_S, t, card.p, **fields, ranks=card.ranks or None))
        if card.several:
            drafts.append(unseen_card(card.place, t - par.MARK_S, t, face="up"))
        if card.ended:
            end = card.until + par.MARK_S
            drafts.append(
                event(CardsCollected, card.until, end, par.WELL_SEEN_P, from_=card.place, order=None, to="hand")
            )
    return drafts
