# Makes the environment of this project, as pyproject.toml and constraints.txt say. Sourced by the other scripts.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

# Says something in the language of the locale: $1 in English, $2 in Japanese.
say() {
    case ${CARDGAMES_LANGUAGE:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}} in
    ja*) echo "$2" ;;
    *) echo "$1" ;;
    esac >&2
}

find_python() {
    local name
    for name in "${PYTHON:-python3}" python3.11 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    say "cardgames needs Python 3.11 or later; PYTHON=/path/to/python3.11 names one." \
        "Python 3.11以降が必要です。PYTHON=/path/to/python3.11のように指定できます。"
    return 1
}

# The versions and files that the environment is made from. When any of them changes, it is made again.
made_from() {
    cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum
    readlink -f "$venv/bin/python" || true
    echo "$root $1"
}

# The extras of the environment, in brackets; empty if there is none.
extras_there() {
    sed -n '$s/.* \(\[.*\]\)$/\1/p' "$venv/made-from" 2>/dev/null || true
}

# The extras $1 together with those of the environment.
extras_with() {
    case $1$(extras_there) in
    *"[test]"*) echo "[test]" ;;
    *) echo "$1$(extras_there)" | sed 's/\]\[/,/' ;;
    esac
}

# Whether the environment exists, runs, and has the extras $1. The extra for tests includes all others.
environment_is_current() {
    local there extra
    [ -x "$venv/bin/python" ] && [ -e "$venv/made-from" ] || return 1
    there=$(extras_there)
    [ "$(cat "$venv/made-from")" = "$(made_from "$there")" ] || return 1
    [ "$there" = "[test]" ] && return
    for extra in $(echo "$1" | tr '[],' ' '); do
        case $there in *[[,]"$extra"[],]*) ;; *) return 1 ;; esac
    done
}

# $1: the extras to install, such as "[test]" or "[serve,postgres]"; empty for players. Extras of the environment stay.
# $2: the versions: pinned (by constraints.txt), or the lowest or newest of the libraries.
make_environment() {
    local python extras clear=
    if [ "${2-pinned}" != pinned ]; then
        venv=$root/.venv-$2${PYTHON:+-$(basename "$PYTHON")}
    fi
    if environment_is_current "$1"; then
        return
    fi
    python=$(find_python) || exit 1
    extras=$(extras_with "$1")
    say "Making the environment of cardgames in $venv: once, from the network, about 15 seconds …" \
        "cardgamesの環境を$venvに作っています。初回だけ、ネットワークを使って15秒ほどかかります…"
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || clear=--clear # made by a Python that is gone, or half made
    "$python" -m venv $clear "$venv"
    rm -f "$venv/made-from"
    "$python" "$root/scripts/constraints.py" "${2-pinned}" >"$venv/constraints.txt"
    # --no-compile: tests of other versions import little of the libraries.
    if ! "$venv/bin/python" -m pip install ${2:+--no-compile} --quiet --disable-pip-version-check \
        --constraint "$venv/constraints.txt" --editable "$root$extras" >"$venv/pip.log" 2>&1; then
        cat "$venv/pip.log" >&2 # its warnings about the machine matter only after a failure
        say "The environment could not be made. Is there a network?" \
            "環境を作れませんでした。ネットワークにつながっているか確かめてください。"
        exit 1
    fi
    # Python 3.11 adds setuptools, which slows down every start of Python; nothing here needs it.
    "$venv/bin/python" -m pip uninstall -qq --disable-pip-version-check --yes setuptools >>"$venv/pip.log" 2>&1
    made_from "$extras" >"$venv/made-from"
}
