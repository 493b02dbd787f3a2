"""Generated microdata: files of any size that behave like the Census file of the papers, or like the Adult file.

`census_like` makes the numeric attributes, `census_like_mixed` attributes of other kinds for the same people.
`adult_like` makes a mixed file, most of it categories. `EDUCATION_ORDER`, `AGE_GROUP_ORDER` and, for `adult_like`,
`ADULT_EDUCATION_ORDER` list the categories of the ordinal ones from low to high.
"""

from linkrisk.datasets.adult import ADULT_EDUCATION_ORDER, adult_like
from linkrisk.datasets.census import census_like
from linkrisk.datasets.mixed import AGE_GROUP_ORDER, EDUCATION_ORDER, census_like_mixed

__all__ = [
    "ADULT_EDUCATION_ORDER",
    "AGE_GROUP_ORDER",
    "EDUCATION_ORDER",
    "adult_like",
    "census_like",
    "census_like_mixed",
]
