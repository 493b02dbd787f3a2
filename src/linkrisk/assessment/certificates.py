"""The folder for certificates of what was learned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.result import Proof
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import learned_families
from linkrisk.data.columns import FilePair
from linkrisk.data.reading import Reading
from linkrisk.data.writing import check_folder, check_writable, folder_for, write_bytes
from linkrisk.differences.scale import Scale
from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.learning.learned import Learned
from linkrisk.learning.proof.certificate import certificate_bytes, certificate_name, make_certificate


@dataclass(frozen=True)
class CertificateFolder:
    """A folder for certificates, with what these say about the files and about how the files were read."""

    folder: Path
    files: FilePair
    reading: Reading
    plan: AttackPlan
    overwrite: bool

    def check(self, attackers: Iterable[Attacker], scales: Iterable[Scale]) -> None:
        """Refuse a folder that cannot be used, and to replace a certificate in it unless that is allowed."""
        check_folder(self.folder)
        families = [family for family in learned_families(attackers) if family.is_verifiable]
        paths = [self.folder / certificate_name(family, scale) for scale in scales for family in families]
        twice = [path.name for path in paths if paths.count(path) > 1]
        if twice:
            raise SettingsError(f"two attackers would write the certificate {twice[0]}; assess them one by one")
        for path in paths if self.folder.is_dir() else ():
            check_writable(path, self.overwrite)

    def make(self, learned: Learned, threads: int | None) -> Proof:
        """Return the certificate of what was learned, and notes for the reader."""
        family, scale = learned.family, learned.problem.comparison.scale
        if not family.is_verifiable:
            return Proof("", b"", (f"no certificate of {family.name}: {family.no_certificate}",))
        with interrupt.set_aside():
            certificate = make_certificate(
                learned,
                original_digest=self.files.original_digest,
                protected_digest=self.files.protected_digest,
                reading=self._reading(),
                time_limit=2.0 * self.plan.learning.seconds,
                threads=threads,
            )
            contents = certificate_bytes(certificate)
        why = (
            "its search of boxes was stopped; give it more time"
            if learned.partition is None
            else "the partition that proves it is not written down"
        )
        note = (
            f"the certificate of {family.name} on scale {scale} proves at most {certificate['bound']:,g} links, not "
            f"{learned.bound:,g}: {why}"
        )
        is_weaker = certificate["bound"] > learned.bound
        return Proof(certificate_name(family, scale), contents, (note,) if is_weaker else ())

    def write(self, proof: Proof) -> None:
        """Write a certificate, if there is one; `FileError` where it cannot be."""
        if proof.name:
            with interrupt.set_aside(), folder_for(self.folder):  # only now: a run that ends before leaves no folder
                path = self.folder / proof.name
                write_bytes(path, proof.contents, confidential=True, overwrite=self.overwrite)

    def _reading(self) -> dict[str, object]:
        """Return how the files were read; of a list of pairs only whether there was one."""
        told = self.reading.plain()
        kept = {name: value for name, value in told.items() if name not in {"attributes", "pairs"}}
        return kept | {"has_pairs_file": told["pairs"], "schema": told["schema"] or {}}
