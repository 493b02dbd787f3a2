"""The process: it says what can be chosen from, imports what jobs need, waits for its job, does it, and ends."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from linkrisk.data.opening import reason
from linkrisk.engine import copies, interrupt
from linkrisk.errors import InputError, OptionError
from linkrisk.web.faults import place_of
from linkrisk.web.worker.catalogue import catalogue
from linkrisk.web.worker.channel import Channel, ChannelReporter
from linkrisk.web.worker.request import Request

Work = Callable[[Request, ChannelReporter], bool]
"""Does a job, writes what it found, and tells whether that is all: False after an interrupt."""

JOBS = ("look", "assess", "protect", "tune", "compare")
"""What the process can do: the module of this package of that name has a function ``work``."""

UNWATCHED = ("tune",)
"""Jobs of which nobody watches a single search, so that copies of the process may do several at a time."""

NICENESS = 10
"""How much others come first: the page answers at once while this computes on all cores."""

USED = ("pyarrow.csv", "altair", "linkrisk.report.handout.make")
"""What jobs need besides their modules and takes long to import: imported while the process waits."""

NO_MEMORY = "the memory of this machine is not enough; choose fewer attackers or attributes, or give fewer records"
OUR_FAULT = "something inside linkrisk went wrong ({place}), and your files are not the cause; please report it"


def run() -> None:
    """Do one job, and end at once."""
    channel = Channel.take()
    copies.end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    channel.tell("ready", catalogue=catalogue())
    for name in (*USED, *(f"linkrisk.web.worker.{job}" for job in JOBS)):
        importlib.import_module(name)
    gc.freeze()
    folder = sys.stdin.readline().rstrip("\n")
    if folder:
        request = Request.read(Path(folder))
        if request.kind in UNWATCHED:
            copies.allow()
        do_job(request, channel)
    os._exit(0)


def do_job(request: Request, channel: Channel) -> None:
    """Do a job, and tell how it ended."""
    try:
        with interrupt.listening():
            is_complete = _work_of(request.kind)(request, ChannelReporter(channel))
    except KeyboardInterrupt:
        channel.tell("stopped")
    except OptionError as problem:
        mistakes = [(name, request.told(fault)) for name, fault in problem.mistakes]
        channel.tell("failed", sentence=request.told(str(problem)), mistakes=mistakes)
    except InputError as problem:
        channel.tell("failed", sentence=request.told(str(problem)), mistakes=[])
    except MemoryError:
        channel.tell("failed", sentence=NO_MEMORY, mistakes=[])
    except OSError as fault:
        channel.tell("failed", sentence=f"the work cannot go on {reason(fault, 'start it again')}", mistakes=[])
    except Exception as fault:
        channel.tell("failed", sentence=OUR_FAULT.format(place=place_of(fault)), mistakes=[])
    else:
        channel.tell("done", is_complete=is_complete)


def _work_of(kind: str) -> Work:
    """Return what does jobs of a kind."""
    if kind not in JOBS:
        raise ValueError(kind)
    work: Work = importlib.import_module(f"linkrisk.web.worker.{kind}").work
    return work
