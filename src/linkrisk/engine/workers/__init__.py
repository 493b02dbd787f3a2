"""Tasks shared among processes: on the cores of this machine, or on a Dask cluster; one interface for both."""
