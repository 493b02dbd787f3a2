"""How wide a text is in Arial, by which charts are laid out: so that it is as wide in whatever font it is shown."""

from __future__ import annotations

import unicodedata

_WIDTHS = {
    191: "'",
    222: "ijl",
    260: "|",
    278: " !,./:;I[\\]ft",
    333: "()-`r",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu",
    584: "+<=>~\N{MINUS SIGN}",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1000: "\N{HORIZONTAL ELLIPSIS}",
    1015: "@",
}
"""Signs by their width in thousandths of the size of the font (Arial, Helvetica and Liberation Sans agree)."""

_WIDTH_OF = {sign: width for width, signs in _WIDTHS.items() for sign in signs}


def text_width(text: str, size: float) -> float | None:
    """Return the width of a text in pixels; None where a sign is not known. Accents take no room.

    >>> text_width("age", 10), text_width("âgé", 10), text_width("年齢", 10)
    (16.68, 16.68, None)
    """
    signs = [sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign)]
    if not all(sign in _WIDTH_OF for sign in signs):
        return None
    return sum(_WIDTH_OF[sign] for sign in signs) * size / 1000
