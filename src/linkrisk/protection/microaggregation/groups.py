"""Microaggregation of groups of attributes: what all methods do, whatever makes their clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.protection.microaggregation.clusters import choose_centroids
from linkrisk.protection.microaggregation.holes import Microaggregation, Points, hole_notes
from linkrisk.protection.parameters import check_cluster_sizes, check_groups
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import check_quantities, code_notes
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed


@dataclass(frozen=True)
class GroupMethod:
    """A method that clusters records by groups of attributes.

    Parameters
    ----------
    name, title
        What the command line calls it, and a report.
    kinds
        Kinds of attributes that it takes.
    points, cluster
        How records without missing values become points, and these clusters of k.
    parameters
        What the method was asked for besides groups, k, centroid and continuous.
    """

    name: str
    title: str
    kinds: frozenset[Kind]
    points: Points
    cluster: Callable[[FloatArray, int], IntArray]
    parameters: Mapping[str, Any]

    def protect(
        self,
        table: Frame,
        groups: Sequence[Sequence[Name]],
        k: int | Sequence[int],
        *,
        centroid: str | Mapping[Any, str] | None,
        continuous: bool,
        leave: Sequence[Name],
    ) -> Protection:
        """Replace each record by the centroid of its cluster, for each group of attributes on its own.

        The parameters are those of `linkrisk.protection.microaggregate`, and so is what is raised.
        """
        checked = check_groups(groups)
        used = [name for group in checked for name in group]
        table.check_covered(used, leave)
        sizes = check_cluster_sizes(k, len(checked), table.n_records)
        before = table.columns(used, self.kinds, self.title)
        centroids = choose_centroids(before, centroid)
        averaged = [column for column in before if centroids[column.name] != "mode"]
        check_quantities(averaged, self.name, table.source.name)
        columns = {column.name: column for column in before}
        details = []
        for group, size in zip(checked, sizes, strict=True):
            clustering = Microaggregation([columns[name] for name in group], size, self.points, self._clusters_of(size))
            new, detail = clustering.protected(centroids, table.source, continuous=continuous)
            columns |= {column.name: column for column in new}
            details.append(detail)
        after = list(columns.values())
        own = {**self.parameters, "centroid": centroids, "continuous": continuous, "leave": tuple(leave)}
        return Protection(
            data=table.with_columns(after),
            method=self.name,
            title=self.title,
            parameters={"groups": checked, "k": sizes, **own},
            details=tuple(details),
            n_records=table.n_records,
            notes=(*code_notes(before), *hole_notes(details)),
            changed=shares_changed(before, after),
        )

    def _clusters_of(self, k: int) -> Callable[[FloatArray], IntArray]:
        return lambda points: self.cluster(points, k)
