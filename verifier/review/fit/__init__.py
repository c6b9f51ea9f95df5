"""Whether a layout fits a recording: judged before anything of it is (docs/recordings.md)."""
