"""What a box search keeps in memory: plain arrays under names, for kernels to work on."""

from __future__ import annotations

from typing import NamedTuple

from linkrisk.arrays import FloatArray, IntArray

ROUNDING = 2.0**-48
"""A sum of up to thirty products is off by less than this share of the sum of the terms' sizes."""

LEAST = 1e-30
"""A side from 0 to this is neither split nor cut any more. Above it no product with a row underflows."""

LEFT, BOXES, ROWS, UNSETTLED, CORNER_ROWS = range(5)
"""Places in ``Memory.counts``: open boxes, boxes searched, rows looked at, boxes left unsettled, rows in corners."""

CORNER = 1e-8
"""A box is in a corner if one of its sides ends below this: beside the largest parameter that one is almost nothing."""

BEST, UNSETTLED_BOUND = range(2)
"""Places in ``Memory.figures``: the best links, the greatest bound of an unsettled box."""

SINGLE = -1
"""Group of a record that is in none."""


class Problem(NamedTuple):
    """Rows with their records, the rows before they were rounded up, the least gain, and the greatest weight."""

    values: FloatArray
    start: IntArray
    weight: FloatArray
    given: FloatArray
    gain: float
    greatest: float


class Stack(NamedTuple):
    """Open boxes: their sides, the weights sure and linkable, the parent's place in the lists and in the log."""

    low: FloatArray
    high: FloatArray
    sure: FloatArray
    linkable: FloatArray
    span: IntArray
    origin: IntArray


class Lists(NamedTuple):
    """Undecided records, the group of each, the span of its undecided rows, and the rows.

    Of the records of a group one at most is linked, anywhere in the box.
    """

    record: IntArray
    group: IntArray
    span: IntArray
    row: IntArray


class Ends(NamedTuple):
    """Where along a coordinate of a box units begin and cease to be linkable, and the weights of these units."""

    opening: FloatArray
    opening_weight: FloatArray
    closing: FloatArray
    closing_weight: FloatArray


class Units(NamedTuple):
    """A unit is a group of records, or a record in no group: at most the greatest weight of its records is linked.

    ``of[i]`` is the unit of the i-th undecided record; ``home`` finds the unit of a group, -1 if there is none yet.
    """

    of: IntArray
    weight: FloatArray
    first: FloatArray
    last: FloatArray
    home: IntArray


class Centred(NamedTuple):
    """Rows seen from the centre of a box: row i is ``middle[i] + slope[i] . x`` with -1 <= x <= 1, up to a scale.

    Scaled so that the slopes' sizes sum to 1; ``scale[i]`` is what the row was divided by, ``row[i]`` its number.
    """

    middle: FloatArray
    slope: FloatArray
    scale: FloatArray
    row: IntArray


class Memory(NamedTuple):
    """What a search knows, and its working memory.

    ``low``, ``high`` are the box at hand; ``lower[i, k]``, ``upper[i, k]`` the interval of coordinate k on which its
    i-th undecided record can be linked; ``share[k]`` how much of the indecision is due to coordinate k;
    ``tightest[i]`` the row of a record that is negative in most of the box; ``theta`` the best parameters.
    """

    counts: IntArray
    figures: FloatArray
    theta: FloatArray
    low: FloatArray
    high: FloatArray
    lower: FloatArray
    upper: FloatArray
    share: FloatArray
    tightest: IntArray
    ends: Ends
    units: Units
    centred: Centred
