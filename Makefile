# Everything is set up in .venv on first use; PYTHON chooses the interpreter to make it with.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: generate test test-peers golden lint types clean

generate: .venv/generate.stamp
	$(BIN)/wiregen generate

test: .venv/test.stamp
	$(BIN)/pytest

# The peers for Node are installed beside their scripts, if Node is there.
test-peers: .venv/test.stamp
	if command -v node && command -v npm; then \
		cd tests/peers/node && npm install --silent --no-audit --no-fund --no-package-lock; \
	else echo "Left out, for want of Node and npm: all sessions with peers on Node"; fi
	$(BIN)/pytest tests/peers -rs -n auto

golden: .venv/test.stamp
	$(BIN)/pytest tests/test_golden.py --update-golden

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/test.stamp
	$(BIN)/mypy
	$(BIN)/basedpyright

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis

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
