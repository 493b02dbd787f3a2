"""Learning the distance that makes the most correct links, and proving that none makes more."""
