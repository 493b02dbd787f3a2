"""How likely each number of people in a cell is, given all that is known."""
