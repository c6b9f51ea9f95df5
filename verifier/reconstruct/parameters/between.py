"""Parameters of `between/`: what happens between rounds."""

AT_ONCE_CARRIED_P = 0.7
"""Probability that a hand which went from the tray to a player brought chips that no look showed lying."""
AT_ONCE_LATER_S = 6.0  # Chips that went to the tray may be paid for so much later.
AT_ONCE_HELD_MM = 60.0  # A chip that a look shows so near to another one's place is that one.

FIXTURE_MM = 22.0  # A hand or a card this near to a fixture is at it.

CUT_ODDS = {"reaches in": (-0.85, -0.85, 1.735)}
"""Log odds of an act by how many looks show a trace of it, as told at `Act`; `CUT_ODDS` are those of a cut."""
BURN_ODDS = {"lies": (-0.6, -0.6, -0.6, 2.42), "carried": (-1.88, -0.2, -0.2, 0.6, 3.17), "drawn": (-0.24, 0.09)}
"""The same of a burned card. Origin: fitted (`benchmarks/acts_fit.py`), on stretches of 80 simulated recordings, one
more, and the cases of the tests."""
INDICATOR_TAKEN_ODDS = {"fetched": (-9.0, 0.847), "at once": (0.0, -9.0)}
"""The same of the indicator card being taken from beside the shoe."""
INDICATOR_INSERTED_ODDS = {"away": (-9.0, 0.847)}  # The same of its being put into the stack.
RECEPTACLE_ODDS = {"at it": (-9.0, -1.0, 0.41, 2.2)}  # The same of the tip receptacle being taken.
DROP_ODDS = {"at it": (-9.0, -9.0, -9.0, 2.2)}  # The same of cash being put into the drop box.
PERHAPS_P = 0.08  # An act that is likelier than this, and less likely than not, is told weakly.

BURN_PICKED_UP_S, BURN_FETCHED_S = 0.9, 4.0
"""For so long after a round its last cards are put away, and before a shuffle the discards are fetched."""
BURN_ARRIVES_S, BURN_SHOWN_S = 0.5, 2.0
"""A burned card's face is seen in the holder within this time of its arrival and not sooner before it."""
ONE_BURN_S = 1.5
"""A card in the discard holder that is lost from sight and seen again so soon is one; another takes longer to come."""
BURN_HELD_MM = 80.0  # A card on its way lies under, or this near to, a hand of the dealer's.
BURN_S = 1.2  # A card is drawn and burned within this time at least.

BILL_SQUARE_DEGREES, BILL_ASKEW_DEGREES = 12.0, 20.0
"""Within the first of a right angle to the tray a bill lies square to it, beyond the second it does not."""
BILL_OUTSIDE_MM, BILL_ROW_MM = 15.0, 40.0
"""A bill whose middle is farther from the inner area surely lies outside; a row is no broader than the second."""
BILL_OVER_MM, BILL_APART_MM = 12.0, 4.0
"""Bills that lie over one another by more overlap, by less they do not: two places may be off by as much."""
BILL_TOUCH_MM = 40.0  # The hand that lays a bill is so near to its middle.
BILL_BESIDE_MM = 30.0
"""A hand whose box reaches over a bill's rim by less rests beside it: one at work there lies over it."""
BILL_LEFT_S, BILL_BRIEF_S = 0.8, 0.5
"""A hand that is away from the bills for as long has left them; for less than the second it is on its way."""
BILL_SEEN_P, BILL_TWO_LOOKS_P = 0.95, 0.7
"""Probability of a spread of bills that three looks showed, and of one that fewer did."""

CASH_BEFORE_S = 10.0  # Bills are handed over and spread this long at most before chips are taken.
CASH_PICKED_MM, CASH_PICKED_S = 130.0, 3.0
"""A dealer's hand that is so near to where a player's was, so soon after it, was handed the bills."""
CASH_AWAY_MM, CASH_STILL_MM, CASH_WORKING_MM = 90.0, 30.0, 60.0
"""How far from the bills a hand has left them; how far it goes from look to look at rest, and spreading bills."""
CASH_ON_WAY_S, CASH_LOOK_S = 0.9, 0.45
"""A hand comes from the bills to the tray in less than the first; looks at what moves are no farther apart."""
DROPPED_P = {1: 0.6, 2: 0.7, 3: 0.85}
"""Probability that bills were given where a hand was at the drop box, by how many signs were seen: that one, a handing
over, a spread. Without it there is doubt: then what was handed over may have been chips."""
CASH_UNSEEN_S = 3.0  # Bills that nobody was seen to hand over are spread within this time of the taking of chips.

DROP_AFTER_S = 9.0  # A hand dwells at the drop box so long after chips are pushed or bills taken up at most.
DROP_GONE_S = 3.0  # Bills that no look showed for so long have gone.

TRAYED_FIRST_S = 6.0
"""Chips that went to the tray this long before others were taken from it were exchanged for those all the same."""

CHIP_GROUP_FAN_S, CHIP_GROUP_TAKEN_UP_S = 0.5, 1.0  # How long chips are spread, and stacked again and taken, at least.
CHIP_GROUP_LATER_S = 0.3  # A chip group is told as pushed this long after it went, at least.

CHIP_GROUP_MM, CHIP_GROUP_SPREAD_S = 64.0, 2.0  # Chips of a chip group are laid so near to each other within so long.
CHIP_GROUP_WIDEST_MM, CHIP_GROUP_AT_ONCE_S = (
    170.0,
    0.8,
)  # Those of a broad chip group are laid so near to each other at one time.
CHIP_GROUP_SPOT_MM = 12.0  # Chips that lie nearer to each other are of one column, or of one stack.
COLUMN_MM = 14.0  # Chips of one column lie no farther aside of its line.
CHIP_GROUP_STEP_MM, CHIP_GROUP_FANNED_S = 30.0, 8.0
"""Chips of one column follow each other at no more than the first and are spread in line with it within the second."""
CHIP_GROUP_ONE_STEPS = (1.6, 2.4)  # A gap in a column that is so many times as wide as its steps has room for one chip.
CHIP_GROUP_AGAIN_S = 1.2  # A chip group that is pushed together is seen again within this time.
CHIP_GROUP_LOST_S = 15.0  # Chips of the felt's colour may be lost from sight for so long before a hand takes them.
CHIP_GROUP_LEAST_S = 0.2  # A chip of a chip group rests this long, at least.
CHIP_GROUP_SPREAD_SHARE = 0.7  # Share of its chips with which a chip group counts as spread; some may be missed.
CHIP_GROUP_LAID_BEFORE_S = 0.6  # A chip group that shows only once it is spread was laid so long before, at least.

INDICATOR_PERHAPS_P = 0.3  # Probability that the card appeared, where nothing but the reshuffle tells of it.
INDICATOR_BESIDE_MM = (30.0, 130.0)  # How far from the shoe the card lies.
INDICATOR_FETCHED_S = 6.0  # The cards are fetched from the shoe this soon after the card was taken away.
SHOE_LOADED_S = 9.0  # The shoe is loaded this soon after the cut.
INDICATOR_SHOE_MM = 80.0  # A hand that loads the shoe comes this near to it.
INDICATOR_AWAY_MM, INDICATOR_AT_MM = 170.0, 90.0
"""How far from the stack a hand fetches the card, and how near to it the card is put in."""
INDICATOR_INSERTING_S = 0.7  # The card is put in this long before the hand is back.
INDICATOR_LIES_MM, INDICATOR_AWAY_S = 30.0, 20.0
"""Seen so near to where it lay, and after so short a time, it is the same card at rest: hands may have hidden it."""
INDICATOR_P = 0.9  # Probability that the card appeared where looks showed it.

RECEPTACLE_LOST_MM = 110.0  # A hand lost from sight this near to the receptacle may be at it.
RECEPTACLE_BEFORE_S, RECEPTACLE_AFTER_S = 0.6, 1.0
"""A hand that takes the receptacle before it is shown dwells there until shortly before it is held beside the other,
which may be held out already."""
RECEPTACLE_FIRST_P = (0.6, 0.85)
"""Probability that it was taken then; sure where the hand dwelt there while the other was held out already."""

DEALER_ABSENT_S = 2.5  # No dealer's hand is seen for so long: the dealer is absent.
DEALER_SOLID_S = 0.6  # Looks within so long on both sides of a time tell whether the dealer's hands are there.
LOOKED_AT_HZ = 0.7
"""Looks a second that show an absence: where nothing moves, a recording is looked at about once a second."""
SHUFFLE_S = 2.2  # A shuffle takes longer.
SHUFFLE_SEEN_SHARE, SHUFFLE_BACKS = 0.55, 1.15
"""Least share of the looks with backs, and least mean number of them: one card carried through, or a hand that passes
for one, is no shuffle (14 true ones: 0.88 and more, 1.5 and more; false ones 1.0 backs). Origin: measured, as told."""
CUT_S = 7.0  # The cards are cut within so long of the shuffle's end.
CUT_MM = 130.0  # A player's hand that cuts comes this near to the inner area or the dealer's place.

FACING_S = 0.25  # A side of a hand is shown for so long, at least.
SURE_FACING_P = 0.9
"""A hand's facing, and whether it is open, are sure from this probability on; what has less than the rest to 1 is
excluded. Origin: measured, `benchmarks/hands.py`: of 698 unseen hands, 44 of them real, none was wrong that surely."""
COUNTED_OPEN_P = 0.5  # A hand counts as open from this probability on, where its palm or back is sure.
FACING_WORTH = 2.0
"""Looks that agree on a hand's facing count as so many independent ones at most. Origin: that of vision/evidence.py."""
FACING_FLOOR = 1e-3  # A single look never excludes a facing more firmly. Origin: the same.
OPEN_FINGERS = 4  # A hand that extends so many fingers is flat: a thumb may pass for folded.
SHOWN_PLACE_MM = 60.0  # The backs of hands are shown this near to where the palms were.
SHOWN_STILL_S, SHOWN_STILL_MM = 0.45, 8.0  # A hand that moves no farther in so long holds still.
BACKS_BEFORE_S = 3.0  # Seconds before the palms in which the backs may have been shown.
SHOWN_WITHIN_S = 12.0  # Hands are shown within this time of the dealer's leaving.

TIP_EXCHANGE_TAKEN_S = 0.3  # Tips are told as taken this long before their hand is back at the tray.
TIP_EXCHANGE_SIDE_MM = 40.0
"""What lies so far from the middle lies at a side; tips laid at the wrong side are one breach, not two."""

HAND_PATH_CAME_S, HAND_PATH_WENT_S = (
    3.2,
    2.6,
)  # A hand that brings chips, or takes them, is followed back, or on, for so long.
HAND_PATH_BEYOND_MM = 25.0  # A hand this far beyond the inner area is on the players' side.
HAND_PATH_HELD_MM = 85.0  # A hand this near to chips holds them.
HAND_PATH_MET_MM, HAND_PATH_MET_S = 110.0, 2.5  # A player's hand this near to a dealer's, so shortly before, met it.
HAND_PATH_REACH_MM = 130.0  # A hand this near to the middle of a betting space reaches to its player.
HAND_PATH_DWELL_MM = 45.0  # A hand that is this near to where it was has stayed.
HAND_PATH_STEP_MM, HAND_PATH_STEP_MM_S, HAND_PATH_SWAP_MM = 70.0, 1700.0, 60.0
"""How far a hand goes from look to look: at rest, for each second, and where it is read as the other one."""
HAND_PATH_CARRIED_S = 1.6
"""Chips taken to a player within this time were not spread, left and stacked again on the way."""
HAND_PATH_LOST_S = 0.8  # A hand's way ends where it is not seen for longer.
HAND_PATH_GAP_S, HAND_PATH_BACK_S, HAND_PATH_UNSEEN_P = 0.2, 0.8, 0.6
"""A gap in the looks begins so soon after a chip group's last detection, or ends so soon before its first; the hand
that pushed it is seen so soon after, or the one that offered it so soon before."""

TABLE_CLOSED_S = 10.0  # Dealers who relieve each other are back sooner.
TABLE_WATCHED_S = 1.3  # Looks farther apart may have missed a hand that covered something.
UNATTENDED_PLAY_S = 0.8
"""For so long after a round, or a burned card, the hands may still be where cards and chips went."""
UNATTENDED_OVER_MM = 15.0  # How far over the tray a hand that covers it reaches.
TABLE_OPEN_S = 3.0  # A table is open this long after the dealer is back, where no card is burned.
TABLE_OPEN_P, TABLE_CLOSED_P = 0.7, 0.85  # Probability that the table was opened then; that it was closed.


DISCARD_MM = 25.0  # A card this near to the discard holder lies in it.
BURN_DRAWN_S = 2.4  # The burned card is drawn within this time before it is laid down.
BILLS_NONE_LOOKS = 4  # Looks without bills that tell that none lies there.
CASH_SIDE_MM = 30.0
"""A hand that is no more than this farther from the inner area than a space's cards is on the dealer's side."""
CHIP_GROUP_MIXED_CHIPS = 3
"""Chips of a column, at least, of which one of another value is a misreading or a mixed column."""
RECEPTACLE_S = 5.0  # The receptacle is taken within this time before the dealer leaves.
RECEPTACLE_HIDDEN_P = 0.55  # Probability that a hand lost from sight at the receptacle took it.
SHUFFLE_GAP_S = 1.2  # Detections of backs, or of a dealer, that follow each other no later hang together.
SHUFFLE_HANDS_MM = 60.0  # Hands that shuffle are this near to the inner area.
SHUFFLE_BY_HANDS_S, SHUFFLE_MOVED_MM, SHUFFLE_REST_S = 4.0, 60.0, 1.0
"""Both of the dealer's hands move by so much in each second, for so long, where cards are mixed; they rest for no
longer meanwhile. With all backs left out 186 of 193 shuffles were told so, and nothing else. Origin:
measured, as told."""
SHUFFLE_BY_HANDS_P = 0.6  # Probability of a shuffle that hands alone tell of: too low to accuse anybody.
SHUFFLE_MONEY_SHARE = 0.5
"""Share of the looks that show chips or notes there, above which these are handled: what is printed on backs passes for
a chip now and then."""
SHUFFLE_LEAST_LOOKS = 8  # Looks with backs that a shuffle shows, at least.
SHUFFLE_LEAST_P = 0.6  # Probability of a shuffle of which no look showed hands.
SHUFFLE_SHARE_P = 0.4  # By how much the share of looks with hands raises the probability of a shuffle.
DEALER_SOLID_SHARE = 0.4  # Share of those looks that show the dealer's hands where these are there.
CUT_UNSEEN_P = 0.3  # Probability of a cut that nobody saw: weak.
SHOWN_INNER_MM = 40.0  # Hands are shown no farther from the inner area.
PALMS_GAP_S = 0.7  # Looks at palms that follow each other no later are of one showing.
TIP_EXCHANGE_AFTER_S = 0.8  # An unseen step of an exchange of tips is told this long after the one before.
HAND_PATH_BACK_WITHIN_S = 0.9  # A hand that brought chips is seen at them within this time of their first look.
HAND_PATH_ON_WITHIN_S = 0.6  # A hand that takes chips is seen at them within this time of their last look.
HAND_PATH_MET_P = 0.8  # Probability that a hand which met a player's gave chips to it.
