"""Which of the network's places answers for which object in training, where a chip lies upon a card.

Task-aligned assignment (Feng et al., TOOD, 2021) gives a place that two objects claim to the one whose box it fits
better: amid a card that is always the card, so a chip there was never learnt. Imports PyTorch: load it only to train.
"""

from __future__ import annotations

from torch import Tensor
from ultralytics.utils import tal

from verifier.train.labels import CLASSES
from verifier.vision.detection import CARD_DOWN, CARD_UP, CHIP

CHIPS, CARDS = [CLASSES.index(CHIP)], [CLASSES.index(CARD_UP), CLASSES.index(CARD_DOWN)]


class ChipsFirst(tal.RotatedTaskAlignedAssigner):
    """Cards take no place that a chip takes; each has others. All else is as Ultralytics does it."""

    def get_pos_mask(
        self,
        pd_scores: Tensor,
        pd_bboxes: Tensor,
        gt_labels: Tensor,
        gt_bboxes: Tensor,
        anc_points: Tensor,
        mask_gt: Tensor,
        **extra: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Places taken by each object (b, objects, places), how well they suit it, and their overlaps with it."""
        inside = self.select_candidates_in_gts(anc_points, gt_bboxes, mask_gt) * mask_gt.bool()
        fit, overlaps = self.get_box_metrics(pd_scores, pd_bboxes, gt_labels, gt_bboxes, inside, **extra)
        wanted = mask_gt.expand(-1, -1, self.topk).bool()
        chips, cards = (sum(gt_labels == number for number in kinds).bool() for kinds in (CHIPS, CARDS))
        taken = (self.select_topk_candidates(fit, topk_mask=wanted).bool() & inside & chips).any(1, keepdim=True)
        free = inside & ~(cards & taken)
        places = self.select_topk_candidates(fit * free, topk_mask=wanted)
        return places.mul_(free), fit, overlaps
