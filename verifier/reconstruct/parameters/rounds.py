"""Parameters of the whole: rounds, views and the looks that are taken."""

LONGEST_ROUND_S = 900.0  # A round that goes on for longer is decoded in parts: what bounds memory.
LONGEST_PAUSE_S = 240.0  # A pause between rounds that lasts longer is told in parts: what bounds memory.
SURE_CHIP_P, WEAK_CHIP_P = 0.7, 0.4
"""Least mean probability of a chip at rest: those that lie there are seen at 0.8 and more, print on the felt below, and
chips half covered by their neighbours. Origin: measured, as told."""
CARD_GAP_LOOKS = 2.5  # A card missed in one look, or in two that came soon, was in sight between.
DEALER_FIRST_S = 4.0  # A dealer's card may come to rest this long before the first player's.

ROUND_QUIET_S = 3.5
"""A round is decoded when its last card has been gone for this long: won tips are put away meanwhile."""
SURE_CARD_P = (0.5, 0.72)
"""Least mean probability of a card at a betting space, face up and face down: felt print passes for a back."""
FLEETING_BACK_S = 2.0
"""A back never seen for as long as a card in transit, and not for this long since, holds no round open: a hand."""
OPEN_ROUND_UNSEEN_S = 2.0
"""A card that looks gone from a place in plain sight for so long holds no round open, though no hand was seen to take
it: the one that took the others did."""
FIRST_CARD_READ_P = 0.8  # Least probability of the rank of a card that begins a round.

LOOK_STEP_S = 0.075
"""Least time between two looks that are taken: what counts looks was weighed at 7.5 a second, and looks that follow
each other faster err alike."""

VIEW_EVERY_S = 60.0  # Seconds between two view checks.
VIEW_LASTING_S = 20.0
"""Seconds below which a sample does not tell a thing that stays before the camera from hands at work."""
VIEW_WHOLE_SHARE, VIEW_GONE_SHARE = 0.9, 0.5
"""Share of a region in the picture from which it is in view, and below which it is not."""
VIEW_POINTS = 9  # Points a side by which a region's share in the picture is counted.

INSTANT_S = 0.01  # Less than between any two looks: right before one, or right after it.
MARK_S = 0.05  # A record of what takes no time is this long, and what is told next begins so much later.
SLACK_S = 0.1  # Less than a step between two looks: a time that is known by one look may be off by it.
TWO_LOOKS_S = 0.2  # A time that one missed look may hide is off by no more; a brief act is told as this long.
SAME_TIME_S = 0.25  # What comes no later than this after something went was there at the same time, as looks tell it.
THREE_LOOKS_S = 0.3  # A time that two missed looks may hide is off by no more.
FIRST_LOOKS_S = 0.3  # What lies this soon after a stretch begins lay there before it.
RUN_GAP_S = 0.6  # Looks at one hand that follow each other no later are of one run.
SEEN_P = 0.9  # Probability of an act that looks showed.
SURELY_SEEN_P = 0.95  # Probability of an act that shows by what lies there before it and after it.
BEST_P = 0.97  # Probability of what leaves many traces: a round, a shuffle, a stake that was taken.
WELL_SEEN_P = 0.85  # Probability of an act that a hand's way alone tells of.
VOTED_SHARE = 0.6  # Share of the votes from which a reading holds.
MOST_TOTAL = 21  # A hand with more is a bust. Origin: law.
DEALER_STANDS = 17  # Total from which the dealer draws no more. Origin: law.
TEN_VALUE = 10  # Value of a ten and of a court card. Origin: law.
PAUSE_KEPT_S = 15.0  # Of a pause that is told in parts so much is kept for the next part.
ROUND_BEGUN_S = 1.5  # A round whose first card shows this soon after the recording began had begun before it.
CLOCK_S = 10.0  # The burned-in clock is reckoned on for so long after it was read.
SURE_LOOKS = 3  # So many looks tell surely: a hand at work or a side of it, a card, a bill; one or two may err.
TWICE_LOOKS = 2  # So many looks show that a thing was there, not only passed for it once.
ROUND_LAST_LOOKS = 3  # Looks that tell how a card was seen last.
ROUND_END_S = 6.0  # A round ends this long after its last card, at most.
BUSTS_GONE_S = 12.0  # Settlement begins this long before the dealer's card is turned, at most: busts are taken then.
ROUNDING = 1e-6  # Less than any figure that is told: what reckoning in floating point leaves.
WEAK_P = 0.45
"""Probability of a record that decides nothing alone. Origin: docs/formats.md, which calls records below 0.5 weak."""
HAND_MISSED_S = 0.45
"""A hand that two looks miss, and none shows elsewhere, has not left: looks that far apart hang together."""
RECORDING_GAP_S = 0.6  # Longer than this between two looks: a gap in the recording.
MOST_WAYS = 3000  # Of cards or bills that may be read in more ways than these nothing is weighed jointly.
