"""Changes of a certificate: of its numbers, words and structure, of its JSON text, and of the bytes of its file."""

from __future__ import annotations

import copy
import gzip
import hashlib
import json
import math
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

Place = tuple[Any, ...]

WORDS = (
    "unique", "class", "expected", "optimal", "time_limit", "interrupted", "unsettled", "repaired", "separate",
    "original", "ranks", "weighted_mean", "weighted_mean_metric", "owa", "choquet", "choquet_metric", "bilinear",
    "bilinear_free", "bilinear_psd", "bilinear_higham", "mean", "cover", "boxes", "V1", "V2", "", "0x1", "-0x10", "NaN",
    "\x00", "\ud83d\ude00", "0" * 64,
)  # fmt: skip

OTHERS: tuple[Any, ...] = (
    None, True, False, [], {}, "", 0, 1, -1, 0.5, [[]], [{}], {"a": 1}, [0, 1], [0, 1, 1.0], 2**31, 2**63, 10**400,
    1e308, {"record": 0, "keep": 1, "give": 2}, {"cores": [], "multipliers": []}, {"core": 0}, {"pair": [0, 1]},
    {"set": 0, "attributes": [0]}, {"set": 0, "attributes": [0, 1]},
)  # fmt: skip

NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 2, 0.0, -0.0, 5e-324, 1e-300, 0.5, 1.0, 2.0**-40, 0.9, 1.0 - 2.0**-53, 1e16, 2**53 + 1, 2**62, 2**63,
    2**64, 1e300, 1.7976931348623157e308, 10**309, 10**4000, 3.0, 7, 2**31 - 1, "0x" + "f" * 20, "0x" + "f" * 16400,
)  # fmt: skip


def mutated(certificate: dict[str, Any], random: Random) -> bytes:
    """Return the bytes of a changed certificate; mostly its digest fits its changed contents."""
    changed = copy.deepcopy(certificate)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        with suppress(TypeError, KeyError, IndexError, AttributeError):  # an earlier change has left nothing to change
            random.choice(CHANGES)(changed, random)
    if random.random() < 0.95:
        sign(changed)
    text = json.dumps(changed, allow_nan=True) if random.random() < 0.9 else json.dumps(changed, indent=1)
    contents = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.08:
        contents = random.choice(TEXT_CHANGES)(contents, random)
    contents = gzip.compress(contents, mtime=0) if random.random() < 0.7 else contents
    return random.choice(BYTE_CHANGES)(contents, random) if random.random() < 0.04 else contents


def sign(certificate: dict[str, Any]) -> None:
    """Give a certificate the digest of its contents, if these can be written as JSON."""
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    try:
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError):
        return
    certificate["digest"] = hashlib.sha256(text.encode()).hexdigest()


def places(value: Any, place: Place = ()) -> list[Place]:
    """Return where the entries of a certificate are."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [place] if place else []
    for key, entry in inner:
        found += places(entry, (*place, key))
    return found


def value_at(certificate: Any, place: Place) -> Any:
    """Return an entry."""
    for step in place:
        certificate = certificate[step]
    return certificate


def _drawn(certificate: dict[str, Any], random: Random) -> Place:
    """Draw an entry: first one at the top, then one below it, so that long proofs do not hide the rest."""
    keys = [key for key in certificate if key != "digest"]
    key = random.choice([*keys, *["proof"] * 6, *["parameters"] * 2] if "proof" in certificate else keys or ["digest"])
    below = [(key, *place) for place in places(certificate[key])] if key in certificate else []
    if key == "proof" and isinstance(certificate[key], dict) and random.random() < 0.8:
        part = random.choice(sorted(certificate[key], key=str) or ["kind"])
        below = [place for place in below if place[1] == part] or below
    return random.choice(below or [(key,)])


def _set(certificate: dict[str, Any], place: Place, value: Any) -> None:
    value_at(certificate, place[:-1])[place[-1]] = value


def change_number(certificate: dict[str, Any], random: Random) -> None:
    """Change a number: a digit, the sign, the last bit, the size, the type."""
    numbers = [_drawn(certificate, random) for _ in range(20)]
    numbers = [p for p in numbers if _is_number(value_at(certificate, p))]
    if numbers:
        old = value_at(certificate, numbers[0])
        _set(certificate, numbers[0], random.choice(NUMBER_CHANGES)(old, random))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> float:
    """Return a number, 0 where there is none that a float can hold."""
    return float(value) if _is_number(value) and abs(value) < 1e300 else 0.0


def _other_digit(value: Any, random: Random) -> Any:
    text = repr(value)
    digits = [k for k, sign in enumerate(text) if sign.isdigit()]
    k = random.choice(digits)
    try:
        changed = json.loads(text[:k] + random.choice("0123456789") + text[k + 1 :])
    except ValueError:
        return 0
    return changed


def _ulp(value: Any, random: Random) -> Any:
    try:
        return math.nextafter(float(value), random.choice((-math.inf, math.inf)))
    except OverflowError:
        return value + random.choice((-1, 1))


def _other_type(value: Any, random: Random) -> Any:
    del random
    if isinstance(value, int):
        return float(value) if abs(value) < 10**300 else hex(value)
    return int(value) if math.isfinite(value) else 0


def _scaled(value: Any, random: Random) -> Any:
    factor = random.choice((2, 3, 0.5, 1 + 2.0**-30, 1 + 1e-12, 10, 0.1, 2**40, 1e-10))
    try:
        return value * factor
    except OverflowError:
        return value * int(factor + 1)


NUMBER_CHANGES: tuple[Callable[[Any, Random], Any], ...] = (
    _other_digit,
    _ulp,
    _other_type,
    _scaled,
    lambda value, _: -value,
    lambda value, random: value + random.choice((-2, -1, 1, 2)),
    lambda _, random: random.choice(NUMBERS),
)


def replace_entry(certificate: dict[str, Any], random: Random) -> None:
    """Put something else in the place of an entry."""
    _set(certificate, _drawn(certificate, random), copy.deepcopy(random.choice(OTHERS)))


def replace_word(certificate: dict[str, Any], random: Random) -> None:
    """Put another word, or a changed one, in the place of a text."""
    texts = [p for p in places(certificate) if isinstance(value_at(certificate, p), str) and p != ("digest",)]
    if texts:
        place = random.choice(texts)
        old = value_at(certificate, place)
        cut = random.randrange(len(old) + 1)
        _set(certificate, place, random.choice((*WORDS, old[:cut], old[:cut] + "x" + old[cut + 1 :], old.upper())))


def delete_entry(certificate: dict[str, Any], random: Random) -> None:
    """Leave an entry out."""
    place = _drawn(certificate, random)
    del value_at(certificate, place[:-1])[place[-1]]


def copy_entry(certificate: dict[str, Any], random: Random) -> None:
    """Put an entry, or one from elsewhere, into a list once more, or under a new name."""
    place = _drawn(certificate, random)
    inside = value_at(certificate, place[:-1])
    entry = copy.deepcopy(value_at(certificate, random.choice((place, _drawn(certificate, random)))))
    if isinstance(inside, list):
        inside.insert(random.randrange(len(inside) + 1), entry)
    else:
        inside[random.choice(("more", "floor", "additivity", "divisor", "cuts", "slack", "core", "record"))] = entry


def swap_entries(certificate: dict[str, Any], random: Random) -> None:
    """Let two entries change places, near each other or not."""
    first = _drawn(certificate, random)
    inside = value_at(certificate, first[:-1])
    keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
    second = (*first[:-1], random.choice(keys)) if random.random() < 0.7 else _drawn(certificate, random)
    if first == second[: len(first)] or second == first[: len(second)]:
        return
    a, b = value_at(certificate, first), value_at(certificate, second)
    _set(certificate, first, b)
    _set(certificate, second, a)


def shorten(certificate: dict[str, Any], random: Random) -> None:
    """Cut a list off, empty it, or turn it round."""
    lists = [p for p in places(certificate) if isinstance(value_at(certificate, p), list)]
    if lists:
        place = random.choice(lists)
        old = value_at(certificate, place)
        _set(certificate, place, random.choice((old[: len(old) // 2], [], old[:-1], old[::-1], old + old, [old])))


def claim_more(certificate: dict[str, Any], random: Random) -> None:
    """Claim other links, a lower bound or an optimum, all that a forger wants."""
    links, bound = _number(certificate.get("links")), _number(certificate.get("bound"))
    step = random.choice((1, 0.5, 0.25, 1 / 3, links, bound, 1e-9))
    certificate.update(
        random.choice(
            (
                {"bound": bound - step},
                {"bound": links, "status": "optimal"},
                {"links": links + step, "bound": max(bound, links + step)},
                {"links": bound, "status": "optimal"},
                {"links": 0, "bound": 0, "status": "optimal"},
                {"bound": bound + step},
                {"status": "time_limit", "bound": bound - step},
                {"lost": []},
                {"proof": None},
            )
        )
    )


def forge(certificate: dict[str, Any], random: Random) -> None:
    """Give a record up for no reason, by a loss, a core or a conflict, and lower the bound by what it is worth."""
    n, weights = certificate.get("n_pairs"), certificate.get("weights")
    if not isinstance(n, int) or not 0 < n < 100:
        return
    i, j, other = random.randrange(n), random.randrange(n), random.randrange(n)
    worth = _number(weights[i]) if isinstance(weights, list) and len(weights) > i else random.choice((1.0, 1.0, 0.5))
    bound, links = _number(certificate.get("bound")), _number(certificate.get("links"))
    certificate.update(bound=random.choice((bound - worth, links)), status="time_limit")
    proof = certificate.get("proof")
    forged = [[i, j, 1.0], *([[other, i, random.choice((1.0, 1, 0.25))]] if random.random() < 0.5 else [])]
    if random.random() < 0.3 or not isinstance(proof, dict):
        certificate["lost"] = [*(certificate.get("lost") or []), [i, j]]
    elif proof.get("kind") == "boxes":
        _forge_boxes(proof, forged, random)
    elif isinstance(proof.get("cores"), list) and isinstance(proof.get("tree"), list):
        leaves = [leaf for leaf in proof["tree"] if isinstance(leaf, dict) and "multipliers" in leaf]
        for leaf in leaves:
            leaf["cores"] = [*leaf["cores"], len(proof["cores"])]
            leaf["multipliers"] = [*leaf["multipliers"], worth]
        proof["cores"].append({"rows": forged})


def _forge_boxes(proof: dict[str, Any], rows: list[list[Any]], random: Random) -> None:
    """Let a record be lost, or be in conflict with another, in all boxes of a proof or in some."""
    if not all(_are_counts(proof.get(key)) for key in ("n_lost", "n_sets", "n_rows")):
        return
    n_lost, n_sets = proof["n_lost"], proof["n_sets"]
    is_chosen = [random.random() < 0.3 for _ in n_lost] if random.random() < 0.2 else [True] * len(n_lost)
    for box in [box for box in range(min(len(n_lost), len(n_sets))) if is_chosen[box]]:
        if len(rows) == 1:
            _insert(proof, sum(n_lost[:box]), {"lost_records": [rows[0][0]], "lost_to": [rows[0][1]]})
            n_lost[box] += 1
            continue
        mixture = sum(n_sets[:box])
        columns = zip(("row_records", "row_to", "multipliers"), map(list, zip(*rows, strict=True)), strict=True)
        _insert(proof, sum(proof["n_rows"][:mixture]), dict(columns))
        _insert(proof, mixture, {"groups": [77], "n_rows": [2]})
        n_sets[box] += 1


def _are_counts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, int) and 0 <= value < 1000 for value in values)


def _insert(proof: dict[str, Any], place: int, columns: dict[str, list[Any]]) -> None:
    for key, values in columns.items():
        if isinstance(proof.get(key), list):
            proof[key][place:place] = values


def restate(certificate: dict[str, Any], random: Random) -> None:
    """State another problem with the same proof: ties, margin, weights, floor, additivity, attacker."""
    n = len(certificate["weights"]) if isinstance(certificate.get("weights"), list) else 6
    attacker = certificate.get("attacker")
    name = attacker.get("name") if isinstance(attacker, dict) else None
    certificate.update(
        random.choice(
            (
                {"ties": random.choice(("unique", "class", "expected"))},
                {"tolerance": random.choice((0.0, 2.0**-40, 2.0**-39, 0.01, 0.25, 0.5, 0.9))},
                {"weights": None},
                {"weights": [random.choice((0.0, 1.0, 2.0, 0.1, 1e10, 1e-10, 1e300)) for _ in range(n)]},
                {"attacker": {"name": name, "floor": random.choice((0.01, FLOOR, 0.04, 0.49, 5e-324))}},
                {"attacker": {"name": name, "additivity": random.choice((1, 2, 3, 10**9))}},
                {"attacker": {"name": random.choice(WORDS)}},
                {"attacker": {"name": name}},
            )
        )
    )


FLOOR = 0.03125

CHANGES: tuple[Callable[[dict[str, Any], Random], None], ...] = (
    *[change_number] * 8,
    replace_entry,
    replace_entry,
    replace_word,
    delete_entry,
    copy_entry,
    swap_entries,
    swap_entries,
    shorten,
    claim_more,
    claim_more,
    *[forge] * 5,
    restate,
    restate,
)


def _inserted(contents: bytes, what: bytes, random: Random) -> bytes:
    k = random.randrange(len(contents) + 1)
    return contents[:k] + what + contents[k:]


def _replaced_value(contents: bytes, what: bytes, random: Random) -> bytes:
    """Put raw JSON in the place of the value of some key."""
    colons = [k for k in range(len(contents)) if contents[k : k + 2] == b": "]
    if not colons:
        return contents
    k = random.choice(colons) + 2
    end = min((e for e in (contents.find(sign, k) for sign in (b",", b"}")) if e >= 0), default=k)
    return contents[:k] + what + contents[end:]


def _doubled_key(contents: bytes, random: Random) -> bytes:
    key = random.choice((b'"links": 9', b'"bound": 0', b'"proof": null', b'"status": "optimal"', b'"certificate": 2'))
    return contents[:-1] + b", " + key + b"}" if random.random() < 0.5 else b"{" + key + b", " + contents[1:]


TEXT_CHANGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    _doubled_key,
    _doubled_key,
    lambda contents, _: b"\xef\xbb\xbf" + contents,
    lambda contents, _: contents.decode("utf-8", "replace").encode("utf-16"),
    lambda contents, random: contents + random.choice((b" ", b"\n", b"{}", b"\x00", b"]", b"//")),
    lambda contents, random: contents[: random.randrange(len(contents))],
    lambda contents, random: _inserted(
        contents, random.choice((b" ", b"\t", b",", b"0", b"\xff", b"/*", b"\x00")), random
    ),
    lambda contents, random: _replaced_value(
        contents, random.choice((b"NaN", b"-Infinity", b"1e999", b"1e-999")), random
    ),
    lambda contents, random: _replaced_value(contents, random.choice((b"7", b"0.", b"-")) * 5000, random),
    lambda contents, random: _replaced_value(contents, b"[" * 5000 + b"]" * 5000, random),
    lambda contents, random: _replaced_value(contents, b'{"a":' * 900 + b"0" + b"}" * 900, random),
    lambda contents, random: _replaced_value(contents, b" " * 100_000 + b"1", random),
    lambda contents, random: _replaced_value(contents, b"[" + b"[]," * 100_000 + b"0]", random),
)


def _flipped(contents: bytes, random: Random) -> bytes:
    k = random.randrange(len(contents))
    return contents[:k] + bytes([contents[k] ^ 1 << random.randrange(8)]) + contents[k + 1 :]


BYTE_CHANGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    _flipped,
    _flipped,
    lambda contents, random: contents[: random.randrange(len(contents))],
    lambda contents, _: contents + contents,
    lambda contents, _: contents + b"\x00" * 8,
    lambda contents, _: gzip.compress(contents, mtime=0),
    lambda _, random: bytes(random.randrange(256) for _ in range(random.randrange(200))),
    lambda contents, _: contents + gzip.compress(b" " * 10**7, mtime=0),
)
