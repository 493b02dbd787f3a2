"""The demo: a generated file, protected by microaggregation and noise, ready to be assessed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkrisk.cli.assess import carry_out

GROUPS = (("AFNLWGT", "AGI", "EMCONTRB"), ("FEDTAX", "PTOTVAL"))
K = (3, 8)
NOISY = ("STATETAX", "TAXINC")
LABELS = ("region", "education")
RECORDS = ("microaggregation.json", "noise.json")

ASSESSMENT = """# The assessment of the demo; run it again with: linkrisk run assessment.toml
original = "original.csv"
protected = "protected.csv"
attributes = ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC", "region"]
published = ["microaggregation.json", "noise.json"]
attackers = ["mean", "distance_standardised", "kernel", "informed", "weighted_mean", "choquet"]
scales = ["separate", "ranks"]
time_limit = 0.5
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


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the files of the demo.")] = Path("demo-output"),
    n_records: Annotated[int, typer.Option("--records", min=50, help="Records to generate.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the generated data.")] = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files of an earlier demo.")] = False,
) -> None:
    """Generate a file, protect it, assess it, and write everything to a folder."""
    from linkrisk.assessment.file import load_assessment_file  # noqa: PLC0415

    make_demo(out, n_records, seed, overwrite=overwrite)
    carry_out(load_assessment_file(out / "assessment.toml"))


def make_demo(folder: Path, n_records: int, seed: int, *, overwrite: bool) -> None:
    """Write original, protected, what is published about it, and the assessment file to a folder.

    Five numeric attributes are microaggregated (raw values, as in the papers), two get noise, and region and education
    stay as they are. The seed of the noise is fixed, because the data are generated and belong to nobody.
    """
    from linkrisk.data.writing import check_writable, make_folder, write_columns, write_json, write_text  # noqa: PLC0415
    from linkrisk.datasets import census_like, census_like_mixed  # noqa: PLC0415
    from linkrisk.protection import add_noise, microaggregate  # noqa: PLC0415

    make_folder(folder)
    paths = {name: folder / name for name in ("original.csv", "protected.csv", "assessment.toml", *RECORDS)}
    certificates = folder / "certificates"
    written = sorted(certificates.glob("*")) if certificates.is_dir() else []
    for path in (*paths.values(), folder / "assessment.json", folder / "records.csv", *written):
        check_writable(path, overwrite)
    numeric = census_like(n_records, seed=seed)[[*GROUPS[0], *GROUPS[1], *NOISY]]
    people = numeric.join(census_like_mixed(n_records, seed=seed)[[*LABELS]])
    clustered = microaggregate(people, GROUPS, K, leave=(*NOISY, *LABELS), raw=True)
    rest = (*GROUPS[0], *GROUPS[1], *LABELS)
    noisy = add_noise(clustered.data, dict.fromkeys(NOISY, 16.0), secret_seed=seed, leave=rest)
    for name, frame in (("original.csv", people), ("protected.csv", noisy.data)):
        columns = {column: frame[column].to_numpy() for column in frame.columns}
        write_columns(paths[name], columns, confidential=name == "original.csv", overwrite=overwrite)
    for name, protection in zip(RECORDS, (clustered, noisy), strict=True):
        write_json(paths[name], protection.to_dict(), overwrite=overwrite)
    write_text(paths["assessment.toml"], ASSESSMENT, confidential=False, overwrite=overwrite)
