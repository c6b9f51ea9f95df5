"""House options of a site (docs/house-options.md). Where nothing was adopted, the rule's own text stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from verifier.domain.money import CENTS_BY_COLOUR, Cents
from verifier.domain.places import SeatText
from verifier.domain.rulebooks import Rulebook

DealingMethod = Literal["hole_card_no_peek", "no_hole_card", "hole_card_reader"]
EqualOr = Literal["equal", "equal_or_less"]


class TableLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Posted limits in cents."""

    min: Annotated[int, Meta(ge=0)] = 100
    max: Annotated[int, Meta(ge=0)] = 2500


class Blinds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Poker blinds in cents."""

    small: Cents
    big: Cents


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Options in force. None means that the option must be configured and is not known.

    `rulebook` is the one that the site plays by (None: North Dakota twenty-one); a log names its own in its header.
    `time_zone` is the site's (IANA name), `clock_error_seconds` by how much the recorder's clock is known to be fast.
    """

    rulebook: Rulebook | None = None
    video_surveillance: Literal["present", "absent"] | None = None
    dealing_method: DealingMethod | None = None
    hit_soft_17: bool | None = None
    soft_17_scope: Literal["two_card_a6", "any"] | None = None
    payoff_fan_hand: Literal["left", "right"] = "left"
    tips_fanned_after: bool = False
    pit_boss_on_duty: bool = False
    pit_boss_fan_one_stack: bool | None = None
    sweep_or_hand_by_hand: Literal["sweep", "hand_by_hand"] = "sweep"
    natural_pay_timing: Literal["immediate", "in_order", "either"] = "either"
    tip_betting: Literal["permitted", "not_permitted"] | None = None
    tip_bet_max: Annotated[int, Meta(ge=0)] | None = None
    tip_double_down: Literal["not_permitted", "equal", "equal_or_less"] | None = None
    double_down_equal: EqualOr | None = None
    insurance_allowed: bool | None = None
    even_money: bool = False
    table_limits: TableLimits = TableLimits()
    deck_count: Annotated[int, Meta(ge=1, le=8)] | None = None
    shuffle_method: str | list[str] | None = None
    inactivity_reshuffle: Annotated[float, Meta(ge=0)] | None = None
    mistake_policy: Literal["statute", "alternative"] = "statute"
    colour_up_policy: Literal["adopted", "not_adopted"] = "not_adopted"
    fifty_cent_piece: Literal["chip", "metal_coin", "us_half_dollar"] = "chip"
    card_reader_cards: Literal["jumbo", "non_jumbo"] = "jumbo"
    disabled_dealer: list[str] = []
    two_recorders: bool = False
    tournament_rules: Literal["off", "on"] = "off"
    time_zone: str | None = None
    clock_error_seconds: Annotated[float, Meta(ge=-1e9, le=1e9)] = 0.0
    # Washington
    wa_min_bank: Annotated[int, Meta(ge=0)] | None = None
    wa_multi_hand: bool | None = None
    wa_bank_topup: bool | None = None
    wa_resplit: bool | None = None
    wa_double_allowed: bool | None = None
    wa_double_rules: str | None = None
    seats: list[SeatText] | None = None
    # House manual
    burn_cards: Annotated[int, Meta(ge=1, le=52)] | None = None
    surrender_allowed: bool | None = None
    double_allowed: bool | None = None
    split_allowed: bool | None = None
    blackjack_payoff: Literal["3:2", "6:5"] | None = None
    push_rule: Literal["standard", "simple21_vs_bj_push"] | None = None
    multiple_action: bool | None = None
    # Poker
    poker_game: Literal["high", "low", "high_low"] | None = None
    poker_variant: Literal["holdem", "omaha", "seven_card_stud", "five_card_draw"] | None = None
    poker_ante: Cents | None = None
    poker_blinds: Blinds | None = None
    poker_button_draw: Literal["high_card", "set_position"] | None = None
    poker_burn_procedure: Literal["after_each_round", "before_additional_cards"] | None = None
    stacks: dict[SeatText, Cents] | None = None

    @property
    def chip_cents(self) -> Mapping[str, int]:
        """Cents of a chip by the colour that is seen; half dollars that are coins are seen as of no chip's colour."""
        return CENTS_BY_COLOUR if self.fifty_cent_piece == "chip" else {**CENTS_BY_COLOUR, "other": 50}
