"""The published figures of the Adult file (1994, 32,561 records) that `adult_like` is made from; no record is used.

Counts are those of the file as the UCI repository publishes it.
How attributes hang together is chosen here, not measured.
"""

from __future__ import annotations

N_RECORDS = 32_561
"""Records of the file."""

MISSING_WORK = 1_836 / N_RECORDS
"""Share of the people whose work is not known: neither class nor occupation."""

MISSING_COUNTRY = 583 / N_RECORDS

AGE_QUANTILES = {
    0.0: 17, 0.01: 17, 0.05: 19, 0.10: 22, 0.25: 28, 0.50: 37, 0.75: 48, 0.90: 58, 0.95: 63, 0.99: 74,
    0.999: 86, 1.0: 91,
}  # fmt: skip
"""Age in years; the last is one above the largest."""

WEIGHT_QUANTILES = {
    0.0: 12_285, 0.05: 39_460, 0.25: 117_827, 0.50: 178_356, 0.75: 237_051, 0.95: 379_682, 0.99: 510_072,
    1.0: 1_484_705,
}  # fmt: skip
"""Sampling weight, ``fnlwgt``."""

N_WEIGHTS = 35_000
"""Weights there are to draw from: so many give 21,648 different ones among 32,561, as in the file."""

EDUCATION = {
    "Preschool": 51, "1st-4th": 168, "5th-6th": 333, "7th-8th": 646, "9th": 514, "10th": 933, "11th": 1_175,
    "12th": 433, "HS-grad": 10_501, "Some-college": 7_291, "Assoc-voc": 1_382, "Assoc-acdm": 1_067,
    "Bachelors": 5_355, "Masters": 1_723, "Prof-school": 576, "Doctorate": 413,
}  # fmt: skip
"""From low to high: ``education-num`` is the place, from 1."""

MARITAL_STATUS = {
    "Never-married": 10_683, "Married-spouse-absent": 418, "Separated": 1_025, "Married-AF-spouse": 23,
    "Married-civ-spouse": 14_976, "Divorced": 4_443, "Widowed": 993,
}  # fmt: skip
"""From the young to the old."""

WORKCLASS = {
    "Never-worked": 7, "Without-pay": 14, "Private": 22_696, "Self-emp-not-inc": 2_541, "Local-gov": 2_093,
    "State-gov": 1_298, "Federal-gov": 960, "Self-emp-inc": 1_116,
}  # fmt: skip

OCCUPATION = {
    "Priv-house-serv": 149, "Handlers-cleaners": 1_370, "Farming-fishing": 994, "Other-service": 3_295,
    "Machine-op-inspct": 2_002, "Transport-moving": 1_597, "Craft-repair": 4_099, "Armed-Forces": 9,
    "Adm-clerical": 3_770, "Protective-serv": 649, "Sales": 3_650, "Tech-support": 928,
    "Exec-managerial": 4_066, "Prof-specialty": 4_140,
}  # fmt: skip
"""From those with little schooling to those with much, roughly."""

RELATIONSHIP = {"Own-child": 5_068, "Other-relative": 981, "Not-in-family": 8_305, "Unmarried": 3_446}
"""Of those who live with no spouse, from the young to the old; the others are husbands and wives."""

HUSBANDS = 13_193 / (13_193 + 1_568)
"""Share of the men among those who live with a spouse."""

OTHER_MEN = (21_790 - 13_193) / (N_RECORDS - 13_193 - 1_568)
"""Share of the men among all others."""

RACE = {"White": 27_816, "Black": 3_124, "Asian-Pac-Islander": 1_039, "Amer-Indian-Eskimo": 311, "Other": 271}

COUNTRY = {
    "United-States": 29_170, "Mexico": 643, "Philippines": 198, "Germany": 137, "Canada": 121,
    "Puerto-Rico": 114, "El-Salvador": 106, "India": 100, "Cuba": 95, "England": 90, "Jamaica": 81,
    "South": 80, "China": 75, "Italy": 73, "Dominican-Republic": 70, "Vietnam": 67, "Guatemala": 64,
    "Japan": 62, "Poland": 60, "Columbia": 59, "Taiwan": 51, "Haiti": 44, "Iran": 43, "Portugal": 37,
    "Nicaragua": 34, "Peru": 31, "France": 29, "Greece": 29, "Ecuador": 28, "Ireland": 24, "Hong": 20,
    "Cambodia": 19, "Trinadad&Tobago": 19, "Laos": 18, "Thailand": 18, "Yugoslavia": 16,
    "Outlying-US(Guam-USVI-etc)": 14, "Honduras": 13, "Hungary": 13, "Scotland": 12,
    "Holand-Netherlands": 1,
}  # fmt: skip

ASIAN_COUNTRIES = frozenset({
    "Philippines", "India", "South", "China", "Vietnam", "Japan", "Taiwan", "Hong", "Cambodia", "Laos",
    "Thailand",
})  # fmt: skip

HOURS = {
    8: 145, 10: 278, 12: 173, 15: 404, 16: 205, 20: 1_224, 24: 252, 25: 674, 28: 86, 30: 1_149, 32: 266,
    35: 1_297, 36: 220, 37: 149, 38: 476, 40: 15_217, 42: 219, 43: 151, 44: 212, 45: 1_824, 48: 517,
    50: 2_819, 52: 138, 55: 694, 56: 97, 60: 1_475, 65: 244, 70: 291, 80: 133, 99: 85,
}  # fmt: skip
"""Hours a week that many state."""

OTHER_HOURS = 94
"""Different numbers of hours there are, the others being rare."""

GAINS = {99_999: 159, 15_024: 347, 7_688: 284, 7_298: 246, 5_178: 97, 3_103: 97, 4_386: 70, 5_013: 69, 8_614: 55}
LOSSES = {1_902: 202, 1_977: 168, 1_887: 159, 1_848: 51, 1_485: 51, 2_415: 49, 1_602: 47, 1_740: 42, 1_590: 40}
"""Values of ``capital-gain`` and ``capital-loss`` that many have; the others are spread over
as many values as in the file."""

GAIN_SHARE, N_GAINS, GAIN_RANGE = 2_712 / N_RECORDS, 118, (114, 41_310)
LOSS_SHARE, N_LOSSES, LOSS_RANGE = 1_519 / N_RECORDS, 91, (155, 4_356)
"""Share of the people with a gain or loss, different values of it, and the range of those that few have."""

RICH = 7_841 / N_RECORDS
"""Share of the people above 50,000 a year."""
