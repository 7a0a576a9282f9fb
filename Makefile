# `make plan` and `make test` need Python 3.11+ with its venv module, git and make, and do the rest themselves.
# Another Python: `PYTHON=python3.13 make plan`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Wheels only: a source package would fetch build tools that no lock holds to their hashes.
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input --no-compile
# On all cores and without the libraries' own tests: a third of the time that pip takes for it. A file that does not
# compile costs time at most, hence no failure.
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib

# Byte code is kept whatever the environment says: compiling the planner anew takes each of its runs half as long again.
unexport PYTHONDONTWRITEBYTECODE

.ONESHELL:
.SHELLFLAGS := -ec
.PHONY: plan test pictures lint format docs lock bench clean help setup setup-dev
.DEFAULT_GOAL := help

plan: setup  ## plan layouts/superpod-h100-1su into output/superpod-h100-1su
	@$(BIN)/planner plan layouts/superpod-h100-1su

test: setup-dev  ## run all tests (ARGS="-k routes" for some)
	@$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

lint: setup-dev  ## ruff (rules and format) and mypy --strict
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup-dev  ## let ruff format and fix what it can
	@$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

docs: setup  ## write the generated pages of docs/ anew: rules, JSON Schema, tables of plan.db
	@$(BIN)/python docs/generate.py

bench: setup-dev  ## run the benchmarks
	@$(BIN)/python benchmarks/run $(ARGS)

lock:  ## write both locks anew, for every platform (needs uv from the package index)
	@trap 'rm -rf .venv-lock' EXIT
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet --disable-pip-version-check uv
	export UV_CUSTOM_COMPILE_COMMAND='make lock'
	compile='.venv-lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url'
	$$compile pyproject.toml requirements-build.in --output-file requirements.lock
	$$compile requirements-dev.in --constraints requirements.lock --output-file requirements-dev.lock

pictures: plan  ## the README's pictures, from the planned pod (needs poppler's pdftoppm)
	@out=output/superpod-h100-1su
	cp $$out/floor-plan.svg docs/pictures/superpod-h100-1su-floor-plan.svg
	$(BIN)/planner render $$out --only cut-sheets --rack A01 --out .venv/pictures
	pdftoppm -r 80 -f 2 -l 2 -singlefile -png .venv/pictures/cut-sheets.pdf docs/pictures/superpod-h100-1su-cut-sheet

clean:  ## remove .venv and caches; plans in output/ stay
	@rm -rf $(VENV) .venv-lock build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*  ## /\1\t/p' Makefile | expand -t 10

# --- set-up ---------------------------------------------------------------------------------------------------------
# The environment is what the locks say and nothing else: a changed lock, a moved checkout, another PYTHON or a set-up
# that was broken off starts it from nothing (the wheels come from pip's cache). A stamp holds what an installation was
# made from; it is written last, and compared by content, so that a touched file costs nothing.

explicit_python = $(if $(filter environment% command%,$(origin PYTHON)),$(PYTHON))
stamp_of = { echo '$(CURDIR)'; cat $(1); }

# One line and a stop, from make itself, and only when an environment has to be made. Pythons as old as 2.7 can read it.
python_check = import sys, pkgutil; modules = [m[1] for m in pkgutil.iter_modules()]; \
	print("the planner needs Python 3.11 or newer, $(PYTHON) is %d.%d; name another one: PYTHON=python3.12 make plan" % sys.version_info[:2] if sys.version_info < (3, 11) else "" if "venv" in modules and "ensurepip" in modules else "$(PYTHON) has no venv module; install it (Debian and Ubuntu: apt install python3-venv) and run make again")
python_fault = $(strip $(shell command -v $(PYTHON) >/dev/null 2>&1 || { \
	echo "there is no $(PYTHON); install Python 3.11 or newer, or name one: PYTHON=python3.12 make plan"; exit; }; \
	$(PYTHON) -c '$(python_check)' 2>&1))

usable = $(shell $(call stamp_of,requirements.lock) | cmp -s - $(VENV)/runtime.stamp || exit 0; \
	test ! -e $(VENV)/dev.begun || exit 0; \
	test ! -e $(VENV)/dev.stamp || $(call stamp_of,requirements-dev.lock) | cmp -s - $(VENV)/dev.stamp || exit 0; \
	test -z "$(explicit_python)" || test "$$($(explicit_python) -V)" = "$$($(BIN)/python -V)" || exit 0; \
	$(BIN)/python -c "" 2>/dev/null && echo yes)

setup:
	@$(if $(usable),,$(if $(python_fault),$(error $(python_fault))))
	if [ "$(usable)" != yes ]; then
		echo 'setting up $(VENV): once, half a minute to two' >&2
		rm -rf $(VENV)
		$(PYTHON) -m venv $(VENV)
		$(PIP_INSTALL) --only-binary :all: --require-hashes -r requirements.lock
		$(COMPILE) || :
		$(PIP_INSTALL) --no-build-isolation --no-deps --editable .
		cp pyproject.toml $(VENV)/package.stamp
		$(call stamp_of,requirements.lock) > $(VENV)/runtime.stamp
	elif ! cmp -s pyproject.toml $(VENV)/package.stamp; then
		$(PIP_INSTALL) --no-build-isolation --no-deps --editable .
		cp pyproject.toml $(VENV)/package.stamp
	fi

setup-dev: setup
	@[ -e $(VENV)/dev.stamp ] && exit 0
	echo 'adding the test tools to $(VENV)' >&2
	: > $(VENV)/dev.begun
	$(PIP_INSTALL) --only-binary :all: --require-hashes -r requirements-dev.lock
	$(COMPILE) || :
	$(call stamp_of,requirements-dev.lock) > $(VENV)/dev.stamp
	rm $(VENV)/dev.begun
