"""Reports that can be handed on, as HTML and Markdown, and those that stay with the owner of the original.

A report (`contents.Handout`) is a verdict and sections. The sections of a shareable one are made from the types of
`linkrisk.report.shareable` alone, which hold nothing of any record; an internal one has further sections, made from the
result itself (`internal`). `html` and `markdown` write either.
"""
