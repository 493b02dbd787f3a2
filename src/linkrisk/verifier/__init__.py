"""Checking certificates with code that shares nothing with the solver but the reading and scaling of the files."""

from linkrisk.verifier.digests import certificate_digest, data_digest
from linkrisk.verifier.document import read_certificate
from linkrisk.verifier.files import verify_files
from linkrisk.verifier.verdict import Verdict
from linkrisk.verifier.verify import verify

__all__ = ["Verdict", "certificate_digest", "data_digest", "read_certificate", "verify", "verify_files"]
