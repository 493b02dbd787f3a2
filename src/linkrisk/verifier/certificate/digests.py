"""Digests that tie a certificate to its own contents and to the scaled data; see docs/certificates.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import TextPair


def certificate_digest(certificate: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all entries of a certificate except ``digest``, as canonical JSON.

    >>> certificate_digest({"links": 1, "digest": "?"}) == certificate_digest({"links": 1})
    True
    """
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    return hashlib.sha256(_canonical(rest)).hexdigest()


def data_digest(comparison: Comparison) -> str:
    """Return the SHA-256 of the scaled values and of everything that tells how they are compared."""
    coordinates = comparison.coordinates
    head = {
        "attributes": list(comparison.names),
        "scale": str(comparison.scale),
        "records": [len(coordinates.original), len(coordinates.protected)],
        "texts": [_strings(pair) for pair in coordinates.texts],
    }
    digest = hashlib.sha256(_canonical(head))
    for whole in (coordinates.own, coordinates.rules):
        digest.update(np.ascontiguousarray(whole, dtype="<i8").tobytes())
    for values in (
        coordinates.original,
        coordinates.protected,
        coordinates.divisor,
        coordinates.offset,
        coordinates.missing_one,
        coordinates.missing_both,
        comparison.original_means,
        comparison.protected_means,
    ):
        digest.update(_number_bytes(values))
    return digest.hexdigest()


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _strings(pair: TextPair | None) -> list[list[str]] | None:
    return None if pair is None else [list(pair.original), list(pair.protected)]


def _number_bytes(values: NDArray[np.float64]) -> bytes:
    """Return the numbers as little-endian float64, row by row, with a single kind of NaN and of zero."""
    plain = np.where(np.isnan(values), np.nan, values + 0.0)
    return np.ascontiguousarray(plain, dtype="<f8").tobytes()
