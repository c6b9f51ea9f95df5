"""What the camera saw: decoding, models and tracking turn a recording into observations."""
