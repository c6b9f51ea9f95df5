"""Where things are seen: the picture as millimetres of the table, look by look."""
