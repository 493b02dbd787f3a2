"""What a person works on: an original, its protected versions, what was said about the columns and attackers."""
