"""What is drawn at random: numbers and permutations from a seed that is a secret."""
