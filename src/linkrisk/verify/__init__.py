"""Checking certificates with code that shares nothing with the solver but the reading and scaling of the files."""

from linkrisk.verify.digests import certificate_digest, data_digest
from linkrisk.verify.document import read_certificate
from linkrisk.verify.files import verify_files
from linkrisk.verify.verdict import Verdict
from linkrisk.verify.verify import verify

__all__ = ["Verdict", "certificate_digest", "data_digest", "read_certificate", "verify", "verify_files"]
