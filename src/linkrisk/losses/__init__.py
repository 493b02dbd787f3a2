"""Information loss: what a protected file is worth less than the original.

`measure` takes files, frames or arrays and returns a `Loss` with every measure, `measure_pair` does the same for files
that are paired already. Each measure is a function of a `FilePair` in a file of its own:

- `probabilistic_loss` (PIL): statistics, against what sampling alone would change;
- `il1s`, `sse_over_sst`: values, record by record;
- `moment_differences`: means, covariances, correlations, eigenvalues;
- `regression_loss`: coefficients and their confidence intervals;
- `propensity_loss` (pMSE): whether the files can be told apart;
- `categorical_loss`: contingency tables and entropy;
- `missing_shares`.
"""

from linkrisk.losses.categories import CategoricalLoss, TableDifferences, categorical_loss
from linkrisk.losses.il1s import ValueLoss, il1s
from linkrisk.losses.loss import measure, measure_pair
from linkrisk.losses.microaggregation import VariationLoss, sse_over_sst
from linkrisk.losses.missing import MissingShares, missing_shares
from linkrisk.losses.moments import MomentDifferences, Variation, moment_differences
from linkrisk.losses.pil import ProbabilisticLoss, probabilistic_loss
from linkrisk.losses.propensity import PropensityLoss, propensity_loss
from linkrisk.losses.regression import RegressionLoss, regression_loss
from linkrisk.losses.result import Loss

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
    "measure",
    "measure_pair",
    "missing_shares",
    "moment_differences",
    "probabilistic_loss",
    "propensity_loss",
    "regression_loss",
    "sse_over_sst",
]
