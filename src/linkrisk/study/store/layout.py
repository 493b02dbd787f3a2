"""The tables of a store, and which layout they have."""

from __future__ import annotations

APPLICATION = 0x6C72736B
"""What marks a file of SQLite as a store of a study: "lrsk"."""

LAYOUT = 1
"""The layout of the tables: raised when they change."""

TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE input (data TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cell (
    key BLOB PRIMARY KEY,
    data TEXT NOT NULL,
    protection TEXT NOT NULL,
    parameters TEXT NOT NULL,
    measure TEXT NOT NULL,
    attacker TEXT,
    scale TEXT,
    ties TEXT,
    repeat INTEGER NOT NULL,
    problem TEXT,
    figures TEXT NOT NULL,
    details TEXT NOT NULL,
    seconds REAL NOT NULL,
    finished TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    process INTEGER NOT NULL,
    began TEXT NOT NULL,
    seen REAL NOT NULL
);
CREATE TABLE claim (key BLOB PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID;
"""
