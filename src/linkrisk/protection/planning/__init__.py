"""What is done to each column of a file, by one method or by a plan: asked for, settled, carried out and told."""
