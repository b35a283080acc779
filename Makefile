# Each target sets up what it needs: a virtual environment in .venv with the pinned dependencies.
PYTHON ?= python3
BIN = .venv/bin
READY = .venv/.ready

.PHONY: demo test check format bench clean

demo: $(READY)
	$(BIN)/python examples/demo.py demo

test: $(READY)
	$(BIN)/python -m pytest -n auto

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	$(BIN)/python perf/cogs.py
	$(BIN)/python perf/pcfg_set.py
	$(BIN)/python perf/localism.py
	$(BIN)/python perf/natural_logic.py

clean:
	rm -rf .venv demo build src/*.egg-info

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed; say which with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	touch $(READY)
