"""What all learned attackers share: they are fitted to two files and keep a few figures, but no records.

They behave as scikit-learn's estimators do (``fit`` returns the attacker, what was learned ends in an underscore,
``get_params``, ``set_params``, cloning and pickling) and do not need scikit-learn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attackers.attacker import Attacker
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.data.schema import Schema, make_schema
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for
from linkrisk.distances.meaning import true_pair_covariance
from linkrisk.distances.parameters import is_number, is_whole_number
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import check_learnable, learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.problem.record_weights import checked_weights
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.search import distances, nearest
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

READING = tuple(field.name for field in fields(Reading))
"""Options of `pair_files` that ``fit``, ``distances`` and ``score`` take."""


@dataclass(eq=False)
class LearnedAttacker(Attacker, ABC):
    """Base of the attackers whose parameters are learned unless they are given.

    Without parameters, `linkrisk.assess` learns them on the files it assesses, and ``fit`` on any two files; with
    parameters, both take them as they are.

    Attributes
    ----------
    links_, bound_, rate_
        Links made on the two files of ``fit``, by weight if records have weights; the number that no admissible
        parameters exceed; links over the (weight of the) records that have a counterpart.
    status_, seconds_
        ``"optimal"`` only if proven, otherwise why the learner stopped (see `linkrisk.learning.search.Status`); the
        seconds it took.
    meaning_
        What the parameters mean: print it, or take ``meaning_.to_dict()``.
    attacker_
        The same attacker with the learned parameters given, as `linkrisk.assess` takes him.
    n_features_in_, feature_names_in_
        The attributes that were used, in the order of the parameters.

    Notes
    -----
    Nothing of the records is kept after ``fit``, so a pickle is small. The parameters, though, are learned from the
    original file and are the attack itself: they are confidential and stay with its owner.

    Ties: by the rule of ``ties``, within a relative 2^-40. Missing values: as `linkrisk.differences.missing` says
    (bilinear forms: the mean of the file). Cost of learning: seconds for files like those of the papers; in the worst
    case exponential in the number of parameters, so give a ``time_limit``: links and bound then still hold. Why the
    bound holds: docs/mathematics.md.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(40, seed=1)[["AGI", "FEDTAX"]]
    >>> protected = linkrisk.protection.add_noise(original, 10.0, secret_seed=2).data
    >>> learned = linkrisk.attackers.WeightedMean().fit(original, protected)
    >>> learned.links_ <= learned.bound_, learned.attacker_.is_learned
    (True, False)
    """

    @property
    @abstractmethod
    def is_learned(self) -> bool:
        """Whether the parameters are still to be learned."""

    @abstractmethod
    def family(self) -> Family:
        """Return the family of distances that is learned."""

    @abstractmethod
    def _given(self, values: FloatArray, names: Sequence[str]) -> Self:
        """Return the same attacker with normalised parameters given."""

    @abstractmethod
    def _given_distance(self, comparison: Comparison) -> Distance:
        """Return the distance with the parameters given."""

    @abstractmethod
    def _keep_parameters(self, values: FloatArray) -> None:
        """Keep the normalised parameters under the name users expect."""

    def distance(self, comparison: Comparison) -> Distance:
        """Return the distance with the parameters given; `ParameterError` where they are still to be learned."""
        self.check_parameters()
        if self.is_learned:
            raise ParameterError(
                f"{self.name}: its parameters are still to be learned; give them, or take attacker_ after "
                "fit(original, protected)"
            )
        return self._given_distance(comparison)

    def with_parameters(self, theta: FloatArray, names: Sequence[str]) -> Self:
        """Return the same attacker with parameters of his family given, normalised."""
        return self._given(self.family().normalised(theta), names)

    def check_usable(self, comparison: Comparison, margin: float = 0.0) -> None:
        """Raise where nothing can be learned on two files, or the given parameters do not fit them."""
        if not self.is_learned:
            self.distance(comparison)
            return
        self.check_parameters()
        family = self.family()
        used = vectors_for(comparison, family.name)[0] if family.is_signed else comparison
        family.parameter_set(used.n_attributes)
        check_learnable(family, used, margin)

    def fit(
        self,
        original: Any,
        protected: Any,
        *,
        scale: str = Scale.SEPARATE,
        ties: str = DEFAULT_TIES,
        time_limit: float | None = None,
        margin: float = 0.0,
        seed: int = 0,
        threads: int | None = None,
        record_weights: Any = None,
        **reading: Any,
    ) -> Self:
        """Learn the parameters that link the most records of two files.

        Parameters
        ----------
        original, protected
            Files, frames or arrays, as for `linkrisk.data.pair_files`.
        scale
            How the two files are brought to one scale, computed from this pair of files: ``"separate"`` (each file by
            its own mean and standard deviation), ``"original"`` or ``"ranks"`` (see `linkrisk.differences.Scale`).
        ties
            What counts as a link where other records are as near: ``"unique"``, ``"class"`` or ``"expected"`` (see
            `linkrisk.linkage.Ties`).
        time_limit
            Seconds the learner may take, without the reading of files; None for no limit. What was found by then is
            kept.
        margin
            Ask more than being nearest: the own distance must be below (1 - margin) times that of every other.
        seed
            The same files, options and seed give the same answer.
        threads
            Cores to use; all by default. The answer does not depend on it.
        record_weights
            What a link of each original record counts, not negative and not 0 for all; 1 each by default.
        reading
            Options of `linkrisk.data.pair_files`. All except ``pairs``, which names records, are kept for ``distances``
            and ``score``, and so are scale, ties and margin.

        Raises
        ------
        InputError
            One sentence that names what cannot be used and the remedy, before anything is learned.
        """
        self._check_fit(scale, ties, time_limit, margin, seed)
        options = self._checked_options(reading)
        files = pair_files(original, protected, **options)
        weights = self._checked_weights(record_weights, files)
        learned = learn(
            self.family(),
            make_comparison(files, scale),
            ties=ties,
            weights=weights,
            margin=margin,
            time_limit=math.inf if time_limit is None else time_limit,
            seed=int(seed),
            threads=threads,
        )
        self.scale_, self.ties_, self.margin_ = str(scale), str(ties), float(margin)
        self._keep(learned, _worth_of_all(files, weights))
        self._keep_reading(files, options)
        return self

    def distances(self, original: Any, protected: Any, *, scale: str | None = None, **reading: Any) -> FloatArray:
        """Return the distance of every record of one file to every record of another, one row each.

        The files need not be those of ``fit``, and may have different lengths: true pairs play no part. The pair of
        files is read and scaled as in ``fit``, unless options say otherwise. The distance is the (squared) one by which
        links are made. Memory: one number per pair.
        """
        options = self._reading(reading)
<<<<<<< HEAD
        renamed = options.get("match") or {}
        used = self.feature_names_in_ if self._is_fitted else [name for name in renamed if name != options.get("id")]
        match = {name: other for name, other in renamed.items() if name in used}
        # One pair is enough: pairing is not needed here, and files of different lengths cannot be paired by order.
        options |= {"id": None, "pairs": [(1, 1)], "match": match}
=======
        names = options.get("renamed") or {}
        used = self.feature_names_in_ if self._is_fitted else [name for name in names if name != options.get("id")]
        renamed = {name: other for name, other in names.items() if name in used}
        # Any one pair will do: pairing is not needed here, and files of different lengths have none by order.
        options |= {"id": None, "pairs": [(1, 1)], "renamed": renamed}
>>>>>>> work-attackers
        return distances(self._distance_on(pair_files(original, protected, **options), scale, None))

    def score(
        self,
        original: Any,
        protected: Any,
        *,
        scale: str | None = None,
        ties: str | None = None,
        margin: float | None = None,
        threads: int | None = None,
        record_weights: Any = None,
        **reading: Any,
    ) -> float:
        """Return the rate of links that the learned, or given, parameters make on two files.

        Scale, ties, margin and the reading of columns are those of ``fit``, unless options say otherwise; records are
        paired as in ``fit``, by ``id`` or by order (``pairs`` must be given again).
        """
        files = pair_files(original, protected, **self._reading(reading))
        weights = self._checked_weights(record_weights, files)
        linkage = nearest(self._distance_on(files, scale, margin), threads=threads)
        rule = getattr(self, "ties_", DEFAULT_TIES) if ties is None else self._checked_choice("ties", ties, [*Ties])
        return _rate(_worth_of_links(linkage, Ties(rule), weights), _worth_of_all(files, weights))

    @property
    def _title(self) -> str:
        return type(self).__name__

    @property
    def _is_fitted(self) -> bool:
        return hasattr(self, "reading_")

    def _keep(self, learned: Learned, worth: float) -> None:
        """Keep what was learned, without the records."""
        names, family = learned.problem.names, learned.family
        self.attacker_ = self.with_parameters(learned.theta, names)
        self.links_, self.bound_ = learned.links, learned.bound
        self.rate_ = _rate(learned.links, worth)
        self.status_, self.seconds_ = str(learned.status), learned.seconds
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        covariance = true_pair_covariance(learned.problem.comparison) if family.is_signed else None
        self.meaning_ = family.meaning(learned.theta, names, covariance)
        self._keep_parameters(family.normalised(learned.theta))

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

    def _distance_on(self, files: FilePair, scale: str | None, margin: float | None) -> Distance:
        """Return the distance of the learned, or given, parameters on two files."""
        attacker = self.attacker_ if self._is_fitted else self
        kept = getattr(self, "scale_", Scale.SEPARATE)
        chosen = kept if scale is None else self._checked_choice("scale", scale, [*Scale])
        nearer = getattr(self, "margin_", 0.0) if margin is None else self._checked_margin(margin)
        distance = attacker.distance(make_comparison(files, chosen))
        return replace(distance, tolerance=max(nearer, distance.tolerance))

    def _reading(self, reading: Mapping[str, Any]) -> dict[str, Any]:
        if not self._is_fitted and self.is_learned:
            raise ParameterError(f"{self._title}: nothing is learned yet; call fit(original, protected) first")
        return {**getattr(self, "reading_", {}), **self._checked_options(reading)}

    def _checked_options(self, reading: Mapping[str, Any]) -> dict[str, Any]:
        unknown = [name for name in reading if name not in READING]
        if unknown:
            raise ParameterError(f"{self._title}: no option {unknown[0]!r}; files are read with {', '.join(READING)}")
        return dict(reading)

    def _check_fit(self, scale: str, ties: str, time_limit: float | None, margin: float, seed: int) -> None:
        """Raise unless there is something to learn and it can be learned in this way."""
        self.check_parameters()
        if not self.is_learned:
            raise ParameterError(f"{self._title}: its parameters are given; leave them out to learn them")
        self._checked_choice("scale", scale, [*Scale])
        self._checked_choice("ties", ties, [*Ties])
        if time_limit is not None and not (is_number(time_limit) and time_limit >= 0.0):
            raise ParameterError(f"{self._title}: time_limit must be a number of seconds, 0 or more, or None")
        if not is_whole_number(seed) or seed < 0:
            raise ParameterError(f"{self._title}: seed must be a whole number, 0 or more")
        self._checked_margin(margin)

    def _checked_choice(self, name: str, value: str, choices: Sequence[str]) -> str:
        if value not in choices:
            raise ParameterError(f"{self._title}: {name} must be one of {', '.join(choices)}")
        return value

    def _checked_margin(self, margin: float) -> float:
        if not (is_number(margin) and 0.0 <= margin < 1.0):
            raise ParameterError(f"{self._title}: margin must be a number from 0 to below 1")
        return float(margin)

    def _checked_weights(self, record_weights: Any, files: FilePair) -> FloatArray | None:
        return None if record_weights is None else checked_weights(record_weights, files.own, self._title)


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
