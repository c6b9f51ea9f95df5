"""Scores on the real pictures that are held out of training, set by set, and sheets of those that fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.cards import RANKS
from verifier.domain.doubt import SURE
from verifier.domain.errors import BadInput
from verifier.domain.observations import Box, CardSeen, HandSeen, Observation
from verifier.train.labels import box_quad
from verifier.train.matching import Floats, as_quad, matched
from verifier.train.real_pictures.cards import EDJE, boxed_cards, classed_cards
from verifier.train.real_pictures.gallery import Failure, write_sheets
from verifier.train.real_pictures.hands import ASL, FINGERCOUNT, FOREARM, RPS, hand_photo, told_fingers
from verifier.train.real_pictures.judged import Judged, doubt_figures, how_sure, share
from verifier.train.real_pictures.split import FARUK, MARTINABELEDA, read_picture, scored
from verifier.train.real_pictures.stack_scores import judge_stacks, stack_figures

Image = NDArray[np.uint8]
See = Callable[[Image], Observation]
CHIPS: Final = "chips-degen101"
_SURFACE: Final = ["Qs", "3c", "4c", "As", "7h", "5s", "9c", "9h", "6d", "Tc", "Jd", "2h", "Jh", "Ks", "Kc", "8d"]
_SURFACE_CHIPS: Final = ["red", "red", "mustard", "mustard", "other", "other"]
"""Two red, two yellow, two purple ones; yellow counts as mustard."""
_SCATTERED: Final = ["5", "4", "3", "2", "A", "8", "7", "6", "K", "Q", "J", "T", "9"]


Judge = Callable[[Image, Path, Observation], Judged | None]
Figures = dict[str, float]


def score_real(
    see: See, folder: Path, gallery: Path | None = None, *, sets: Sequence[str] = (), most: int | None = None
) -> dict[str, Figures]:
    """Figures for each set found below `folder` (of `sets` only, where given), on its held-out pictures.

    With `gallery` contact sheets of the failures are written there (PNG); with `most` every set is thinned evenly to
    that many pictures. Raises BadInput where no set is found.
    """
    out: dict[str, Figures] = {}
    for name, (judge, figures) in SETS.items():
        if (folder / name).is_dir() and (not sets or name in sets):
            out[name] = _score(see, folder, name, judge, figures, gallery, most)
    if not out:
        raise BadInput(folder, "holds none of the real sets", f"give the folder that holds {', '.join(SETS)}")
    return out


def _score(
    see: See,
    folder: Path,
    name: str,
    judge: Judge,
    figures: Callable[[Counter[str]], Figures],
    gallery: Path | None,
    most: int | None,
) -> Figures:
    counts: Counter[str] = Counter()
    failures: list[Failure] = []
    paths = scored(folder, name)
    for path in paths if most is None else paths[:: max(1, -(-len(paths) // most))]:
        image = read_picture(path)
        seen = see(image)
        judged = judge(image, path, seen)
        if judged is None:
            counts["unlabelled"] += 1
            continue
        counts.update(judged.counts)
        counts["pictures"] += 1
        if judged.wrong and gallery is not None:
            failures.append(Failure(path.name, image, judged.truth, seen, judged.wrong))
    if gallery is not None:
        write_sheets(gallery, name, failures)
    return {"pictures": counts["pictures"], **figures(counts)}


def frame_cards(name: str) -> list[str]:
    """Return the cards (`Qs`) of a frame of the webcam set by its file name, as the set's description lists them."""
    stem = name.lower()
    if stem.startswith("surface"):
        return list(_SURFACE)
    ranks: Sequence[str] = RANKS if stem.endswith("1") else _SCATTERED
    return [f"{rank}{stem[0]}" for rank in ranks]


def judge_bag(image: Image, path: Path, seen: Observation) -> Judged:
    """Cards and chips of a webcam frame, compared as bags: places are not labelled."""
    cards = frame_cards(path.stem)
    chips = _SURFACE_CHIPS if path.stem.lower().startswith("surface") else []
    said: list[str] = [card.rank for card in seen.cards if card.rank is not None]
    full = [card.rank + card.suit for card in seen.cards if card.rank is not None and card.suit is not None]
    right, both = _shared(said, [card[0] for card in cards]), _shared(full, cards)
    missed = Counter(card[0] for card in cards) - Counter(said)
    extra = Counter(said) - Counter(card[0] for card in cards)
    wrong = f"missed {''.join(missed.elements())} extra {''.join(extra.elements())}" if missed or extra else ""
    counts = Counter(right=right, said=len(said), cards=len(cards), both=both)
    up = [card for card in seen.cards if card.face == "up"]
    sure = [card.rank for card in up if card.rank is not None and _is_sure(card)]
    surely_right = _shared(sure, [card[0] for card in cards])
    counts += Counter({"found": len(up), "surely right": surely_right, "surely wrong": len(sure) - surely_right})
    coloured = _shared([chip.colour for chip in seen.chips], chips)
    counts += Counter({"chips": len(chips), "chips said": len(seen.chips), "chips coloured": coloured})
    return Judged(counts + Counter({"chips found": min(len(chips), len(seen.chips))}), (), wrong)


def judge_boxes(
    image: Image, path: Path, seen: Observation, labels: Callable[[Path], list[tuple[str, Box]]] = boxed_cards
) -> Judged:
    """Ranks of a photo with drawn boxes; upright boxes about what was seen are matched at IoU 0.5."""
    cards = labels(path)
    truth = [box_quad(box) for _, box in cards]
    up = [card for card in seen.cards if card.face == "up"]
    pairs = matched([_bounds(card.quad) for card in up], truth)
    told = [up[pairs[i]].rank if i in pairs else "-" for i in range(len(cards))]
    right = sum(rank == said for (rank, _), said in zip(cards, told, strict=True))
    said = sum(card.rank is not None for card in up)
    wrong = " ".join(f"{rank}:{got or '?'}" for (rank, _), got in zip(cards, told, strict=True) if rank != got)
    wrong += f" extra {said - right}" if said > len(cards) else ""
    counts = Counter(right=right, said=said, cards=len(cards), found=len(up))
    there = {found: cards[number][0] for number, found in pairs.items()}
    for number, card in enumerate(up):
        if _is_sure(card):
            counts["surely right" if card.rank == there.get(number) else "surely wrong"] += 1
    return Judged(counts + Counter({"matched": len(pairs)}), truth, wrong.strip())


def _is_sure(card: CardSeen) -> bool:
    """Tell whether a card's rank was read surely, and it is surely one card."""
    return card.rank is not None and not card.number_in_doubt and max((card.ranks or {}).values(), default=0.0) >= SURE


def judge_hand(image: Image, path: Path, seen: Observation, name: str) -> Judged | None:
    """Return the one hand of a photo: found at IoU 0.5, fingers, facing and side; None where its place is unknown."""
    hand = hand_photo(path, name)
    if hand is None:
        return None
    truth = box_quad(hand.box)
    pairs = matched([box_quad(other.box) for other in seen.hands], [truth])
    found = seen.hands[pairs[0]] if pairs else None
    counts, wrong = _read(found, hand.fingers, hand.facing, hand.side)
    return Judged(counts + Counter(said=len(seen.hands)), [truth], wrong)


def judge_unplaced(image: Image, path: Path, seen: Observation) -> Judged:
    """Return the one hand of a photo whose place is not labelled: found if any is; the likeliest one is read."""
    best = max(seen.hands, key=lambda hand: hand.p, default=None)
    counts, wrong = _read(best, told_fingers(path, FOREARM), "unknown", "unknown")
    return Judged(counts + Counter(said=len(seen.hands)), (), wrong)


def _read(found: HandSeen | None, fingers: int | None, facing: str, side: str) -> tuple[Counter[str], str]:
    counts = Counter(hands=1, found=int(found is not None))
    faults = [] if found is not None else ["not found"]
    for name, true in (("fingers", fingers), ("facing", facing), ("side", side)):
        if true is None or true == "unknown":
            continue
        said = None if found is None else getattr(found, name)
        counts[f"{name} told"] += 1
        counts[f"{name} found"] += found is not None
        counts[f"{name} right"] += said == true
        if found is not None:
            counts[f"{name} {how_sure(_text(said), _of(found, name), str(true))}"] += 1
        if found is not None and said != true:
            faults.append(f"{name} {true}:{said}")
    return counts, " ".join(faults)


def _of(hand: HandSeen, name: str) -> Mapping[str, float] | None:
    return {"fingers": hand.finger_counts, "facing": hand.facings, "side": hand.sides}[name]


def _text(said: str | int | None) -> str | None:
    return None if said is None else str(said)


def card_figures(n: Counter[str]) -> Figures:
    """Rank F1, precision, recall, and what the set's labels allow besides."""
    out = {
        "cards": float(n["cards"]),
        "rank F1": share(2 * n["right"], n["said"] + n["cards"]),
        "rank precision": share(n["right"], n["said"]),
        "rank recall": share(n["right"], n["cards"]),
        "read surely, right": share(n["surely right"], n["found"]),
        "in doubt": share(n["found"] - n["surely right"] - n["surely wrong"], n["found"]),
        "read surely, wrong": share(n["surely wrong"], n["found"]),
    }
    if "both" in n:
        out |= {"suit": share(n["both"], n["right"]), "cards right with suit": share(n["both"], n["cards"])}
        return out | {
            "chips": float(n["chips"]),
            "chip recall": share(n["chips found"], n["chips"]),
            "chip precision": share(n["chips found"], n["chips said"]),
            "chip colour": share(n["chips coloured"], n["chips found"]),
        }
    return {**out, "face-up recall": share(n["matched"], n["cards"])}


def hand_figures(n: Counter[str]) -> Figures:
    """Recall and precision, and of the hands found the share whose fingers, facing and side were told right."""
    out = {"recall": share(n["found"], n["hands"]), "precision": share(n["found"], n["said"])}
    for name in ("fingers", "facing", "side"):
        if n[f"{name} told"]:
            out[name] = share(n[f"{name} right"], n[f"{name} found"])
            out |= doubt_figures(n, name)
    return {**out, "without a box": float(n["unlabelled"])} if n["unlabelled"] else out


SETS: Final[dict[str, tuple[Judge, Callable[[Counter[str]], Figures]]]] = {
    MARTINABELEDA: (judge_bag, card_figures),
    EDJE: (judge_boxes, card_figures),
    FARUK: (partial(judge_boxes, labels=classed_cards), card_figures),
    RPS: (partial(judge_hand, name=RPS), hand_figures),
    FINGERCOUNT: (partial(judge_hand, name=FINGERCOUNT), hand_figures),
    ASL: (partial(judge_hand, name=ASL), hand_figures),
    FOREARM: (judge_unplaced, hand_figures),
    CHIPS: (judge_stacks, stack_figures),
}


def _bounds(quad: Sequence[Sequence[float]]) -> Floats:
    points = as_quad(quad)
    (x0, y0), (x1, y1) = points.min(0), points.max(0)
    return box_quad((float(x0), float(y0), float(x1), float(y1)))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return (Counter(one) & Counter(other)).total()
