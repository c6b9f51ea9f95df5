"""Scores as Markdown tables, put into a page, and reliability plots as a picture: no figure is typed by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.train.calibration import binned_error, reliability
from verifier.train.real_pictures.cards import EDJE
from verifier.train.real_pictures.hands import FINGERCOUNT, RPS
from verifier.train.real_pictures.split import MARTINABELEDA
from verifier.train.scoring import Tally
from verifier.vision.detection import MIN_P

Image = NDArray[np.uint8]
TARGETS: Final[Mapping[str, float]] = {
    "card rank F1": 0.985,
    "face-down recall": 0.99,
    "suit accuracy": 0.97,
    "rank calibration error": 0.03,
    "chip colour accuracy": 0.98,
    "exact count in a fan of 2 to 5": 0.95,
    "mAP50": 0.97,
    "hand recall": 0.98,
    "hand side accuracy": 0.96,
    "hand facing accuracy": 0.97,
    "fingers accuracy": 0.93,
}
"""At least; the calibration error at most."""
REAL_TARGETS: Final[Mapping[str, Mapping[str, float]]] = {
    MARTINABELEDA: {"rank F1": 0.97, "suit": 0.95},
    EDJE: {"rank F1": 0.95},
    RPS: {"recall": 0.98, "fingers": 0.95},
    FINGERCOUNT: {"recall": 0.93},
}
ORDER: Final = {name: place for place, name in enumerate("01A23456789TJQK")}
PANEL, MARGIN, COLUMNS = 200, 34, 4


def insert(path: Path, name: str, text: str) -> None:
    """Put text between the lines `<!-- NAME -->` and `<!-- end of NAME -->` of a page, instead of what stood there.

    A page that does not exist yet is begun. Raises BadInput where the page has not both lines.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    old = path.read_text(encoding="utf-8") if path.is_file() else f"{begin}\n{end}\n"
    before, found, rest = old.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise BadInput(path, f"has no place for {name}", f"add the lines {begin} and {end} to it")
    path.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")


def simulated(groups: Mapping[str, Tally], plot: str) -> str:
    """All tables of the simulated pictures; `plot` is the link to the reliability plots."""
    overall = groups["all"]
    parts = [figures_table(groups), "### Cards by width and by the share that shows", bins_table(overall.bins)]
    parts += ["### Calibration", calibration_table(overall), f"![Stated probability against share right]({plot})"]
    parts += ["### Confusion", "Rows are the truth, columns what was said, `-` nothing."]
    for name, counts in overall.confused.items():
        parts += [f"{name.capitalize()}:", confusion_table(counts)]
    return "\n\n".join(parts)


def solid(
    groups: Mapping[str, Tally], fans: Mapping[str, Counter[str]], false: Mapping[str, Mapping[str, float]]
) -> str:
    """Return the tables of the solid world: figures, cards by width and share, fans, and finds where nothing lies."""
    heads = ("right", "in doubt", "surely wrong")
    rows = [[name, str(n.total()), *(str(n[head]) for head in heads)] for name, n in fans.items()]
    every = sum(fans.values(), Counter())
    rows.append(["all", str(every.total()), *(str(every[head]) for head in heads)])
    none = [[name, *map(_number, figures.values())] for name, figures in false.items()]
    parts = [figures_table(groups), bins_table(groups["solid, all"].bins), table(["fans", "how many", *heads], rows)]
    return "\n\n".join([*parts, table(["found and not there, a picture", *false["all"]], none)])


def real(sets: Mapping[str, Mapping[str, float]]) -> str:
    """Return a table of all figures of all real sets."""
    rows = []
    for name, figures in sets.items():
        targets = REAL_TARGETS.get(name, {})
        for figure, value in figures.items():
            target = targets.get(figure)
            rows.append([name, figure, "" if target is None else f"{target:g}", _judged(figure, value, target)])
    return table(["set", "figure", "target", "measured"], rows)


def figures_table(groups: Mapping[str, Tally]) -> str:
    """Every figure, a column for each group; a figure that misses its target stands in bold."""
    columns = {name: tally.figures() for name, tally in groups.items()}
    names = list(dict.fromkeys(figure for figures in columns.values() for figure in figures))
    rows = [["pictures", "", *(str(tally.counts["pictures"]) for tally in groups.values())]]
    for name in names:
        target = TARGETS.get(name)
        values = [_judged(name, figures.get(name), target) for figures in columns.values()]
        rows.append([name, "" if target is None else f"{target:g}", *values])
    return table(["figure", "target", *columns], rows)


def _judged(name: str, value: float | None, target: float | None) -> str:
    text = _number(value)
    if value is None or target is None or (value <= target if name.endswith("error") else value >= target):
        return text
    return f"**{text}**"


def bins_table(bins: Mapping[str, Counter[str]]) -> str:
    """Precision, recall and F1 of ranks by bin. By the share that shows, false alarms on no card do not count."""
    rows = []
    for name, n in sorted(bins.items(), key=lambda item: (item[0][0], [float(v) for v in _numbers(item[0])])):
        precision, recall = _ratio(n["right"], n["said"]), _ratio(n["right"], n["cards"])
        f1 = _ratio(2 * n["right"], n["said"] + n["cards"])
        rows.append([name, str(n["cards"]), _number(precision), _number(recall), _number(f1)])
    return table(["cards", "how many", "rank precision", "rank recall", "rank F1"], rows)


def _numbers(text: str) -> Iterable[str]:
    return [word for word in text.replace("-", " ").split() if word.replace(".", "").isdigit()]


def calibration_table(tally: Tally) -> str:
    """Return a table of the expected calibration error of each head, and of each detector class from MIN_P up."""
    rows = [
        [name, str(len(p)), _number(float(p.mean())), _number(float(right.mean())), _number(binned_error(p, right))]
        for name, (p, right) in trusts(tally).items()
    ]
    return table(["what", "answers", "mean probability", "share right", "calibration error"], rows)


def trusts(tally: Tally) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Probabilities and 1.0 where right, of each head and class that has any."""
    out = {}
    for name, said in tally.sure.items():
        values = np.array(said, dtype=np.float64).reshape(-1, 2)
        out[name] = (values[:, 0], values[:, 1])
    out |= {name: ranking.arrays(MIN_P) for name, ranking in tally.rankings.items()}
    return {name: values for name, values in out.items() if len(values[0])}


def confusion_table(counts: Counter[tuple[str, str]]) -> str:
    """How often which truth was said to be what."""
    labels = sorted({label for pair in counts for label in pair} - {"-"}, key=lambda name: (ORDER.get(name, 99), name))
    said = [*labels, *(["-"] if any(pair[1] == "-" for pair in counts) else [])]
    rows = [[f"**{true}**", *(str(counts[(true, one)] or "") for one in said)] for true in labels]
    return table(["", *said], rows)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_plot(path: Path, tally: Tally) -> None:
    """Write a PNG with a panel for each head and class: stated probability against the share that was right."""
    panels = [_panel(name, p, right) for name, (p, right) in trusts(tally).items()]
    blank = np.full_like(panels[0], 255)
    panels += [blank] * (-len(panels) % COLUMNS)
    rows = [np.hstack(panels[i : i + COLUMNS]) for i in range(0, len(panels), COLUMNS)]
    cv2.imwrite(str(path), np.vstack(rows), [cv2.IMWRITE_PNG_COMPRESSION, 9])


def _panel(name: str, p: NDArray[np.float64], right: NDArray[np.float64]) -> Image:
    """Bars show how many answers fall into a bin; the line should lie on the diagonal."""
    out = np.full((PANEL + 2 * MARGIN, PANEL + 2 * MARGIN, 3), 255, np.uint8)
    x0, y0 = MARGIN, MARGIN + PANEL
    stated, share, weight = reliability(p, right)
    for at, part in zip(stated, weight, strict=True):
        x = x0 + round(at * PANEL)
        cv2.rectangle(out, (x - 4, y0 - round(part * PANEL)), (x + 4, y0), (225, 225, 225), -1)
    cv2.rectangle(out, (x0, MARGIN), (x0 + PANEL, y0), (120, 120, 120), 1)
    cv2.line(out, (x0, y0), (x0 + PANEL, MARGIN), (170, 170, 170), 1, cv2.LINE_AA)
    points = np.array([(x0 + at * PANEL, y0 - part * PANEL) for at, part in zip(stated, share, strict=True)])
    cv2.polylines(out, [np.round(points).astype(np.int32)], False, (160, 80, 0), 2, cv2.LINE_AA)
    for x, y in np.round(points).astype(int):
        cv2.circle(out, (int(x), int(y)), 3, (160, 80, 0), -1, cv2.LINE_AA)
    _write(out, f"{name}: error {binned_error(p, right):.3f}, n {len(p)}", (x0, MARGIN - 10))
    for value in (0.0, 0.5, 1.0):
        _write(out, f"{value:g}", (x0 + round(value * PANEL) - 8, y0 + 16))
        _write(out, f"{value:g}", (6, y0 - round(value * PANEL) + 4))
    return out


def _write(image: Image, text: str, at: tuple[int, int]) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)


def _number(value: float | None) -> str:
    return "" if value is None else str(int(value)) if value == int(value) and value > 1 else f"{value:.3f}"


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
