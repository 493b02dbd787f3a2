"""The pages, and how the site is made of them."""
