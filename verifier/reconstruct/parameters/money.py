"""Parameters of `money/`: stakes, payoffs and tips."""

from fractions import Fraction

COLLECT_CAME_S, COLLECT_AWAY_MM, COLLECT_BOTH_MM = 0.8, 130.0, 60.0
"""Both hands take a chip that were away from it so long before, and near to it as it went."""

ROW_SPREAD_S = 3.0  # A stack is spread within this time.
ROW_LINK_RADII = 2.6
"""Neighbours in a row that reaches into the next space's area lie nearer than this many radii, whatever the tilt."""
INSURED_MM = 150.0  # An insurance's row lies within this distance of where it was laid.

CLEARED_LATE_S = 3.0  # The hand that took chips was over them so shortly before they went.
CLEARED_SURE_P = 0.9
"""A pick-up that is seen at least as surely as the first tells that the hands had not left before; what nobody looked
at is weak by docs/formats.md."""
CLEARED_STRAIGHT_S = 0.3
"""A hand that is at the next stake so soon after it left paid chips went straight there; one that had lain aside comes
later: 0.7 s and more in 24 rounds. Origin: measured, as told."""

COLLECT_TRAY_S, TRAY_MM = 5.0, 25.0
"""Chips come to the tray within so long of their collection, by a hand this near to it."""
COLLECT_SWEEP_S = 3.0  # A sweep goes on to the next stake within this time.
TRAY_VISIT_GAP_S, TRAY_BOTH_S = 0.35, 0.7
"""A hand lost for so long is still at the tray; to put chips down and take others it is there for longer than this."""
COLLECT_STOP_MM = 12.0  # A hand that moves no farther from look to look stops.
COLLECT_LIES_S = 0.3
"""A hand that was at the tray so shortly before the other one took chips lies there: it has none to put down."""
COLLECT_ARRIVES_S, COLLECT_ARRIVES_LOOKS = 0.6, 4
"""A hand that hurries to the tray is there within this time; so many looks in it show whether it came."""
COLLECT_HURRY_MM = 60.0
"""A hand that comes this much nearer to the dealer from one look to the next is on its way to the tray."""

FETCH_AT_ONCE_S = 0.5
"""Seconds within which two hands were at the tray together, so that either may have brought a payoff."""
FETCH_VISIT_S = 4.0  # A hand was at the tray this long before it lays down what it fetched there, at most.
FETCH_UNSEEN_P = 0.6  # Probability of a visit to the tray that only the payoff tells of.
FETCH_GRIP_S, FETCH_CARRY_S = 0.4, 0.6
"""Such a visit is told to have taken so long, and to have ended so long before the payoff lay."""
FETCH_S = 0.45  # A hand that goes to the tray, grips chips and comes back is out of sight for longer.
FETCH_SHORT_MM = 15.0  # Fingertips seen this short of the tray may have been at it.
FETCH_CARRIED_S = 1.5  # Chips are laid this soon after the hand left the tray with them, at most.

UNSEEN_PAYOFF_BESIDE_MM, UNSEEN_PAYOFF_PAID_S = 46.0, 1.0
"""A won tip's payoff is laid so far to its right, so soon at the earliest."""
UNSEEN_PAYOFF_LEAVES_S = 0.15  # A hand is gone from a place this long after it was there.
UNSEEN_PAYOFF_SHOWS_S = 0.3  # A hand that leaves is gone so long before what lay under it shows.
UNSEEN_PAYOFF_LATE_S = 1.0
"""A payoff that shows so long after it was brought had lain under the hand that stayed there."""

INSURANCE_MM, INSURANCE_MOVE_S = 36.0, 3.0
"""A chip this near to the insurance place lies on it; it is moved to the cards within so long."""
INSURANCE_BESIDE_CARDS_MM = (62.0, -8.0)  # Where the dealer lays insurance, from a space's first card.
INSURE_AT_ONCE_S = 1.0  # Chips beside each other that come within this time are a row that is spread.

LAID_S = 6.0
"""A chip that is first seen with no hand near was laid by the last player's hand there within so long before."""
LAID_PAYING_S, LAID_TURNED_S = 1.5, 1.0
"""Nothing is paid so soon after the hole card was turned, if that was seen: looks missed nothing so long before it."""

COVER_MM = 150.0
"""A cover lies this near to the wager that it covers: beside it, or beyond one other stack. Origin: three chips' width
and their gaps, as play is performed."""
COVER_POINTED_MM = 60.0  # A hand this near to a cover makes it the payoff.
PAYMENT_HIDDEN_S = 8.0
"""Of a chip that was hidden for longer before its place was seen bare nobody knows when it was taken."""
PAYMENT_PLAYERS_P = 0.6
"""Probability of a collection by a hand that passes for a player's: enough to settle a hand, not to accuse anybody."""
PAYMENT_CAME_S = 0.15  # A hand may have come since the look before the first that shows it.

MOST_SHUFFLED_ROWS = 5  # Of more rows in one column than these the order is not searched.
PAYOFF_ROWS_MM = 25.0
"""Rows that are laid beside each other lie farther apart than this, chips of one row do not across it."""
PAYOFF_MM = 150.0  # A payoff's first chip lies within this distance of a stake.
PAYOFF_ONWARD_MM = 80.0
"""A piece of a payoff's row, with a chip or two unseen before it, begins within this distance of the piece before."""
PAYOFF_FARTHEST_MM, PAYOFF_SPREAD_S, PAYOFF_IN_LINE_MM = 130.0, 1.5, 8.0
"""With more of them unseen it lies within the first, came as the row was spread, and lies in line with it."""
PAYOFF_UPON_MM = 30.0  # A stack was where one of the chips of its row lies, to within this distance.

FAN_LINK_RADII = 2.0  # Neighbours in a fan lie nearer than this many radii; stakes set side by side lie farther apart.
SET_LINK_RADII, SETS_LINK_RADII = 1.7, 2.05  # Radii between neighbours of one set at most, and of two sets at most.
ROW_NO_ROOM_RADII = 0.8  # Radii from a chip of a row within which no other of it lies.
SET_SIZE, ROW_STRAIGHT = 5, 0.99  # Chips of one set in a fan.
ROW_MIDWAY_MM, ROW_SQUARE, ROW_SELDOM_SHARE = 6.0, 0.3, 0.15
"""A chip this near to the middle of two others lies between them; one whose step is this much off a cosine of a right
angle lies across; one seen in a smaller share of the looks is a misreading."""
SURE_CHIP_MEAN_P = 0.86
"""Chips at rest are seen at 0.93 and more (95 of 100 on unseen recordings), print and knuckles below this. Origin:
measured, as told."""

RETURN_HAND_MM = 70.0  # A hand this near to a stake may have given it back.
RETURN_LIFTED_S = 2.5  # The chips below come into sight this soon after the top ones were lifted.
RETURNED_P = 0.7  # Probability of chips given back, told by the hand there alone.
PUSHED_MM, RETURN_ASIDE_MM = (35.0, 110.0), 22.0
"""How far outward a stake is pushed to its player, and how far beside that way it may come to lie."""
PUSHED_S, PUSHED_P = 2.5, 0.9  # A stake that was pushed back rests within so long; probability that it was.

SET_STEP_RADII, ROW_WIDER = (1.36, 1.5), 1.25
"""Chips of two values less than so many radii apart are one set, farther than so many two, as is a gap that is wider
by so much than the row's smallest."""
SET_ALIKE_RADII = 1.68  # Radii from which two chips of one value are of two sets.
BY_VALUE_CENTS = 500  # A bet of more is spread by value: sets of one value each.

SECOND_TIP_UNDER_MM = 14.0  # A chip that shows this near to where a tip's top one lay was under it.
SECOND_TIP_LAY_S = 0.6
"""The first bet lay in view for so long, and its place was never bare for longer before the second lay there: chips
that were pushed to a player may lie where tips do until they are taken up."""
SECOND_TIP_AWAY_MM = 90.0  # A player's hand is away from a tip beyond this.
SECOND_TIP_SURE_P = 0.85  # Least probability of both chips: a chip that is read as another later is no second bet.
SECOND_TIP_P = 0.85  # Probability of a second tip that the chip under it tells.
SECOND_TIP_OVER_MM = 30.0
"""A chip like the first does not show on it: a closed hand that comes back to rest over it may lay one."""

SETTLEMENT_SEEN_S = 2.5
"""For this long after its last chip came to rest a space is looked at; then its player may take the chips."""
SETTLEMENT_LATE_S = 1.0  # A chip that comes so much later than those beside it, and that no hand laid, had been missed.
SETTLEMENT_LATER_S = 0.8
"""A payoff is laid at least this long after the wager was spread: the dealer's hand goes to the tray meanwhile."""
STAKE_FAR_MM = 56.0  # What lies farther from a stake is no part of it, and no payoff of it.

STAKE_BESIDE_MM = 105.0  # Two added stakes lie within this distance of the wager spot, a third half as far beyond them.
STAKE_SPREAD_S, STAKE_SPREAD_MM = 2.5, 56.0
"""A row grows out of a stake within so long, in line with it toward the dealer, with a chip unseen between at most."""
TIP_MM, TIP_DOUBLE_MM = 36.0, 75.0
"""A chip this near to a tip's place is a tip; one as near as the second may double it."""
STAKE_TOUCHING_MM = 14.0  # A chip touches a betting space that is drawn so much too large or too small at most.
STAKE_LEFT_OVER_S = 1.5
"""A chip there this soon after a round may be left of it: the new one was then set in the hand's last visit."""

ODDS_EVEN = Fraction(1)  # Odds of a win. Origin: law.
ODDS_NATURAL = Fraction(3, 2)  # Odds of a natural. Origin: law.
ODDS_INSURANCE = Fraction(2)  # Odds of insurance. Origin: law.

TAKEN_AT_ONCE_S = 0.5  # A hand that takes a stake is at it within so long of the last detection of it.
TAKEN_ROW_S = 2.0  # A row lies for so long before its cards are taken up.
TAKEN_BUST_S = 4.0  # The cards of a busted hand go within this time of its stake.
TAKEN_NEAR_S, TAKEN_NEAR_MM = 0.5, 250.0
"""A hand that takes a chip is seen this near to it, so long before or after, though it may be missed in a look."""

TAP_S = 0.3  # A tap takes this long, at least.
TAP_AT_MM, TAP_OVER_MM = 70.0, 5.0
"""A hand whose tip is this near to a tie, or whose box reaches over it by the second, taps there."""
TAP_LOST_S = 1.0
"""A hand that is at one place again after so long, and was not seen elsewhere meanwhile, had not left it."""
TAPS_APART_S = 0.5  # Taps that lie so much of the way between two stakes apart, at least, are one of each.

TIP_HAND_PATH_S = 3.0  # A tip is carried to the inner area within this time.
TIP_LIFT_S = 0.7  # A hand that takes a tip is still there so long after the last detection of it.
TIP_DEPOSIT_S = 1.0  # Hands at the receptacle within so long of the first put in one deposit.
TIP_GONE_S = 1.0
"""A chip not seen any more so soon after the others had gone went with them, though it may only have been missed."""
TIP_HIDDEN_P = 0.75
"""Probability of a payoff under the hands, told by the way of one of them from the tray to its place."""

WAGER_HANDLED_MM = 32.0  # A player's hand this near to a wager handles it.
WAGER_AT_ONCE_S, WAGER_REREAD_S, WAGER_NEAR_MM = 0.35, 1.2, 60.0
"""Looks that follow each other within the first leave no time to change a stake unseen. A hand that changed it was as
near to it as this within the second before: for a moment the other chip may still be read as the one before."""
WAGER_ANOTHER_P = 0.8
"""Probability that a stake was changed on which another face lies since a hand rested there: a chip may only have been
turned."""
WAGER_FACE_S = 0.3  # A face seen so long after a hand came is one that it left.

ROW_TOGETHER_S = 0.8  # Chips of one row come and go within this time.
CLEARED_WITHIN_S = 12.0  # Hands leave a stake within this time, or it is not told.
TRAY_RECORD_S = 0.15  # Chips that go into the tray or a hand do so in this time.
COLLECT_HURRY_S = 0.4  # A hand that hurries is at the tray so soon.
COLLECT_HURRY_P = 0.75  # Probability of chips to the tray that a hurrying hand tells of.
COLLECT_HURRY_TRAY_MM = 180.0  # A hand that hurries to the tray is no farther from it.
LYING_S = 0.3  # A chip that lies for no longer may be on its way.
RESTING_S = 0.8  # A chip that lies for longer surely rests.
LAID_BY_S = 1.2  # The hand that laid a chip was at it within this time before it rests.
PAYMENT_OF_MM = 30.0  # A chip this near to one of a payoff is of that payoff.
ROW_LEAST_CHIPS = 3  # Chips of a row that tell how far apart its chips lie.
CHANGED_BEFORE_S = 0.8  # A wager is told as changed from this long before its new chips rest.
PAYOFF_TOUCH_MM = 12.0  # A pile this near to a stake grew out of it.
STAKE_ON_TOP_MM = 16.0  # A chip this near to a stake's middle lies on it.
TIP_WITH_WAGER_S = 0.6  # A wager that goes no later than this after its tip went before or with it.
TIP_ROW_LEFT_MM = 25.0  # A won tip's row lies no farther left of the tip.
TIP_ROW_RIGHT_MM = 75.0  # A won tip's row lies no farther right of the tip.
TIP_ROW_OUT_MM = 170.0  # A won tip's row lies no farther outward or inward of the tip.
TIP_OWN_MM = 23.0  # Chips farther right of a tip's first one are its payoff.
TIP_DEPOSIT_WITHIN_S = 6.0  # A tip goes into the receptacle within this time.
TIP_DEPOSIT_HIDDEN_P = 0.65  # Probability of a deposit by a hand that was lost from sight at the receptacle.
WAGER_HANDLED_AFTER_S = 0.6  # A player's hand is at a wager that it has just laid for so long.
WAGER_PLACING_S = 1.5  # A hand at a wager this near to the placing of chips placed them.
WAGER_REST_MM = 22.0  # A hand that goes no farther from look to look dwells.
WAGER_BRIEF_P = 0.6  # Probability of a wager's first value where it was seen in one dwell.
PAYOFF_SPREAD_BEFORE_S = 0.35
"""A payoff that shows as a row was placed this long before its chips were spread, at least."""
