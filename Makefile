# Everything happens in .venv, which is made on first use and again when the dependencies change.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
# More arguments for the command behind a target, as in: make test ARGS="-k raid"
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CATALOGS := $(patsubst %.po,%.mo,$(wildcard locales/*/LC_MESSAGES/*.po))
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOCK := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header --quiet $(ARGS)

.DEFAULT_GOAL := help
.PHONY: help run test fuzz lint format bench openapi docs messages catalogs lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: export HOST := $(HOST)
run: export PORT := $(PORT)
run: $(READY) catalogs ## Serve on 127.0.0.1:8000 (HOST=, PORT=)
	$(BIN)/gunicorn --config gunicorn.conf.py $(ARGS)

test: lint catalogs ## Check the code, then run every test (ARGS="-k raid")
	$(BIN)/python -m pytest -n auto $(ARGS)

fuzz: export GAMES ?= 200
fuzz: export FIRST ?= $(shell date +%j000)
fuzz: $(READY) catalogs ## Play 200 whole games by other dice each day (GAMES=, FIRST=)
	$(BIN)/python -m pytest -n auto tests/games/test_random_play.py -rP $(ARGS)

lint: $(READY) ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy engine service

format: $(READY) ## Repair style and format where that is safe
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) catalogs ## Measure requests and rule steps
	$(BIN)/python -m tests.bench_engine
	$(BIN)/python -m tests.bench $(ARGS)

openapi: $(READY) catalogs ## Rewrite openapi/openapi.yaml from the code
	$(BIN)/python -m service.openapi

docs: $(READY) catalogs ## Rewrite the pages in docs/ that are made from the code
	$(BIN)/python -m service.handbook

messages: $(READY) ## Bring the .po files up to date with the messages in the code
	$(BIN)/python -m service.catalogs

catalogs: $(CATALOGS) ## Compile the .po files that changed

%.mo: %.po hatch_build.py | $(READY)
	$(BIN)/python hatch_build.py $<

lock: | $(BIN)/python ## Pin the dependencies of pyproject.toml again (ARGS=--upgrade for newer ones)
	$(PIP) install --quiet uv
	$(LOCK) --output-file requirements.lock
	$(LOCK) --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean: ## Remove everything that make can make again
	rm -rf $(VENV) dist build .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis
	rm -f $(CATALOGS)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Ruleglot needs Python 3.11 or newer, and '$(PYTHON)' is not." \
			"Name another one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(READY): pyproject.toml hatch_build.py requirements-dev.lock | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@
