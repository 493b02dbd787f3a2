# Two commands do everything: `make demo` and `make test`. The rest are chores, one verb each.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 3
# Bytecode is written when a module is first imported, whatever the user's setting, for that of all modules that are
# installed takes as long as installing them (hence --no-compile).
export PYTHONDONTWRITEBYTECODE :=
# Processes of tests share the cores: threads of BLAS that wait for work only take time from the others.
test quick thorough: export OPENBLAS_NUM_THREADS := 1

.PHONY: install demo test quick thorough check format fuzz bench docs pictures reference dist clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "linkrisk needs Python 3.11 or newer: call make PYTHON=python3.11 (or newer)")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	$(BIN)/python -m linkrisk.attack.compiling
	@touch $@

$(VENV)/.developer: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	$(BIN)/python -m linkrisk.attack.compiling everything
	@touch $@

demo: install
	$(BIN)/linkrisk demo --out demo-output --overwrite

# Kernels that changed are compiled first, each once: the workers of pytest would all compile them at the same time.
test: install $(VENV)/.developer
	$(BIN)/python -m linkrisk.attack.compiling everything
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

quick: install $(VENV)/.developer
	$(BIN)/python -m linkrisk.attack.compiling everything
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

# Half an hour of new examples, ten times as many as stated: before a release.
thorough: install $(VENV)/.developer
	$(BIN)/python -m linkrisk.attack.compiling everything
	LINKRISK_EXAMPLES=10 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m hypothesis

check: install $(VENV)/.developer
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install $(VENV)/.developer
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# About a minute of small files of every kind, each judged exactly: the same ones each time.
fuzz: install $(VENV)/.developer
	$(BIN)/python -m benchmarks.fuzz --instances 2000 --seed 13 --jobs $(WORKERS)

bench: install $(VENV)/.developer
	$(BIN)/python -m benchmarks

# The site: docs/_build/html/index.html. A warning is an error.
docs: install $(VENV)/.developer
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs docs/_build/html

# Terminals in the pages, as they look today: look at them before they are kept.
pictures: install $(VENV)/.developer
	$(BIN)/python -m docs.pictures
	$(BIN)/python -m docs.report_pictures
	$(BIN)/python -m docs.example_report
	$(BIN)/python -m docs.page_pictures

# The options of all commands, written from the code.
reference: install $(VENV)/.developer
	$(BIN)/python -m tests.reference

# A wheel, tried where there is no checkout: installed into an environment of its own, in a folder of its own.
dist: install
	rm -rf dist
	$(BIN)/python -m linkrisk.attack.compiling ship
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	rm -rf src/linkrisk/engine/machine_code_shipped
	folder=$$(mktemp -d) && $(PYTHON) -m venv $$folder/venv && $$folder/venv/bin/python -m pip install --quiet dist/*.whl \
		&& cd $$folder && venv/bin/linkrisk demo --out demo --records 200 && venv/bin/linkrisk --version && rm -rf $$folder

clean:
	rm -rf $(VENV) demo-output dist docs/_build docs/api docs/project src/linkrisk/engine/machine_code_shipped
