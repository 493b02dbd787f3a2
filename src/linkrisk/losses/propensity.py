"""Propensity score: how well a logistic regression tells protected records from original ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

from linkrisk.data.columns import FilePair
from linkrisk.losses.logistic import fit_logistic
from linkrisk.losses.propensity_design import Design, make_design

RECORDS_PER_TERM = 10
"""Products of attributes are used only where both files together have at least this many records per term."""

MAX_TERMS = 400
"""Nor are they used where there would be more terms than this (27 numeric attributes): the fit would take minutes."""


@dataclass(frozen=True)
class PropensityLoss:
    """pMSE, from 0 (the files cannot be told apart) to c (1 - c).

    ``expected`` is the mean pMSE of synthetic records drawn from a correct model of the original, and ``ratio`` is pMSE
    over it: a ratio near 1 or below means that the protected file is as good as such records. ``standardised`` is
    (pMSE - expected) over its standard deviation. ``n_terms`` is the rank of the design, including the intercept.
    ``is_converged`` and ``n_steps`` tell how the fit ended.
    """

    pmse: float
    expected: float
    ratio: float
    standardised: float
    n_terms: int
    has_interactions: bool
    is_converged: bool
    n_steps: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = "" if self.is_converged else f", not converged after {self.n_steps} steps"
        return f"pMSE {self.pmse:.6f}, {self.ratio:.2f} times its expectation{end}"


def propensity_loss(files: FilePair, *, interactions: bool = True) -> PropensityLoss:
    """Tell the two files apart by logistic regression, and return how well that works.

    The N records of both files are put together, and P(protected | record) = p_i is fitted. With c the share of
    protected records and k the number of terms (rank of the design, with intercept),

        pMSE = 1/N sum_i (p_i - c)^2,  expected = (k - 1) (1 - c)^2 c / N,  deviation = sqrt(2 (k - 1)) (1 - c)^2 c / N.

    Terms: every numeric attribute in standard deviations; for a categorical attribute one term per category except the
    most frequent one (the 20 most frequent categories are told apart, all others count as one). With ``interactions``
    also the squares of numeric attributes and the products of each two: without these, a protection that keeps the
    means would not be noticed. Squares and products are left out, and a note says so, where there are fewer than 10
    records per term, or more than 400 terms.

    ``expected`` is for synthetic records drawn from a correct model of the original. A second sample of the same
    population would have 1 / (1 - c) times as much, because the original varies as well; a protected file whose records
    stay near their originals has less. The fit is by Newton steps with a ridge of 1e-6 (`linkrisk.losses.logistic`), so
    that it also ends where the files can be told apart completely.

    Records: all records of both files, without regard to pairs. A missing number is replaced by the mean of both files,
    and one more term marks where; a missing category is one more category. Independent of the units of the attributes.
    Cost: N k^2 for each of 5 to 20 steps.

    References
    ----------
    Woo, Reiter, Oganian, Karr (2009), Global measures of data utility for microdata masked for disclosure limitation,
    J. Privacy and Confidentiality 1(1); Snoke, Raab, Nowok, Dibben, Slavković (2018), General and specific utility
    measures for synthetic data, J. R. Stat. Soc. A 181(3), 663-688, section 3 (expectation and deviation).

    Examples
    --------
    Three records 1, 2, 3 become 2, 3, 4. The likelihood is largest for odds of 4^(x - 2.5): p = 1/9, 1/3, 2/3, 8/9 for
    values 1, 2, 3, 4. So pMSE = (2 (7/18)^2 + 4 (1/6)^2) / 6 = 0.0689; expected is 1 . 0.5^3 / 6 = 0.0208.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> found = propensity_loss(pair_files(np.array([[1], [2], [3]]), np.array([[2], [3], [4]])))
    >>> round(found.pmse, 4), round(found.expected, 4), found.n_terms, found.has_interactions, found.is_converged
    (0.0689, 0.0208, 2, False, True)
    """
    design, notes = _design(files, interactions)
    n_records = files.n_original + files.n_protected
    share = files.n_protected / n_records
    fit = fit_logistic(design.blocks, design.n_terms, n_records, share)
    unit = (1 - share) ** 2 * share / n_records
    expected, deviation = (fit.rank - 1) * unit, math.sqrt(2 * (fit.rank - 1)) * unit
    return PropensityLoss(
        pmse=fit.mean_square,
        expected=expected,
        ratio=fit.mean_square / expected if expected else math.nan,
        standardised=(fit.mean_square - expected) / deviation if deviation else math.nan,
        n_terms=fit.rank,
        has_interactions=design.interactions,
        is_converged=fit.is_converged,
        n_steps=fit.n_steps,
        notes=(*notes, *_convergence_note(fit.is_converged, fit.n_steps)),
    )


def _design(files: FilePair, interactions: bool) -> tuple[Design, tuple[str, ...]]:
    design = make_design(files, interactions)
    if not interactions or design.n_terms <= min(MAX_TERMS, sum(design.sizes) // RECORDS_PER_TERM):
        return design, ()
    plain = make_design(files, interactions=False)
    return plain, (
        f"pMSE: without squares and products; {design.n_terms} terms are too many for {sum(design.sizes)} records.",
    )


def _convergence_note(is_converged: bool, n_steps: int) -> tuple[str, ...]:
    return (
        () if is_converged else (f"pMSE: the fit has not converged after {n_steps} steps; the value is a rough one.",)
    )
