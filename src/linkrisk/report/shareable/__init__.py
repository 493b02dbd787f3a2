"""What of a result may leave the building: no type here holds anything of a record, or a parameter of an attacker."""
