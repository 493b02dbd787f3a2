"""A certificate as a file, and as a claim: everything it says except the proof, each entry of the right type."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkrisk.data.opening import read_bytes
from linkrisk.errors import FileError
from linkrisk.printable import file_name
from linkrisk.verifier.certificate.digests import certificate_digest
from linkrisk.verifier.certificate.fields import (
    as_exacts,
    as_list,
    as_mapping,
    as_number,
    as_numbers,
    as_text,
    as_whole,
    check_keys,
    entry,
)
from linkrisk.verifier.exact.rationals import Number
from linkrisk.verifier.verification import Rejection

FORMAT = 2

KEYS = (
    "confidential", "certificate", "version", "original", "protected", "data", "reading", "attacker", "attributes",
    "scale", "ties", "tolerance", "weights", "parameters", "links", "bound", "status", "n_pairs", "lost", "proof",
    "digest",
)  # fmt: skip

TIES = ("unique", "class", "expected")
STATUSES = ("optimal", "time_limit", "interrupted", "unsettled", "repaired", "sampled")

_HASH = re.compile("[0-9a-f]{64}")
_ARCHIVE = b"\x1f\x8b"
_LONG_NUMBER = re.compile(rb"[\[,:\s.+-][0-9]{4001}")

MOST_BYTES = 1 << 30
"""Bytes of the largest certificate that is read."""

LEAST_BYTES = 1 << 20
RATIO = 64
"""A file unpacks to at most `LEAST_BYTES` and so many times its own size (written certificates: 3 to 20 times)."""

BYTES_PER_ENTRY = 6
"""Lists and objects that are all but empty take far more memory than text: a file has at most one in so many bytes."""


@dataclass(frozen=True)
class Claim:
    """What a certificate says, except the proof; entries have the right types, but are not checked otherwise."""

    attacker: str
    floor: float | None
    additivity: int | None
    attributes: tuple[str, ...]
    scale: str
    ties: str
    tolerance: float
    weights: list[float] | None
    parameters: list[Number]
    links: float
    bound: float
    status: str
    n_pairs: int
    data: str
    original: str
    protected: str


def read_certificate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a certificate; raise `FileError` where the file is not one."""
    name = file_name(path)
    contents = read_bytes(path, most=MOST_BYTES)
    try:
        value = _parsed(_unpacked(contents) if contents[:2] == _ARCHIVE else contents)
    except (EOFError, zlib.error, ValueError, RecursionError):
        raise FileError(
            f"{name} is damaged, or not a certificate; make it again with certificates (--certificates)"
        ) from None
    if not isinstance(value, dict) or "certificate" not in value:
        raise FileError(f"{name} is not a certificate; give a file that was written with certificates (--certificates)")
    return value


def make_claim(certificate: Mapping[str, Any]) -> Claim:
    """Return the claim of a certificate; raise `Rejection` where it does not follow the format."""
    where = "The certificate"
    if as_whole(entry(certificate, "certificate", where), "The format of the certificate") != FORMAT:
        raise Rejection(f"The certificate is not of format {FORMAT}")
    _check_digest(certificate)
    check_keys(certificate, KEYS, where)
    for key in KEYS:
        entry(certificate, key, where)
    as_text(certificate["confidential"], "The notice of the certificate")
    as_text(certificate["version"], "The version of the certificate")
    attacker = as_mapping(certificate["attacker"], "The attacker")
    check_keys(attacker, ("name", "floor", "additivity"), "The attacker")
    weights = certificate["weights"]
    names = as_list(certificate["attributes"], "The list of attributes")
    return Claim(
        attacker=as_text(entry(attacker, "name", "The attacker"), "The name of the attacker"),
        floor=None if attacker.get("floor") is None else as_number(attacker["floor"], "The floor of the attacker"),
        additivity=_additivity(attacker.get("additivity")),
        attributes=tuple(as_text(name, "The name of an attribute") for name in names),
        scale=as_text(certificate["scale"], "The scale"),
        ties=_one_of(certificate["ties"], TIES, "The rule for ties"),
        tolerance=as_number(certificate["tolerance"], "The tolerance", least=0.0),
        weights=None if weights is None else as_numbers(weights, "the list of weights", least=0.0),
        parameters=as_exacts(certificate["parameters"], "the list of parameters"),
        links=as_number(certificate["links"], "The number of links", least=0.0),
        bound=as_number(certificate["bound"], "The bound", least=0.0),
        status=_one_of(certificate["status"], STATUSES, "The status"),
        n_pairs=as_whole(certificate["n_pairs"], "The number of pairs"),
        data=_hash(certificate["data"], "The digest of the data"),
        original=as_text(certificate["original"], "The digest of the original file"),
        protected=as_text(certificate["protected"], "The digest of the protected file"),
    )


def _unpacked(contents: bytes) -> bytes:
    """Return the contents of a gzip archive; raise where they are out of all proportion to its size."""
    most = min(MOST_BYTES, LEAST_BYTES + RATIO * len(contents))
    reader = zlib.decompressobj(wbits=31)
    text = reader.decompress(contents, most + 1)
    if len(text) > most:
        raise ValueError("the file unpacks to too much")
    if not reader.eof or reader.unused_data:
        raise EOFError("the archive is cut off, or something follows it")
    return text


def _parsed(text: bytes) -> Any:
    """Return the value of a JSON text; raise where it would take memory or time out of proportion to its size."""
    if len(text) > MOST_BYTES or _LONG_NUMBER.search(text):
        raise ValueError("the text, or a number in it, is too long")
    if BYTES_PER_ENTRY * (text.count(b"[") + text.count(b"{")) > LEAST_BYTES + len(text):
        raise ValueError("the text holds more lists and objects than a certificate does")
    return json.loads(text.decode("utf-8"), object_pairs_hook=_without_repeats, parse_constant=_not_a_number)


def _check_digest(certificate: Mapping[str, Any]) -> None:
    """Raise `Rejection` unless the digest is that of all other entries: nothing was changed afterwards."""
    digest = _hash(entry(certificate, "digest", "The certificate"), "The digest of the certificate")
    try:
        own = certificate_digest(certificate)
    except (TypeError, ValueError, RecursionError):
        raise Rejection("The certificate has an entry that cannot be written as JSON") from None
    if digest != own:
        raise Rejection("The certificate was changed after it was made: its digest is not that of its contents")


def _additivity(value: Any) -> int | None:
    return None if value is None else as_whole(value, "The additivity of the attacker", least=1)


def _one_of(value: Any, known: tuple[str, ...], where: str) -> str:
    if as_text(value, where) not in known:
        raise Rejection(f"{where} is not one of {', '.join(known)}")
    return str(value)


def _hash(value: Any, where: str) -> str:
    if not _HASH.fullmatch(as_text(value, where)):
        raise Rejection(f"{where} is not a SHA-256 digest")
    return str(value)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; a name may not occur twice, because two readers could then read it differently."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a name is given twice")
    return result


def _not_a_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")
