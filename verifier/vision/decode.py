"""Names of `verifier.recording.decode` that scripts outside of this package import from here."""

from verifier.recording.decode import Decoder, Frame, Picture

__all__ = ["Decoder", "Frame", "Picture"]
