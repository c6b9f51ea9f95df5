"""Parameters of poker: the cards, chips and button of a poker table. Each is a choice, weighed on simulated play."""

POKER_CARD_S = 1.0
"""A back that lay for so long, as looks show it, was laid there: a hand that passes for a back shows for some looks."""
POKER_BURN_S = 0.5  # The same at the burned cards: the next one may be laid upon it soon, and hides most of it.
POKER_FACE_S = 0.4  # The same of a face that was read: nothing else passes for one.
POKER_CARD_LOOKS = 3  # Least looks at such a card.
POKER_PRINT_S, POKER_PRINT_SHARE = 10.0, 0.2
"""A back seen in a smaller share of the first looks, of so many seconds, is print on the felt."""
POKER_READ_P = 0.98
"""Least probability of a rank that is told. Below it, all ranks are told that are likelier than what it leaves."""
POKER_UP_S = 0.5  # A card that shows its face for so long was turned up.
POKER_MOVED_S = 1.5  # A card that shows this soon after another went, at the same seat, is that one, moved.
POKER_GLIMPSE_S = 3.0  # What showed at a card's spot so lately may have been that card, lost from sight.
POKER_SAME_CARD_MM = 20.0  # Two tracks that follow each other this near are of one card.
POKER_COVERED_MM = 60.0  # A card that is laid this near to another hides most of it.
POKER_BESIDE_MM = 150.0  # The farthest that a card lies from the next one of its hand.
POKER_BOARD_S = 2.0  # A card of the board lies there for so long at least; one that is gathered shows for less.
POKER_FLOP, POKER_BOARD = 3, 5  # Cards of the flop, and of the whole board. Origin: the game.
POKER_HAND_SEATS = 2  # A hand has begun when so many seats have cards.
POKER_DEAL_GAP_S = 6.0
"""The first deal is over when no card has come to a seat for so long: an exposed card holds it up for some seconds."""
POKER_BEATS = 2.0  # A pause in the first deal of so many times its usual one ends its beat.
POKER_HALF_BEAT = 0.5  # Of two cards that show within this share of the deal's beat one came before.
POKER_DEALING_GAP_S = 2.5  # After so long without a card the next one is of a further dealing (stud).
POKER_FACED_S = 1.5  # In stud a card that shows its face within so long was dealt face up.
POKER_GATHER_S = 2.5  # The dealer who gathers the cards of a misdeal takes the next hand within so long.
POKER_TAKEN_S = 3.0  # A card that leaves a seat comes to rest at the muck or the burned cards within so long.
POKER_DEALT_EARLY_S = 1.0  # The deck begins to be dealt this long before the first card lies.
POKER_GONE_UNSEEN_S = 4.0  # When cards went is not known where nobody saw their place for longer.
POKER_BURN_BEFORE_S = 0.05  # A burned card that may have come before a dealing is told so much before it.
POKER_STAKE_S = 1.2  # Chips that come to a seat within so long are of one stake.
POKER_AMID_CARDS = 2  # Chips that come before so many more cards of the first deal are no bet.
POKER_BET_REACH_MM = 50.0  # A hand this near to where a player bets may have laid an ante there that nobody saw.
POKER_POT_LEFT_S = (3.5, 0.6)
"""Chips that left the pot this long before chips came to a seat, or after, were pushed there."""
POKER_POT_COVERED_S = 1.5  # A chip that another lies on within so long did not leave the pot.
POKER_POT_EMPTY_SHARE = 0.6  # Share of the pot's visible chips that leave it when it is awarded.
POKER_AWARD_CHIPS = 2  # So many chips that came tell surely to whom the pot was pushed.
POKER_AWARD_DOUBTFUL_P = 0.6  # Probability of an award that one chip alone tells.
POKER_UNSEEN_CARD_P = 0.4  # Probability of a second card at a seat that no look shows: it may lie under the first.
POKER_SHUFFLE_BACKS = 2  # Backs before the dealer in a look at a shuffle: the halves of the deck.
POKER_SHUFFLE_SHARE = 0.3  # Share of looks that show them, for a shuffle before a hand: nothing else shows them there.
POKER_SHUFFLE_GAP_S = 2.0  # Such looks that follow each other no later hang together.
POKER_SHUFFLE_MARGIN_S = 1.0  # Looks this near to a card that is dealt or taken tell of no shuffle.
POKER_BUTTON_S, POKER_BUTTON_LOOKS = 0.8, 3  # For so long, in so many looks, the button lies before a seat that has it.
POKER_BUTTON_P = 0.6  # Less likely buttons are left out: a disc that may be a chip tells of no seat.
POKER_BUTTON_SAME_MM, POKER_BUTTON_HIDDEN_S = 15.0, 20.0
"""A disc near an earlier one, soon after it, is the same disc: it lay there meanwhile."""
POKER_BUTTON_MM = 130.0  # The button lies no farther than this from the spot of the seat that has it.
POKER_ORDER_STEP_S = 0.02  # Cards told in the order in which they may have come are so much apart at least.
