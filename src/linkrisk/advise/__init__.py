"""Advice: releases compared by risk and loss, and protections tuned to a target."""
