"""What the camera saw: decoding, models and tracking turn a recording into observations."""

import sys

# `import openvino` reports itself to its maker through this package where it is found. Nothing leaves this computer.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
