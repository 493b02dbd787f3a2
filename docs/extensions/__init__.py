"""What the site does beside showing pages: one idea per file, each an extension of Sphinx."""
