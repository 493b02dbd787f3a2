"""Figures that describe the Census file: quantiles, rank correlations and shares, never its records.

Taken from the CASC reference microdata "Census" (1,080 records, 13 attributes, Current Population Survey of
1995; it ships with the R package sdcMicro as CASCrefmicrodata). Quantiles are rounded to three significant
digits; the outermost ones are set beyond the smallest and largest value seen, so no figure here is a
person's extreme value and no line is a record.
"""

from __future__ import annotations

COLUMNS = (
    "AFNLWGT",
    "AGI",
    "EMCONTRB",
    "FEDTAX",
    "PTOTVAL",
    "STATETAX",
    "TAXINC",
    "POTHVAL",
    "INTVAL",
    "PEARNVAL",
    "FICA",
    "WSALVAL",
    "ERNVAL",
)
"""The attributes in the order of the file, V1 to V13 of the papers."""

# fmt: off
PROBABILITIES = (
    1e-6, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7,
    0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995, 1 - 1e-6,
)
"""Where `QUANTILES` are taken."""

QUANTILES = {
    "AFNLWGT": (
        8000, 24200, 36500, 45300, 56500, 76300, 99300, 113000, 127000, 140000, 150000, 160000, 170000,
        180000, 191000, 200000, 209000, 223000, 241000, 267000, 299000, 349000, 396000, 429000, 498000,
        528000, 790000,
    ),
    "AGI": (
        4000, 7460, 8420, 11800, 15000, 20900, 26000, 31300, 35900, 40500, 45600, 51000, 54500, 58400,
        62300, 65900, 69300, 72700, 75700, 79200, 83500, 89100, 94500, 97200, 99100, 99600, 100000,
    ),
    "EMCONTRB": (
        10, 112, 299, 539, 871, 1290, 1600, 1850, 2130, 2340, 2560, 2790, 3010, 3220, 3400, 3590, 3790,
        4020, 4240, 4460, 4640, 5010, 5420, 5790, 6260, 6390, 8200,
    ),
    "FEDTAX": (
        1, 29, 94, 261, 632, 1250, 2050, 2770, 3370, 4030, 4800, 5500, 6200, 7070, 7920, 8680, 9420,
        10300, 11200, 12200, 13400, 14400, 16000, 17500, 19000, 19600, 24000,
    ),
    "STATETAX": (
        1, 25, 44, 115, 253, 463, 716, 937, 1180, 1390, 1620, 1850, 2050, 2320, 2550, 2800, 3090, 3400,
        3690, 4120, 4570, 5020, 5720, 6600, 8130, 9390, 13000,
    ),
    "TAXINC": (
        5, 198, 630, 1760, 4370, 8940, 13700, 18700, 22600, 26600, 30700, 34400, 38200, 41200, 44300,
        47200, 49700, 53000, 56200, 59300, 64100, 67800, 73000, 76400, 79700, 80700, 96000,
    ),
    "INTVAL": (
        1, 1, 2, 5, 10, 23, 40, 62, 96, 125, 166, 200, 259, 353, 429, 507, 671, 845, 1070, 1500, 2110,
        3370, 5770, 10000, 17800, 27700, 57000,
    ),
    "OTHER": (
        0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 45, 150, 250, 500, 800, 1000, 1510, 2400, 3460, 5000, 7630, 11200,
        18000, 28000, 40700, 49600, 110000,
    ),
    "PEARNVAL": (
        50, 1590, 2720, 5300, 8000, 13800, 18000, 21000, 24000, 26800, 30000, 32000, 35000, 39000, 41800,
        45000, 49000, 51000, 55000, 59100, 63100, 68900, 76000, 85000, 90000, 92400, 110000,
    ),
}
"""Drawn attributes; OTHER is other income apart from interest, POTHVAL less INTVAL. The rest is derived."""

CORRELATIONS = (
    (1.0,),  # AFNLWGT
    (-0.009, 1.0),  # AGI
    (0.063, 0.501, 1.0),  # EMCONTRB
    (-0.017, 0.966, 0.413, 1.0),  # FEDTAX
    (-0.114, 0.857, 0.349, 0.864, 1.0),  # STATETAX
    (-0.017, 0.983, 0.448, 0.992, 0.864, 1.0),  # TAXINC
    (-0.061, 0.339, 0.047, 0.403, 0.356, 0.375, 1.0),  # INTVAL
    (-0.060, -0.026, -0.063, -0.012, -0.019, -0.014, -0.043, 1.0),  # OTHER
    (0.023, 0.741, 0.573, 0.747, 0.663, 0.730, 0.245, -0.200, 1.0),  # PEARNVAL
)
"""Lower triangle of 2 sin(pi / 6 * Spearman), in the order of `QUANTILES`: a Gaussian copula with these
correlations has the Spearman correlations of the file."""
# fmt: on

SALARY_GRAINS = {10_000: 0.03, 5_000: 0.16, 1_000: 0.46, 500: 0.08, 100: 0.11, 10: 0.04, 1: 0.12}
"""How roughly people state their earnings: the share who round to multiples of each number."""

INTEREST_GRAINS = {1_000: 0.07, 500: 0.10, 100: 0.16, 50: 0.09, 5: 0.13, 1: 0.45}
"""The same for interest."""

OTHER_GRAINS = {1_000: 0.12, 500: 0.08, 100: 0.22, 10: 0.08, 1: 0.50}
"""The same for other income."""

PAYROLL_TAX = (0.062, 60_600, 0.0145)
"""FICA of the tax year 1994: 6.2 % of earnings up to the ceiling and 1.45 % of all of them."""

SHARE_PROBABILITIES = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)
"""Where the quantiles of the three shares below are taken, among the records that have such a share."""

WAGE_SHARE = (0.055, (0.1, 0.32, 0.38, 0.73, 0.93, 0.99, 1.0, 1.0, 1.0))
"""Records with earnings besides wages, and WSALVAL over PEARNVAL among them."""

MAIN_JOB_SHARE = (0.155, (0.05, 0.36, 0.52, 0.69, 0.86, 0.95, 0.98, 0.99, 1.0))
"""Records with several employers, and ERNVAL (the longest job) over WSALVAL among them."""

PAYROLL_TAX_SHARE = (0.05, (0.1, 0.36, 1.0, 1.02, 1.1, 1.38, 1.61, 1.75, 2.0))
"""Records whose FICA departs from `PAYROLL_TAX`, and by what factor."""
