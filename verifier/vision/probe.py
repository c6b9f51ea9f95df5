"""Names of `verifier.recording.probe` that scripts outside of this package import from here."""

from verifier.recording.probe import Coverage, Gap, Note, Probe, check_readable, probe, sha256_of

__all__ = ["Coverage", "Gap", "Note", "Probe", "check_readable", "probe", "sha256_of"]
