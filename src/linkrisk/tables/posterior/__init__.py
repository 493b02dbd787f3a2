"""How likely each number of people in an overlap cell is, given samples and tables."""
