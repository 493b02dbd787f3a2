"""The demo: a generated file, protected by microaggregation and noise, and the assessment of both."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from linkrisk.data import writing
from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.datasets.census import census_columns
from linkrisk.datasets.mixed import mixed_columns
from linkrisk.protection import add_noise, microaggregate

GROUPS = (("AFNLWGT", "AGI", "EMCONTRB"), ("FEDTAX", "PTOTVAL"))
K = (3, 8)
NOISY = ("STATETAX", "TAXINC")
LABELS = ("region", "education")
RECORDS = ("microaggregation.json", "noise.json")
FILES = ("original.csv", "protected.csv", "assessment.toml", "assessment.json", "records.csv", *RECORDS)

ASSESSMENT = """# The assessment of the demo; run it again with: linkrisk run assessment.toml
original = "original.csv"
protected = "protected.csv"
attributes = ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC", "region"]
published = ["microaggregation.json", "noise.json"]
attackers = ["mean", "distance_standardised", "kernel", "informed", "weighted_mean", "choquet"]
scales = ["separate", "ranks"]
time_limit = 0.3
certificates = "certificates"
json = "assessment.json"
records = "records.csv"
overwrite = true

[schema.attributes.education]
role = "confidential"

[[scenario]]
name = "tax office"
attributes = ["FEDTAX", "STATETAX", "TAXINC"]

[[scenario]]
name = "a colleague who knows a tenth of the people"
attributes = ["PTOTVAL", "region"]
people = 0.1
"""


def make_demo(folder: Path, n_records: int, seed: int, *, overwrite: bool) -> None:
    """Write original, protected, what is published about it, and the assessment file to a folder.

    Five numeric attributes are microaggregated (raw values, as in the papers), two get noise, and region and education
    stay as they are. The seed of the noise is fixed, because the data are generated and belong to nobody.
    """
    writing.check_folder(folder)
    writing.make_folder(folder)
    for path in files_of_demo(folder):
        if path.parent in (folder, folder / "certificates") and path.name != "certificates":
            writing.check_writable(path, overwrite)
    numbers, labels = census_columns(n_records, seed), mixed_columns(n_records, seed)
    people = {name: numbers[name] for name in (*GROUPS[0], *GROUPS[1], *NOISY)} | {
        name: labels[name] for name in LABELS
    }
    cells = {name: column.astype(np.float64) if name in numbers else column for name, column in people.items()}
    original = RawFile("original.csv", tuple(RawColumn(*column) for column in cells.items()), n_records, digest="")
    clustered = microaggregate(original, GROUPS, K, leave=(*NOISY, *LABELS), raw=True)
    rest = (*GROUPS[0], *GROUPS[1], *LABELS)
    noisy = add_noise(clustered.data, dict.fromkeys(NOISY, 16.0), secret_seed=seed, leave=rest)
    columns = {"original.csv": people, "protected.csv": {column.name: column.cells for column in noisy.data.columns}}
    records = zip(RECORDS, (clustered, noisy), strict=True)
    files = [
        *(writing.column_file(folder / n, found, confidential=n == "original.csv") for n, found in columns.items()),
        *(writing.json_file(folder / name, protection.to_dict()) for name, protection in records),
        writing.text_file(folder / "assessment.toml", ASSESSMENT, confidential=False),
    ]
    writing.write_together(files, overwrite=overwrite)


def files_of_demo(folder: Path) -> list[Path]:
    """Return the files of a demo, those inside a folder before it, and the folders above, whether or not they exist."""
    certificates = folder / "certificates"
    try:
        proofs = sorted(certificates.glob("*"))
    except OSError:
        proofs = []
    return [*proofs, certificates, *(folder / name for name in FILES), folder, *folder.parents]
