"""Checking certificates, with code that shares nothing with the learner except the reading and scaling of the files.

The verb is `linkrisk.verify`: a certificate against two files. `check_certificate` does the same for files that are
read and compared already. The folders follow a check from top to bottom:

- `boxes`, `cover`: the two kinds of proof that no distance of the family links more;
- `problem`: the two files as the certificate states the problem, links counted again, what a link is worth;
- `families`: the distances, their admissible parameters, and when a row is positive for none of these;
- `certificate`: the file itself, its entries and its digests;
- `exact`: whole numbers and fractions, in which everything is decided that rounding could decide otherwise.
"""

from linkrisk.verifier.certificate.digests import certificate_digest, data_digest
from linkrisk.verifier.certificate.document import read_certificate
from linkrisk.verifier.check import check_certificate
from linkrisk.verifier.verification import Verification

__all__ = [
    "Verification",
    "certificate_digest",
    "check_certificate",
    "data_digest",
    "read_certificate",
]
