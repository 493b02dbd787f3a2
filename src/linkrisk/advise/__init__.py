"""Advice: releases compared by risk and loss, and protections tuned to a target."""

from linkrisk.advise.average import AverageLinkage, average_linkage
from linkrisk.advise.release import Release
from linkrisk.advise.releases import ReleaseComparison, compare_releases
from linkrisk.advise.risk import WorstCase
from linkrisk.advise.tune import tune
from linkrisk.advise.tuning import Trial, Tuning

__all__ = [
    "AverageLinkage",
    "Release",
    "ReleaseComparison",
    "Trial",
    "Tuning",
    "WorstCase",
    "average_linkage",
    "compare_releases",
    "tune",
]
