"""The learned attackers as estimators: ``WeightedMean().fit(original, protected).weights_``.

Hyper-parameters and what is known after ``fit`` are told at `linkrisk.learning.estimator.Estimator`. Ties and missing
values, for all of them: ties by the rule of ``ties``, within a relative 2^-40; missing values as
`linkrisk.differences.missing` says (bilinear forms: the mean of the file). Cost: seconds for files like those of the
papers; in the worst case exponential in the number of parameters, so give a ``time_limit``: links and bound then still
hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.arrays import FloatArray
from linkrisk.distances.attacker import is_whole_number
from linkrisk.distances.bilinear import BilinearFamily, Form, HighamFamily, form_matrix
from linkrisk.distances.choquet import AdditiveChoquetFamily, ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.meaning import MeasureMeaning
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import METRIC_FLOOR, WeightedMeanFamily
from linkrisk.errors import ParameterError
from linkrisk.learning.estimator import Estimator, is_number


@dataclass(eq=False, kw_only=True)
class WeightedMean(Estimator):
    """Learn the attributes' weights: distance = sum of p_k d_k, p >= 0, sum p = 1.

    The strongest intruder of those who trust some attributes more than others. ``weights_`` are in the order of
    ``feature_names_in_``. Reference: section 3.2 of abril2012-weights.txt (d2WM).

    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(60, seed=1)[["AFNLWGT", "AGI"]]
    >>> protected = linkrisk.protection.add_noise(original, 20.0, secret_seed=2).data
    >>> learned = WeightedMean().fit(original, protected)
    >>> learned.status_, learned.links_ == learned.bound_, learned.weights_.shape
    ('optimal', True, (2,))
    >>> learned.score(original, protected) == learned.rate_
    True
    """

    def make_family(self) -> Family:
        """Return all weighted means."""
        return WeightedMeanFamily()

    def _keep_parameters(self, values: FloatArray) -> None:
        self.weights_ = values


@dataclass(eq=False, kw_only=True)
class WeightedMeanMetric(WeightedMean):
    """Learn weights that are all at least ``floor``, so that only equal records have distance 0.

    Otherwise as `WeightedMean`. Reference: abril-bilinear.txt, Table 3 (d2WM_m).

    >>> WeightedMeanMetric(floor=0.01).get_params()["floor"]
    0.01
    """

    floor: float = METRIC_FLOOR

    def make_family(self) -> Family:
        """Return the weighted means with no weight below the floor."""
        return WeightedMeanFamily(float(self.floor))

    def _check(self) -> None:
        super()._check()
        if not (is_number(self.floor) and 0.0 < self.floor < 1.0):
            raise ParameterError(f"{self._title}: floor must be a number above 0 and below 1")


@dataclass(eq=False, kw_only=True)
class OWA(Estimator):
    """Learn the weight of the largest difference, of the second largest, ...: distance = sum of p_r d_(r).

    The strongest intruder of those who look at the size of differences, not at where they are. ``weights_`` are by
    position, the largest difference first. Reference: torra2010-owa.txt, approach 2 (d2OWA).

    >>> OWA(ties="class")
    OWA(scale='separate', ties='class', time_limit=None, seed=0, margin=0.0)
    """

    def make_family(self) -> Family:
        """Return all ordered weighted averages."""
        return OWAFamily()

    def _keep_parameters(self, values: FloatArray) -> None:
        self.weights_ = values


@dataclass(eq=False, kw_only=True)
class _Measures(Estimator):
    """Estimators of a fuzzy measure keep it by subset."""

    def _keep_parameters(self, values: FloatArray) -> None:  # noqa: ARG002  (their meaning has them by subset)
        told = self.meaning_
        if isinstance(told, MeasureMeaning):
            self.measure_, self.mobius_ = told.measure, told.mobius


@dataclass(eq=False, kw_only=True)
class Choquet(_Measures):
    """Learn a fuzzy measure, a weight for every combination of attributes; the distance is its Choquet integral.

    ``measure_`` and ``mobius_`` (its Möbius transform) are by subset, a tuple of attribute names in the order of
    ``feature_names_in_``. ``additivity=q`` learns a q-additive measure, which has Möbius values of at most q
    attributes at a time: needed for more than 10 attributes, quicker for many (``measure_`` is None beyond 16).
    Reference: section 3.3 of abril2012-choquet.txt (d2CI).

    >>> Choquet(additivity=2, time_limit=60)
    Choquet(scale='separate', ties='unique', time_limit=60, seed=0, margin=0.0, additivity=2)
    """

    additivity: int | None = None

    def make_family(self) -> Family:
        """Return the Choquet integrals over all measures, or over the q-additive ones."""
        return ChoquetFamily() if self.additivity is None else AdditiveChoquetFamily(int(self.additivity))

    def _check(self) -> None:
        super()._check()
        if self.additivity is not None and (not is_whole_number(self.additivity) or self.additivity < 1):
            raise ParameterError(f"{self._title}: additivity must be a whole number of at least 1, or None")


@dataclass(eq=False, kw_only=True)
class ChoquetMetric(_Measures):
    """Learn a submodular fuzzy measure: the root of its Choquet integral is a metric.

    Otherwise as `Choquet`, for full measures. Reference: abril-bilinear.txt, section 4 and Table 3 (d2CI_m).

    >>> ChoquetMetric().set_params(scale="ranks").scale
    'ranks'
    """

    def make_family(self) -> Family:
        """Return the Choquet integrals over submodular measures."""
        return ChoquetFamily(is_metric=True)


@dataclass(eq=False, kw_only=True)
class _Forms(Estimator):
    """Estimators of a bilinear form keep its matrix."""

    form: ClassVar[Form]

    def make_family(self) -> Family:
        """Return all forms of the kind."""
        return BilinearFamily(self.form)

    def _keep_parameters(self, values: FloatArray) -> None:
        self.matrix_ = form_matrix(values, self.n_features_in_)


@dataclass(eq=False, kw_only=True)
class BilinearFree(_Forms):
    """Learn any symmetric matrix S: distance = diff' S diff, which may be negative (d2SB_NC).

    The strongest intruder of those who weigh products of differences. ``matrix_`` has 1 or -1 as its largest entry,
    rows and columns in the order of ``feature_names_in_``: numeric and date attributes only. Ties are exact.
    Reference: abril-bilinear.txt, section 5.3.

    >>> BilinearFree(time_limit=10.0).time_limit
    10.0
    """

    form: ClassVar[Form] = Form.FREE


@dataclass(eq=False, kw_only=True)
class Bilinear(_Forms):
    """Learn a matrix that gives no pair of the two files a negative distance (d2SB).

    Otherwise as `BilinearFree`, with the usual tolerance for ties. On other files distances may be negative; then
    ``score`` says so. Reference: abril-bilinear.txt, Equation (9).

    >>> Bilinear().make_family().name
    'bilinear'
    """

    form: ClassVar[Form] = Form.NONNEGATIVE


@dataclass(eq=False, kw_only=True)
class BilinearPSD(_Forms):
    """Learn a positive semidefinite matrix: the square of a (pseudo-)metric, exactly, not by repair.

    Otherwise as `Bilinear`. The papers leave it as future work (abril-bilinear.txt, section 7).

    >>> BilinearPSD().make_family().name
    'bilinear_psd'
    """

    form: ClassVar[Form] = Form.SEMIDEFINITE


@dataclass(eq=False, kw_only=True)
class BilinearHigham(_Forms):
    """Learn a free matrix, then take the nearest positive semidefinite one, as the papers do (d2SB_PD).

    ``matrix_`` is the repaired matrix, ``links_`` are counted with it, and ``bound_`` is that of the free form, which
    holds for every matrix; ``status_`` is ``"repaired"`` where repairing cost links. `BilinearPSD` links at least as
    many. Otherwise as `BilinearFree`. Reference: abril-bilinear.txt, section 6.

    >>> BilinearHigham().form
    <Form.FREE: 'bilinear_free'>
    """

    form: ClassVar[Form] = Form.FREE

    def make_family(self) -> Family:
        """Return all forms, of which the best is repaired."""
        return HighamFamily()
