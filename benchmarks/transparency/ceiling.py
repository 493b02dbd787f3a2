"""No intruder who was not fitted to true pairs exceeds `bayes`, beyond chance: tried on a thousand files.

For each file, attacker, scale and way (nearest, or one to one) the expected links less the ceiling are added up. The
mean over files of what is left, over its standard error, is z: were the claim true, it would be below the threshold
for all of them with 95 % probability (Bonferroni: one-sided, 5 % over the number of sums). `above` counts from the
ceiling's upper figure, which is what is claimed; `below` from its lower one, the links that the informed intruder
expects himself: for him it tells on both sides whether he knows how much he knows.
"""

from __future__ import annotations

import math
import statistics
import warnings
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from benchmarks.table import Row
from benchmarks.transparency.ceiling_files import MAKERS, make_release
from benchmarks.transparency.columns import show_line
from benchmarks.transparency.release import Release, assigned_links, informed_attack, nearest_links
from benchmarks.transparency.releases import UNFITTED
from linkrisk import Assessment
from linkrisk.errors import LinkriskError

N_FILES = 1000
CHANCE = 0.05
EVERY = 100
"""Files after which what was found so far is printed."""

LEAST_FILES = 10
"""Files from which on a mean has a standard error worth the name."""

Key = tuple[str, str, str]
"""Method, attacker with scale, way."""


@dataclass
class Sums:
    """What was found less the ceiling, file by file."""

    above: dict[Key, list[float]] = field(default_factory=lambda: defaultdict(list))
    below: dict[Key, list[float]] = field(default_factory=lambda: defaultdict(list))
    n_without: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    n_unsettled: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, method: str, result: Assessment) -> None:
        """Add one file; files without a ceiling are counted."""
        ceiling = informed_attack(result).ceiling
        if ceiling is None:
            self.n_without[method] += 1
            return
        self.n_unsettled[method] += not ceiling.is_converged
        for attack in result.attacks:
            ways = {"nearest": nearest_links(attack), "one to one": assigned_links(attack)}
            for way, links in ways.items():
                key = (method, f"{attack.name}, {attack.scale}", way)
                self.above[key].append(links - ceiling.links)
                self.below[key].append(links - ceiling.lower)

    def counted(self) -> list[Key]:
        """Return the sums of enough files."""
        return [key for key, values in self.above.items() if len(values) >= LEAST_FILES]

    @property
    def threshold(self) -> float:
        """Return the z that none of so many sums exceeds with 95 % probability, if all claims are true."""
        return statistics.NormalDist().inv_cdf(1.0 - CHANCE / max(1, len(self.counted())))


def z_score(values: list[float]) -> float:
    """Return the mean over its standard error; 0 where nothing varies and nothing is exceeded.

    >>> round(z_score([1.0, 2.0, 3.0]), 3), z_score([0.0, 0.0])
    (3.464, 0.0)
    """
    deviation = statistics.stdev(values)
    mean = statistics.fmean(values)
    if deviation < 1e-12:
        return 0.0 if abs(mean) < 1e-9 else math.copysign(math.inf, mean)
    return mean / (deviation / math.sqrt(len(values)))


def ceiling_rows(n_files: int = N_FILES, methods: tuple[str, ...] = tuple(MAKERS), first: int = 0) -> list[Row]:
    """Attack files of all methods in turn; print z of every sum now and then, and at the end."""
    sums = Sums()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(first, first + n_files):
            method = methods[number % len(methods)]
            try:
                release = make_release(method, number)
            except LinkriskError as problem:  # such as a column that would not change
                print(f"  {method} {number} is left out: {problem}", flush=True)
                continue
            sums.add(method, attacked(release, number))
            if (number - first + 1) % EVERY == 0:
                _show(sums, number - first + 1)
    _show(sums, n_files)
    return _rows(sums)


def attacked(release: Release, number: int) -> Assessment:
    """Let everybody attack who needs no true pair: weights drawn at random, too."""
    weights = np.random.default_rng(number).dirichlet(np.ones(release.original.shape[1]))
    return release.assessed([*UNFITTED, {"name": "weighted_mean", "weights": weights.tolist()}, "informed"])


def _show(sums: Sums, n_files: int) -> None:
    """Print, for each method, who comes nearest to the ceiling, or exceeds it."""
    counted = sums.counted()
    print(f"\n{n_files} files, {len(counted)} sums, threshold z = {sums.threshold:.2f}", flush=True)
    show_line("method, files", ["highest z above", "who", "informed, z below", "informed, mean below"])
    for method in dict.fromkeys(key[0] for key in counted):
        ours = [key for key in counted if key[0] == method]
        worst = max(ours, key=lambda key: z_score(sums.above[key]))
        informed = (method, "informed, values", "nearest")
        below = sums.below[informed]
        doubt = f", {sums.n_unsettled[method]} not converged" if sums.n_unsettled[method] else ""
        show_line(
            f"{method}, {len(below)}{doubt}",
            [
                f"{z_score(sums.above[worst]):.2f}",
                f"{worst[1]} {worst[2][:3]}",
                f"{z_score(below):.2f}",
                f"{statistics.fmean(below):+.3f}",
            ],
        )
    for method, number in sums.n_without.items():
        print(f"{method}: no ceiling for {number} files", flush=True)
    for key in counted:
        if z_score(sums.above[key]) > sums.threshold:
            print(f"EXCEEDED: {key}: z = {z_score(sums.above[key]):.2f}, mean {statistics.fmean(sums.above[key]):+.3f}")


def _rows(sums: Sums) -> list[Row]:
    rows = [Row("threshold of z", sums.threshold, "")]
    for key in sums.counted():
        rows.append(Row(f"{', '.join(key)}: z above bayes", z_score(sums.above[key]), "", goal="below the threshold"))
        rows.append(Row(f"{', '.join(key)}: mean less bayes", statistics.fmean(sums.above[key]), ""))
    return rows
