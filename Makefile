# make bench           a table on simulated hardware (GAME=big-six, GAME=sic-bo, GAME=path/to/table.yaml)
# make test            lint, types and the test suite
# make test-campaigns  its long tests, which make test leaves out: samples of the campaigns below, simulated rounds
#                      (CASES=2: every second case of each)
# make test-held-up    threads and event loops delayed at random, as a busy machine delays them; SEED=2 for other delays
# make test-debian13   the test suite on Debian 13 and its Python, installation included (as root; needs mmdebstrap)
# make test-arm        the installed table on an emulated 64-bit Arm: the same journal heads as here, cuts, drivers, journals of
#                      releases (as root; needs mmdebstrap, arch-test, qemu-user-static, binfmt-support; COMPILED=no: plain Python)
# make cost            what a table costs on Arm, in instructions, against the committed figures (as root; needs mmdebstrap,
#                      qemu-system-arm; WRITE=--write writes new ones)
# make test-compiled   the compiled form against the plain one: events of recorded trains, and the tests of the tracking
# make compiled        a wheel with the tracking compiled for this Python and machine, in build/wheel
# make install         the table as a service (as root; TABLE=roulette the first time); make uninstall
# make install-floor   the floor as a service on its own computer (as root; docs/floor.md); make uninstall-floor
# make image           the card's image of a table for a Raspberry Pi 3, 4 or Zero 2 W, in build/image (as root; docs/image.md)
# make bundle          an update of that image for tables that run it (KEY=, CERT=; the image made with KEYRING=)
# make test-image      that image on virtual Pis: start, slots, power cut (QEMU's raspi3b; half an hour)
# make benchmark       what it costs, as ratios in one run
# make campaign        a million simulated spins with sensor faults (SPINS=, SEED=)
# make test-kernel     whole tables on a real kernel's lines, in a virtual machine (as root; needs Debian 12's archive)
# make test-service    the installed service, and power cuts, in that machine
# make test-browser    the screens in headless Chromium (Debian packages chromium, chromium-driver; npm): make test-pages, and
#                      from a press to its drawn frame, make test-latency
# make lighthouse      how soon the pages show something, and whether everybody can use them (Chromium; npm)
# make figures-screens from a press to its drawn frame, and a week of the board without growth of memory (Chromium)
# make screens         pictures of every page in every state of a round, on one sheet, build/screens/index.html, against the
#                     approved ones (APPROVE=yes keeps them as these)
# make site-bench      the bench as a folder for any web server, build/site/bench: it runs in the browser (npm)
# make test-site       that folder in headless Chromium, against the server's bench (after site-bench)
# make types           mypy, and with npm the types of the pages' scripts; part of make test
# make test-floor      publishers, broker, store and floor, with real servers (Debian packages mosquitto, postgresql,
#                      postgresql-VERSION-partman, prometheus)
# make floor           a thousand tables on one broker and one floor, and what fails meanwhile (TABLES=, MINUTES=)
# make figures-kernel  what reading an encoder costs there, against gpiozero's RotaryEncoder (after test-kernel)
# make kills           tables of all games killed at random instants (KILLS=, SEED=)
# make crashes         the power cut at every write of a journal's files (SEED=)
# make matrix          every fault of every device in every state of every game, and slips in it; writes docs/faults.md
# make people          every press in every state of every game's machine; writes docs/people.md
# make mutants         every clause broken once: the tests of its row must fail (NAMES=, EVERY=)
# make mutation        a random sample of small changes of the games, limits, odds and tracking: tests must notice them
#                      (SAMPLE=, SEED=; MUTANTS= names some; docs/mutation.md)
# make load            72 simulated hours of busy tables, and a journal of a million rounds (HOURS=, ROUNDS=)
# make fuzz            noise into everything that reads bytes, by coverage (SECONDS= for each, SEED=)
# make release         the commit's release in build/release, for tables and the floor (KEY=, which signs it; docs/software.md)
# make man             the manual pages of all commands, in build/man; man -l build/man/table-controller-journal.1 shows one
# make verify-release  whether a release is as it was signed (FOLDER=, KEY=, the public one)
# make test-release    that release built twice, here and elsewhere: the same bytes (ELSEWHERE=trixie: and on Debian 13, as root)
# make lock            the versions and hashes of all that is installed (UPGRADE=1 takes the newest)
# make explore         property tests with cases that nobody has seen; make test draws the same ones (SECONDS=)
# make docs            diagrams and pictures that are drawn from the code
# make site            what can be read and tried without installing, in build/site: a folder that any web server or a USB stick holds
# make site-docs       its documents alone, in build/site/docs

PYTHON ?= python3
GAME ?= dreamcatcher
SPINS ?= 1000000
SEED ?= 1
SECONDS ?= 60
KILLS ?= 10000
HOURS ?= 72
ROUNDS ?= 1000000
TABLES ?= 10 100 1000
MINUTES ?= 10
EVERY ?= 1
SAMPLE ?= 200
LINES_SUITE := tests/system/kernel/kernel_gpio.py tests/system/kernel/kernel_rounds.py tests/system/kernel/kernel_faults.py
SERVICE_SUITE := $(addprefix tests/system/kernel/kernel_,cut.py devices.py service.py power.py)
# The same order of sets in every run; and the tests are spread over the processors already.
ALIKE := PYTHONHASHSEED=0 OPENBLAS_NUM_THREADS=1
# The tests start some hundred processes: what Python compiles is kept for them, beside the checkout, whatever the environment says.
KEPT := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/build/pycache
VENV := .venv
BIN := $(VENV)/bin
NPM := build/npm
LIGHTHOUSE := build/npm-lighthouse
# Each mostly waits for a wheel to turn: two for a processor.
BROWSERS := $(shell expr 2 \* $$(nproc))
# What the bench needs where there is no server: Python for browsers, and the wheel that is compiled for it.
SITE_NPM := build/npm-site
SITE_WHEELS := build/site-wheels
SITE_PYTHON := --platform pyemscripten_2026_0_wasm32 --python-version 314 --implementation cp --abi cp314 --only-binary :all:
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
LOCKS := $(wildcard requirements/*.txt)
# Packages by their hashes; the build back-end first, for what has no wheel is built with it, as is the project itself.
locked = echo "$(VENV): $$(grep -c == requirements/$(1).txt) packages of requirements/$(1).txt, by their hashes ($(2)) ..." && \
	$(PIP) --require-hashes --requirement requirements/build.txt && \
	$(PIP) --require-hashes --no-build-isolation --requirement requirements/$(1).txt
project = echo "$(VENV): the project itself (about 5 s) ..." && $(PIP) --no-build-isolation --no-deps --editable .

.PHONY: test-held-up test-pages test-latency screens lighthouse figures-screens site-bench test-site man install-floor uninstall-floor release verify-release test-release compiled cost image bundle test-image test-arm test-compiled mutants mutation explore test-campaigns types-of-scripts bench test-debian12 test-debian13 test-browser test-service install uninstall kills crashes matrix people load fuzz test test-kernel figures-kernel lint types benchmark campaign docs site site-docs clean test-floor floor lock

bench: $(VENV)/bench
	@$(BIN)/table-controller bench $(GAME)

install:
	@TABLE="$(TABLE)" PYTHON="$(PYTHON)" sh systemd/install

image:
	@$(foreach name,ARCHIVE COMPILED FRESH KEYRING,$(if $($(name)),$(name)="$($(name))")) bash systemd/image/build

bundle:
	@KEY="$(KEY)" CERT="$(CERT)" bash systemd/image/bundle

test-image: $(VENV)/dev
	$(BIN)/pytest -v -s -o python_files='image_*.py' tests/system/image

uninstall:
	@sh systemd/install uninstall

install-floor:
	@PYTHON="$(PYTHON)" sh systemd/install floor

uninstall-floor:
	@sh systemd/install uninstall-floor

test: lint types
	@echo "the tests: five minutes on two processors; each dot is one"
	$(ALIKE) $(KEPT) $(BIN)/pytest -n auto --dist worksteal
	@echo "left out: make test-campaigns (the long tests), make test-browser (the screens in a browser), make test-floor (a real broker and database), make test-kernel and make test-service (a real kernel)"

# What a busy machine finds now and then: a test that takes an order of threads for granted. SEED=2 delays others.
test-held-up: $(VENV)/dev
	$(ALIKE) $(BIN)/pytest -n auto --dist worksteal --held-up $(or $(SEED),1)

test-campaigns: $(VENV)/dev
	$(ALIKE) $(KEPT) $(BIN)/pytest -n auto --dist worksteal -m campaign --cases $(or $(CASES),1)

test-compiled: $(VENV)/dev
	@echo "build/wheel: the tracking, compiled (a minute or two) ..."
	cd tests && PYTHONPATH=..:support $(ALIKE) $(abspath $(BIN))/python -m compiled.run --core-sample $(or $(CORE_SAMPLE),1)

compiled: $(VENV)/dev
	rm -rf build/wheel build/wheel-source && mkdir -p build/wheel-source
	cp -R setup.py pyproject.toml README.md LICENSE controller hal config build/wheel-source
	TABLE_COMPILED=1 $(BIN)/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
		--wheel-dir build/wheel ./build/wheel-source
	rm -rf build/wheel-source

release: $(VENV)/dev
	@echo "build/release: the commit's wheel, source, locks and notes (about half a minute) ..."
	rm -rf build/release
	$(BIN)/python -m tools.release build build/release $(if $(KEY),--key "$(KEY)")

man: $(VENV)/bench
	@$(BIN)/table-controller manual build/man

verify-release: $(VENV)/dev
	@$(BIN)/python -m tools.release verify "$(FOLDER)" "$(KEY)"

test-release: $(VENV)/dev
	bash .ci/test-release $(ELSEWHERE)

test-debian12 test-debian13:
	bash .ci/on-debian $(if $(findstring 12,$@),bookworm,trixie) env CORE_SAMPLE=$(or $(CORE_SAMPLE),1) bash .ci/try-there

test-arm: $(VENV)/bench
	mkdir -p build
	cd tests && PYTHONPATH=..:support $(ALIKE) $(abspath $(BIN))/python -m arm.results >../build/results
	$(if $(filter no,$(COMPILED)),,bash .ci/compile-for-arm)
	bash .ci/on-debian trixie:arm64 env COMPILED=$(or $(COMPILED),/srv/checkout/build/arm64) bash .ci/try-there selected <build/results

cost: $(VENV)/dev
	$(BIN)/python -m benchmarks.cost $(WRITE)

test-kernel: $(VENV)/dev
	bash tests/system/kernel/build.sh
	$(BIN)/pytest -v -o python_files='kernel_*.py' $(LINES_SUITE)

test-service: $(VENV)/dev
	bash tests/system/kernel/build.sh
	$(BIN)/pytest -v -o python_files='kernel_*.py' $(SERVICE_SUITE)

test-floor: $(VENV)/dev
	$(BIN)/pytest -n auto --dist loadfile -o python_files='floor_*.py' tests/system/floor

test-browser: test-pages test-latency

test-pages: $(VENV)/browser $(NPM)/installed
	$(BIN)/pytest -n $(BROWSERS) --dist worksteal -o python_files='browser_*.py' tests/system/browser

# From a press to the frame: on a machine that does nothing else.
test-latency: $(VENV)/browser $(NPM)/installed
	$(BIN)/pytest -o python_files='figures_latency.py' tests/system/browser

screens: $(VENV)/browser $(NPM)/installed
	rm -rf build/screens && mkdir -p build/screens
	PICTURES=$(CURDIR)/build/screens $(BIN)/pytest -n $(BROWSERS) --dist worksteal -o python_files='browser_screens.py' tests/system/browser
	$(BIN)/python -m tools.contact_sheet build/screens docs/screens/approved $(if $(APPROVE),--approve)

site-bench: $(VENV)/bench $(SITE_NPM)/installed $(SITE_WHEELS)/fetched
	$(BIN)/python -m tools.site_bench $(SITE_NPM)/node_modules/pyodide $(SITE_WHEELS) build/site/bench

test-site: $(VENV)/browser
	$(ALIKE) $(BIN)/pytest -n auto --dist worksteal -rP -o python_files='site_*.py' tests/system/browser

$(SITE_NPM)/installed: tools/site_bench/package.json tools/site_bench/package-lock.json
	@mkdir -p $(SITE_NPM) && cp $^ $(SITE_NPM)
	@echo "$(SITE_NPM): Python for browsers, of package-lock.json (about half a minute) ..."
	npm ci --loglevel=error --no-audit --no-fund --ignore-scripts --prefix $(SITE_NPM)
	@touch $@

# The lock has the hashes of every file of a package, those for browsers among them.
$(SITE_WHEELS)/fetched: requirements/run.txt | $(VENV)/bench
	@rm -rf $(SITE_WHEELS) && mkdir -p $(SITE_WHEELS)
	@echo "$(SITE_WHEELS): pydantic's core for browsers, by its hash (some seconds) ..."
	@sed -n '/^pydantic-core==/,/[^\\]$$/p' requirements/run.txt >$(SITE_WHEELS)/locked.txt
	@$(BIN)/pip download --quiet --disable-pip-version-check --no-deps $(SITE_PYTHON) --require-hashes \
		--requirement $(SITE_WHEELS)/locked.txt --dest $(SITE_WHEELS)
	@touch $@

$(NPM)/installed: tests/system/browser/package.json tests/system/browser/package-lock.json
	@mkdir -p $(NPM) && cp $^ $(NPM)
	@echo "$(NPM): the packages of package-lock.json (about half a minute) ..."
	npm ci --loglevel=error --no-audit --no-fund --ignore-scripts --prefix $(NPM)
	@touch $@

$(LIGHTHOUSE)/installed: tests/system/browser/lighthouse/package.json tests/system/browser/lighthouse/package-lock.json
	@mkdir -p $(LIGHTHOUSE) && cp $^ $(LIGHTHOUSE)
	@echo "$(LIGHTHOUSE): the packages of package-lock.json (some minutes) ..."
	npm ci --loglevel=error --no-audit --no-fund --ignore-scripts --prefix $(LIGHTHOUSE)
	@touch $@

lighthouse: $(VENV)/browser $(LIGHTHOUSE)/installed
	$(BIN)/pytest -o python_files='figures_lighthouse.py' tests/system/browser

figures-screens: $(VENV)/browser
	$(BIN)/pytest -o python_files='figures_latency.py figures_lasting.py' tests/system/browser

figures-kernel: $(VENV)/dev
	PYTHONPATH=.:tests/support $(BIN)/python tests/system/kernel/figures.py

lint: $(VENV)/dev
	@echo "lint: ruff, and which room imports which (about 10 s)"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/dev
	@echo "types: mypy (a minute the first time, then some seconds)"
	$(BIN)/mypy
	@$(MAKE) --no-print-directory types-of-scripts

types-of-scripts:
	@if command -v npm >/dev/null && $(MAKE) --no-print-directory --silent $(NPM)/installed; then \
		echo "$(NPM)/node_modules/.bin/tsc" && $(NPM)/node_modules/.bin/tsc && \
		$(NPM)/node_modules/.bin/tsc --project tools/site_bench; \
	else \
		echo "left out: the types of the pages' scripts, which need npm and its packages (sudo apt install npm)"; \
		[ "$(CI)" != true ]; \
	fi

benchmark: $(VENV)/dev
	$(BIN)/python -m benchmarks

campaign: $(VENV)/dev
	$(BIN)/python -m benchmarks.fault_campaign --spins $(SPINS) --seed $(SEED)

kills: $(VENV)/dev
	$(BIN)/python -m benchmarks.kill_campaign --kills $(KILLS) --seed $(SEED)

crashes: $(VENV)/dev
	$(BIN)/python -m benchmarks.crash_campaign --seed $(SEED)

matrix: $(VENV)/dev
	$(BIN)/python -m tools.fault_matrix

people: $(VENV)/dev
	$(BIN)/python -m tools.people

mutants: $(VENV)/dev
	cd tests && PYTHONPATH=..:support $(abspath $(BIN))/python -m mutants.run --every $(EVERY) $(NAMES)

mutation: $(VENV)/mutation
	cd tests && PYTHONPATH=..:support nice -n 15 $(abspath $(BIN))/python -m mutation.run --sample $(SAMPLE) --seed $(SEED) $(MUTANTS)

load: $(VENV)/dev
	$(BIN)/python -m benchmarks.load --hours $(HOURS) --rounds $(ROUNDS) --seed $(SEED)

floor: $(VENV)/dev
	$(BIN)/python -m benchmarks.floor --tables $(TABLES) --minutes $(MINUTES) --seed $(SEED)

fuzz: $(VENV)/fuzz
	PYTHONPATH=.:tests/support:tests $(BIN)/python -m tests.campaigns.fuzz --seconds $(SECONDS) --seed $(SEED)

explore: $(VENV)/dev
	$(BIN)/python -m tests.campaigns.explore --seconds="$(SECONDS)"

docs: $(VENV)/dev
	$(BIN)/python -m tools.languages
	$(BIN)/python -m tools.diagrams
	$(BIN)/python -m tools.state_drawings
	$(BIN)/python -m tools.wiring
	$(BIN)/python -m tools.floor_documents
	$(BIN)/python -m tools.event_documents
	$(BIN)/python -m tools.bench_picture
	$(BIN)/python -m tools.position_drawings
	$(BIN)/python -m tools.typescript
	$(BIN)/python -m tools.dashboards
	$(BIN)/python -m tools.metric_documents

site: site-docs site-bench
	cp tools/site/start.html build/site/index.html
	@echo "build/site/index.html: documents, and a table to try"

# Every warning is an error: a broken link, a page that is in no menu.
site-docs: $(VENV)/site
	rm -rf build/site/docs build/site-pages
	$(BIN)/python -m tools.site build/site-pages
	$(BIN)/sphinx-build -q -W --keep-going -b html -c docs -d build/site-pages/.doctrees build/site-pages build/site/docs
	$(BIN)/python -m tools.site.offline build/site/docs
	@echo "build/site/docs/index.html: open it in a browser"

lock: $(VENV)/lock
	UV=$(BIN)/uv PYTHON=$(BIN)/python sh requirements/lock

clean:
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/python-found:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "$(VENV): a virtual environment (about 5 s) ..."
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "The venv module is needed: sudo apt install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/bench: setup.py $(LOCKS) | $(VENV)/python-found
	@$(call locked,bench,half a minute to a minute)
	@$(project)
	@echo "$(VENV) is ready; from now on this is skipped"
	@touch $@

$(VENV)/dev: setup.py $(LOCKS) | $(VENV)/python-found
	@$(call locked,dev,a minute or two)
	@$(project)
	@touch $@ $(VENV)/bench

# Sphinx reads what a table can be without its devices: no tests, no drivers.
$(VENV)/site: requirements/site.txt | $(VENV)/bench
	@$(call locked,site,half a minute)
	@touch $@

# evdev is built here: gcc and the headers of Python and Linux are needed.
$(VENV)/pi $(VENV)/browser $(VENV)/fuzz $(VENV)/mutation: $(VENV)/dev
	@$(call locked,$(@F),up to a minute)
	@touch $@

$(VENV)/lock: requirements/lock.txt | $(VENV)/python-found
	@echo "$(VENV): uv, which writes the locks (about 10 s) ..."
	@$(PIP) --require-hashes --requirement $<
	@touch $@
