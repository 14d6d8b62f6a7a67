#!/usr/bin/env bash
# Sets up what is missing to run and test jiti-tui from this checkout: Debian packages where apt-get can be used, and .venv.
# Does nothing, quickly, when nothing is missing. PYTHON names another python3 than the one on PATH, JITI_SBCL another sbcl.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."

PYTHON=${PYTHON:-python3}
SBCL=${JITI_SBCL:-sbcl}
VENV=.venv
STAMP=$VENV/setup-stamp

say() { printf '%s\n' "$*" >&2; }
die() { say "setup: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

have_python() { "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
have_venv_module() { "$PYTHON" -c 'import venv, ensurepip' 2>/dev/null; }
# Lisp libraries that tests and a demo world need, as Debian names their packages behind `cl-`.
LIBRARIES=(fiveam alexandria ppcre)
have_library() { compgen -G "/usr/share/common-lisp/source/*$1/*$1.asd" >/dev/null; }

# The interpreter behind a virtual environment can go away, and a checkout can be moved or copied: each leaves .venv useless.
have_venv() { "$VENV/bin/pip" --version 2>/dev/null | grep -qF " from $PWD/$VENV/"; }
wanted_stamp() { sha256sum pyproject.toml | cut -c1-64; echo "$PWD"; }
is_current() { [[ -e $STAMP && $(<"$STAMP") == "$(wanted_stamp)" ]] && "$VENV/bin/python" -I -c 'import jiti_tui' 2>/dev/null; }

missing_packages() {
    local library
    have "$SBCL" || echo sbcl
    have bwrap || echo bubblewrap
    for library in "${LIBRARIES[@]}"; do have_library "$library" || echo "cl-$library"; done
    have tmux || echo tmux
    if ! is_current && ! have_venv; then
        have_python || echo python3
        have_venv_module || echo python3-venv
    fi
}

# Tests of `jiti-tui serve` use a headless Chromium; Debian's package has a name of its own for one without a desktop.
have_browser() { have chromium-headless-shell || have chromium || have chromium-browser; }

# Prints the command that runs apt-get with the right to install, or fails.
apt_command() {
    have apt-get || return 1
    if ((EUID == 0)); then
        echo env DEBIAN_FRONTEND=noninteractive apt-get
    elif have sudo && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
        echo sudo env DEBIAN_FRONTEND=noninteractive apt-get
    else
        return 1
    fi
}

install_packages() {
    local apt
    apt=$(apt_command) || return 0
    say "setup: installing $*"
    # Package lists that cannot be refreshed may still be good enough; the installation itself tells.
    $apt update -qq >&2 || say "setup: apt-get update failed; trying with the package lists that are there."
    $apt install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "$@" </dev/null >&2 || say "setup: apt-get could not install $*."
}

require_programs() {
    local packages
    mapfile -t packages < <(missing_packages)
    ((${#packages[@]})) || return 0
    install_packages "${packages[@]}"

    have "$SBCL" || die "SBCL is missing ($SBCL is not a program). Install SBCL 2.2.9 or newer (Debian and Ubuntu: apt-get install sbcl)" \
        "or set JITI_SBCL to one, then run make setup again."
    have bwrap || say "setup: bubblewrap is missing, so sessions will run NOT SANDBOXED. Install the package bubblewrap."
    have tmux || say "setup: tmux is missing; tests in a real terminal will not run. Install the package tmux."
    have_library fiveam || say "setup: FiveAM is missing; the tests in lisp/tests and the demo world roman_numerals will not run. Install the package cl-fiveam."
    have_library alexandria && have_library ppcre || say "setup: tests with whole libraries will not run. Install the packages cl-alexandria and cl-ppcre."
}

make_venv() {
    if ! have_venv; then
        have_python || die "$PYTHON is missing or older than 3.11. Install Python 3.11 or newer, or set PYTHON to one."
        have_venv_module || die "$PYTHON has no venv module. Install it (Debian and Ubuntu: apt-get install python3-venv)."
        "$PYTHON" -m venv --clear "$VENV" || die "$PYTHON could not make $VENV."
    fi
    say "setup: installing the Python packages into $VENV"
    # Dependency groups need pip 25.1; Debian 12 brings 23.
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' &&
        "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[serve]' --group dev ||
        die "pip could not install the Python packages; its own message is above."
    wanted_stamp >"$STAMP"
}

# Apart from the others, which must not fail with it where it has another name; once, not at every call where it cannot be had.
install_browser() {
    have_browser || install_packages chromium-headless-shell
    have_browser || say "setup: no Chromium is here; tests in a browser will not run. Install the package chromium-headless-shell."
}

require_programs
is_current || { install_browser; make_venv; }
