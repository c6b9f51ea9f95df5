"""The attorney general's check of a sample recording, N.D. Admin. Code 99-01.3-08-04(10)."""
