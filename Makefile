# Two commands on a fresh machine with Python 3.11+ and make: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
CHECKED := $(BIN)/python check_hashes.py $(VENV)/installed.json
SAMPLE ?= sample_videos/flagged
OUT ?= out/demo
export VERIFIER_HOME ?= $(CURDIR)/out/home
unexport PYTHONDONTWRITEBYTECODE # what is compiled once is read by the hundreds of processes of the tests

.DEFAULT_GOAL := help
.PHONY: docs sbom hashes help setup setup-test setup-train demo dashboard pictures test quick check lint types imports clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

$(VENV)/.runtime: pyproject.toml constraints.txt constraints-hashes.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "verifier needs Python 3.11 or newer: make PYTHON=python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --report $(VENV)/installed.json --editable .
	@$(CHECKED) || { rm -rf $(VENV); echo 'the environment was removed'; exit 1; }
	@touch $@

$(VENV)/.test: $(VENV)/.runtime
	$(PIP) --report $(VENV)/installed.json --editable '.[test,dev,cluster]'
	@$(CHECKED) || { rm -rf $(VENV); echo 'the environment was removed'; exit 1; }
	@touch $@

$(VENV)/.train: $(VENV)/.runtime
	$(PIP) --editable '.[train]'
	$(BIN)/python -m pip uninstall --quiet --yes opencv-python
	$(PIP) --force-reinstall --no-deps opencv-python-headless
	@touch $@

setup: $(VENV)/.runtime ## make .venv with the verifier command
setup-test: $(VENV)/.test ## setup, plus what the tests need
setup-train: $(VENV)/.train ## setup, plus PyTorch and Ultralytics for training (gigabytes)

PAPERS = $(wildcard $(SAMPLE)/site/*.json $(SAMPLE)/site/*.csv)
TOLD = Papers of a site, made up for the demo:
SAID = $(wildcard $(SAMPLE)/site/*.vtt)
demo: setup ## review the shipped sample recording with its site's papers and write its weekly document
	@$(if $(PAPERS)$(SAID),echo "$(TOLD) $(PAPERS) $(SAID)")
	@$(if $(PAPERS),$(BIN)/verifier records import $(PAPERS) || [ $$? -eq 4 ])
	@$(BIN)/verifier review $(SAMPLE)/video.mp4 --layout $(SAMPLE)/layout.yaml --house $(SAMPLE)/house.yaml --out $(OUT) \
		$(addprefix --transcript ,$(SAID)) || [ $$? -eq 4 ]
	@$(BIN)/verifier weekly --review $(OUT) --out $(OUT)/weekly
	@echo "Everything is in $(OUT). Open the review dashboard with: make dashboard"

dashboard: setup ## open the review dashboard on the demo's data in a browser
	$(BIN)/verifier dashboard $(if $(filter $(CURDIR)/out/home,$(VERIFIER_HOME)),--demo)

# The tests write many small files, and wait until each lies on the disk: one in memory need not be waited for.
IN_MEMORY = test "$$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $$4 }')" -ge 4000000 2>/dev/null && export TMPDIR=/dev/shm

# Tests in a browser mostly wait: twice as many processes as cores keep both cores of a small computer busy.
TESTERS ?= 4

test: setup-test ## run all tests
	$(BIN)/python -m compileall -q verifier tests # they start hundreds of processes, which then need not compile
	$(IN_MEMORY); $(BIN)/python -m pytest -n $(TESTERS) --dist worksteal --durations=40 --durations-min=8

QUICK = tests/domain tests/engine tests/formats tests/law/test_law_cases.py tests/law/test_law_registry.py tests/law/test_law_sections.py tests/test_docs.py tests/test_words.py
quick: setup-test ## run the quick tests, while you work
	$(IN_MEMORY); $(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow and not browser and not cluster" $(QUICK)

lint: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
types: setup-test
	$(BIN)/mypy
imports: setup-test
	$(BIN)/lint-imports
check: lint types imports test ## ruff, mypy, import-linter and all tests

hashes: ## write the hashes of all files of the pinned packages into constraints-hashes.txt
	@test -x build/uv/bin/uv || { $(PYTHON) -m venv build/uv && build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv; }
	build/uv/bin/uv pip compile constraints.txt --quiet --no-deps --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --output-file constraints-hashes.txt

sbom: setup ## list all installed packages with licences (CycloneDX) in build/verifier.cdx.json
	@mkdir -p build
	@test -x build/sbom/bin/cyclonedx-py || { $(PYTHON) -m venv build/sbom && build/sbom/bin/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom==7.5.0; }
	build/sbom/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file build/verifier.cdx.json $(BIN)/python

docs: ## make a site of the documentation, with search, in build/docs/index.html; it is read without a network
	@test -x build/sphinx/bin/sphinx-build || { $(PYTHON) -m venv build/sphinx && build/sphinx/bin/python -m pip install --quiet --disable-pip-version-check sphinx==9.0.4 myst-parser==5.2.0 furo==2025.12.19; }
	build/sphinx/bin/sphinx-build -W --keep-going -q -b html docs build/docs
	@echo "Open build/docs/index.html"

pictures: setup-test ## make the pictures of the review room in docs/images anew
	$(BIN)/python benchmarks/room_pictures.py

clean: ## remove what was made here, the demo's data too, but not .venv
	rm -rf out build dist .mypy_cache .ruff_cache .pytest_cache *.egg-info
