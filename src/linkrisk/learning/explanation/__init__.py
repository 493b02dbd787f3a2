"""What stands behind a learned attacker: ranges of his parameters, attributes that carry his links."""
