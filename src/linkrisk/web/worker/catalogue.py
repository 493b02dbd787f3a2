"""What can be chosen from on the page, told by the registries: attackers, methods, endings of files."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from linkrisk.attack.options import DEFAULT_ATTACKERS
from linkrisk.attackers.registry import ATTACKERS, make_attacker
from linkrisk.data.read import SUFFIXES
from linkrisk.options import option_of
from linkrisk.protection.method import Method
from linkrisk.protection.options import ProtectOptions
from linkrisk.protection.registry import METHODS


def catalogue() -> dict[str, Any]:
    """Return everything as plain values."""
    return {
        "attackers": [_attacker(name) for name in ATTACKERS],
        "methods": [_method(method) for method in METHODS.values()],
        "endings": list(SUFFIXES),
    }


def _attacker(name: str) -> dict[str, Any]:
    """Describe an attacker by what he knows."""
    return {
        "name": name,
        "told": ATTACKERS[name].knows,
        "is_learned": make_attacker(name).is_learned,
        "is_default": name in DEFAULT_ATTACKERS,
    }


def _method(method: Method) -> dict[str, Any]:
    """Describe a method: what it does, the kinds of columns it is for, and its main parameter."""
    helps = {field.name: option_of(field).help for field in fields(ProtectOptions)}
    return {
        "name": method.name,
        "told": method.summary,
        "kinds": sorted(str(kind) for kind in method.kinds),
        "main": method.main,
        "help": helps.get(method.main or "", ""),
        "is_tuned": method.strength is not None,
    }
