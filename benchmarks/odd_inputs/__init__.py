"""Odd inputs over all commands: nothing may end in a traceback, hang, leave files behind, or speak in riddles."""
