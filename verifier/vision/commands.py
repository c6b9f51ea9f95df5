"""`verifier detect`: what single pictures show."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from verifier.domain.doubt import marked
from verifier.domain.errors import BadInput
from verifier.domain.money import dollars
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.formats.console import console
from verifier.vision.detection import MIN_P
from verifier.vision.networks import load_networks
from verifier.vision.still import detect_image, read_picture

EXIT_BAD_INPUT = 2


@click.command("detect")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...")
@click.option("--json", "as_json", is_flag=True, help="One observations record a picture, as JSON Lines.")
@click.option(
    "--min-p", type=click.FloatRange(0.01, 1.0), default=MIN_P, show_default=True, help="Leave out objects less likely."
)
@click.option("--models", type=click.Path(path_type=Path), default=None, help="Folder of the trained models.")
def detect_command(images: tuple[str, ...], as_json: bool, min_p: float, models: Path | None) -> int:
    """Find cards, chips and hands in still pictures of any size.

    A picture that cannot be read is named on stderr, the others are looked at all the same, and the exit code is 2.
    """
    networks = load_networks(models, min_p=min_p, photos=True)
    bad = 0
    for image in images:
        try:
            seen = msgspec.structs.replace(detect_image(read_picture(image), networks, min_p=min_p), image=image)
        except BadInput as error:
            bad += 1
            click.echo(f"verifier: {error}", err=True)
            continue
        if as_json:
            click.echo(msgspec.json.encode(seen).decode())
        else:
            _show(seen)
    return EXIT_BAD_INPUT if bad else 0


def _show(seen: Observation) -> None:
    table = Table(title=escape(seen.image or ""), title_justify="left")
    for name in ("kind", "what", "p", "where (x, y)"):
        table.add_column(name, justify="right" if name == "p" else "left")
    for kind, what, p, (x, y) in _rows(seen):
        table.add_row(kind, what, f"{p:.2f}", f"{x:.0f}, {y:.0f}")
    screen = console()
    screen.print(table)
    screen.print(f"{len(seen.cards)} cards, {len(seen.chips)} chips, {len(seen.hands)} hands", highlight=False)


def _rows(seen: Observation) -> list[tuple[str, str, float, tuple[float, float]]]:
    rows = [("card", card_words(card), card.p, _middle(card.quad)) for card in seen.cards]
    rows += [("chip", chip_words(chip), chip.p, chip.center) for chip in seen.chips]
    rows += [("hand", hand_words(hand), hand.p, _middle((hand.box[:2], hand.box[2:]))) for hand in seen.hands]
    return rows


def _middle(points: tuple[tuple[float, ...], ...]) -> tuple[float, float]:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def card_words(card: CardSeen) -> str:
    """`Kh (0.97)`, or `face down`; `Kh (0.97), more cards here?` where their number is in doubt."""
    if card.face == "down":
        return "face down"
    sure = f" ({card.ranks[card.rank]:.2f})" if card.rank and card.ranks else ""
    more = ", more cards here?" if card.number_in_doubt else ""
    return f"{card.rank or '?'}{card.suit or '?'}{sure}{more}"


def chip_words(chip: ChipSeen) -> str:
    """`red 5.00`; a colour without a value alone."""
    return marked(chip.colour, chip.colour_p) + (f" {dollars(chip.cents)}" if chip.cents is not None else "")


def hand_words(hand: HandSeen) -> str:
    """`dealer left, back?, 5 fingers`; what is in doubt has a question mark."""
    told = [(hand.side, hand.side_p), (hand.facing, hand.facing_p)]
    side, facing = (word if word == "unknown" else marked(word, p) for word, p in told)
    fingers = "" if hand.fingers is None else f", {marked(f'{hand.fingers} fingers', hand.fingers_p)}"
    return f"{hand.owner} {side}, {facing}{fingers}"
