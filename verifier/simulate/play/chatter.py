"""Minutes in which nothing is dealt: hands lie still, come and go, and mean nothing by it."""

from __future__ import annotations

from verifier.simulate.play.layout_state import OnLayout


def idle(table: OnLayout, seconds: float) -> None:
    """Let time pass; now and then a player's hand reaches to the rail, or the dealer's hands move a little."""
    rng = table.stage.rng
    end = table.now + seconds
    t = table.now
    while t < end - 4.0:
        t += rng.expovariate(1 / 9.0)
        if t >= end - 4.0:
            break
        t = _player_reaches(table, t) if rng.random() < 0.75 else _dealer_shifts(table, t)
    table.now = max(end, table.left.free, table.right.free)


def _player_reaches(table: OnLayout, t: float) -> float:
    """Act out how a hand comes over the rail, lies there or gestures, and goes back; return when it is free."""
    stage, rng = table.stage, table.stage.rng
    space = rng.choice([*stage.players])
    hand, spots = stage.players[space], stage.plan.spaces[space]
    reach = rng.uniform(110.0, 190.0)
    at = stage.near((spots.wager[0] + spots.outward[0] * reach, spots.wager[1] + spots.outward[1] * reach), 30.0)
    there = hand.go(max(t, hand.free), at, shape=rng.choice(("relaxed", "flat", "fist", "open")), speed=600.0)
    for _ in range(rng.randrange(3)):
        there = hand.go(hand.wait(there + rng.uniform(0.3, 1.5)), stage.near(at, 18.0), speed=200.0, lift=0.0)
    hand.go_rest(hand.wait(there + rng.uniform(0.5, 3.0)))
    return hand.free


def _dealer_shifts(table: OnLayout, t: float) -> float:
    """Act out how the dealer's hands meet over the tray's edge and go back; return when both are back."""
    rng = table.stage.rng
    ends = []
    for hand, sign in ((table.left, -1.0), (table.right, 1.0)):
        there = hand.go(max(t, hand.free), (sign * rng.uniform(55.0, 95.0), 268.0), shape="relaxed", speed=300.0)
        ends.append(hand.go_rest(hand.wait(there + rng.uniform(1.0, 4.0)), speed=300.0))
    return max(ends)
