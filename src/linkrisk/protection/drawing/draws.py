"""Random numbers for protecting data, from a secret seed."""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.protection.drawing.secret import Secret


def make_secret(secret_seed: int | None) -> Secret:
    """Return the seed as a secret; without one, 128 bits from the operating system."""
    return Secret(secrets.randbits(128) if secret_seed is None else secret_seed)


def draw_uniforms(secret: Secret, purpose: str, n: int) -> FloatArray:
    """Draw n numbers between 0 and 1, both excluded, from a secret; another purpose gives unrelated numbers.

    The bits come from SHAKE-256 instead of a statistical generator. An intruder who knows some people's true values
    knows some of the draws; from a few draws of a generator such as PCG64 its state can be worked out, and with it all
    the other draws. Each number has 53 random bits.
    """
    key = f"linkrisk draws 1\0{secret.reveal()}\0{purpose}".encode()
    bits = np.frombuffer(hashlib.shake_256(key).digest(8 * n), dtype="<u8") >> np.uint64(11)
    # The middle of each of 2^53 cells, kept below 1 where the middle of the last one would round up to it.
    return np.minimum((bits.astype(np.float64) + 0.5) * 2.0**-53, 1 - 2.0**-53)


def draw_normals(secret: Secret, purpose: str, n: int) -> FloatArray:
    """Draw n standard normal numbers: the inverse distribution function of `draw_uniforms`.

    They end at about 8 standard deviations.
    """
    from scipy.special import ndtri  # noqa: PLC0415  (slow to import, and only needed here)

    return np.asarray(ndtri(draw_uniforms(secret, purpose, n)), dtype=np.float64)
