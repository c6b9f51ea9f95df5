"""The truth of a rendered picture (see `verifier.simulate.render.truth`)."""

from verifier.simulate.render.truth import CHIP_SHOWS, Shares, annotate, annotate_shares, visibility

__all__ = ["CHIP_SHOWS", "Shares", "annotate", "annotate_shares", "visibility"]
