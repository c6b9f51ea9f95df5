"""Parameters of `resting/`: what lies, comes and goes."""

DOUBTFUL_CARD_P = 0.95
"""Presence below which a card that no dealer's hand laid is none: real ones are found surely from the first look on."""
UNSURE_CARD_VISIT_S = 1.5  # A hand that taps or points is there for no longer.
UNSURE_CARD_MEAN, UNSURE_CARD_MISSED_SHARE, UNSURE_CARD_BRIEF_S = 0.8, 0.7, 3.0
"""Print is found with less than the first's share of the usual probability, in no more than that share of the looks."""

EXISTENCE_ODDS = {
    "card": 6.6,
    "doubtful": -2.61,
    "unread": -2.55,
    "brief": -1.0,
    "faint": -4.89,
    "missed": -1.04,
    "covered": -1.7,
    "by itself": -4.28,
    "upon": -3.78,
    "like": -0.63,
    "outlived": -5.0,
    "instead": -5.2,
    "between": -8.0,
    "passing": -8.16,
    "last": 8.0,
}
"""Log odds that each piece of evidence adds to those of a track being a card of its own (`resting/existence`). Origin:
fitted (`benchmarks/existence_fit.py`), on tracks of nine simulated recordings and cases of watched ones."""

BILL_DWELL_SAME_MM, BILL_DWELL_SAME_DEGREES = 25.0, 20.0
"""A bill seen so near to where one lay, at about the same angle, is that one."""
BILL_MISSED_LOOKS, BILL_DWELL_LONGEST_S = 3, 6.0
"""Looks in a row that show its place bare before a bill has gone, or one after so long; the first tells when."""
BILL_LEAST_SHARE = 0.4  # A bill is there that so great a share of the looks at its bare place show.
BILL_SURE_VALUE_P, BILL_SURE_FACE_P = 0.99, 0.8
"""Least probability of a value, and share of the looks for a side, that is told: dealers err once in 100 times."""
BILL_DWELL_REACH_MM, BILL_DWELL_LAID_S = 80.0, 6.0
"""The hand that lays a bill comes so near to its middle, so long before the first look that shows it at most."""
BILL_INDEPENDENT_LOOKS, BILL_FLOOR_P, BILL_LEAST_READ_P = 2.0, 0.01, 0.5
"""All looks at a bill tell as much as two that err apart; no look rules a value out further than the floor. A look that
gives all values together less than the last could not read the bill."""

SURE_BILL_P = 0.5  # Least probability of a bill that lies there: of one look, or the mean of all at its place.
PLAIN_BILL_P = 0.8
"""Probability from which a bill whose value is not told is no row of cards, as where cards are shuffled: in 55
recordings the bills had more, what was none had less. Origin: measured, as told."""
BILL_LAST_S = 1.5
"""What a look showed so long ago is still there for all that is known: looks are about a second apart."""

BURIED_AS_IT_CAME_S = 0.6
"""The card comes to rest within so long of the chip's last detection, and is gone so long before it is seen again."""

FACE_INDEPENDENT_LOOKS = 1.3
"""Independent looks that many detections of a card count for, at most: a lasting misreading stays a doubt."""
FACE_FLOOR_P = 0.003  # Least probability that a look leaves a rank.
SUIT_S = 3.0  # A card's suit at a time is that of the looks within so long.
FACE_BACK_S = 0.5  # A card that shows its back for this long at rest, seldom seen as it may be, was laid face down.
FACE_LEAST_OPEN_SHARE = 0.15
"""Least share of the looks before a turn that must show the face, for a card that had lain open."""
FACE_BACK_AGAIN_S, BACK_AGAIN_P = 1.0, 0.9
"""A card that shows its back for so long, seen so surely, had not been turned before."""
FACE_LEAST_AGREED_P, FACE_ALIKE_P = 0.03, 0.8
"""Readings that agree in rank with less than the first probability are of two cards, as are those of two suits; with
more than the last, and in suit, they are of one."""

CARD_MOVE_MM, CARD_MOVE_FAR_MM = 170.0, 330.0
"""A card is moved no farther than the first, or than the second where it comes to lie just as it is gone: a split hand
goes beyond those that were split off before."""
CARD_MOVE_S = 2.6
"""A card is moved to its new place within this time; what is seen elsewhere for so long may be on its way."""
MOVED_AT_ONCE_S = 0.8  # A card that comes to lie so soon after another went, or before, may be that one, moved.
MOVE_PASSING_S = 0.35
"""Lying for longer at its old place after another came to rest, a card is not that one; what is seen near there a
moment later may be the other card of the pair, passing by."""
HAND_LIFTED_S, HAND_TAKEN_UP_S, TAKEN_BESIDE_MM = 0.35, 0.8, 110.0
"""Cards of a hand that is taken up go from sight within the second."""
MOVE_ASIDE_S, MOVE_UPON_MM = 1.5, 75.0
"""Cards laid aside lie there within this time; to put them away and draw the next one takes longer. Cards of one hand
lie on one another, no farther apart than this; the next hand lies beside it."""
SQUARE_SHAPE, LENGTHY_SHAPE = 1.15, 1.7
"""A card's longer side is so many times its shorter one, or less, where the camera shortens it; or more, where it
shortens the other. It is 1.4 times as long."""
TURNED_BOX_SHARE = 0.03
"""By more than this share a box along the picture's sides is off a card's shape where the card is turned in it."""
ACROSS_DEGREES = 40.0  # A card turned by more than this many degrees less than 90 lies across.
MOVE_FIRST_LOOKS = 15  # Looks from which a card's shape is taken.
WHOLE_LENGTH_SHARE = 0.9
"""A look shows a card's whole length where that is no less than this share of what the longest quarter of them show."""
BACK_GLIMPSE_S = 1.3  # A back seen for less lay nowhere: a card on its way, or a hand that passed for one.
MOVE_LEAST_FIT, MOVE_UNREAD_FIT, MOVE_SUIT_FIT = 0.3, 0.35, 0.5
"""How well a card must fit to one that went from the same space just before; how well one that cannot be read does;
by how much better it fits where the suit is the same, and worse where it is the other one of its colour, for which it
may be taken."""
MOVE_MISREAD_FIT = 0.31
"""How well a card fits that was read as another rank of its suit until it was split from its like, whose value it has
since: one of the two readings is wrong."""
PAIR_ALIKE_P = 0.5  # Two readings that agree in value with more than this are of a pair.
MOVE_SLOW_FIT = 0.1
"""A card fits by so much less to one that went a second before it came: of cards alike the next to come was it."""

CARD_LAST_LOOKS = 7  # Looks that tell how a card was seen last.
CARD_READ_S, CARD_SURE_LOOK_P = 1.5, 0.9
"""A card laid and missed right after the one look that showed its face is looked for for so long, if that look was as
sure: it had come by then, before the cards that came while it was missed."""
CARD_LEAST_MISSED_LOOKS, CARD_BARE_S = 2, 0.45
"""A card missed in so many looks, or for so long, may have been taken, and another one laid there."""
RARE_LOOKS_S, RARE_MISSED_STEPS = 0.45, 2.2
"""Looks that follow each other no sooner are rare; one missed among them is two steps between two detections."""
CARD_SETTLE_LATE_S = 0.25  # Looks that follow sooner show a card that lay for half a second more than once.
CARD_PASSED_S = 0.3  # A card seen once and missed for longer, where another is seen then, was not that one on its way.
CARD_LEAST_BARE_LOOKS, CARD_LONG_BARE_S = 3, 0.9
"""A place that looked bare so often, or in rare looks for so long, as a card like its own came to lie near, was left by
it."""

CARD_TRACK_GAP_S = 0.4  # A card out of sight for longer at one place has two dwells there.
CARD_TRACK_UNSEEN_S, CARD_SAME_PLACE_MM = 0.7, 15.0
"""A card this near to its place and not seen there for longer was out of sight."""
SURE_BACK_P = 0.72  # Least probability of a back that is surely one.
CARD_PILE_MM = 10.0  # Cards whose middles lie nearer to each other are in one pile.
MORE_SHARE, MORE_LOOKS = 0.25, 15
"""More cards must be counted in more than this share of a card's looks, or in more than so many looks, two seconds of
them: fewer are of hands that come and go over it. In three recordings of play no hand misled for more than eight."""
CARD_TRACK_OVER_MM = 108.0  # Cards whose middles are farther apart than a card's diagonal do not touch.

NEW_COLOUR_LOOKS = 4  # Looks in a row that read a chip otherwise tell of another colour.
FLICKER_S = 1.5  # Nobody takes a chip off another and lays it back so soon.

CROSSED_LOOKS = 8  # Looks that tell what a card reads before and after.

LAIN_ON_UPON_MM = 40.0  # Chips lie upon a card this near to its middle.

AGAIN_AT_ONCE_S = 0.5  # No hand takes a card and lays another in its place so soon.
AGAIN_ODDS = {
    "there": -2.0,
    "other suit": -2.0,
    "at once": 2.5,
    "its hand lay on": 4.5,
    "under chips": 2.5,
    "nobody came": 2.5,
}
"""Log odds that each piece of evidence adds to those of a card that shows where one like it lay being that one
(`resting/again`). Origin: choice, held by the cases of the tests."""

TRAIL_LOOKS = 4500  # Detections kept of one object: ten minutes at 7.5 a second.

IN_TRANSIT_S = (0.5, 1.3)
"""A card (face up; face down) that lay still for less was on its way, held where one hand passes it to the other."""
FALSE_POSITIVE_APART_MM = 14.0
"""Two card tracks of cards that lie nearer to each other than `TWIN_MM` at one time are of one card; so are, nearer
still, two ranks."""
FALSE_POSITIVE_APART_S = 0.3
"""Two cards that were seen at two places at one time for so long are two, wherever they lie later."""
FALSE_POSITIVE_LEFT_BARE_S = 0.6  # A doubtful card that shows only so long after the hand has left was not laid by it.
FALSE_POSITIVE_UPON_MM = 35.0  # A hand's next card lies farther than this from the one before.
OVERLAP_MM, OVERLAP_OFF_MM = 63.0, 10.0
"""Cards of a row that lie nearer overlap; what two of them seem to form lies no farther from their middle."""
FALSE_POSITIVE_SELDOM_TIMES = 5  # A card is seen so many times as often as what shows now and then beside it.

PRINT_NEIGHBOURS_MM, PRINT_TOO_WIDE, PRINT_FAR_TOO_WIDE, PRINT_TOO_NARROW = 160.0, 1.16, 1.3, 0.8
"""Chips of a table are of one size: what is wider by this than those around it, and touches one, is printed felt;
what reads as its neighbours do needs to be wider by the second. What is narrower than the last is a part of one."""
PRINT_WITHIN_RADII, PRINT_SELDOM_SHARE = 0.8, 0.5
"""Radii from the middle of a chip within which no other chip's middle lies; neighbours in a row lie farther apart. What
was seen for less than the second's share of the looks that show the chip is a part of it."""

READING_REACH_MM, READING_BEFORE_S = 50.0, 2.0
"""Nobody touched a chip that no hand was this near to, from so long before it seemed to change: readings come late."""
READING_MOST_SHARE = 0.8
"""A value read in this share of the looks is a chip's; where none is, it stays unread. A lasting misreading is common:
looks at what lies still are hardly independent of each other."""

REPLACED_LEAST_LOOKS, REPLACED_LEAST_S = 3, 0.5  # Each of two faces shows in so many looks and for so long.
REPLACED_FACE_P, REPLACED_FEW_ODD_SHARE = 0.9, 0.1
"""Least probability of each of two faces, and the most looks in all that may read the other one."""
REPLACED_LEAST_ODDS = 3.0
"""Least log odds of one change against none. A change of the rank alone, the suit as before, must be sure: that is how
a rank is misread for good, as three of 350 cards were in 24 minutes of hard play without pixels, at 5.2. Origin:
measured, as told."""
REPLACED_SURE_P, OTHER_FACES = 0.95, 51
"""From which chance on a change is sure, each of the other faces of a deck being as likely to come."""
TWIN_SUIT_P = {"s": 0.05, "c": 0.05, "h": 0.005, "d": 0.005}
"""How often a suit is read as the other one of its colour. Origin: measured, docs/models.md (confusion)."""
OTHER_COLOUR_P = 0.001  # How often as each one of the other colour. Origin: measured, docs/models.md.
REPLACED_PLACE_MM = 15.0  # A card that lies farther from where the first was seen last is not in its place.
TWIN_MM = 22.0  # Two cards that lie nearer to each other at one time are held to be one (`distinct`).
REPLACED_TAKES_S = 0.15
"""Nobody takes a card and lays another in its place in less time, a step between two looks: where the rank alone reads
otherwise from one look to the next, the reading may have changed."""
REPLACED_HIDDEN_S = 4.0  # A card out of sight for longer may have gone by the rules, and another may have come.
REPLACED_SHOWN_SHARE = 0.8
"""A face that shows less than this share of what showed before may read otherwise for that alone."""

REST_ALONE_S = 6.0
"""Nothing leaves by itself: a place that no hand came near must look bare for this long before its object is gone."""
REST_ENOUGH_LOOKS = 3  # So many looks tell that an object lies still.
DRAGGED_S, DRAGGED_MM = 0.5, 8.0
"""A resting object that seems to move, and is seen where it lay again this soon, was taken for one passing over it."""
LOST_CHANCE_P = 1e-4
"""An object that is seen in few looks has gone once so many misses in a row are less likely than this."""
DRAGGED_ALIKE_S = 3.0
"""The same of one that can be told from others, a card by its reading: half hidden, it seems to creep away."""

SEVERAL_WIDE = 1.045
"""A box is no card's if both its shorter side, and its shape, are so many times as wide as those of the cards about it.
Of 441 cards of play, the camera slanting, none was more than 1.035 times both (1.08 times as wide, or 1.05 times as
square); of 79 fans found as one box none was less than 1.05 times both (docs/models.md). Origin: measured, as told."""
SEVERAL_APART_SHARE = 0.06
"""Nor if the boxes that pass for it lie so far apart, in shorter sides; those of lone cards differ by 0.02, of cards
that cover a corner of each other by 0.04. Origin: measured, as told."""
SEVERAL_UNREADABLE_P = 0.12
"""Nor if it is read although its reader holds it to be unreadable with this probability: of 4,705 looks at faces of a
recording with a poor picture 99 in 100 have 0.07 or less; of those 46 fans 44 have this or more. Origin: measured, as
told."""
SEVERAL_MORE_P = 0.5
"""Nor if the counter of overlapping cards holds it with this probability that more cards lie there than were found.
Origin: measured, as told (docs/models.md)."""
SEVERAL_BETWEEN = 2
"""What lies less than a card's width from so many other cards may be made of their parts. Origin: a box between two."""
SEVERAL_OTHERS = 3  # With fewer cards beside it a card is measured by the layout alone.
SEVERAL_PLANE_OTHERS = 6
"""With fewer it is measured by their median, with so many by how their sizes grow across the table."""
SEVERAL_PLANE_VARIANCE = 1.0
"""Greatest variance of what that tells of a card's place, in variances of one card's size: eight cards of one space, or
of the dealer's row, tell nothing of a place half a metre off it. Origin: no less sure than one card."""

SOON_GONE_LOOK_S = 1.1
"""Cards that are taken up together are missed by one look, or by two that follow each other within this."""
SOON_GONE_LEFT_S = 1.0  # A hand that took up the last player's cards has put them away so long after.

VISITOR_HANDS_S = 12.0
"""Hands are remembered for this long; an object that comes back sooner, with no hand near meanwhile, had never left."""
VISITOR_BEFORE_S = 0.2  # The hand that takes an object is near it so long before the last detection of it.

FACE_LEAST_VISIBLE_SHARE = 0.05  # Least part of a card that a look at it is taken to show.
FACE_LOOK_WEIGHT = 0.1  # Weight of each look at a card after its first.
FACE_AHEAD_LOOKS = 4  # Looks ahead that must show a card's face for it to have been turned.
FACE_UP_SHARE = 0.75  # Share of the looks that show a card's face from which it lies open.
CARD_TRACK_MOST_MEAN = 0.98  # Highest mean probability of a card's looks that is taken at its word.
CARD_TRACK_MOST_LOOKS = 12  # Looks at a card that count at most.
CARD_TRACK_LOOKS_APIECE = 6.0  # Of so many looks at a card one counts as independent.
CARD_TRACK_MOST_P = 0.99  # Highest probability of a card.
CHIP_COVERED_MM = 9.0  # A chip that shows this near to another, later, is the one on top.
FALSE_POSITIVE_BRIEF_LOOKS = 6  # Looks at a face that tell of a card, however briefly it rests.
REST_SETTLED_MM = 3.0  # By so much nearer a thing that rests counts, where two may be the one that is seen.
REST_PLACE_SHARE = 0.05  # Least weight of a look in the mean of a thing's place.
REST_BARE_LOOKS = 4  # Looks at a bare place that tell that a thing has gone.
