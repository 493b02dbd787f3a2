"""What every answer tells the browser: load nothing from elsewhere, run nothing but our script, keep nothing."""

from __future__ import annotations

from collections.abc import Mapping

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a view may load, and from where."""

DOCUMENT_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""A report brings its styles and pictures with it; it runs nothing, sends nothing, and is no part of the page."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers of every answer, unless it brings its own."""
