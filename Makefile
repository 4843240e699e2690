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
RUNS := $(VENV)/.runs
PIP := $(BIN)/python -m pip --disable-pip-version-check
# The Pythons that make test-all tries.
PYTHONS ?= 3.11 3.12 3.13 3.14
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header --quiet $(ARGS)

.DEFAULT_GOAL := help
.PHONY: help run test pages fuzz load dearest slow-clients crash test-all coverage lint format bench bench-large openapi docs messages catalogs lock sbom licences audit clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: export HOST := $(HOST)
run: export PORT := $(PORT)
run: $(RUNS) ## Serve on 127.0.0.1:8000 (HOST=0.0.0.0 for phones in your network, PORT=)
	@$(BIN)/python -m ruleglot.cli serve $(ARGS)

test: lint catalogs ## Check the code, then run every test (ARGS="-k raid")
	$(BIN)/python -m pytest -n auto $(ARGS)

pages: $(READY) catalogs ## Check and draw every screen in all languages, sizes and schemes, into build/pages; tap golden games through
	RULEGLOT_BROWSER=needed $(BIN)/python -m pytest -q tests/browser/every_screen.py tests/browser/whole_games.py $(ARGS)

# Each in an environment of its own, below .venv; the tests of clients and wheel run in make test.
test-all: $(READY) catalogs ## Run the tests on every Python that is there, 3.11 to 3.14 (PYTHONS="3.12 3.14")
	@$(BIN)/python -m tests.pythons $(PYTHONS) -- $(ARGS)

coverage: $(READY) catalogs ## Run every test and fail below 97 % of all branches
	$(BIN)/python -m pytest -n auto --cov --cov-report=term:skip-covered $(ARGS)

fuzz: export GAMES ?= 200
fuzz: export TURNS ?= 1000
fuzz: export FIRST ?= $(shell date +%j000)
fuzz: export ODDS_RUNS ?= 100000
fuzz: export CALLS ?= 100000
fuzz: export CASES ?= 20000
fuzz: export MINUTES ?=
fuzz: export ASKED_GAMES ?= 24
fuzz: export RANDOM_CASES ?= 100000
fuzz: export FORGETFUL_PLAYS ?= 600
fuzz: $(READY) catalogs ## 200 games, 1,000 turns, 100,000 samples of odds, 100,000 tables told in part, 600 plays with facts forgotten, 100,000 calls, 20,000 cases of the contract, by other dice each day; MINUTES= goes on so long (GAMES=, TURNS=, RANDOM_CASES=, CALLS=, CASES=, FIRST=)
	$(BIN)/python -m pytest -n auto tests/games/test_random_play.py tests/games/test_julian_turns.py -rP $(ARGS)
	$(BIN)/python -m pytest -n auto tests/engine/test_odds.py -k "simulation or sampled" $(ARGS)
	$(BIN)/python -m pytest -n auto tests/properties/test_asked_player.py tests/properties/test_partly_told.py $(ARGS)
	$(BIN)/python -m pytest -n auto tests/pages/test_forgetful.py tests/package/test_forgetful.py $(ARGS)
	$(BIN)/python -m tests.fuzz.schema $(CASES) $(FIRST)
	$(BIN)/python -W ignore -m tests.fuzz $(CALLS) $(FIRST)

load: $(READY) catalogs ## Load a server with 1, 8, 64 and 256 connections beside an echo, then attack it (ARGS="table attacked")
	$(BIN)/python -m tests.load $(ARGS)

dearest: $(READY) catalogs ## List the dearest requests, in simple checks
	$(BIN)/python -W ignore -m tests.service.dearest

slow-clients: $(READY) catalogs ## Count an honest client's answers beside fifty slow ones
	$(BIN)/python -m tests.service.test_slow_clients

crash: export KILLS ?= 100
crash: $(READY) catalogs ## Kill servers and databases 100 times while eight clients write (KILLS=)
	$(BIN)/python -m tests.plays.crash $(KILLS)

lint: $(READY) ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## Repair style and format where that is safe
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) catalogs ## Measure requests and rule steps
	$(BIN)/python -m tests.bench_engine
	$(BIN)/python -m tests.bench_options
	$(BIN)/python -m tests.bench $(ARGS)
	$(BIN)/python -W ignore -m tests.plays.bench
	$(BIN)/python -W ignore -m tests.pages.bench

bench-large: export PLAYS ?= 1000000
bench-large: $(READY) catalogs ## Measure a kept move among a million plays (PLAYS=)
	$(BIN)/python -W ignore -m tests.plays.bench large $(PLAYS)

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
	$(PIP) install --quiet --require-hashes -r requirements-build.lock
	$(LOCK) pyproject.toml --output-file requirements.lock
	$(LOCK) pyproject.toml --group dev --constraint requirements.lock --output-file requirements-dev.lock
	$(LOCK) --group build --constraint requirements-dev.lock --output-file requirements-build.lock
	$(LOCK) --group audit --constraint requirements-dev.lock --output-file requirements-audit.lock

sbom: $(READY) ## Write the list of everything that a server is made of, into build/sbom.cdx.json
	$(BIN)/python deploy/supply.py sbom

licences: $(READY) ## List the licence of everything that a server is made of, and fail where one forbids something
	$(BIN)/python deploy/supply.py licences

# In an environment of its own; it needs a database of vulnerabilities that can be reached.
audit: ## Ask for known vulnerabilities of everything that a server is made of; fails where nobody can be asked
	@test -x $(VENV)/audit/bin/python || $(PYTHON) -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements-audit.lock
	$(VENV)/audit/bin/pip-audit --strict --require-hashes --disable-pip -r requirements.lock $(ARGS)

clean: ## Remove everything that make can make again
	rm -rf $(VENV) dist build .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis
	rm -f $(CATALOGS)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Ruleglot needs Python 3.11 or newer, and '$(PYTHON)' is not." \
			"Name another one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Making $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "'$(PYTHON) -m venv' failed, and $(VENV) was removed again. On Debian and Ubuntu the package" \
			"python3-venv is missing: sudo apt install python3-venv. Then try again." >&2; exit 1; }

# What serving needs, and no more.
$(RUNS): pyproject.toml hatch_build.py requirements.lock $(CATALOGS:.mo=.po) | $(BIN)/python
	@echo "Installing what serving needs …"
	@$(PIP) install --quiet --progress-bar on --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps $(if $(wildcard $(READY)),--no-build-isolation) -e .
	@touch $@

$(READY): pyproject.toml hatch_build.py requirements-build.lock requirements-dev.lock | $(BIN)/python
	@echo "Installing what the checks need too; the first time this takes a minute or two …"
	@$(PIP) install --quiet --progress-bar on --require-hashes -r requirements-build.lock
	@$(PIP) install --quiet --progress-bar on --require-hashes -r requirements-dev.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@ $(RUNS)
