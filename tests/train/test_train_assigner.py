from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from verifier.train.nms_stub import ensure_torchvision  # noqa: E402

ensure_torchvision()

from ultralytics.utils.tal import RotatedTaskAlignedAssigner  # noqa: E402

from verifier.train.assigner import ChipsFirst  # noqa: E402

CARD, CHIP = 0, 2


@pytest.mark.parametrize(("kind", "learnt"), [(RotatedTaskAlignedAssigner, False), (ChipsFirst, True)])
def test_a_chip_amid_a_card_has_places_of_its_own(kind, learnt: bool) -> None:
    """The network tells the card everywhere amid it, as it does before it has learnt the chip."""
    rows = torch.arange(4, 128, 8.0)
    points = torch.stack([rows.repeat(16), rows.repeat_interleave(16)], 1)
    card, chip = torch.tensor([64.0, 64.0, 36.0, 50.0, 0.0]), torch.tensor([64.0, 64.0, 31.0, 31.0, 0.0])
    scores = torch.full((1, len(points), 4), 0.01)
    scores[0, :, CARD] = 0.9
    assigner = kind(topk=10, num_classes=4, alpha=0.5, beta=6.0, stride=[8, 16, 32])
    labels, _, _, taken, _ = assigner(
        scores,
        card.repeat(1, len(points), 1),
        points,
        torch.tensor([[[CARD], [CHIP]]]),
        torch.stack([card, chip])[None],
        torch.ones(1, 2, 1),
    )
    told = labels[0][taken[0]].tolist()
    assert CARD in told
    assert (told.count(CHIP) >= 5) == learnt
