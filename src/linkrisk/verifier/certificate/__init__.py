"""The certificate as a file: its entries, each of the right type, and the digests that tie it to its data."""
