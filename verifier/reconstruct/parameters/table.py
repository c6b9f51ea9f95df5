"""Parameters of `table/`: what is taken from the picture, and where it lies."""

SURE_POINT_P = 0.5  # Least probability of a hand's point that is used.
FINGER_STRETCHED = 1.12
"""A finger is stretched when its tip is this many times farther from the wrist than its middle joint."""

POSITION_NOISE_MM = 6.0
"""Standard deviation of how far one thing seems to lie from another; docs/reconstruction.md has what was measured."""
CHIP_RADIUS_MM = 19.5  # A gaming chip's radius. Origin: the chips of casinos measure 39 mm across.
BESIDE_GAP_MM = 70.0
"""What lies nearer to a wager, edge to edge, lies beside it: no two chips have room between (project policy)."""
POSITION_NEXT_CARDS = 2.0  # A card lies at the immediate right of another within so many cards' widths.
POSITION_SAME_ROW = 0.5  # Cards lie in one row where they are off it by less than this share of a card's height.

KEY_RECORDS_AHEAD = 3  # So many records after one tell what it missed.
KEY_RECORD_FAR_MM = 330.0  # A split hand is moved no farther.

SURE_OF_RANK_P = 0.9  # Share that a rank, or a bill's value, without a posterior of its own is given.
READ_P, UNREAD_P, SURE_READ_P = 0.8, 0.6, 0.95
"""Least share of the best rank: of a face surely read, below which none is read, and of a card that is doubtful."""
SURE_CARD_LOOK_P = 0.75  # Least probability of a card that is surely there.
SURE_HAND_P = 0.97
"""Least probability of a dealer's hand beside whose like on either side another, less probable one, is none."""
TWICE_MM = 5.0  # Two cards of one rank this near in one look are one: the upper would hide the lower.
DETECTION_UPON_MM = 36.0  # A card nearer than this to another one hides so much of it that it could not be read.
LEAST_CHIP_RADII, MOST_CHIP_RADII = 0.6, 1.35
"""By what a chip may seem smaller or larger than it is: one half covered, or seen on a map that bends. Of 2,119 looks
at chips in a recording all but 14 lay between 0.83 and 1.3; those were figures of court cards, at 1.4. Origin:
measured, as told."""
SIGN_MM = 8.0
"""What shows so near to the middle of a card's back is its print: no chip is laid on a card that lies face down."""

KEY_FRAME_LEAST_RECORDS, KEY_FRAME_MOST_RECORDS = 16, 64
"""So many records tell whether they are key frames; a file that does not tell by the second has none."""
KEY_FRAME_FEWEST_RECORDS = 6  # The least where the file ends.
KEY_FRAME_RARE_S, KEY_FRAME_LONG_STEPS, KEY_FRAME_LONG_SHARE = 0.6, 2.0, 0.15
"""Key frames come no sooner than this on average, and many steps between them are so many times the short ones: a
detector looks at a steady rate, and misses a few looks."""
KEY_FRAME_MISSED_SHARE, KEY_FRAME_LEAST_CARDS = 0.075, 40
"""Key frames that miss so many of the cards are in doubt: a card that one misses seems gone until the next. So many
cards tell."""
KEY_FRAME_ALIKE_SHARE = 0.25  # Of key frames no more than this show what the one before showed.
KEY_FRAME_STEP_S = 0.1333  # A record is shown again so soon: what counts looks was weighed at 7.5 a second.
KEY_FRAME_APART_SHARE = 0.6
"""Share of a step by which the next record comes later than the last look at one, or else it would be passed over."""
KEY_FRAME_LONGEST_S, KEY_FRAME_LAST_S = 300.0, 4.0
"""A record stands no longer than the first; the last one of a recording of unknown length for the second, which shows
what is gone."""
KEY_FRAME_AT_ONCE_S = 0.55
"""A record that the next one follows sooner is one look: cards on their way lie nowhere for longer."""

STEADY_LAG_S = 8.0
"""Seconds that observations are held back: longer than vision takes to measure and to confirm a new view."""
STEADY_SURE_P = 0.5  # Least probability of a drift that is made use of.
STEADY_SAME_PX = 2.0  # Two drifts that put no corner farther apart than this many pixels are one view.
STEADY_NEAR_MM = 12.0  # Millimetres within which a thing is one that lies where it lay.

SPOT_MM = 30.0  # A chip this near to a wager spot lies on it, and chips added so near to each other are of one stake.
SAME_SPOT_MM = 8.0  # Two detections of chips of one value this near to each other are of one chip.
UNTOUCHED_MM = 6.0  # Something that shows again this near to where it lay was not touched.
STAKE_OWN_ROW_MM = 24.0  # A row belongs to a stake if one of its chips lies this near to where the stake lay.

ZONE_NEAR_CARDS_MM = 110.0
"""A card farther than this from every cards spot, and outside every area, lies nowhere in particular."""
ZONE_NEAR_CHIPS_MM = 240.0  # Rows of chips reach out of their space's area by no more than this from the wager spot.

DEALER_LOW_MM = 200.0  # How far below the lowest zone the dealer's elbows are.
HAND_LENGTH_MM = 500.0  # How far from a player's hand its elbow is.
SHOULDER_MM = 210.0  # How far left and right of the inner area's middle the dealer's elbows are.
SHOULDER_SHARE = 0.42  # Share of a hand's way aside that its elbow follows it.
HAND_TIP_SHARE = 0.85  # Where in its box a hand's tip is: this share of the way from the middle to the rim.
ZONE_EDGE_MM = 12.0  # What lies this near to a zone lies in it.
KEY_FRAME_SHORT_PARTS = 4  # Short steps between records are those up to the shortest of so many equal parts.
