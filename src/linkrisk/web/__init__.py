"""The page on this machine, ``linkrisk serve``, for people who do not write Python.

The process that answers the browser reads no data and computes nothing: every job is done by a process of its own
(`linkrisk.web.worker`), which writes what it found into the folder of the job. So views are quick while a job runs, and
a job that takes all memory takes nobody else along.

- `security`: who may ask for anything: the start address, the cookie, what requests must say of where they come from;
- `storage`: the private folder, files that are sent up, files that are sent back;
- `work`: jobs, one at a time, and the processes that do them;
- `cases`: what a person works on: an original, its protected versions, what was said about the columns and attackers;
- `views`: one module for each step; `templates` and `static` are what the browser gets;
- `worker`: the process that does a job.
"""
