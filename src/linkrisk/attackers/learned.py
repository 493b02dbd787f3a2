"""What all learned attackers share: they are fitted to two files and keep a few figures, but no records.

They behave as scikit-learn's estimators do (``fit`` returns the attacker, what was learned ends in an underscore,
``get_params``, ``set_params``, cloning and pickling) and do not need scikit-learn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, Unpack

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.options import FitKeywords, FitOptions
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.data.schema import Schema
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import check_learnable, learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.problem.record_weights import checked_weights
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.search import distances, nearest
from linkrisk.linkage.ties import Ties
from linkrisk.options import takes


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

    @takes(FitOptions)
    def fit(self, original: Any, protected: Any, *, record_weights: Any = None, **options: Unpack[FitKeywords]) -> Self:
        """Learn the parameters that link the most records of two files.

        Parameters
        ----------
        original, protected
            Files, frames or arrays, as for `linkrisk.data.pair_files`.
        @options
        record_weights
            What a link of each original record counts, not negative and not 0 for all; 1 each by default.

        All options except ``pairs``, which names records, are kept for ``distances`` and ``score``.

        Raises
        ------
        InputError
            One sentence that names what cannot be used and the remedy, before anything is learned.
        """
        self.check_parameters()
        if not self.is_learned:
            raise ParameterError(f"{self._title}: its parameters are given; leave them out to learn them")
        asked = FitOptions.of(options)
        files = pair_files(original, protected, reading=asked.part(Reading))
        weights = self._checked_weights(record_weights, files)
        learned = learn(
            self.family(),
            make_comparison(files, asked.scale),
            ties=asked.ties,
            weights=weights,
            margin=asked.margin,
            time_limit=math.inf if asked.time_limit is None else asked.time_limit,
            seed=asked.seed,
            threads=asked.threads,
        )
        self._keep(learned, _worth_of_all(files, weights))
        self.options_ = self._settled(files, asked)
        return self

    @takes(FitOptions)
    def distances(self, original: Any, protected: Any, **options: Unpack[FitKeywords]) -> FloatArray:
        """Return the distance of every record of one file to every record of another, one row each.

        The files need not be those of ``fit``, and may have different lengths: true pairs play no part. The pair of
        files is read and scaled as in ``fit``, unless options say otherwise. The distance is the (squared) one by which
        links are made. Memory: one number per pair.
        """
        asked = self._asked(options)
        names = asked.renamed or {}
        used = self.feature_names_in_ if self._is_fitted else [name for name in names if name != asked.id]
        renamed = {name: other for name, other in names.items() if name in used}
        # One pair is enough: pairing is not needed here, and files of different lengths cannot be paired by order.
        reading = replace(asked.part(Reading), id=None, pairs=[(1, 1)], renamed=renamed)
        return distances(self._distance_on(pair_files(original, protected, reading=reading), asked))

    @takes(FitOptions)
    def score(
        self, original: Any, protected: Any, *, record_weights: Any = None, **options: Unpack[FitKeywords]
    ) -> float:
        """Return the rate of links that the learned, or given, parameters make on two files.

        Scale, ties, margin and the reading of columns are those of ``fit``, unless options say otherwise; records are
        paired as in ``fit``, by ``id`` or by order (``pairs`` must be given again).
        """
        asked = self._asked(options)
        files = pair_files(original, protected, reading=asked.part(Reading))
        weights = self._checked_weights(record_weights, files)
        linkage = nearest(self._distance_on(files, asked), threads=asked.threads)
        return _rate(_worth_of_links(linkage, Ties(asked.ties), weights), _worth_of_all(files, weights))

    @property
    def _title(self) -> str:
        return type(self).__name__

    @property
    def _is_fitted(self) -> bool:
        return hasattr(self, "options_")

    def _keep(self, learned: Learned, worth: float) -> None:
        """Keep what was learned, without the records."""
        names = learned.problem.names
        self.attacker_ = self.with_parameters(learned.theta, names)
        self.links_, self.bound_ = learned.links, learned.bound
        self.rate_ = _rate(learned.links, worth)
        self.status_, self.seconds_ = str(learned.status), learned.seconds
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        self.meaning_ = learned.meaning()
        self._keep_parameters(learned.family.normalised(learned.theta))

    def _settled(self, files: FilePair, asked: FitOptions) -> FitOptions:
        """Return the options with the attributes used and their kinds; no list of pairs."""
        schema = asked.full_schema()
        used = {
            attribute.name: attribute.kind for attribute in files.attributes if attribute.name in self.feature_names_in_
        }
        kinds = {name: schema.attribute(name).model_copy(update={"kind": kind}) for name, kind in used.items()}
        settled = Schema(missing=schema.missing, attributes=kinds)
        said_there = ("nominal", "ordinal", "numeric", "confidential", "missing")
        said: dict[str, Any] = {"schema": settled, **dict.fromkeys(said_there)}
        return replace(asked, pairs=None, attributes=list(self.feature_names_in_), **said)

    def _asked(self, options: FitKeywords) -> FitOptions:
        """Return the options of ``fit``, or the defaults, with those given now in their place."""
        if not self._is_fitted and self.is_learned:
            raise ParameterError(f"{self._title}: nothing is learned yet; call fit(original, protected) first")
        kept = self.options_.keywords() if self._is_fitted else {}
        return FitOptions.of({**kept, **options})

    def _distance_on(self, files: FilePair, asked: FitOptions) -> Distance:
        """Return the distance of the learned, or given, parameters on two files."""
        attacker = self.attacker_ if self._is_fitted else self
        distance = attacker.distance(make_comparison(files, asked.scale))
        return replace(distance, tolerance=max(asked.margin, distance.tolerance))

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
