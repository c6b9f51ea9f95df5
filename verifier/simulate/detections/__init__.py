"""Sight without pixels: what the detectors would report of a performance, with the faults that they are known for."""

from verifier.simulate.detections.levels import LEVELS, Level, Noise
from verifier.simulate.detections.noisy import noisy_observations

__all__ = ["LEVELS", "Level", "Noise", "noisy_observations"]
