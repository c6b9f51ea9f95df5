"""A dealer's tips exchanged for chips of other values before leaving (99-01.3-08-11(18)(b))."""

from __future__ import annotations

from verifier.domain.events import TipExchange
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.chip_group_events import clear, fan, from_tray, to_tray, worth
from verifier.reconstruct.between.chip_groups import ChipGroup
from verifier.reconstruct.between.hand_paths import RECEPTACLE, TRAY, HandPath
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.zones import centre_of


def tip_exchange(between: Between, tips: ChipGroup, given: ChipGroup) -> Drafts:
    """Return the steps of the exchange of `tips` out of the receptacle for the chips `given`, with their chip
    movements.
    """
    out, back = tips.came, given.came
    if out is None or back is None:
        return []
    inner = centre_of(between.table.zones["inner"])[0]
    left = tips.middle[0] < inner - par.TIP_EXCHANGE_SIDE_MM
    right = given.middle[0] > tips.middle[0] + par.TIP_EXCHANGE_SIDE_MM
    drafts: Drafts = [_step("emptied", out.t0, out.t1, out.p, worth(tips, given))]
    if left:
        drafts.append(_step("placed_left", out.t1, tips.t0, par.SEEN_P, worth(tips, given)))
    drafts += _fanned(tips, given, "tip_exchange_in", "fanned_in")
    drafts += clear(tips, back.t0)
    drafts += from_tray(given, "tip", tips)
    drafts.append(_step("taken", back.t1 - par.TIP_EXCHANGE_TAKEN_S, back.t1, back.p, worth(given, tips)))
    if right or not left:
        drafts.append(_step("placed_right", back.t1, given.t0, par.SEEN_P, worth(given, tips)))
    drafts += _fanned(given, tips, "tip_exchange_out", "fanned_out")
    drafts += clear(given, min(tips.t1, given.t1))
    return drafts + _put_away(tips, given)


def _fanned(chip_group: ChipGroup, other: ChipGroup, owner: str, step: str) -> Drafts:
    fans = fan(chip_group, owner, other)
    return [*fans, *(_step(step, one.t_start, one.t_end, one.p, worth(chip_group, other)) for one in fans)]


def _put_away(tips: ChipGroup, given: ChipGroup) -> Drafts:
    """Return that the exchanged tips go to the tray and the other chips to the receptacle; a way that was not seen is
    weak.
    """
    drafts = to_tray(tips, "tip", given)
    drafts.append(_away("to_tray", tips, TRAY, worth(tips, given)))
    drafts.append(_away("to_receptacle", given, RECEPTACLE, worth(given, tips)))
    return drafts


def _away(step: str, chip_group: ChipGroup, place: str, cents: int | None) -> TipExchange:
    went: HandPath | None = chip_group.went if chip_group.went is not None and chip_group.went.place == place else None
    if went is None:
        return _step(step, chip_group.t1 + par.TIP_EXCHANGE_AFTER_S, chip_group.t1 + 1.0, par.WEAK_P, cents)
    return _step(step, went.t0, went.t0 + par.TWO_LOOKS_S, went.p, cents)


def _step(step: str, t0: float, t1: float, p: float, cents: int | None) -> TipExchange:
    return event(TipExchange, t0, t1, p, step=step, cents=cents, occluded=p <= par.WEAK_P)
