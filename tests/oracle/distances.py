"""Every distance from its definition, on whatever numbers it is given (Fractions give exact results)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.oracle.measures import Measure

Numbers = Sequence[Any]
Matrix = Sequence[Numbers]


def weighted(d: Numbers, weights: Numbers) -> Any:
    """Sum of p_k d_k."""
    return sum(p * x for p, x in zip(weights, d, strict=True))


def mean(d: Numbers) -> Any:
    """Sum of d_k over n."""
    return sum(d) / Fraction(len(d))


def median(d: Numbers) -> Any:
    """Middle value, or the mean of the two in the middle."""
    ordered = sorted(d)
    return (ordered[(len(d) - 1) // 2] + ordered[len(d) // 2]) / Fraction(2)


def owa(d: Numbers, weights: Numbers) -> Any:
    """Sum of p_r d_(r), the largest difference first."""
    return weighted(sorted(d, reverse=True), weights)


def choquet(d: Mapping[str, Any], measure: Measure) -> Any:
    """Area under the curve t -> mu(attributes whose difference is at least t)."""
    total: Any = 0
    below: Any = 0
    for level in sorted(set(d.values())):
        total += (level - below) * measure[frozenset(name for name, value in d.items() if value >= level)]
        below = level
    return total


def choquet_by_mobius(d: Mapping[str, Any], transform: Measure) -> Any:
    """Sum of m(A) times the least difference in A."""
    return sum(value * min(d[name] for name in subset) for subset, value in transform.items() if subset)


def dot(a: Numbers, b: Numbers) -> Any:
    """Sum of products."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def kernel(a: Numbers, b: Numbers, degree: int) -> Any:
    """K(a,a) - 2 K(a,b) + K(b,b), K = (1 + a.b)^degree."""
    return (1 + dot(a, a)) ** degree - 2 * (1 + dot(a, b)) ** degree + (1 + dot(b, b)) ** degree


def bilinear(a: Numbers, b: Numbers, matrix: Matrix) -> Any:
    """Symmetric form (a - b)' S (a - b)."""
    gap = [x - y for x, y in zip(a, b, strict=True)]
    return sum(gap[k] * matrix[k][m] * gap[m] for k in range(len(gap)) for m in range(len(gap)))


def repaired(matrix: Matrix) -> list[list[Any]]:
    """Nearest positive semidefinite matrix, in floats: eigenvalues by Jacobi's rotations, negative ones set to zero."""
    n = len(matrix)
    a = [[float(value) for value in row] for row in matrix]
    v = [[float(k == m) for m in range(n)] for k in range(n)]
    for _ in range(60):
        for p in range(n):
            for q in range(p + 1, n):
                angle = 0.5 * math.atan2(2.0 * a[p][q], a[q][q] - a[p][p])
                c, s = math.cos(angle), math.sin(angle)
                for rows in (a, v):
                    for row in rows:
                        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                a[p], a[q] = (
                    [c * x - s * y for x, y in zip(a[p], a[q], strict=True)],
                    [s * x + c * y for x, y in zip(a[p], a[q], strict=True)],
                )
    kept = [max(a[k][k], 0.0) for k in range(n)]
    return [[Fraction(sum(kept[r] * v[k][r] * v[m][r] for r in range(n))) for m in range(n)] for k in range(n)]


def covariance(columns: Matrix, others: Matrix) -> list[list[Any]]:
    """Covariance (n - 1) of each column with each of the others, columns as rows of the arguments."""

    def centred(values: Numbers) -> list[Any]:
        middle = sum(values) / Fraction(len(values))
        return [value - middle for value in values]

    left, right = [centred(c) for c in columns], [centred(c) for c in others]
    return [[dot(x, y) / Fraction(len(x) - 1) for y in right] for x in left]


def inverse(matrix: Matrix) -> list[list[Any]]:
    """Inverse by Gauss and Jordan; ZeroDivisionError where there is none."""
    n = len(matrix)
    rows = [list(matrix[k]) + [Fraction(int(k == m)) for m in range(n)] for k in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for r in range(n):
            if r != k:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return [row[n:] for row in rows]


def mahalanobis_matrix(original: Matrix, protected: Matrix, own: Sequence[int]) -> list[list[Any]]:
    """Inverse of VarA + VarB - Cov - Cov' over the true pairs (COV); records are rows."""
    pairs = [(original[i], protected[j]) for i, j in enumerate(own) if j >= 0]
    a = [list(column) for column in zip(*(x for x, _ in pairs), strict=True)]
    b = [list(column) for column in zip(*(y for _, y in pairs), strict=True)]
    var_a, var_b, cov = covariance(a, a), covariance(b, b), covariance(a, b)
    n = len(a)
    return inverse([[var_a[k][m] + var_b[k][m] - cov[k][m] - cov[m][k] for m in range(n)] for k in range(n)])


def mahalanobis0_matrix(original: Matrix, protected: Matrix) -> list[list[Any]]:
    """Inverse of VarA + VarB (COV0); records are rows."""
    a = [list(column) for column in zip(*original, strict=True)]
    b = [list(column) for column in zip(*protected, strict=True)]
    var_a, var_b = covariance(a, a), covariance(b, b)
    return inverse([[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(var_a, var_b, strict=True)])


def dbrl2_weights(original: Matrix, protected: Matrix, own: Sequence[int]) -> list[Any]:
    """1 / var(a_k - b_k) over the true pairs known on both sides; records are rows, a missing value is None."""
    weights = []
    for k in range(len(original[0])):
        pairs = [(original[i][k], protected[j][k]) for i, j in enumerate(own) if j >= 0]
        gaps = [x - y for x, y in pairs if x is not None and y is not None]
        weights.append(1 / covariance([gaps], [gaps])[0][0])
    return weights
