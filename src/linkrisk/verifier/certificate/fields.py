"""Entries of a JSON file by the type they must have; an entry of another type raises `Rejection`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.verifier.exact.rationals import Number
from linkrisk.verifier.verification import Rejection

MAX_BITS = 1 << 16
"""Bits of the largest whole number that is used as it is."""

SHOWN = 40
"""Characters of an unknown name that a message repeats."""

_HEXADECIMAL = re.compile("-?0x[0-9a-f]+")


def entry(mapping: Mapping[str, Any], key: str, where: str) -> Any:
    """Return an entry; raise where it is missing."""
    if key not in mapping:
        raise Rejection(f"{where} has no entry {key!r}")
    return mapping[key]


def as_mapping(value: Any, where: str) -> Mapping[str, Any]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise Rejection(f"{where} is not a JSON object")
    return value


def as_list(value: Any, where: str) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise Rejection(f"{where} is not a list")
    return value


def as_text(value: Any, where: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise Rejection(f"{where} is not a text")
    return value


def as_number(value: Any, where: str, *, least: float = -math.inf) -> float:
    """Return a finite number that float64 holds exactly.

    >>> as_number(2, "here")
    2.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_float(value):
        raise Rejection(f"{where} is not a finite number")
    if value < least:
        raise Rejection(f"{where} is below {least:g}")
    return float(value)


def as_exact(value: Any, where: str, *, least: int | None = None) -> Number:
    """Return a finite float, or a whole number of at most `MAX_BITS` bits; a text holds one in hexadecimal digits.

    >>> as_exact(10**400, "here") == as_exact(hex(10**400), "here"), as_exact("-0x1f", "here"), as_exact(0.5, "here")
    (True, -31, 0.5)
    """
    if isinstance(value, str) and len(value) <= MAX_BITS // 4 + 3 and _HEXADECIMAL.fullmatch(value):
        value = int(value, 16)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or (isinstance(value, float) and not math.isfinite(value)):
        raise Rejection(f"{where} is not a finite number")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Rejection(f"{where} has more than {MAX_BITS:,} bits")
    if least is not None and value < least:
        raise Rejection(f"{where} is below {least}")
    return int(value) if isinstance(value, int) else float(value)


def as_exacts(value: Any, where: str, *, least: int | None = None) -> list[Number]:
    """Return a list of numbers that are used as they are."""
    numbers = as_list(value, where)
    is_plain = set(map(type, numbers)) == {float} and all(map(math.isfinite, numbers))
    if is_plain and (least is None or min(numbers) >= least):
        return numbers  # the usual case, quickly
    return [as_exact(number, f"a number in {where}", least=least) for number in numbers]


def as_whole(value: Any, where: str, *, least: int = 0, below: int | None = None) -> int:
    """Return a whole number from ``least`` to less than ``below``."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Rejection(f"{where} is not a whole number")
    if value < least or (below is not None and value >= below):
        raise Rejection(f"{where} is out of range")
    return value


def as_numbers(value: Any, where: str, *, least: float = -math.inf) -> list[float]:
    """Return a list of finite numbers."""
    numbers = as_list(value, where)
    if set(map(type, numbers)) == {float} and all(map(math.isfinite, numbers)) and min(numbers) >= least:
        return numbers  # the usual case, quickly
    return [as_number(number, f"a number in {where}", least=least) for number in numbers]


def as_wholes(numbers: list[Any], where: str, *, least: int, below: int) -> IntArray:
    """Return many whole numbers, each from ``least`` to less than ``below``."""
    if set(map(type, numbers)) <= {int} and least <= min(numbers, default=least) <= max(numbers, default=least) < below:
        return np.array(numbers, dtype=np.int64)  # the usual case, quickly
    return np.array([as_whole(number, where, least=least, below=below) for number in numbers], dtype=np.int64)


def check_keys(mapping: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Raise where there is an entry that the format does not know."""
    unknown = sorted(str(key) for key in mapping.keys() - set(known))
    if unknown:
        raise Rejection(f"{where} has an entry {unknown[0][:SHOWN]!r}, which this format does not know")


def _is_float(value: float) -> bool:
    """Tell whether a number is finite and float64 holds it exactly."""
    try:
        return math.isfinite(value) and float(value) == value
    except OverflowError:
        return False
