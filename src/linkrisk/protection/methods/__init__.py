"""The protection methods, one file each."""
