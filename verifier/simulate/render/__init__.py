"""Pictures of a scene: a pinhole camera, a table's look, and layered sprites (NumPy and OpenCV only)."""

from verifier.simulate.render.camera import Camera
from verifier.simulate.render.compose import Renderer
from verifier.simulate.render.look import Look
from verifier.simulate.render.people import Person
from verifier.simulate.render.splits import Split
from verifier.simulate.render.truth import Shares, annotate, annotate_shares, visibility

__all__ = ["Camera", "Look", "Person", "Renderer", "Shares", "Split", "annotate", "annotate_shares", "visibility"]
