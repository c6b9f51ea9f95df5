"""Draws how many planted breaches were found, and how many findings were false, from the scores of accuracy.py.

`python benchmarks/plot_accuracy.py [--scores benchmarks/scores/974000.jsonl] [--out docs/images/accuracy.svg]`

Bars are shares, or findings an hour of recorded play; the thin lines are intervals of 95 %: of shares Wilson's, of
counts the exact one of a Poisson count. Where the picture is read without colour, the figures stand beside the bars.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from accuracy import Scored
from scipy.stats import chi2

from verifier.review.overview import CONFIDENCE, wilson

LEVELS: Final = ("easy", "typical", "hard")
WIDTH, ROW, LEFT, BAR, GAP, HEAD = 720, 26, 90, 190, 350, 44
"""Pixels: the picture's width, a row, where bars begin, a bar's greatest length, between the two plots, the heading."""
INK, FOUND, FALSE = "#1a1a1a", "#2b6cb0", "#b7791f"


def read(path: Path) -> list[Scored]:
    """Return the scores of a file, a line for each recording."""
    return [msgspec.json.decode(line, type=Scored) for line in path.read_bytes().splitlines()]


def poisson(count: int) -> tuple[float, float]:
    """Return the exact interval with CONFIDENCE of what a count of events tells of its mean (Garwood 1936)."""
    rest = (1 - CONFIDENCE) / 2
    low = float(chi2.ppf(rest, 2 * count)) / 2 if count else 0.0
    return low, float(chi2.ppf(1 - rest, 2 * count + 2)) / 2


def bar(x: float, y: float, value: float, span: tuple[float, float], most: float, colour: str, told: str) -> str:
    """One bar with its interval and its figure; `most` is the value of the longest bar."""
    scale = BAR / most
    low, high = (x + min(bound, most) * scale for bound in span)
    middle = y + ROW / 2
    return (
        f'<rect x="{x}" y="{y + 5}" width="{value * scale:.1f}" height="{ROW - 12}" fill="{colour}"/>'
        f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8" stroke="{INK}"/>'
        f'<text x="{x + BAR + 8}" y="{middle + 4}">{told}</text>'
    )


def rows(level: str, y: float, scores: Iterable[Scored]) -> str:
    """Both bars of a difficulty."""
    of_level = [one.score for one in scores if one.level == level]
    planted = [one for score in of_level for one in score.deviations]
    found = sum(one.outcome == "violation" for one in planted)
    false = sum(len(score.false_violations) for score in of_level)
    hours = sum(score.hours for score in of_level)
    low, high = (bound / hours for bound in poisson(false))
    return (
        f'<text x="10" y="{y + ROW / 2 + 4}">{level}</text>'
        + bar(LEFT, y, found / len(planted), wilson(found, len(planted)), 1.0, FOUND, f"{found} of {len(planted)}")
        + bar(LEFT + GAP, y, false / hours, (low, high), 4.0, FALSE, f"{false} in {hours:.1f} h")
    )


def drawing(scores: list[Scored]) -> str:
    """Return the whole picture as SVG."""
    heads = ((LEFT, "Planted breaches found"), (LEFT + GAP, "False violations an hour (bar: 4)"))
    body = [f'<text x="{x}" y="24" font-weight="bold">{head}</text>' for x, head in heads]
    body += [rows(level, HEAD + number * ROW, scores) for number, level in enumerate(LEVELS)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEAD + len(LEVELS) * ROW + 8}" '
        f'font-family="sans-serif" font-size="13" fill="{INK}"><rect width="100%" height="100%" fill="#fff"/>'
        + "\n".join(body)
        + "</svg>\n"
    )


def main() -> None:
    """Draws."""
    root = Path(__file__).parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, default=root / "benchmarks" / "scores" / "974000.jsonl")
    parser.add_argument("--out", type=Path, default=root / "docs" / "images" / "accuracy.svg")
    options = parser.parse_args()
    options.out.write_text(drawing(read(options.scores)), encoding="utf-8")


if __name__ == "__main__":
    main()
