"""Protection methods: a file in, a protected file of the same kind and a record of what was done out.

`microaggregate` replaces records by the means of small clusters, `add_noise` adds Gaussian noise. Both return
a `Protection`; the seed of a random method is a `Secret` of its own.
"""

from linkrisk.protect.mdav import mdav_groups, microaggregate
from linkrisk.protect.noise import add_noise
from linkrisk.protect.protection import Protection, Secret

__all__ = ["Protection", "Secret", "add_noise", "mdav_groups", "microaggregate"]
