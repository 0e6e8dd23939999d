# Run `make` (or `make help`) for the list of targets.

PYTHON ?= python3
GAME ?= dreamcatcher
SEED ?= 1
VENV := .venv
BIN := $(VENV)/bin
# Sets have the same order in every run, and NumPy takes one thread: the tests are spread over the processors already.
ALIKE := PYTHONHASHSEED=0 OPENBLAS_NUM_THREADS=1
PYTEST := $(ALIKE) $(BIN)/pytest
CAMPAIGN = cd tests && PYTHONPATH=..:support $(ALIKE) $(abspath $(BIN))/python -m
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# The packages of a group by their hashes. What has no wheel is built with the locked back-end, as is the project itself.
locked = echo "$(VENV): the locked packages of $(1), by their hashes ($(2)) ..." && for group in build $(1); do \
	awk -v group=$$group '/^\#/ { wanted = index($$0 " ", " " group " ") } wanted' requirements.txt >$(VENV)/locked && \
	$(PIP) --require-hashes --no-build-isolation --requirement $(VENV)/locked || exit 1; done
project = echo "$(VENV): the project itself (about 5 s) ..." && $(PIP) --no-build-isolation --no-deps --editable .

.PHONY: help bench test lint types test-floor test-browser campaigns test-kernel benchmark install uninstall install-floor \
	uninstall-floor docs lock release clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

bench: $(VENV)/bench ## a table on simulated hardware, in the browser (GAME=sic-bo, GAME=path/to/table.yaml)
	@$(BIN)/table-controller bench $(GAME)

test: lint types ## lint, types and tests: about four minutes on two processors
	$(PYTEST) -n auto --dist worksteal

lint: $(VENV)/dev ## ruff, which package may import which, and a test for each clause of the law
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tools.regulations --check

types: $(VENV)/dev ## mypy
	$(BIN)/mypy

test-floor: $(VENV)/dev ## the floor on a real broker and database (Debian packages mosquitto, postgresql, prometheus, prometheus-alertmanager, nginx-light)
	$(PYTEST) -n auto --dist loadfile -o python_files='floor_*.py' tests/floor

test-browser: $(VENV)/dev ## a round of each game, on board and dealer's screen (Debian packages chromium, chromium-driver)
	$(PYTEST) -n auto --dist worksteal -o python_files='browser_*.py' tests/system/browser

campaigns: $(VENV)/dev ## all long tests: every reference case, faults, people, mutants, kills and power cuts (hours; SEED=)
	$(PYTEST) -n auto --dist worksteal -m campaign
	$(PYTEST) -n auto --dist worksteal -m hypothesis --hypothesis-profile=explore --hypothesis-seed=$(SEED)
	$(CAMPAIGN) campaigns.mutants
	$(CAMPAIGN) campaigns.fault_campaign --spins 100000 --seed $(SEED)
	$(CAMPAIGN) campaigns.wheel_campaign --hands 20 --faults 2 --seed $(SEED)
	$(CAMPAIGN) campaigns.roulette_campaign --seed $(SEED)
	$(CAMPAIGN) campaigns.fault_matrix
	$(CAMPAIGN) campaigns.kill_campaign --kills 5000 --seed $(SEED)
	$(CAMPAIGN) campaigns.crash_campaign --seed $(SEED)
	$(CAMPAIGN) campaigns.damage_campaign --seed $(SEED)
	$(CAMPAIGN) campaigns.rewrite_campaign --seed $(SEED)
	$(CAMPAIGN) campaigns.floor_campaign --seed $(SEED)

test-kernel: $(VENV)/dev ## whole tables on a real kernel in a virtual machine (as root; half an hour)
	bash tests/system/kernel/build.sh
	$(BIN)/pytest -v --durations=12 -o python_files='kernel_*.py' tests/system/kernel

benchmark: $(VENV)/dev ## what play and start cost, as ratios within one run
	$(BIN)/python -m benchmarks

install: ## the table as a service (as root; TABLE=roulette the first time)
	@TABLE="$(TABLE)" PYTHON="$(PYTHON)" sh systemd/install

uninstall: ## remove the service; configuration and journals stay
	@sh systemd/install uninstall

install-floor: ## the floor as a service on a computer of its own (as root; docs/floor.md)
	@PYTHON="$(PYTHON)" sh systemd/install floor

uninstall-floor: ## remove the floor's service; its file and store stay
	@sh systemd/install uninstall-floor

docs: $(VENV)/dev ## documents and drawings that are made from the code
	$(BIN)/python -m tools.wiring
	$(BIN)/python -m tools.regulations
	$(BIN)/python -m tools.yaml_reference
	$(BIN)/python -m tools.floor_views

lock: $(VENV)/lock ## write the locked versions and hashes anew (UPGRADE=1 takes the newest)
	UV=$(abspath $(BIN))/uv UPGRADE=$(UPGRADE) $(BIN)/python -m tools.lock

release: test ## tests, then wheel, source, licences, notes and checksums of a clean, tagged commit, in build/release
	@$(BIN)/python -m tools.release

clean: ## remove the virtual environment and everything that was built
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/python-found:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "$(VENV): a virtual environment (about 5 s) ..."
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "The venv module is needed: sudo apt install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/bench: setup.py requirements.txt | $(VENV)/python-found
	@$(call locked,base,half a minute to a minute)
	@$(project)
	@echo "$(VENV) is ready; from now on this is skipped"
	@touch $@

$(VENV)/dev: setup.py requirements.txt | $(VENV)/python-found
	@$(call locked,dev,a minute or two)
	@$(project)
	@touch $@ $(VENV)/bench

$(VENV)/lock: requirements.txt | $(VENV)/python-found
	@$(call locked,lock,a few seconds)
	@touch $@
