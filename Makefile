# Everything is set up in .venv on first use; PYTHON chooses the interpreter to make it with.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: generate test test-floor test-peers golden lint types dist release-check bench bench-quick clean

generate: .venv/generate.stamp
	$(BIN)/wiregen generate

test: .venv/test.stamp
	$(BIN)/pytest -n auto

# The oldest pydantic that the published package is made for.
test-floor: .venv-floor/stamp
	.venv-floor/bin/pytest tests/fidelity tests/test_decode_message.py tests/test_corpus.py \
		tests/test_copies.py tests/test_jsonrpc.py tests/test_long_responses.py tests/test_long_strings.py \
		tests/test_traffic.py -n auto

# The peers for Node are installed beside their scripts, if Node is there.
test-peers: .venv/test.stamp
	if command -v node && command -v npm; then \
		cd tests/peers/node && npm install --silent --no-audit --no-fund --no-package-lock; \
	else echo "Left out, for want of Node and npm: all sessions with peers on Node"; fi
	$(BIN)/pytest tests/peers -rs -n auto

golden: .venv/test.stamp
	$(BIN)/pytest tests/test_golden.py tests/capabilities/test_table.py tests/e2e/test_story.py --update-golden

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/test.stamp
	$(BIN)/mypy
	$(BIN)/basedpyright

# Installs the packages that ours is compared with, and writes what it measures into benchmarks/.
bench: .venv-bench/stamp
	PYTHONPATH=generated .venv-bench/bin/python -m benchmarks

# A few rounds with what the tests have installed; fails on a regression by an order of magnitude.
bench-quick: .venv/test.stamp
	PYTHONPATH=generated $(BIN)/python -m benchmarks --quick

# Wheels and source archives of both distributions.
dist: .venv/dist.stamp
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m build --outdir dist generated

# Whether generated/ belongs to this version of wiregen, whatever its manifest says, and both distributions together.
release-check: .venv/test.stamp
	$(BIN)/wiregen generate --check --full
	$(BIN)/pytest tests/test_release.py

clean:
	rm -rf dist .venv .venv-floor .venv-bench .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/pip.stamp:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	touch $@

.venv/generate.stamp: .venv/pip.stamp pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: .venv/generate.stamp pyproject.toml
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

.venv/dist.stamp: .venv/pip.stamp
	$(BIN)/python -m pip install --quiet "build>=1.4,<2"
	touch $@

.venv-floor/stamp: pyproject.toml generated/pyproject.toml
	$(PYTHON) -m venv .venv-floor
	.venv-floor/bin/python -m pip install --quiet "pydantic==2.12.0" "typing-extensions==4.14.1" \
		hypothesis jinja2 jsonschema-rs pytest pytest-timeout pytest-xdist ruff typer
	touch $@

.venv-bench/stamp: pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.venv-bench/bin/python -m pip install --quiet --editable . --group peers "msgspec>=0.23,<0.24"
	touch $@
