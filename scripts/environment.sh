# Makes the environment of this project, as pyproject.toml and constraints.txt say. Sourced by the other scripts.
# It has to run in bash 3.2, the bash of macOS. Names of variables stand in braces before letters that are not ASCII,
# which belong to the name in some locales. -I keeps Python from modules in the current folder and in PYTHONPATH.

unset CDPATH PYTHONHOME PIP_PYTHON
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv

# Says something in the language of the locale: $1 in English, $2 in Japanese.
say() {
    case ${CARDGAMES_LANGUAGE:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}} in
    ja*) echo "$2" ;;
    *) echo "$1" ;;
    esac >&2
}

# Whether $1 is a Python that can make the environment. Debian has the module ensurepip in a package of its own.
makes_environments() {
    [ "$("$1" -I -c 'import ensurepip, sys; print(sys.version_info >= (3, 11))' 2>/dev/null)" = True ]
}

# The Python that makes the environment; nothing if uv has to make it, since there is none.
find_python() {
    local name
    if [ -n "${PYTHON-}" ]; then
        makes_environments "$PYTHON" && echo "$PYTHON" && return
        say "PYTHON=$PYTHON: this is no Python 3.11 or later with the module ensurepip." \
            "PYTHON=${PYTHON}：Python 3.11以降（ensurepipモジュール付き）ではありません。"
        return 1
    fi
    for name in python3 python3.11 python3.12 python3.13 python3.14; do
        makes_environments "$name" && echo "$name" && return
    done
    command -v uv >/dev/null && return
    if python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        say "The Python here has no module ensurepip: install it (Debian, Ubuntu: apt install python3-venv), or uv." \
            "このPythonにはensurepipモジュールがありません。インストールするか（Debian、Ubuntu: apt install python3-venv）、uvを入れてください。"
    else
        say "cardgames needs Python 3.11 or later, or uv; PYTHON=/path/to/python3.11 names one." \
            "Python 3.11以降かuvが必要です。PYTHON=/path/to/python3.11のように指定できます。"
    fi
    return 1
}

# The versions and files that the environment is made from. When any of them changes, it is made again.
made_from() {
    cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum
    readlink -f "$venv/bin/python" 2>/dev/null || true # older macOS has no -f
    echo "$root $1"
}

# The extras of the environment, in brackets, also after an update that was broken off; empty if there is none.
extras_there() {
    local file=$venv/made-from
    [ -e "$file" ] || file=$venv/made-from.before
    sed -n '$s/.* \(\[.*\]\)$/\1/p' "$file" 2>/dev/null || true
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
    [ "$(cat "$venv/made-from")" = "$(made_from "$there")" ] && has_wanted_python || return 1
    [ "$there" = "[test]" ] && return
    for extra in $(echo "$1" | tr '[],' ' '); do
        case $there in *[[,]"$extra"[],]*) ;; *) return 1 ;; esac
    done
}

# Whether the environment has the Python that PYTHON names, if it names any.
has_wanted_python() {
    local version='import sys; print(sys.version, sys.base_prefix)'
    [ -z "${PYTHON-}" ] || [ "$("$PYTHON" -I -c "$version" 2>&1)" = "$("$venv/bin/python" -I -c "$version" 2>&1)" ]
}

# Makes or updates the environment: $1 the Python, or nothing for uv, $2 the extras, $3 the versions. All that it prints
# belongs into a log.
build() {
    local options= folder
    if ! { [ -x "$venv/bin/python" ] && "$venv/bin/python" -I -m pip --version && has_wanted_python; }; then
        rm -rf "$venv" # half made, or made by another Python or by one that is gone
        if [ -n "$1" ]; then
            "$1" -I -m venv "$venv" || return
        else
            uv venv --quiet --seed --python ">=3.11" "$venv" || return # it gets a Python if there is none
        fi
    fi
    if [ -e "$venv/made-from" ]; then
        mv "$venv/made-from" "$venv/made-from.before"
        options="--retries 1" # without a network, nobody has to wait for long
    fi
    "$venv/bin/python" -I "$root/scripts/constraints.py" "$3" >"$venv/constraints.txt" || return
    "$venv/bin/python" -I "$root/scripts/constraints.py" requirements "$2" >"$venv/requirements.txt" || return
    [ "$3" = pinned ] || options="$options --no-compile" # tests of other versions import little of the libraries
    # Settings of pip that would put the libraries elsewhere, or not at all, do not count.
    PIP_USER=0 PIP_DRY_RUN=0 PIP_NO_DEPS=0 PIP_REQUIRE_HASHES=0 \
        "$venv/bin/python" -I -m pip install $options --quiet --disable-pip-version-check --no-input \
        --target "" --prefix "$venv" --root / \
        --constraint "$venv/constraints.txt" --requirement "$venv/requirements.txt" || return
    # The program stays where it is. The path is relative, since Python reads the file in the encoding of the locale,
    # which may not have the letters of the project's path.
    for folder in "$venv"/lib/python*/site-packages; do
        echo ../../../.. >"$folder/cardgames.pth"
    done
    # Python 3.11 adds setuptools, which slows down every start of Python; nothing here needs it.
    "$venv/bin/python" -I -m pip uninstall -qq --disable-pip-version-check --yes setuptools
    "$venv/bin/python" -I "$root/scripts/constraints.py" installed "$2" && "$venv/bin/python" -I -m cardgames --version
}

# $1: the extras to install, such as "[test]" or "[serve,postgres]"; empty for players. Extras of the environment stay.
# $2: the versions: pinned (by constraints.txt), or the lowest or newest of the libraries.
make_environment() {
    local python extras versions=${2-pinned} log
    if [ "$versions" != pinned ]; then
        venv=$root/.venv-$versions${PYTHON:+-$(basename "$PYTHON")}
    fi
    if environment_is_current "$1"; then
        return
    fi
    if [ -n "${_CARDGAMES_COMPLETE-}" ]; then
        exit 1 # the Tab key is no reason to install anything
    fi
    python=$(find_python) || exit 1
    log=$venv.log
    if ! exec 9>>"$log"; then
        say "The environment of cardgames cannot be made: ${root} cannot be written." \
            "cardgamesの環境を作れません。${root}に書き込めません。"
        exit 1
    fi
    trap 'say "Interrupted. The next start makes the environment." "中断しました。次回の起動時に環境を作ります。"; exit 130' INT
    if [ -n "$python" ] && ! lock "$python" LOCK_NB; then
        say "Another start is setting up ${venv} …" "ほかの起動が${venv}に環境を作っています。お待ちください…"
        lock "$python" LOCK_EX || true
    fi
    if ! environment_is_current "$1"; then
        extras=$(extras_with "$1")
        say "Installing libraries in ${venv}, over the network. This takes about 15 seconds …" \
            "ライブラリを${venv}に入れています。ネットワークを使って15秒ほどかかります…"
        if (build "$python" "$extras" "$versions") >"$log" 2>&1; then
            made_from "$extras" >"$venv/made-from"
            rm -f "$venv/made-from.before"
        else
            cannot_build "$1" "$versions" "$log" || exit 1
        fi
    fi
    trap - INT
    exec 9>&-
}

# Locks the log, which is file 9, until this shell closes it: $1 the Python, $2 LOCK_NB not to wait.
lock() {
    "$1" -I -c 'import fcntl, sys; fcntl.flock(9, fcntl.LOCK_EX | getattr(fcntl, sys.argv[1]))' "$2" 2>/dev/null
}

# After a failure: says why, and whether an environment from before is enough to play: with the extras $1, the
# versions $2, and the log $3.
cannot_build() {
    if [ "$2$1" != "pinned[test]" ] && [ -e "$venv/made-from.before" ] &&
        "$venv/bin/python" -I "$root/scripts/constraints.py" installed "$1" >/dev/null 2>&1; then
        mv "$venv/made-from.before" "$venv/made-from"
        say "The environment could not be brought up to date; the one from before is used ($3 tells why)." \
            "環境を更新できなかったため、これまでのものを使います（理由：$3）。"
        return
    fi
    cat "$3" >&2 # warnings of pip about the machine matter only after a failure
    if grep -qE 'NewConnectionError|NameResolution|Max retries|[Tt]imed out|Timeout|ProxyError|ConnectionReset' "$3"; then
        say "Setting up failed. Is there a network connection?" \
            "環境を作れませんでした。ネットワークにつながっているか確かめてください。"
    else
        say "Setting up failed; the lines above say why." "環境を作れませんでした。理由は上の行のとおりです。"
    fi
    return 1
}
