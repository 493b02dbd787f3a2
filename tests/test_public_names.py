"""The public names of linkrisk, listed: the test fails when one is added or lost (in the manner of httpx)."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import linkrisk

PUBLIC_NAMES: dict[str, list[str]] = {
    "linkrisk": [
        "Assessment",
        "Learning",
        "ReleaseRules",
        "Scenario",
        "__version__",
        "advice",
        "assess",
        "assessment",
        "attackers",
        "compare",
        "data",
        "datasets",
        "differences",
        "distances",
        "errors",
        "frequencies",
        "learning",
        "linkage",
        "loss",
        "losses",
        "match",
        "protect",
        "protection",
        "report",
        "study",
        "tables",
        "tune",
        "verifier",
        "verify",
    ],
    "linkrisk.advice": [
        "AverageLinkage",
        "Release",
        "Releases",
        "Risk",
        "Threat",
        "Trial",
        "Tuning",
        "average_linkage",
    ],
    "linkrisk.assessment": [
        "Assessment",
        "AttackResult",
        "AttributeRisk",
        "Breakdown",
        "GroupRisk",
        "KeyComparison",
        "PopulationRisk",
        "RecordRisk",
        "SampledLinks",
        "Scenario",
        "ScenarioResult",
        "SurveyRisk",
    ],
    "linkrisk.attackers": [
        "ATTACKERS",
        "Attacker",
        "Bilinear",
        "BilinearFree",
        "BilinearHigham",
        "BilinearPSD",
        "Choquet",
        "ChoquetMetric",
        "DistanceStandardised",
        "Family",
        "Informed",
        "Kernel",
        "LearnedAttacker",
        "Mahalanobis",
        "Mahalanobis0",
        "Mean",
        "Median",
        "OWA",
        "OwnAttacker",
        "ParameterSet",
        "Probabilistic",
        "WeightedMean",
        "WeightedMeanMetric",
        "as_attacker",
        "make_attacker",
    ],
    "linkrisk.data": [
        "Attribute",
        "AttributeSchema",
        "CONFIDENTIAL_NOTICE",
        "ColumnPair",
        "FilePair",
        "Kind",
        "RawColumn",
        "RawFile",
        "Role",
        "SUFFIXES",
        "Schema",
        "check_writable",
        "load_schema",
        "make_schema",
        "open_file",
        "pair_files",
        "read_file",
        "write_columns",
        "write_text",
    ],
    "linkrisk.datasets": [
        "ADULT_EDUCATION_ORDER",
        "AGE_GROUP_ORDER",
        "EDUCATION_ORDER",
        "adult_like",
        "census_like",
        "census_like_mixed",
    ],
    "linkrisk.differences": [
        "Comparison",
        "Scale",
        "make_comparison",
    ],
    "linkrisk.distances": [
        "Distance",
        "Family",
        "ParameterSet",
        "Rule",
        "TOLERANCE",
    ],
    "linkrisk.errors": [
        "ColumnError",
        "FileError",
        "InputError",
        "LinkriskError",
        "MissingCodeError",
        "NoChartError",
        "NotApplicableError",
        "OptionError",
        "PairingError",
        "ParameterError",
        "SettingsError",
        "TooFewRecordsError",
    ],
    "linkrisk.frequencies": [
        "Frequencies",
        "KeyRecords",
        "KeyRisk",
        "MissingKeys",
        "count_keys",
        "individual_risk",
        "key_risk",
    ],
    "linkrisk.informed.recognise": ["completed", "recognised", "unexplained"],
    "linkrisk.learning.papers": [
        "BigM",
        "ErrorsResult",
        "ImportedSolution",
        "MARGIN",
        "Milp",
        "MilpResult",
        "Solver",
        "errors_program",
        "make_milp",
        "minimise_errors",
        "minimise_wrong_links",
        "read_solution",
        "solve_milp",
        "write_program",
    ],
    "linkrisk.linkage": [
        "Assignment",
        "DEFAULT_TIES",
        "Linkage",
        "Ties",
        "assign",
        "link_probabilistically",
        "nearest",
    ],
    "linkrisk.losses": [
        "CategoricalLoss",
        "Loss",
        "MissingShares",
        "MomentDifferences",
        "ProbabilisticLoss",
        "PropensityLoss",
        "RegressionLoss",
        "TableDifferences",
        "ValueLoss",
        "Variation",
        "VariationLoss",
        "categorical_loss",
        "il1s",
        "loss_of_pair",
        "missing_shares",
        "moment_differences",
        "probabilistic_loss",
        "propensity_loss",
        "regression_loss",
        "sse_over_sst",
    ],
    "linkrisk.protection": [
        "Groups",
        "METHODS",
        "Method",
        "Plan",
        "Protection",
        "Secret",
        "Step",
        "Strength",
        "add_correlated_noise",
        "add_noise",
        "code_extremes",
        "generalise",
        "individual_ranking",
        "mdav_groups",
        "microaggregate",
        "paper_groups",
        "parse_groups",
        "parse_values",
        "pram",
        "principal_components",
        "rank_swap",
        "read_plan",
        "round_values",
        "z_scores",
    ],
    "linkrisk.report": [
        "as_blocks",
        "as_columns",
        "as_dict",
        "as_html",
        "as_report",
        "as_text",
        "as_verdict",
        "plot",
        "show",
        "write_report",
    ],
    "linkrisk.report.assessment": [
        "blocks",
        "columns",
        "document",
        "verdict",
    ],
    "linkrisk.report.charts": [
        "Attackers",
        "Attributes",
        "Figure",
        "Form",
        "Groups",
        "Interactions",
        "Lattice",
        "LossByPart",
        "Margins",
        "Matches",
        "Records",
        "Reliability",
        "RiskLoss",
        "SearchCourse",
        "ValueChanges",
        "Weights",
        "as_svg",
        "attackers",
        "attributes",
        "course",
        "figures_of",
        "form",
        "groups",
        "interactions",
        "lattice",
        "loss",
        "margins",
        "matches",
        "records",
        "reliability",
        "risk_loss",
        "value_changes",
        "values",
        "values_of",
        "weights",
    ],
    "linkrisk.study": [
        "Group",
        "Specification",
        "Spread",
        "StudyResult",
        "StudyRun",
        "export",
        "load_specification",
        "make_specification",
        "papers",
        "run",
        "show",
    ],
    "linkrisk.study.papers": [
        "Claim",
        "ComparedFigure",
        "ComparedTable",
        "EXPERIMENTS",
        "Experiment",
        "PaperComparison",
        "PublishedTable",
        "Where",
        "compare",
        "run",
        "specification",
    ],
    "linkrisk.tables": [
        "Evidence",
        "MatchReport",
        "Posterior",
        "Publication",
        "TableDescription",
        "categorical_population",
        "draw_sample",
        "load_publication",
        "make_evidence",
        "make_table_description",
        "naive_bounds",
        "naive_posteriors",
        "publish_table",
    ],
    "linkrisk.verifier": [
        "Verification",
        "certificate_digest",
        "check_certificate",
        "data_digest",
        "read_certificate",
    ],
}
"""Every package with public names, and these names; one per line, sorted."""

LAZY = (
    "linkrisk",
    "linkrisk.advice",
    "linkrisk.assessment",
    "linkrisk.attackers",
    "linkrisk.data",
    "linkrisk.differences",
    "linkrisk.linkage",
    "linkrisk.losses",
    "linkrisk.protection",
    "linkrisk.report.charts",
    "linkrisk.study",
    "linkrisk.study.papers",
    "linkrisk.tables",
)
"""Packages that import a name when it is first used, by their mapping `_HOMES`."""


def packages() -> list[ModuleType]:
    """Return linkrisk and all packages inside it."""
    found = pkgutil.walk_packages(linkrisk.__path__, "linkrisk.")
    return [linkrisk, *(importlib.import_module(module.name) for module in found if module.ispkg)]


def test_every_package_with_public_names_is_listed() -> None:
    """Those with `__all__`, and the errors, which are all public."""
    found = {package.__name__ for package in packages() if hasattr(package, "__all__")}
    assert sorted({*found, "linkrisk.errors"}) == sorted(PUBLIC_NAMES)


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_public_names(name: str) -> None:
    """No name is added or lost without a change of this list."""
    module = importlib.import_module(name)
    listed = getattr(module, "__all__", [key for key, value in vars(module).items() if inspect.isclass(value)])
    assert sorted(listed) == PUBLIC_NAMES[name]
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_every_name_is_found(name: str) -> None:
    """Each name is an attribute of its package."""
    module = importlib.import_module(name)
    for public in PUBLIC_NAMES[name]:
        assert getattr(module, public) is not None


@pytest.mark.parametrize("name", LAZY)
def test_type_checkers_see_the_same_names(name: str) -> None:
    """What a type checker imports is, name by name, what is imported at run time; `dir` lists it."""
    module = importlib.import_module(name)
    assert names_for_type_checkers(module) == module._HOMES
    assert dir(module) == sorted(module._HOMES)


@pytest.mark.parametrize("name", LAZY)
def test_every_name_keeps_its_name(name: str) -> None:
    """A function or class has the same name in its own module and in the package."""
    homes: dict[str, str] = importlib.import_module(name)._HOMES
    assert [key for key, home in homes.items() if ":" in home and home.split(":")[1] != key] == []


def test_no_name_hides_a_module() -> None:
    """A function with the name of a module beside it would take its place as attribute of the package."""
    hidden = [
        f"{package.__name__}.{module.name}"
        for package in packages()
        for module in pkgutil.iter_modules(package.__path__)
        if module.name in getattr(package, "__all__", ()) and not inspect.ismodule(getattr(package, module.name))
    ]
    assert hidden == []


def test_import_loads_nothing_heavy() -> None:
    """Nor do the errors, or a look at the names of the lazy packages."""
    heavy = ("numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy")
    look = "linkrisk.errors; dir(linkrisk); dir(linkrisk.data); dir(linkrisk.linkage)"
    code = f"import sys, linkrisk; {look}; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  (our own code)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("name", LAZY)
def test_unknown_names_are_refused(name: str) -> None:
    """A mistyped name is an AttributeError that names the module."""
    with pytest.raises(AttributeError, match=rf"module '{name}' has no attribute 'asses'"):
        importlib.import_module(name).asses  # noqa: B018  (the access is what is tested)


def names_for_type_checkers(module: ModuleType) -> dict[str, str]:
    """Return the names imported under TYPE_CHECKING, and where each is found, as `_HOMES` writes it."""
    assert module.__file__ is not None
    conditions = [node for node in ast.parse(Path(module.__file__).read_text()).body if isinstance(node, ast.If)]
    (block,) = [node for node in conditions if ast.unparse(node.test) == "TYPE_CHECKING"]
    found: dict[str, str] = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for imported in node.names:
            is_package = node.module == module.__name__
            found[imported.asname or imported.name] = f"{node.module}{'.' if is_package else ':'}{imported.name}"
    return found
