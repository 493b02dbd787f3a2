"""Microaggregation by MDAV: clusters of k to 2k - 1 records, each replaced by its centroid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.protection.ladders import cluster_sizes
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.microaggregation.clusters import check_cluster_bounds, exponent_of
from linkrisk.protection.microaggregation.coordinates import make_points
from linkrisk.protection.microaggregation.groups import GroupMethod
from linkrisk.protection.parameters import check_cluster_size, check_variant
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.columns import ALL, QUANTITIES, Name
from linkrisk.protection.values.frame import Frame

VARIANTS = ("classic", "fast")
BLOCK = 10_000
"""Most records in a block of the fast variant."""

STROKE = 10**8
"""Values compared before Ctrl-C is looked for again: a fraction of a second."""


def microaggregate(
    data: Any,
    groups: Sequence[Sequence[Name]],
    k: int | Sequence[int],
    *,
    raw: bool = False,
    centroid: str | Mapping[Any, str] | None = None,
    variant: str = "classic",
    continuous: bool = False,
    leave: Sequence[Name] = (),
    schema: Any = None,
    progress: Progress = no_progress,
) -> Protection:
    """Replace each record by the centroid of its cluster, for each group of attributes on its own.

    Clusters come from MDAV (`mdav_groups`). The distance of two records is the root of the sum of their attributes'
    differences: (x - y)^2 for numbers and days, 0 or 1 for nominal attributes, ((x - y) / (c - 1))^2 for the ranks x
    and y of an ordinal attribute with c categories. The mean of several records is that of the coordinates behind these
    differences (`linkrisk.protection.microaggregation.coordinates`); a nominal attribute has one coordinate per
    category. The papers' file M5-38, for instance, is ``groups=[V1 V2 V3, V4 V5], k=[3, 8], raw=True``.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    groups
        Columns that are protected together, group by group; no column twice.
    k
        Least number of records in a cluster, one for all groups or one for each; 2 <= k <= n / 2.
    raw
        Cluster raw values, as some of the papers do; the attribute with the largest numbers then drives the clusters.
        By default each attribute is divided by the root of half its mean difference between two records, which for
        numbers is the standard deviation, so that all weigh the same. The values released are centroids of raw
        values either way.
    centroid
        ``"mean"`` (numbers), ``"median"`` (numbers, ordinal) or ``"mode"`` (all kinds), for all columns or by name;
        by default mean for numeric attributes and dates, median for ordinal, mode for nominal ones.
    variant
        ``"classic"``, or ``"fast"`` for 10^6 records: the file is first cut at medians into blocks of 5,000 to
        10,000 records, and MDAV runs in each. Clusters differ from the classic ones near the cuts, their sizes
        keep the same bounds.
    continuous
        Release means with all their digits. By default they are rounded to the decimals of their column, halves to
        even: means of whole numbers are whole, those of dates are days.
    leave
        Columns to release as they are. A column that is neither protected nor named here is an error.
    schema
        Kinds, orders and missing codes, as for `linkrisk.assess`; kinds are inferred where it says nothing.
    progress
        Told how far the clustering of a group is.

    Returns
    -------
    Protection
        ``details`` holds a `MicroaggregatedGroup` for each group: k reached, sizes of clusters, SSE/SST. Protected
        numbers are float64; other columns keep their type and spelling. There is no secret: the method draws nothing.

    Raises
    ------
    ParameterError
        If a k is out of range, groups overlap or leave columns out (they are named), or a centroid has no meaning
        for the kind of a column.
    ColumnError
        If a column is unknown, holds free text or infinite values; if its centroid is no mode, it looks like codes or
        an id, and is not declared numeric (`linkrisk.protection.values.codes`); if a record has values that fewer than
        k others have (`linkrisk.protection.microaggregation.holes`).

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: every combination of protected values of a
    group belongs to at least k records (clusters have k to 2k - 1), and the mean of each attribute whose centroid is
    the mean is kept up to rounding: by at most half a unit of its last decimal, less by far where many means are
    rounded. Rounding can only make clusters alike, never unlike, so it leaves the promise of k as it is.

    *Missing values* stay missing. Records that lack the same values are clustered with each other where there are k of
    them; others join the nearest cluster that has all the values they have. So every combination of values that a
    record shows is shown by at least k records, but which values are missing may still tell records apart: they are
    counted (`linkrisk.protection.microaggregation.holes`). Clusters that others joined can be larger than 2k - 1.

    Ties go by file order, so the same file always gives the same result. Where a
    cluster has two middle categories, the median is the lower one; where it has several modes, the one that comes first
    in the file is taken. Cost: that of `mdav_groups` for each group; a nominal attribute counts as many columns as it
    has categories.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure
    control, IEEE Trans. Knowledge and Data Engineering 14(1); for other kinds Domingo-Ferrer, Torra (2005),
    Ordinal, continuous and heterogeneous k-anonymity through microaggregation, Data Mining and Knowledge Discovery
    11(2); abril2012-weights.txt, section 4.2.

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[1, 10], [9, 20], [3, 30], [7, 40], [5, 50], [5, 60]])
    >>> protection = microaggregate(people, groups=[[0]], k=2, leave=[1])
    >>> protection.data[:, 0].tolist()
    [2.0, 8.0, 2.0, 8.0, 5.0, 5.0]
    >>> protection
    Protection by MDAV microaggregation of 6 records
      0: k = 2, 3 clusters of 2 to 2 records, SSE/SST 0.1000
      values changed: 0 66.7%
      left as they are: 1
    """
    how = GroupMethod(
        name="mdav",
        title="MDAV microaggregation",
        kinds=ALL,
        points=lambda shown: make_points(shown, raw=raw),
        cluster=lambda points, k: mdav_groups(points, k, variant=variant, progress=progress),
        parameters={"raw": raw, "variant": variant},
    )
    table = Frame.of(data, schema)
    return how.protect(table, groups, k, centroid=centroid, continuous=continuous, leave=leave)


MDAV = Method(
    "mdav",
    microaggregate,
    "microaggregation, each record replaced by the mean of its cluster of k similar ones",
    needed=("groups", "k"),
    optional=("raw", "centroid", "continuous", "progress"),
    variants=VARIANTS,
    shared=("centroid", "continuous"),
    by_default=QUANTITIES,
    strength=Strength("k", cluster_sizes),
)


def mdav_groups(points: ArrayLike, k: int, *, variant: str = "classic", progress: Progress = no_progress) -> IntArray:
    """Cluster records by classic MDAV (maximum distance to average vector).

    While 3k or more records are left, the record farthest from the mean of those left forms a cluster with
    its k - 1 nearest, then the record farthest from that one does with its own k - 1 nearest. If 2k or more
    are left, one more cluster starts from the record farthest from their mean. The rest is the last cluster.

    Parameters
    ----------
    points
        Finite numbers, one row per record, one column per attribute.
    k
        Least size of a cluster, 2 <= k <= n / 2.
    variant
        ``"classic"`` as above, or ``"fast"``: blocks first, by cuts at the median of the coordinate of largest
        range until a block has at most 10,000 records, then the above in each block, on all cores.
    progress
        Told how many records, or blocks, are done.

    Returns
    -------
    numpy.ndarray
        The number of each record's cluster, from 0 in the order the clusters are made.

    Raises
    ------
    ParameterError
        If k is out of range, the points are no table of finite numbers, or there is no such variant.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: every cluster has k to 2k - 1 records.

    Ties, for farthest and for nearest, go by file order. Values are multiplied by a power of two and nothing
    else, and distances to a mean are compared as distances of n x to the sum, so ties between whole numbers
    are recognised as long as (n times the range)^2 stays below 2^53. Beyond that, and for fractions, two
    records that are equally far can differ in the last bits: rounding then decides, on every machine alike.

    Cost: n^2 / k scanned records times the number of attributes, on one core (10^4 x 7 with k = 5 in a tenth
    of a second, 10^5 in about 12 seconds); memory is that of three copies of the points. The fast variant scans
    n times the size of a block over k.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), as in `microaggregate`.

    Examples
    --------
    Records 0 and 1 are equally far from the mean, 5: file order lets 0 begin, with 2. Record 1 is farthest
    from it, and takes 3. Records 4 and 5 are the rest.

    >>> mdav_groups([[1], [9], [3], [7], [5], [5]], k=2).tolist()
    [0, 1, 0, 1, 2, 2]
    """
    values = np.array(points, dtype=np.float64, order="C")
    if values.ndim != 2 or values.shape[1] == 0 or not np.isfinite(values).all():
        raise ParameterError("points must be a table of finite numbers with at least one column")
    check_variant("mdav", variant, VARIANTS)
    size = check_cluster_size(k, len(values))
    small = np.ldexp(values, -exponent_of(values))
    labels = _labels_by_blocks(small, size, progress) if variant == "fast" else _labels(small, size, progress)
    check_cluster_bounds(np.bincount(labels), size)
    return labels


def _labels(points: FloatArray, k: int, progress: Progress) -> IntArray:
    """Run MDAV in steps of a fraction of a second, and look for Ctrl-C between them."""
    from linkrisk.protection.microaggregation import mdav_kernel  # noqa: PLC0415  (numba is slow to import)

    clustering = mdav_kernel.start_clustering(points)
    n_left = len(points)
    while n_left >= 3 * k:
        interrupt.check()
        mdav_kernel.make_pairs(clustering, k, 1 + STROKE // (n_left * points.shape[1]))
        n_left = int(clustering.counts[0])
        progress(len(points) - n_left, len(points))
    mdav_kernel.finish_clustering(clustering, k)
    return clustering.labels


def _labels_by_blocks(points: FloatArray, k: int, progress: Progress) -> IntArray:
    """Run MDAV in blocks, several at a time; clusters are numbered block by block."""
    from linkrisk.engine.threads import for_chunks  # noqa: PLC0415  (only the fast variant)

    blocks = _cut_into_blocks(points, max(BLOCK, 4 * k))
    found: list[IntArray] = [np.zeros(0, np.int64)] * len(blocks)

    def work(piece: slice) -> None:
        for place in range(piece.start, piece.stop):
            found[place] = _labels(points[blocks[place]], k, no_progress)

    for_chunks(work, len(blocks), 1, progress=progress)
    labels = np.empty(len(points), np.int64)
    n_clusters = 0
    for block, own in zip(blocks, found, strict=True):
        labels[block] = own + n_clusters
        n_clusters += int(own.max()) + 1
    return labels


def _cut_into_blocks(points: FloatArray, most: int) -> list[IntArray]:
    """Halve the records at the median of the coordinate of largest range until no block has more than ``most``."""
    waiting = [np.arange(len(points))]
    blocks = []
    while waiting:
        block = waiting.pop()
        if len(block) <= most:
            blocks.append(block)
            continue
        own = points[block]
        widest = int(np.argmax(own.max(axis=0) - own.min(axis=0)))
        order = np.argsort(own[:, widest], kind="stable")
        middle = len(block) // 2
        waiting += [np.sort(block[order[middle:]]), np.sort(block[order[:middle]])]
    return blocks
