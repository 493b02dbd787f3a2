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

from linkrisk.losses.categories import CategoricalLoss, TableDifferences, categorical_loss
from linkrisk.losses.loss import loss_of_pair
from linkrisk.losses.microaggregation import VariationLoss, sse_over_sst
from linkrisk.losses.missing import MissingShares, missing_shares
from linkrisk.losses.moments import MomentDifferences, Variation, moment_differences
from linkrisk.losses.pil import ProbabilisticLoss, probabilistic_loss
from linkrisk.losses.propensity import PropensityLoss, propensity_loss
from linkrisk.losses.regression import RegressionLoss, regression_loss
from linkrisk.losses.result import Loss
from linkrisk.losses.value_changes import ValueLoss, il1s

__all__ = [
    "CategoricalLoss",
    "Loss",
    "MissingShares",
    "MomentDifferences",
    "ProbabilisticLoss",
    "PropensityLoss",
    "RegressionLoss",
    "TableDifferences",
    "ValueLoss",
    "Variation",
    "VariationLoss",
    "categorical_loss",
    "il1s",
    "loss_of_pair",
    "missing_shares",
    "moment_differences",
    "probabilistic_loss",
    "propensity_loss",
    "regression_loss",
    "sse_over_sst",
]
