"""The two halves of the drawn world: models learn from "train" and are scored on "test"; they share nothing."""

from __future__ import annotations

from typing import Literal

Split = Literal["train", "test"]
