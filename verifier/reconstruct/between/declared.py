"""The acts between rounds as data: whose hands or which cards show where, and when."""

from __future__ import annotations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.acts import Act, Trace

CUT = Act(
    core={"reaches in": Trace("player", ("inner", "dealer"), par.CUT_MM)},
    odds=par.CUT_ODDS,
    apart_s=par.CUT_S,
)
BURN = Act(
    core={
        "lies": Trace("back", ("discard",), par.FIXTURE_MM),
        "hand in it": Trace("dealer", ("discard",), par.FIXTURE_MM),
    },
    traces={
        "carried": Trace("carried", since=-par.BURN_DRAWN_S, until=par.SLACK_S, off="discard"),
        "drawn": Trace("dealer", ("shoe",), par.DEALT_SHOE_MM, since=-par.BURN_DRAWN_S),
    },
    odds=par.BURN_ODDS,
    apart_s=par.ONE_BURN_S,
    begins=("carried", "drawn"),
    takes_s=par.BURN_S,
)
"""A burned card goes face down from the shoe to the discard holder, in a hand of the dealer's."""
RECEPTACLE = Act(
    core={"at it": Trace("dealer", ("tip_receptacle",), par.FIXTURE_MM)},
    odds=par.RECEPTACLE_ODDS,
)
TAKEN_FIRST = Act(
    core={"at it": Trace("dealer only", ("tip_receptacle",), par.FIXTURE_MM)},
    odds=par.RECEPTACLE_ODDS,
)
"""The receptacle is taken before the hands are shown: then the hand at it is one of two that are told apart."""
DROP = Act(core={"at it": Trace("dealer", ("drop",), par.FIXTURE_MM)}, odds=par.DROP_ODDS)

TAKEN_AWAY = Act(
    core={"beside it": Trace("dealer", ("shoe",), par.INDICATOR_BESIDE_MM[1], par.INDICATOR_BESIDE_MM[0])},
    traces={
        "fetched": Trace("dealer", ("shoe",), par.FIXTURE_MM, until=par.INDICATOR_FETCHED_S),
        "at once": Trace("dealer", ("shoe",), par.FIXTURE_MM, until=par.RUN_GAP_S),
    },
    odds=par.INDICATOR_TAKEN_ODDS,
)
"""The indicator card is taken from beside the shoe, then the cards are fetched from it."""
AT_SHOE = Trace("dealer", ("shoe",), par.INDICATOR_SHOE_MM)
INSERTED = Act(
    core={"at the stack": Trace("dealer right", ("stack",), par.INDICATOR_AT_MM)},
    traces={
        "away": Trace("dealer right", ("stack",), least=par.INDICATOR_AWAY_MM, since=-par.SHOE_LOADED_S),
    },
    odds=par.INDICATOR_INSERTED_ODDS,
    takes_s=par.INDICATOR_INSERTING_S,
)
"""The indicator card is fetched, and put into the stack before that goes to the shoe."""
COVERED = {
    "tray": Trace("hand", ("tray",), -par.UNATTENDED_OVER_MM),
    "discard": Trace("hand", ("discard",), par.FIXTURE_MM),
    "shoe": Trace("hand", ("shoe",), par.FIXTURE_MM),
}
"""The hand that may cover a fixture: the tray it reaches over, before which hands rest; to the others it comes."""
DEALING = Act(core={"hands": Trace("dealer")}, odds={}, apart_s=par.SHUFFLE_GAP_S)
"""A dealer is at the table."""
