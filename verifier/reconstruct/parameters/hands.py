"""Parameters of `hands/`: whose a hand is and what it does."""

HAND_AT_MM = 28.0  # A hand whose box is this near to a point may be at it.
HAND_OVER_MM = 12.0  # A hand whose box is this near to a chip is over it.
HAND_NEAR_MM = 70.0  # A hand whose box is this near to a point is near it.
HAND_LOST_S, HAND_MISSING_S = 0.3, 1.5
"""A hand that is missed for less is still there; one that was missed for longer than the second had left."""
BLIND_S, HAND_MOVED_MM, HAND_MOVING_MM = 0.45, 25.0, 60.0
"""Looks farther apart than this, with hands that moved in between, missed what went on: it was no rest of the table. So
it was not where a hand moved farther than the last from the look before to the first of them."""
LAYS_S, REACH_MM, HAND_SIDE_MM = 1.0, 60.0, 95.0
"""The hand that lays something down is at its place within so long before it is first seen."""
HIDDEN_S = 6.0  # What is laid down may be hidden for so long by somebody who leans over it.
HAND_APART_MM = 50.0  # Two boxes nearer to each other may be of one hand, told twice.
FOREARM_MM = 62.0  # Half the width of a sleeve, with some slack.

LEAN_TAKEN_S = 0.3  # The hand that takes a chip is over it within so long of the last detection of it.
LEAN_WAGER_MM = 90.0
"""Chips as near to a wager spot as the first lie where its player's signals and the dealer's taps are made."""

LOST_HAND_OUT_MM = 40.0  # A hand this much farther out than its wager spot was leaving.
LOST_HAND_AWAY_MM = 400.0  # So far from there a hand would be seen leaving.

OWNER_STEP_MM_S, OWNER_UNSEEN_MM_S, OWNER_STEP_S = 2300.0, 1700.0, 0.2
"""A hand's speed at most from one look to the next, and where looks between did not show it."""
OTHER_OWNER_SHARE = 0.35
"""A hand read as another's goes on a path only from this share of the distance: else it is that other's."""
HANDS_CROSSED_MM = 150.0
"""Hands that pass each other closely are told apart by side and by whose they are: another is as good as so far off."""
HANDS_PASSING_MM = 100.0
"""The same of one seen in one or two looks, beside one seen in more: it may be that hand, told twice."""
PATH_LOST_S = 0.35  # A hand's path ends where it is missed for longer.
SIDE_TOLD_P = 0.75
"""Which hand it is, is told from this probability on. Origin: measured, `benchmarks/hands.py`: of 43 unseen hands in
three dimensions or on photos with less, 23 were right, as by chance; of 50 with 0.75 to 0.9, 44."""
OWNER_SIDE_S = 0.6  # Which side a hand is, is decided over the looks within so long on both sides.
OWNER_READING = {"dealer": -2.0, "player": 2.0, "unknown": 0.0}
"""Log odds that a hand is a player's, by whose it is read as."""
PATH_END_MM, PATH_END_SPREAD_MM, PATH_END_MOST = -45.0, 28.0, 3.0
"""A path's end this far inside of the wager spot tells nothing; farther out a player's, farther in a dealer's."""
PATH_STILL_MM, PATH_LOST_WEIGHT = 15.0, 0.5
"""Where a hand moves by less than the first along its reach, its path's end weighs so much: it was lost from sight."""
OWNER_AGREED = 1.0  # Mean reading from which the looks before or after a leap agree whose hand it was.

SIGNAL_LEAST_S = 0.35  # A gesture takes this long, at least.
SIGNAL_LEAST_LOOKS, SIGNAL_LONG_S, SIGNAL_IN_PART_LOOKS = 5, 0.6, 2
"""A gesture seen less often, and not for so long, is weak evidence; seen for less than the least seconds it is none,
unless the hand had been away before (it is not the end of a gesture for the card that just came) and a card came soon.
One that begins or ends where nobody could see is told by so many detections."""
SIGNAL_PART_P = 0.6  # Probability of a gesture of which a part was seen.
SIGNAL_SOON_S = 1.5  # A card that is asked for comes this soon.
SIGNAL_LEAST_ODDS = 0.8  # A gesture between hit and stand, with log odds nearer to even than this, is weak evidence.
COLLECTED_S = 2.0  # A gesture over a stake that went this shortly before was its collection.
INSURANCE_MOVED_S, CHIPS_ADDED_S = 2.5, 0.8
"""The dealer moves an insurance to the cards within the first, a player lays chips within the second."""
SIGNAL_ANSWER_ODDS = 2.5
"""Log odds that a hand's last gesture meant what followed it: a card, or play that went on. Dealers seldom err."""
SIGNAL_ALONG_MM = 40.0  # Looks of a gesture that lie this near to its middle, outward, tell its width.
WAVE_MM = 48.0  # Side-to-side extent at which a tap and a wave are equally likely.

TOUCH_SHIFT_MM = 7.0  # A card moved farther was touched.
TOUCH_SPLIT_MM, TOUCH_APART_MM = 38.0, 62.0
"""A card moved farther than the first may be split from the other, moved farther than the second it surely was."""
TOUCH_MET_MM = 35.0  # A hand whose box is this near to a card touches it.
TOUCH_LATER_S = 0.9  # A touched card lies still again this soon after the hand has gone.

UNSEEN_SIGNAL_LATE_S = 1.0
"""A card that came while nobody looked may be seen so much later, for the hand that laid it covers it."""

VISIT_GAP_S = 0.5  # A hand missed for longer made another gesture.
VISIT_REACH_MM, SWING_MM = 95.0, 150.0
"""A gesture is made this near to the wager and the cards; a wave may swing farther out, and back."""
VISIT_UNSEEN_S, VISIT_STILL_MM = 1.0, 60.0
"""A hand as near to where it was, when looks go on after so long without any, had stayed at the space meanwhile."""
VISIT_COMES_S = 0.5  # A hand that comes so shortly before a card rests asks for the next one: this one is on its way.
VISIT_EDGE_S = 0.6
"""A visit that begins or ends so near to the middle of the least stretch that nobody could see went on in it."""

HAND_OWNER_MM = 45.0  # A hand this near to a point is the one that acts there: it lays, pays or takes what lies there.
CLEARED_S = 0.35  # What is seen without a hand over it for so long was left.
HANDS_BACK_S = 1.2
"""A hand that left may have come back, done something and left again while nobody looked for longer than this."""
LAYING_S = 0.45  # Chips are laid, spread or pushed for so long before they are seen to rest.
HAND_SIDE_SHARE = 0.85  # Share of the looks that must agree which side a hand is.
OWNER_SIDE_SHARE = 0.75  # Share of the looks about a time that must agree which side a hand is.
OWNER_STEP_MM = 60.0  # How far a hand may be off its place from one look to the next, beside its speed.
WAVE_OUTLIER_LOOKS = 9  # Of so many looks or more the outermost on each side is left out.
TWO_FINGERS_LEAST = 1.5  # Fingers shown, on average, from which two are shown.
TWO_FINGERS_MOST = 2.5  # Fingers shown, on average, above which more than two are shown.
WAVE_MOST_ODDS = 3.0  # Log odds that the width of a gesture tells, at most.
WAVE_SPREAD_MM = 11.0  # Width that changes those odds by one.
FINGERS_EVEN = 2.6  # Fingers shown at which a tap and a wave are equally likely.
FINGERS_ODDS = 1.2  # By how much each finger more changes the log odds of a wave.
SIGNAL_P = 0.98  # Probability of a gesture that was seen whole.
SIGNAL_GONE_S = 4.0  # A hand's cards are taken within so long of its stake.
SIGNAL_ADDED_S = 0.6  # The gesture of a double or split begins this long before its chips lie.
TOUCH_DEALER_MM = 10.0  # The dealer's hand is at a card where its box is this near.
HAND_WAY_STEPS = 4  # Parts into which the straight way of a hand is divided to see what it passed.
