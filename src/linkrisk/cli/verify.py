"""Checking a certificate from the command line: the files are read again as the certificate says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkrisk.cli.progress import TerminalReporter
from linkrisk.compare.comparison import Comparison, compare
from linkrisk.compare.scales import Scale
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.errors import InputError, SettingsError
from linkrisk.verify.document import read_certificate
from linkrisk.verify.verdict import Verdict
from linkrisk.verify.verify import verify


def verify_files(
    certificate: Path, original: Path, protected: Path, pairs: Path | None, reporter: TerminalReporter
) -> Verdict:
    """Read certificate and files, and check the one against the others."""
    contents = read_certificate(certificate)
    reporter.step(f"checking {certificate.name}")
    try:
        files, comparison = _read(contents, original, protected, pairs)
    except InputError as problem:
        return Verdict(False, f"The files cannot be read as the certificate says: {problem}")
    digests = (files.original_digest, files.protected_digest)
    return verify(contents, comparison, file_digests=digests, progress=reporter.progress)


def _read(
    contents: Mapping[str, Any], original: Path, protected: Path, pairs: Path | None
) -> tuple[FilePair, Comparison]:
    """Read the two files as they were read for the assessment."""
    reading = contents.get("reading")
    attributes, scale = contents.get("attributes"), contents.get("scale")
    if not isinstance(reading, Mapping) or not isinstance(attributes, list) or scale not in list(Scale):
        raise SettingsError("the certificate does not say how its files were read")
    if reading.get("has_pairs_file") and pairs is None:
        raise SettingsError("the records were paired by a file; give it with --pairs")
    files = pair_files(
        original,
        protected,
        attributes=attributes,
        schema=reading.get("schema"),
        id=reading.get("id"),
        pairs=pairs,
        match=reading.get("match"),
        missing=reading.get("missing"),
        delimiter=reading.get("delimiter"),
    )
    return files, compare(files, scale)
