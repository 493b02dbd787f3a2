"""The problem a certificate is about: who counts against whom, what a link is worth, which links are made."""
