"""One detector from several: the mean of their weights.

Networks that were trained on from one another can be averaged; the mean holds on strange pictures better than the last
(Wortsman et al. 2022, "Model soups"; robust fine-tuning, Wortsman et al. 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.domain.errors import BadInput

if TYPE_CHECKING:
    from torch import Tensor


def blended(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of networks' weights, by name, with the last network's counters. All must have the same names."""
    if len({frozenset((name, tuple(value.shape)) for name, value in state.items()) for state in states}) != 1:
        raise BadInput("the checkpoints", "are of different networks", "give checkpoints trained on from one another")
    last = states[-1]
    return {
        name: sum(state[name].float() for state in states) / len(states) if value.is_floating_point() else value
        for name, value in last.items()
    }


def blend_detectors(checkpoints: Sequence[Path], out: Path) -> Path:
    """Write the mean of Ultralytics checkpoints to `out`. Raises BadInput where they do not fit together."""
    from verifier.train.detector import prepare

    prepare(out.parent / "settings")
    import torch

    loaded = [torch.load(path, weights_only=False, map_location="cpu") for path in checkpoints]
    networks = [(one.get("ema") or one["model"]).float() for one in loaded]
    networks[-1].load_state_dict(blended([network.state_dict() for network in networks]))
    kept = {name: value for name, value in loaded[-1].items() if name not in ("train_results", "git")}
    known = vars(networks[-1])
    _forget_places(kept.get("train_args"), known, known.get("args"), known.get("yaml"))
    torch.save({**kept, "model": networks[-1].half(), "ema": None, "optimizer": None}, out)
    return out


def _forget_places(*settings: object) -> None:
    """Leave of each file or folder that was trained with only its name: a checkpoint is for other computers."""
    for one in settings:
        if isinstance(one, dict):
            places = {name: value for name, value in one.items() if isinstance(value, str) and "/" in value}
            one.update({name: Path(value).name for name, value in places.items()})
