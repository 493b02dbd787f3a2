"""An example for every command, as its ``--help`` shows it; the tests run them all."""

from __future__ import annotations

EXAMPLES = {
    "linkrisk": ("linkrisk demo --records 200",),
    "demo": ("linkrisk demo --records 200 --out demo-output",),
    "serve": ("linkrisk serve", "linkrisk serve --port 8765 --no-browser"),
    "protect": ("linkrisk protect original.csv --method noise --p 20 --out protected.csv --record protected.json",),
    "assess": (
        "linkrisk assess original.csv protected.csv --json risk.json --certificates proofs",
        "linkrisk assess original.csv protected.csv --attackers mean,kernel --max-rate 0.05 || echo 'not released'",
    ),
    "verify": ("linkrisk verify proofs/weighted_mean.separate.certificate.json.gz original.csv protected.csv",),
    "run": ("linkrisk run assessment.toml",),
    "loss": ("linkrisk loss original.csv protected.csv --json loss.json",),
    "compare": ("linkrisk compare original.csv protected.csv stronger.csv --attackers mean",),
    "tune": ("linkrisk tune original.csv --method noise --target-rate 0.1 --trials 12 --attackers mean",),
    "match": ("linkrisk match survey.csv register.csv --population 1000",),
    "study": ("linkrisk study run study.toml",),
    "study run": ("linkrisk study run study.toml --store noise.study --workers 2",),
    "study show": ("linkrisk study show noise.study --json noise.json",),
    "study export": ("linkrisk study export noise.study noise.parquet",),
    "study papers": ("linkrisk study papers",),
}
"""Commands in the order in which they build on each other's files, each with lines as a user types them."""


def example_of(command: str) -> str:
    """Return what the help of a command shows below its options.

    >>> print(example_of("run"))
    Example:
    <BLANKLINE>
    linkrisk run assessment.toml
    """
    lines = EXAMPLES[command]
    return "\n\n".join([f"Example{'s' if len(lines) > 1 else ''}:", *lines])
