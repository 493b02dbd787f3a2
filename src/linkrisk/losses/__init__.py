"""Information loss: how far results from a protected file are from those of the original.

The verb is `linkrisk.loss`: it takes files, frames or arrays and returns a `Loss` with every figure; `loss_of_pair`
does the same for files that are paired already. Each kind of loss is a function of a `FilePair`, in a file of its own:

- `probabilistic_loss` (PIL): statistics, compared with what sampling alone would change;
- `il1s`, `sse_over_sst`: values, record by record;
- `moment_differences`: means, covariances, correlations, eigenvalues;
- `regression_loss`: coefficients and their confidence intervals;
- `propensity_loss` (pMSE): whether the files can be told apart;
- `categorical_loss`: contingency tables and entropy;
- `missing_shares`: missing values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.losses.categories import CategoricalLoss as CategoricalLoss
    from linkrisk.losses.categories import TableDifferences as TableDifferences
    from linkrisk.losses.categories import categorical_loss as categorical_loss
    from linkrisk.losses.loss import loss_of_pair as loss_of_pair
    from linkrisk.losses.microaggregation import VariationLoss as VariationLoss
    from linkrisk.losses.microaggregation import sse_over_sst as sse_over_sst
    from linkrisk.losses.missing import MissingShares as MissingShares
    from linkrisk.losses.missing import missing_shares as missing_shares
    from linkrisk.losses.moments import MomentDifferences as MomentDifferences
    from linkrisk.losses.moments import Variation as Variation
    from linkrisk.losses.moments import moment_differences as moment_differences
    from linkrisk.losses.pil import ProbabilisticLoss as ProbabilisticLoss
    from linkrisk.losses.pil import probabilistic_loss as probabilistic_loss
    from linkrisk.losses.propensity import PropensityLoss as PropensityLoss
    from linkrisk.losses.propensity import propensity_loss as propensity_loss
    from linkrisk.losses.regression import RegressionLoss as RegressionLoss
    from linkrisk.losses.regression import regression_loss as regression_loss
    from linkrisk.losses.result import Loss as Loss
    from linkrisk.losses.value_changes import ValueLoss as ValueLoss
    from linkrisk.losses.value_changes import il1s as il1s

_HOMES = {
    "CategoricalLoss": "linkrisk.losses.categories:CategoricalLoss",
    "Loss": "linkrisk.losses.result:Loss",
    "MissingShares": "linkrisk.losses.missing:MissingShares",
    "MomentDifferences": "linkrisk.losses.moments:MomentDifferences",
    "ProbabilisticLoss": "linkrisk.losses.pil:ProbabilisticLoss",
    "PropensityLoss": "linkrisk.losses.propensity:PropensityLoss",
    "RegressionLoss": "linkrisk.losses.regression:RegressionLoss",
    "TableDifferences": "linkrisk.losses.categories:TableDifferences",
    "ValueLoss": "linkrisk.losses.value_changes:ValueLoss",
    "Variation": "linkrisk.losses.moments:Variation",
    "VariationLoss": "linkrisk.losses.microaggregation:VariationLoss",
    "categorical_loss": "linkrisk.losses.categories:categorical_loss",
    "il1s": "linkrisk.losses.value_changes:il1s",
    "loss_of_pair": "linkrisk.losses.loss:loss_of_pair",
    "missing_shares": "linkrisk.losses.missing:missing_shares",
    "moment_differences": "linkrisk.losses.moments:moment_differences",
    "probabilistic_loss": "linkrisk.losses.pil:probabilistic_loss",
    "propensity_loss": "linkrisk.losses.propensity:propensity_loss",
    "regression_loss": "linkrisk.losses.regression:regression_loss",
    "sse_over_sst": "linkrisk.losses.microaggregation:sse_over_sst",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
