"""The command line as a module: ``python -m linkrisk``."""

from linkrisk.cli.main import start

if __name__ == "__main__":
    start()
