"""Generated microdata: files of any size that behave like the Census file of the papers.

`census_like` makes the numeric attributes, `census_like_mixed` attributes of other kinds for the same people.
`EDUCATION_ORDER` and `AGE_GROUP_ORDER` list the categories of the ordinal ones from low to high.
"""

from linkrisk.datasets.census import census_like
from linkrisk.datasets.mixed import AGE_GROUP_ORDER, EDUCATION_ORDER, census_like_mixed

__all__ = ["AGE_GROUP_ORDER", "EDUCATION_ORDER", "census_like", "census_like_mixed"]
