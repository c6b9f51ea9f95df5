"""Parameters of `cards/`: the cards of a round."""

NEXT_CARD_MM = (-33.0, 45.0)  # Where a hand's next card lies beside the one before: to the side, outward.
NEXT_CARD_USUAL_MM, ARRIVAL_STEP_MM = 24.0, 75.0
"""A next card that lies otherwise by more than the first is laid in another way, if not farther than the second."""
ARRIVAL_TURNED_S = 0.5  # A card that shows its face so soon after it left a hand had been held face down, not laid.

BURNED_ALONE_S = 2.0  # A card that went this long before the others did was taken by itself.
BURNED_HAND_PATH_S, BURNED_NEAR_MM = 2.5, 70.0  # The hand that took it is at the discards within this time.

DEALER_ERROR_P = 0.01
"""Chance of an act that the cards do not call for, seen as it was or not (98 of 100 collections are seen). Origin:
measured, as told."""
ANY_MISREAD_P = 0.001
"""Chance that a card is not what it is surely read as for as long as it lies (an assumption: readers seldom err so)."""
LEAST_KEPT_P = 0.005  # Readings less probable than this are not weighed.

NEXT_CARD_NEAR_MM = 36.0
"""A card this near to where a hand's next card is expected belongs to it, though it lie in a neighbour's area."""
CARD_DRAW_S = 0.75  # A card is drawn this long before it lies.
MOVED_WITH_S, MOVED_WITH_MM = 0.5, 30.0
"""Cards that come within so long to lie as near to each other were moved together, as a bust held aside: no split."""
PAIR_PARTED_S = 1.0
"""Both cards of a pair may be moved, one after the other: where the hands lie is seen so long after the first."""

DEALT_SHOE_MM = 70.0  # A hand this near to the shoe draws from it.
FASTEST_MM_S = 2000.0  # A hand carries a card or chips no faster.
DEALT_DRAWN_S, DEALT_AWAY_S = 2.2, 0.3
"""A card was drawn within the first before it lies; a hand not seen at the shoe for longer than the second had left."""
PLACES_S, PLACES_MM = (0.3, 0.2), 120.0
"""The hand that places a card is so near to its middle within so long before and after it comes to rest."""
HAND_GATHER_S = 0.8
"""A hand's cards are gathered within this time of their first being hidden; later the hand may come by again."""
CARD_TURN_S, CARD_TURNING_MM = 0.8, 20.0  # A card is turned within this time, by a hand this near to it.

FOUND_AT_ONCE_S = 0.3  # No two cards of a space are dealt within so short a time: those that come so lay there before.
LEAST_APART_MM, FOUND_LEVEL_MM = 62.0, 40.0
"""The first cards of split hands lie at least so far apart, beside each other."""

BUST_OUT_MM = ((-145.0, -75.0), (75.0, 285.0))
"""How far left or right of the wager the cards are held; those of split hands farther right."""
BUST_LEVEL_MM = 45.0  # Cards held aside lie no farther inward or outward of the wager.
BUST_NOT_CARDS_MM = 90.0  # Nearer to a space's cards spot a card was dealt there.
BUST_SLIDE_S = (1.4, 0.4)
"""A hand's cards are last seen at their place within this time before and after the pile of them is; `HIDDEN_S` before,
where somebody who leans over the table hides it, and the pile shows one of them."""
BUST_CHIPS_S, BUST_MOVE_S = 6.0, 1.5
"""Chips are laid on cards held aside within the first; they leave their place within the second."""
BUST_ON_CARDS_MM = 75.0  # Chips this near to the middle of the cards lie on them.
BUST_UNSEEN_P, BUST_LAID_P = 0.6, 0.85
"""Probability that chips which left their place as the cards were slid aside lie on these, unseen there: where nothing
hid that, and where the dealer's hand went from there to them. Where something hid it, the record is weak."""
BUST_AGAIN_S, BUST_VISIT_S, BUST_TRAY_S, BUST_PICKED_S = 1.0, 1.2, 1.5, 0.3
"""The hand that is there as the cards are last seen takes these, not the chips."""
BUST_TWIN_MM = 25.0  # Two detections of held cards nearer than this are of one card.

HOLE_BESIDE_MM = (45.0, 110.0)  # How far from the dealer's first card the second one lies.
HOLE_SPOT_MM = 24.0  # A card that shows its face this near to a back is that card, turned.
HOLE_DRAWN_S = (2.2, 0.45)  # Before a card comes to rest, a hand was at the shoe within this time.
HOLE_LEAVING_S = 0.4  # A hand is still near the shoe for so long after the card that it drew has come to rest.
HOLE_SHOE_MM = 110.0  # A hand this near to the shoe may have drawn the hole card.
DEALT_S = 1.1  # The hole card follows the last card of the first two rounds of dealing by about this.
HOLE_LATE_S = 2.0  # A back first seen this long after that was missed till then.
DEAL_PAUSE_STEPS = 1.8  # So many times the time between two cards of the deal, and more, is no pause of the deal.
HOLE_UNSEEN_P = 0.7
"""Probability of the dealing of a card whose back was not seen: that it lay there is sure, when it came is not."""

OVERLAP_BENT, OVERLAP_SLANTED, OVERLAP_ALIKE_SHARE = 1.25, 1.7, 0.1
"""A side that seems longer or shorter by more is not well seen; where two cards' sides agree within the last, so much
comes of the camera's slant."""
OVERLAP_UNSURE_SHARE = 0.08  # A share covered that may be more by so much is not told.
OVERLAP_SLANT = 0.12
"""Where two cards' shapes are both so much off a card's, the camera stands low: what one covers is not told."""

PEEK_AT_MM, PEEK_AWAY_MM = 54.0, 90.0
"""How near to the middle of the card a hand lifts its edge or a corner, and from how far it comes to do so."""
PEEK_LINGERS_S, PEEK_LONGEST_S = 1.0, 3.0
"""It takes this long to look under a card; a hand that is there for less waits for a card, one for longer rests."""
PEEK_ASKED_S = 0.6  # Where the rules ask for the look, a hand that is there for so long looks.

READER_AWAY_S = (0.8, 6.0)  # For how long the cards are away from their place.
READER_SAME_S = 0.3  # Both cards come back within this time.
READER_P = 0.9  # Probability that the hole card was read, where its bare place was seen.

MOST_DECKS = 8  # Decks of a shoe whose number is not known. Origin: law, the most that a table may have.

MOST_WAYS_BY_DEALERS = 20
"""Ways to read the players' cards times those of the dealer's may be so many times `MOST_WAYS`."""
MOST_SPLIT_HANDS = 4  # Hands that one may be split into. Origin: law.
GATHER_LOOK_S = 0.15  # The hand that gathers cards is at them from this long before they were seen last.
GATHER_MM = 110.0  # The hand that gathers cards is this near to them.
DEALT_COMING_S = 0.6  # A card that rests this long after a stretch began was seen coming.

TURNED_DOWN_MM = 60.0  # A hand's card that is turned down lies this near to where it lay.
TURNED_DOWN_LEAST_LOOKS, TURNED_DOWN_LOOKS = 2, 4
"""So many looks at backs there may tell that a hand was turned down, and so many surely do."""
