"""Advice: releases compared by risk and loss, and protections tuned to a target."""

from linkrisk.advice.average import AverageLinkage, average_linkage
from linkrisk.advice.release import Release
from linkrisk.advice.releases import Releases, compare_releases
from linkrisk.advice.risk import WorstCase
from linkrisk.advice.tune import tune
from linkrisk.advice.tuning import Trial, Tuning

__all__ = [
    "AverageLinkage",
    "Release",
    "Releases",
    "Trial",
    "Tuning",
    "WorstCase",
    "average_linkage",
    "compare_releases",
    "tune",
]
