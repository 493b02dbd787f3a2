"""What all estimators share: hyper-parameters in, two files fitted, a few figures kept, and no data of records.

They have the manners of scikit-learn (``fit`` returns the estimator, what was learned ends in an underscore,
``get_params``, ``set_params``, cloning and pickling) and do not need it.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, Self

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.schema import Schema, make_schema
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scales import Scale
from linkrisk.distances.attacker import is_whole_number
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.meaning import meaning, true_pair_covariance
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.problem.record_weights import checked_weights
from linkrisk.linkage.linkage import Linkage, Ties
from linkrisk.linkage.nearest import distances, nearest

READING = tuple(
    name
    for name, parameter in inspect.signature(pair_files).parameters.items()
    if parameter.kind == parameter.KEYWORD_ONLY
)
"""Options of `pair_files` that ``fit``, ``distance`` and ``score`` take."""


@dataclass(eq=False, kw_only=True)
class Estimator:
    """Base of the estimators; each of them says which family of distances it learns.

    Parameters
    ----------
    scale
        How the two files are brought to one scale, always that of the pair of files at hand: ``"separate"`` (each
        file by its own mean and standard deviation), ``"original"`` or ``"ranks"`` (see `linkrisk.differences.Scale`).
    ties
        What counts as a link where other records are as near: ``"unique"``, ``"class"`` or ``"expected"`` (see
        `linkrisk.linkage.Ties`).
    time_limit
        Seconds the learner may take, reading aside; None for no limit. What was found until then stands.
    seed
        Same files, hyper-parameters and seed, same answer.
    margin
        Ask more than being nearest: the own distance must be below (1 - margin) times that of every other.

    Attributes
    ----------
    links_, bound_, rate_
        Links made on the two files, by weight if records have weights; the number that no admissible parameters
        exceed; links over the (weight of the) records that have a counterpart.
    status_, seconds_
        ``"optimal"`` only if proven, otherwise why the learner stopped (see `linkrisk.learning.search.Status`); the
        seconds it took.
    meaning_
        What the parameters mean: print it, or take ``meaning_.as_dict()``.
    attacker_
        The attacker with these parameters, as `linkrisk.assess` and `linkrisk.nearest` take him.
    n_features_in_, feature_names_in_
        The attributes that were used, in the order of the parameters.

    Notes
    -----
    Nothing of the records is kept after ``fit``, so a pickle is small. The parameters, though, are learned from the
    original file and are the attack itself: they are confidential and stay with its owner.
    """

    scale: str = "separate"
    ties: str = "unique"
    time_limit: float | None = None
    seed: int = 0
    margin: float = 0.0

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002  (the word of scikit-learn; nothing is nested)
        """Return the hyper-parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def set_params(self, **params: Any) -> Self:
        """Set hyper-parameters by name; what was learned stays until the next ``fit``."""
        known = self.get_params()
        unknown = [name for name in params if name not in known]
        if unknown:
            raise ParameterError(f"{self._title}: no parameter {unknown[0]!r}; there are {', '.join(known)}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def fit(self, original: Any, protected: Any, *, record_weights: Any = None, **reading: Any) -> Self:
        """Learn the parameters that link the most records of two files.

        Parameters
        ----------
        original, protected
            Files, frames or arrays, as for `linkrisk.pair_files`.
        record_weights
            What a link of each original record counts, not negative and not 0 for all; 1 each by default.
        reading
            Options of `linkrisk.pair_files`: attributes, schema, id, pairs, match, missing, delimiter. All
            except ``pairs``, which names records, are kept for ``distance`` and ``score``.

        Raises
        ------
        InputError
            One sentence that names what cannot be used and the remedy, before anything is learned.
        """
        self._check()
        options = self._checked_options(reading)
        family = self.make_family()
        files = pair_files(original, protected, **options)
        weights = self._checked_weights(record_weights, files)
        learned = learn(
            family,
            make_comparison(files, self.scale),
            ties=self.ties,
            weights=weights,
            margin=self.margin,
            time_limit=math.inf if self.time_limit is None else self.time_limit,
            seed=int(self.seed),
        )
        self._keep(learned, _worth_of_all(files, weights))
        self._keep_reading(files, options)
        return self

    def distance(self, original: Any, protected: Any, **reading: Any) -> FloatArray:
        """Return the learned distance of every record of one file to every record of another, one row per record.

        The files need not be those of ``fit``, nor have the same length: who belongs to whom plays no part. They are
        scaled as this pair of files, by the rule of ``scale``; columns are read as in ``fit``, unless ``reading`` says
        otherwise. It is the (squared) distance that links are made by. Memory: one number for each pair.
        """
        options = self._reading(reading)
        match = {name: other for name, other in (options.get("match") or {}).items() if name in self.feature_names_in_}
        # Any one pair will do: pairing is not needed here, and files of different lengths have none by order.
        options |= {"id": None, "pairs": [(1, 1)], "match": match}
        return distances(self._distance(make_comparison(pair_files(original, protected, **options), self.scale)))

    def score(self, original: Any, protected: Any, *, record_weights: Any = None, **reading: Any) -> float:
        """Return the rate of links that the learned parameters make on other files.

        They are scaled and read as told for ``distance``; records are paired as in ``fit``, by ``id`` or by order,
        unless ``reading`` says otherwise (``pairs`` must be given again). Ties and margin are those of the estimator.
        """
        files = pair_files(original, protected, **self._reading(reading))
        weights = self._checked_weights(record_weights, files)
        linkage = nearest(self._distance(make_comparison(files, self.scale)))
        return _rate(_worth_of_links(linkage, Ties(self.ties), weights), _worth_of_all(files, weights))

    def make_family(self) -> Family:
        """Return the family of distances that is learned."""
        raise NotImplementedError

    def _keep_parameters(self, values: FloatArray) -> None:
        """Keep the normalised parameters under the name users expect."""
        raise NotImplementedError

    @property
    def _title(self) -> str:
        return type(self).__name__

    def _keep(self, learned: Learned, worth: float) -> None:
        """Keep what was learned, without the records."""
        names = learned.problem.names
        self.attacker_ = learned.attacker
        self.links_, self.bound_ = learned.links, learned.bound
        self.rate_ = _rate(learned.links, worth)
        self.status_, self.seconds_ = str(learned.status), learned.seconds
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        covariance = true_pair_covariance(learned.problem.comparison) if learned.family.is_signed else None
        self.meaning_ = meaning(learned.family, learned.theta, names, covariance=covariance)
        self._keep_parameters(learned.family.normalised(learned.theta))

    def _keep_reading(self, files: FilePair, options: Mapping[str, Any]) -> None:
        """Keep how the files were read: options, and the kinds of the attributes; no list of pairs."""
        schema = make_schema(options.get("schema"))
        used = {
            attribute.name: attribute.kind for attribute in files.attributes if attribute.name in self.feature_names_in_
        }
        kinds = {name: schema.attribute(name).model_copy(update={"kind": kind}) for name, kind in used.items()}
        kept = {name: value for name, value in options.items() if name != "pairs"}
        settled = Schema(missing=schema.missing, attributes=kinds)
        self.reading_ = {**kept, "attributes": list(self.feature_names_in_), "schema": settled}

    def _distance(self, comparison: Comparison) -> Distance:
        distance = self.attacker_.distance(comparison)
        return replace(distance, tolerance=max(self.margin, distance.tolerance))

    def _reading(self, reading: Mapping[str, Any]) -> dict[str, Any]:
        if not hasattr(self, "reading_"):
            raise ParameterError(f"{self._title}: nothing is learned yet; call fit(original, protected) first")
        return {**self.reading_, **self._checked_options(reading)}

    def _checked_options(self, reading: Mapping[str, Any]) -> dict[str, Any]:
        unknown = [name for name in reading if name not in READING]
        if unknown:
            raise ParameterError(f"{self._title}: no option {unknown[0]!r}; files are read with {', '.join(READING)}")
        return dict(reading)

    def _check(self) -> None:
        """Raise unless the hyper-parameters can be used."""
        self._check_choice("scale", self.scale, [str(scale) for scale in Scale])
        self._check_choice("ties", self.ties, [str(ties) for ties in Ties])
        if self.time_limit is not None and not (is_number(self.time_limit) and self.time_limit >= 0.0):
            raise ParameterError(f"{self._title}: time_limit must be a number of seconds, 0 or more, or None")
        if not is_whole_number(self.seed) or self.seed < 0:
            raise ParameterError(f"{self._title}: seed must be a whole number, 0 or more")
        if not (is_number(self.margin) and 0.0 <= self.margin < 1.0):
            raise ParameterError(f"{self._title}: margin must be a number from 0 to below 1")

    def _check_choice(self, name: str, value: object, choices: Sequence[str]) -> None:
        if value not in choices:
            raise ParameterError(f"{self._title}: {name} must be one of {', '.join(choices)}")

    def _checked_weights(self, record_weights: Any, files: FilePair) -> FloatArray | None:
        return None if record_weights is None else checked_weights(record_weights, files.own, self._title)


def is_number(value: object) -> bool:
    """Whether a hyper-parameter is a number (True and NaN are not)."""
    return not isinstance(value, bool) and isinstance(value, Real) and not math.isnan(value)


def _worth_of_all(files: FilePair, weights: FloatArray | None) -> float:
    """Weight of the original records that have a counterpart."""
    return float(files.n_pairs) if weights is None else math.fsum(weights[files.own >= 0].tolist())


def _worth_of_links(linkage: Linkage, ties: Ties, weights: FloatArray | None) -> float:
    """Links by weight."""
    if weights is None:
        return linkage.links(ties)
    linked = linkage.is_linked(ties)
    shares = 1.0 / (linkage.twins[linked] + 1.0) if ties is Ties.EXPECTED else 1.0
    return math.fsum((weights[linked] * shares).tolist())


def _rate(links: float, worth: float) -> float:
    return links / worth if worth > 0.0 else math.nan
