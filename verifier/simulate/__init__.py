"""Simulated recordings with their truth: rounds, deviations, choreography and the renderer (NumPy and OpenCV only)."""
