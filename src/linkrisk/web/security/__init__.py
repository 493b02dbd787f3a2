"""Who may ask for anything."""
