"""Advice: releases compared by risk and loss, and protections tuned to a target."""

from linkrisk.advice.average import AverageLinkage, average_linkage
from linkrisk.advice.release import Release
from linkrisk.advice.releases import ReleaseComparison, compare_releases
from linkrisk.advice.risk import WorstCase
from linkrisk.advice.tuning import Trial, Tuning

__all__ = [
    "AverageLinkage",
    "Release",
    "ReleaseComparison",
    "Trial",
    "Tuning",
    "WorstCase",
    "average_linkage",
    "compare_releases",
]
